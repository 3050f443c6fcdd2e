//! Answers as sentences.

use impinge_report::text::counted;
use std::fmt::Write;

use super::Finding;

/// Faces in a line at most.
const IN_A_LINE: usize = 12;

/// An answer in full, each line with its break. `volume` is what the volume is called.
pub(super) fn answer(finding: &Finding, file: &str, volume: &str) -> String {
    if finding.faces.is_empty() {
        return format!("{file} does not touch the {volume}.\n{}", work(finding));
    }
    let mut text =
        format!("{file} touches the {volume} with {}.\n", counted(finding.faces.len(), "face", "faces"));
    for (i, line) in finding.faces.chunks(IN_A_LINE).enumerate() {
        let faces: Vec<String> = line.iter().map(ToString::to_string).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {:5}  {}", if i == 0 { "faces" } else { "" }, faces.join(" "));
    }
    text + &work(finding)
}

fn work(finding: &Finding) -> String {
    let (boxes, faces) = (finding.work.box_tests as usize, finding.work.face_tests as usize);
    let (boxes, faces) = (counted(boxes, "box test", "box tests"), counted(faces, "face test", "face tests"));
    format!("  work   {boxes}, {faces}\n")
}
