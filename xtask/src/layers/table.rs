//! The table of layers in the architecture document, between two markers.

use super::order::Layer;

const BEGIN: &str = "<!-- layers:begin -->";
const END: &str = "<!-- layers:end -->";

/// The document with its table made anew.
pub(super) fn replaced(document: &str, layers: &[Layer]) -> Result<String, String> {
    let (before, rest) = document.split_once(BEGIN).ok_or_else(|| format!("has no line {BEGIN}"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("has no line {END} after {BEGIN}"))?;
    Ok(format!("{before}{BEGIN}\n{}{END}{after}", rendered(layers)))
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
