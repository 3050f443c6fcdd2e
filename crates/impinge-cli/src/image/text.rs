//! The answer as a table.

use std::fmt::Write;

use impinge_image::{Answer, Detail, Options, Views};
use impinge_report::text::{counted, point, short, visible};

use super::Cast;

pub(super) fn table(cast: &Cast, device: &str, options: &Options, answer: &Answer, unit: &str) -> String {
    let views = match &options.views {
        Views::Count(count) => *count as usize,
        Views::Along(list) => list.len(),
    };
    let side = options.resolution;
    let outcome = match answer.pairs().len() {
        1 => "1 pair interferes".to_owned(),
        0 if !answer.interferes => "nothing interferes".to_owned(),
        0 if options.detail == Detail::Any => "something interferes".to_owned(),
        0 => "some interfere".to_owned(),
        pairs => format!("{pairs} pairs interfere"),
    };
    let objects = counted(cast.objects.len(), "model", "models");
    let images = counted(views, "image", "images");
    let mut text =
        format!("{objects} in {images} of {side} x {side} pixels, drawn by {device}: {outcome}.\n");
    let rows: Vec<[String; 5]> = answer
        .interferences
        .iter()
        .map(|found| {
            let at = found.points.first().map_or(String::new(), |place| point(place.to_array()));
            let counts = [found.edges.len(), found.points.len()].map(|count| count.to_string());
            let [edges, points] = counts;
            [cast.name(found.penetrating), cast.name(found.penetrated), edges, points, at]
        })
        .collect();
    if !rows.is_empty() {
        let head = ["edges of", "inside of", "edges", "pixels", "at"].map(str::to_owned);
        let rows: Vec<&[String; 5]> = std::iter::once(&head).chain(&rows).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let [of, inside, edges, pixels] = [0, 1, 2, 3].map(width);
        text.push('\n');
        for row in rows {
            let [a, b, c, d, e] = row;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {a:<of$}  {b:<inside$}  {c:>edges$}  {d:>pixels$}  {e}");
        }
        text.push('\n');
    }
    if options.detail == Detail::Objects && answer.interferences.is_empty() && answer.interferes {
        let names = |objects: &[u32]| -> String {
            objects.iter().map(|object| format!("    {}\n", cast.name(*object))).collect()
        };
        let [inside, around] = [&answer.penetrating, &answer.penetrated].map(|objects| names(objects));
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  edges inside of others\n{inside}\n  edges of others inside\n{around}\n");
    }
    text += &precision(answer, unit);
    if answer.not_closed {
        text += "  closed     not all: a model is inside out, or its vertices do not close it\n";
    }
    text += &open(cast);
    let work = answer.work;
    let _ = writeln!(
        text,
        "  work       {}, {}, {}",
        counted(work.looks as usize, "look", "looks"),
        counted(work.layers as usize, "layer of edges", "layers of edges"),
        counted(work.passes as usize, "pass", "passes")
    );
    text
}

/// The line on the models that are not closed: an answer of nothing means less there.
fn open(cast: &Cast) -> String {
    let names: Vec<String> =
        cast.subjects.iter().filter(|of| !of.model.is_closed()).map(|of| visible(&of.name)).collect();
    let shown = match names.as_slice() {
        [] => return String::new(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {}", counted(rest.len(), "other", "others")),
    };
    format!("  open       {shown}: an open surface has no inside that edges of others could be seen in\n")
}

/// The line on the precision, and whether it holds.
pub(crate) fn precision(answer: &Answer, unit: &str) -> String {
    let length = if answer.precision.is_finite() {
        format!("{} {unit}", short(answer.precision))
    } else {
        "no bound: some edges are seen end-on".to_owned()
    };
    let holds = if answer.complete { "" } else { "; not all edges were looked at" };
    format!("  precision  {length}{holds}\n")
}
