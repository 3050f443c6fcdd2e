//! Why 8 directions do badly: the paper could not say, the counts can.

use serde::Serialize;

use super::{ObjectReport, Report, Row, median};

/// Octahedra (K = 8) against boxes (K = 6) on one object: how many times as much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contrast {
    /// The object.
    pub object: String,
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
    /// The same after one of two objects was turned about z and its bounds were enclosed anew.
    pub aligned: f64,
    /// Mean volume of the relative positions in which the bounds of two faces are not told apart.
    pub undecided: f64,
    /// Triangles that 14 directions test: boxes and octahedra at once.
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
    Some(Contrast {
        object: object.name(),
        time: times(&|row| row.summary().mean_ns),
        box_tests: times(&|row| row.summary().box_tests),
        face_tests: times(&tests),
        tilted_face_tests: times(&|row| row.tilted_face_tests.unwrap_or(f64::NAN)),
        volume: room(&|room| room.volume),
        aligned: room(&|room| room.aligned),
        undecided: room(&|room| room.undecided),
        face_tests_14: tests(fourteen) / tests(six),
    })
}

/// What the counts show, in sentences.
pub fn explanation(contrasts: &[Contrast]) -> String {
    let middle = |value: fn(&Contrast) -> f64| {
        median(contrasts.iter().map(value).filter(|value| value.is_finite()).collect())
    };
    let worst = contrasts.iter().max_by(|a, b| a.face_tests.total_cmp(&b.face_tests));
    let Some(worst) = worst else { return String::new() };
    format!(
        "Octahedra (k = 8) test {:.1} times as many triangles as boxes (k = 6) and compare {:.1} times as many bounds \
         (medians over the objects; at most {:.1} and {:.1} times, {}). ",
        middle(|c| c.face_tests),
        middle(|c| c.box_tests),
        worst.face_tests,
        worst.box_tests,
        worst.object,
    ) + &format!(
        "The bounds themselves say why: around single faces an octahedron has {:.1} times the volume of the box, {:.1} \
         times once it is turned about z and enclosed anew, because faces along the coordinate planes have flat boxes \
         but no flat octahedra, and because a turn about z widens a box in two dimensions and an octahedron in three. \
         Two faces stay undecided in {:.1} times as many relative positions. ",
        middle(|c| c.volume),
        middle(|c| c.aligned),
        middle(|c| c.undecided),
    ) + &format!(
        "Tilted out of the coordinate planes, the same objects cost octahedra {:.1} times the triangle tests of boxes. \
         14 directions, which are both, test {:.2} times as many triangles as boxes alone: the octahedron adds little \
         to the box.\n",
        middle(|c| c.tilted_face_tests),
        middle(|c| c.face_tests_14),
    )
}
