//! What parts are called outside of the scene: by their GUIDs in IFC, and by people.

use crate::report::Part;

/// The GUID that a part has in IFC: 22 characters that stand alone in its name or its path, the last of them where there are several.
pub(super) fn ifc_guid(part: &Part) -> Option<&str> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$';
    let found = |text: &'_ str| -> Option<(usize, usize)> {
        let words = text.split(|letter| !is_letter(letter));
        let word = words.rev().find(|word| is_ifc_guid(word))?;
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        Some((start, start + word.len()))
    };
    [&part.name, &part.path].into_iter().find_map(|text| found(text).map(|(from, to)| &text[from..to]))
}

/// Whether a word has the form of a GUID of IFC. The first character holds two bits only, and a word of letters alone is a name.
fn is_ifc_guid(word: &str) -> bool {
    word.len() == 22
        && word.starts_with(['0', '1', '2', '3'])
        && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$')
}

/// What people call a part: the last piece of its name that is no GUID.
pub(super) fn short_name(part: &Part) -> &str {
    let mut pieces = part.name.rsplit('/').map(str::trim);
    let named = pieces.find(|piece| !piece.is_empty() && !is_ifc_guid(piece));
    named.unwrap_or(if part.name.is_empty() { &part.path } else { &part.name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn guids_of_ifc_are_found_in_names_and_paths() {
        let mut part = sample::two_boxes().parts.remove(0);
        let cases = [
            (
                "Plumbing/IfcPipeSegment/sewer pipe/3D4ahkhjP7dujyPNisZ2F$",
                Some("3D4ahkhjP7dujyPNisZ2F$"),
                "sewer pipe",
            ),
            ("wall 0DyViLJJ175RvWQi1rE7a6", Some("0DyViLJJ175RvWQi1rE7a6"), "wall 0DyViLJJ175RvWQi1rE7a6"),
            ("0DyViLJJ175RvWQi1rE7a6", Some("0DyViLJJ175RvWQi1rE7a6"), "0DyViLJJ175RvWQi1rE7a6"),
            // Too long, of a letter that cannot come first, too short.
            ("0DyViLJJ175RvWQi1rE7a6x", None, "0DyViLJJ175RvWQi1rE7a6x"),
            ("4DyViLJJ175RvWQi1rE7a6", None, "4DyViLJJ175RvWQi1rE7a6"),
            ("bolt", None, "bolt"),
        ];
        for (name, expected, short) in cases {
            part.name = name.to_owned();
            assert_eq!((ifc_guid(&part), short_name(&part)), (expected, short));
        }
        part.path = "s.glb/2gTJhghMT81QThk15l2VwR/bolt".to_owned();
        assert_eq!(ifc_guid(&part), Some("2gTJhghMT81QThk15l2VwR"));
    }
}
