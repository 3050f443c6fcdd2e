//! The figures in `docs/PAPERS.md`: a table for each paper, made from the recorded run in `runs/papers.json`.

use std::fs;

use serde_json::Value;

use crate::workspace::Workspace;

/// The page, and the recorded run.
const PAGE: &str = "docs/PAPERS.md";
const RECORD: &str = "runs/papers.json";

/// The lines around a table that is made.
const BEGIN: &str = "<!-- figures of ";
const END: &str = "<!-- end of figures -->";

/// Compares the tables of the page with the recorded run, or makes them anew.
pub(crate) fn check(workspace: &Workspace, write: bool) -> Result<(), String> {
    let read = |file: &str| {
        fs::read_to_string(workspace.root.join(file)).map_err(|error| format!("{file}: {error}"))
    };
    let (page, record) = (read(PAGE)?, read(RECORD)?);
    let record: Value = serde_json::from_str(&record).map_err(|error| format!("{RECORD}: {error}"))?;
    let made = made(&page, &record)?;
    if made == page {
        println!("figures: the tables of {PAGE} are those of {RECORD}");
        return Ok(());
    }
    if !write {
        return Err(format!(
            "{PAGE}: the figures are not those of {RECORD}; `cargo xtask figures --write` makes them anew"
        ));
    }
    fs::write(workspace.root.join(PAGE), made).map_err(|error| format!("{PAGE}: {error}"))
}

/// The page with the tables of a record.
fn made(page: &str, record: &Value) -> Result<String, String> {
    if record["quick"] != Value::Bool(false) {
        return Err(format!("{RECORD}: not the record of a full run"));
    }
    let rows = record["comparisons"].as_array().ok_or_else(|| format!("{RECORD}: no comparisons"))?;
    let (mut text, mut rest, mut used) = (String::new(), page, 0);
    while let Some(at) = rest.find(BEGIN) {
        let line = rest[at..].find('\n').map_or(rest.len(), |end| at + end + 1);
        let paper = rest[at + BEGIN.len()..line].trim().trim_end_matches("-->").trim();
        let end =
            rest[line..].find(END).ok_or_else(|| format!("{PAGE}: the figures of {paper} have no end"))?;
        let own: Vec<&Value> = rows.iter().filter(|row| row["paper"] == paper).collect();
        if own.is_empty() {
            return Err(format!("{RECORD}: no figure of {paper}"));
        }
        used += own.len();
        text += &rest[..line];
        text += "| where | figure | the paper's | ours | why |\n| --- | --- | --- | --- | --- |\n";
        for row in own {
            let cells = ["place", "what", "printed", "measured", "why"]
                .map(|key| row[key].as_str().unwrap_or_default().replace('|', "\\|").replace('\n', " "));
            text += &format!("| {} |\n", cells.join(" | "));
        }
        rest = &rest[line + end..];
    }
    if used != rows.len() {
        return Err(format!(
            "{PAGE}: {} figures of {RECORD} belong to no paper of the page",
            rows.len() - used
        ));
    }
    Ok(text + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(quick: bool) -> Value {
        let row = |paper: &str, ours: &str| serde_json::json!({"paper": paper, "place": "§1", "what": "a|b", "printed": "2", "measured": ours, "why": "x"});
        serde_json::json!({"quick": quick, "comparisons": [row("A 1", "3"), row("B 2", "4")]})
    }

    const TEXT: &str = "a\n<!-- figures of A 1 -->\nold\n<!-- end of figures -->\nb\n<!-- figures of B 2 -->\n<!-- end of figures -->\nc\n";

    #[test]
    fn tables_are_made_and_the_rest_is_left() {
        let page = made(TEXT, &record(false)).expect("both papers are there");
        assert!(page.starts_with("a\n<!-- figures of A 1 -->\n| where |"), "{page}");
        assert!(page.contains("| §1 | a\\|b | 2 | 3 | x |\n<!-- end of figures -->\nb\n"), "{page}");
        assert!(page.ends_with("| 4 | x |\n<!-- end of figures -->\nc\n") && !page.contains("old"), "{page}");
        assert_eq!(made(&page, &record(false)), Ok(page));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        assert!(made(TEXT, &record(true)).is_err_and(|reason| reason.contains("full run")));
        assert!(made("no mark", &record(false)).is_err_and(|reason| reason.contains("2 figures")));
        assert!(
            made(&TEXT.replace("B 2", "C 3"), &record(false)).is_err_and(|reason| reason.contains("C 3"))
        );
        assert!(
            made("<!-- figures of A 1 -->\n", &record(false)).is_err_and(|reason| reason.contains("no end"))
        );
    }
}
