//! Why 8 directions do badly: the paper could not say, the counts can.

use serde::Serialize;

use super::{ObjectReport, Report, Row};

/// Octahedra (K = 8) against boxes (K = 6) on one object: how many times as much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contrast {
    /// The object.
    pub object: String,
    /// The share of its triangles that lie along the coordinate planes.
    pub flat_share: f64,
    /// Time per query.
    pub time: f64,
    /// Bounding volumes that are compared.
    pub box_tests: f64,
    /// Triangles that are tested.
    pub face_tests: f64,
    /// Triangles that are tested when the object is tilted out of the coordinate planes.
    pub tilted_face_tests: f64,
    /// Mean volume of the bounds around single faces.
    pub volume: f64,
    /// The same once they are turned about z and enclosed as tightly as can be.
    pub enclosed: f64,
    /// The same once they are turned about z and aligned.
    pub aligned: f64,
    /// Mean volume of the relative positions in which the bounds of two faces are not told apart.
    pub undecided: f64,
    /// Bounds that boxes and octahedra compare per query at the last distance, where nothing is in reach.
    pub box_tests_apart: [f64; 2],
    /// Aligned volume over tightly enclosed volume, for octahedra; it is 1 for boxes.
    pub slack: f64,
    /// The same for 14 directions.
    pub slack_14: f64,
    /// Triangles that 14 directions test.
    pub face_tests_14: f64,
}

/// The contrasts of all objects.
pub fn contrasts(report: &Report) -> Vec<Contrast> {
    report.objects.iter().filter_map(contrast).collect()
}

fn contrast(object: &ObjectReport) -> Option<Contrast> {
    let row = |k: usize| object.rows.iter().find(|row| row.k == k);
    let (six, eight, fourteen) = (row(6)?, row(8)?, row(14)?);
    let times = |value: &dyn Fn(&Row) -> f64| value(eight) / value(six);
    let room = |value: &dyn Fn(&super::Room) -> f64| times(&|row| row.room.as_ref().map_or(f64::NAN, value));
    let tests = |row: &Row| row.summary().face_tests;
    let slack = |row: &Row| row.room.as_ref().map_or(f64::NAN, |room| room.aligned / room.enclosed);
    Some(Contrast {
        object: object.name(),
        flat_share: object.flat_share,
        time: times(&|row| row.summary().mean_ns),
        box_tests: times(&|row| row.summary().box_tests),
        face_tests: times(&tests),
        tilted_face_tests: times(&|row| row.tilted_face_tests.unwrap_or(f64::NAN)),
        volume: room(&|room| room.volume),
        enclosed: room(&|room| room.enclosed),
        aligned: room(&|room| room.aligned),
        undecided: room(&|room| room.undecided),
        box_tests_apart: [six, eight].map(|row| row.measurements.last().map_or(f64::NAN, |m| m.box_tests)),
        slack: slack(eight),
        slack_14: slack(fourteen),
        face_tests_14: tests(fourteen) / tests(six),
    })
}

/// From this share of triangles on, an object counts as one with flat faces.
const FLAT: f64 = 0.1;

/// What the counts show, in sentences, object by object: a mean would hide the one that is unlike the others.
pub fn explanation(contrasts: &[Contrast]) -> String {
    let (flat, other): (Vec<&Contrast>, Vec<&Contrast>) =
        contrasts.iter().partition(|c| c.flat_share >= FLAT);
    let all: Vec<&Contrast> = contrasts.iter().collect();
    let mut text = "Why 8 directions do badly. ".to_owned();
    if !flat.is_empty() {
        text += &format!(
            "Octahedra (k = 8) have no side along a coordinate plane, and {} have many faces there. The box (k = 6) \
             around such a face is flat, while the octahedron is about as thick as the face is wide. Over all faces of an \
             object it has this many times the volume of the box: {}; once both are turned about z and aligned: {}. \
             So octahedra test this many times the triangles that boxes do: {}; and compare this many times the bounds: {}. ",
            names(&flat),
            each(&flat, |c| c.volume),
            each(&flat, |c| c.aligned),
            each(&flat, |c| c.face_tests),
            each(&flat, |c| c.box_tests),
        );
        let (mended, left): (Vec<&Contrast>, Vec<&Contrast>) =
            flat.iter().partition(|c| c.tilted_face_tests < c.face_tests / 2.0);
        text += &format!(
            "When the same objects are tilted out of the coordinate planes, octahedra test this many times the triangles: {}. ",
            each(&flat, |c| c.tilted_face_tests),
        );
        if !mended.is_empty() {
            text += &format!(
                "For {} it is how the directions stand to the faces that matters, not that there are 8. ",
                names(&mended)
            );
        }
        if !left.is_empty() {
            text += &format!("For {} the faces along the planes are not the whole reason. ", names(&left));
        }
    }
    if !other.is_empty() {
        text += &format!(
            "{} {}, with few such faces or none, octahedra test this many times the triangles: {}; and compare this many \
             times the bounds: {}. ",
            if flat.is_empty() { "On" } else { "On the others," },
            names(&other),
            each(&other, |c| c.face_tests),
            each(&other, |c| c.box_tests),
        );
    }
    let stick_out: Vec<&Contrast> =
        all.iter().copied().filter(|c| c.box_tests_apart[1] > c.box_tests_apart[0]).collect();
    if !stick_out.is_empty() {
        text += &format!(
            "Octahedra also stick out: the one around a cube reaches three times as far along an axis as the cube. At the \
             last distance, where nothing is in reach, boxes compare this many bounds: {}; and octahedra: {}. ",
            each(&stick_out, |c| c.box_tests_apart[0]),
            each(&stick_out, |c| c.box_tests_apart[1]),
        );
    }
    let loose: Vec<&Contrast> = all.iter().copied().filter(|c| c.slack >= 1.1 || c.slack_14 >= 1.1).collect();
    text += &if loose.is_empty() {
        "Alignment is not to blame: on every object it makes octahedra and 14-DOPs less than 1.1 times as large as they \
         need to be. "
            .to_owned()
    } else {
        format!(
            "Alignment is to blame as well: it makes octahedra this many times as large as they need to be: {}; and \
             14-DOPs: {}. ",
            each(&loose, |c| c.slack),
            each(&loose, |c| c.slack_14),
        )
    };
    text + &format!(
        "14 directions have those of the box among them, so flat faces stay flat; they test this many times the triangles \
         of 6: {}.\n",
        each(&all, |c| c.face_tests_14),
    )
}

fn names(objects: &[&Contrast]) -> String {
    let names: Vec<&str> = objects.iter().map(|c| c.object.as_str()).collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// A value of every object, with its name.
fn each(objects: &[&Contrast], value: fn(&Contrast) -> f64) -> String {
    let values: Vec<String> =
        objects.iter().map(|c| format!("{} ({})", number(value(c)), c.object)).collect();
    values.join(", ")
}

/// Two digits, or all before the point.
fn number(value: f64) -> String {
    if value.is_nan() {
        "beyond measure".to_owned()
    } else if value < 9.95 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}
