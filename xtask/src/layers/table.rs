//! The table of layers in the architecture document, between two markers.

use super::order::Layer;

/// The document with a library's table made anew.
pub(super) fn replaced(document: &str, library: &str, layers: &[Layer]) -> Result<String, String> {
    let (begin, end) = (format!("<!-- layers:{library}:begin -->"), format!("<!-- layers:{library}:end -->"));
    let (before, rest) = document.split_once(&begin).ok_or_else(|| format!("has no line {begin}"))?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| format!("has no line {end} after {begin}"))?;
    Ok(format!("{before}{begin}\n{}{end}{after}", rendered(layers)))
}

fn rendered(layers: &[Layer]) -> String {
    let mut table = String::from("| module | what it holds | uses |\n| --- | --- | --- |\n");
    for layer in layers {
        let uses: Vec<_> = layer.uses.iter().map(|name| format!("`{name}`")).collect();
        let cells = [&format!("`{}`", layer.name), &plain(&layer.doc), &uses.join(", ")];
        let cells = cells.map(|cell| if cell.is_empty() { "–" } else { cell });
        table.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    table
}

/// A sentence of documentation as plain Markdown: links to items lose their brackets, bars do not end the cell.
fn plain(doc: &str) -> String {
    doc.replace("[`", "`").replace("`]", "`").replace('|', "\\|")
}
