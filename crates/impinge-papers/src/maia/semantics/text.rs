//! Sections as text for the terminal, and as files.

use std::fmt::Write;

use super::Section;

/// All tables.
pub fn tables(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        // Writing to a string cannot fail.
        let Section { title, paper, ratio, unit, .. } = section;
        let _ = writeln!(text, "{title}\n  paper: {paper}\n  here: {ratio:.2} {unit}\n");
        let heads: Vec<String> = section.columns.iter().map(|&head| head.to_owned()).collect();
        let rows: Vec<&Vec<String>> = [&heads].into_iter().chain(&section.rows).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        for row in &rows {
            let _ = write!(text, "  {:<1$}", row[0], width(0));
            for (column, entry) in row.iter().enumerate().skip(1) {
                let _ = write!(text, "  {entry:>0$}", width(column));
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// Every file with its name and content: a table and pictures for each section, and a summary.
pub fn files(sections: &[Section]) -> Vec<(String, String)> {
    let line =
        |entries: &[String]| entries.iter().map(|entry| quoted(entry)).collect::<Vec<_>>().join(",") + "\n";
    let mut summary = "section,paper_ratio,ratio,unit\n".to_owned();
    let mut files = Vec::new();
    for section in sections {
        let of_paper = section.paper_ratio.map_or_else(String::new, |ratio| format!("{ratio:.4}"));
        let Section { name, ratio, unit, .. } = section;
        summary += &format!("{name},{of_paper},{ratio:.4},{}\n", quoted(unit));
        let heads: Vec<String> = section.columns.iter().map(|&head| head.to_owned()).collect();
        let table = section.rows.iter().fold(line(&heads), |table, row| table + &line(row));
        files.push((format!("{}.csv", section.name), table));
        for (number, chart) in section.charts.iter().enumerate() {
            let number = if number == 0 { String::new() } else { format!("-{}", number + 1) };
            files.push((format!("{}{number}.svg", section.name), chart.svg()));
        }
    }
    files.push(("semantics.csv".to_owned(), summary));
    files
}

/// An entry of a table of comma-separated values.
fn quoted(entry: &str) -> String {
    if entry.contains([',', '"']) { format!("\"{}\"", entry.replace('"', "\"\"")) } else { entry.to_owned() }
}
