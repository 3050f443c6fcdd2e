//! How two models stand to each other once one of them stands elsewhere. The protocol is that of `impinge_report::live`.

use impinge::model::Purpose;
use impinge::query::IntersectOptions;
use impinge::{Model, Placement, Verdict};
use impinge_report::{Point, Polyline};
use serde::{Deserialize, Serialize};

use crate::report_scene::{self, Places};
use crate::{json, placement};

/// Two models, and where they stand at first.
pub(super) struct Scene {
    pub(super) models: [Model; 2],
    pub(super) world_from_models: [Placement; 2],
}

#[derive(Deserialize)]
struct Question {
    part: usize,
    world_from_model: [f64; 16],
    /// Without it, the other model stands where it stood at first: the server remembers nothing.
    world_from_other: Option<[f64; 16]>,
}

#[derive(Serialize)]
struct Answer<'a> {
    verdict: &'static str,
    contained: Option<&'static str>,
    point: Option<Point>,
    face_pairs: usize,
    curve: Vec<Line<'a>>,
    faces_a: &'a [u32],
    faces_b: &'a [u32],
    distance: Option<f64>,
    closest: Option<[Point; 2]>,
}

#[derive(Serialize)]
struct Line<'a> {
    points: &'a [Point],
    closed: bool,
}

impl Line<'_> {
    fn of(line: &Polyline) -> Line<'_> {
        Line { points: &line.points, closed: line.closed }
    }
}

impl Scene {
    /// The answer to a question, both as JSON; or why there is none.
    pub(super) fn answer(&self, question: &[u8]) -> Result<String, String> {
        let question: Question =
            serde_json::from_slice(question).map_err(|error| format!("the question: {error}"))?;
        let mut placements = self.world_from_models;
        let [part, other] = match question.part {
            0 => [0, 1],
            1 => [1, 0],
            part => return Err(format!("part: {part} is neither 0 nor 1")),
        };
        placements[part] = self.place(part, "world_from_model", &question.world_from_model)?;
        if let Some(matrix) = &question.world_from_other {
            placements[other] = self.place(other, "world_from_other", matrix)?;
        }
        self.look(placements)
    }

    fn place(&self, part: usize, field: &str, matrix: &[f64; 16]) -> Result<Placement, String> {
        let placed = placement::of_matrix(matrix).and_then(|placement| {
            placement::check_range(&self.models[part].at(placement)).map(|()| placement)
        });
        placed.map_err(|reason| format!("{field}: {reason}"))
    }

    fn look(&self, placements: [Placement; 2]) -> Result<String, String> {
        let [a, b] = [0, 1].map(|part| self.models[part].at(placements[part]));
        rayon::join(|| a.model().prepare(Purpose::PAIRS), || b.model().prepare(Purpose::PAIRS));
        // Each takes about as long as the other, and the hand is waiting.
        let ask = IntersectOptions::new().pairs(true);
        let (found, curve) = rayon::join(|| a.intersect_with(&b, ask), || report_scene::curve(&a, &b));
        let apart = (found.verdict == Verdict::Clear).then(|| a.distance(&b));
        let places = Places::new(curve, &found.pairs);
        let (verdict, contained) = json::verdict(found.verdict);
        let answer = Answer {
            verdict,
            contained,
            point: found.witness.map(|witness| witness.point_in_world.to_array()),
            face_pairs: found.pairs.len(),
            curve: places.curve.iter().map(Line::of).collect(),
            faces_a: &places.faces[0],
            faces_b: &places.faces[1],
            distance: apart.map(|apart| apart.distance),
            closest: apart.map(|apart| [apart.point_on_a, apart.point_on_b].map(|point| point.to_array())),
        };
        serde_json::to_string(&answer).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::shapes;

    fn scene() -> Scene {
        let cube = || Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).expect("a cube"));
        Scene { models: [cube(), cube()], world_from_models: [Placement::IDENTITY; 2] }
    }

    fn moved(x: f64) -> String {
        format!("[1,0,0,{x:?},0,1,0,0,0,0,1,0,0,0,0,1]")
    }

    fn ask(question: &str) -> Result<serde_json::Value, String> {
        let answer = scene().answer(question.as_bytes())?;
        Ok(serde_json::from_str(&answer).expect("JSON"))
    }

    #[test]
    fn either_part_may_move_and_nothing_is_remembered() {
        let scene = scene();
        for part in [0, 1] {
            for (x, verdict, distance) in
                [(0.5, "overlapping", None), (1.0, "touching", None), (3.0, "clear", Some(2.0))]
            {
                let question = format!(r#"{{"part":{part},"world_from_model":{}}}"#, moved(x));
                let answer = scene.answer(question.as_bytes()).expect("an answer");
                let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
                assert_eq!(answer["verdict"], verdict);
                assert_eq!(answer["distance"].as_f64(), distance);
                assert_eq!(answer["faces_a"] == serde_json::json!([]), distance.is_some());
                let closest = answer["closest"].as_array().map(Vec::len);
                assert_eq!(closest, distance.map(|_| 2));
            }
        }
        let both =
            format!(r#"{{"part":0,"world_from_model":{},"world_from_other":{}}}"#, moved(7.0), moved(7.0));
        assert_eq!(ask(&both).expect("an answer")["verdict"], "overlapping");
    }

    #[test]
    fn what_contains_the_other_is_told() {
        let small = r#"{"part":1,"world_from_model":[0.5,0,0,0.25,0,0.5,0,0.25,0,0,0.5,0.25,0,0,0,1]}"#;
        let answer = ask(small).expect("an answer");
        assert_eq!((&answer["verdict"], &answer["contained"]), (&"inside".into(), &"b".into()));
        assert_eq!(answer["face_pairs"], 0);
        assert!(answer["point"].is_array());
    }

    #[test]
    fn poses_that_cannot_be_are_refused() {
        let matrix = |numbers: &str| format!(r#"{{"part":0,"world_from_model":{numbers}}}"#);
        let cases = [
            (matrix("[0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"), "world_from_model: "),
            (matrix("[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]"), "world_from_model: "),
            (matrix("[1e308,0,0,1.7e308,0,1e308,0,0,0,0,1e308,0,0,0,0,1]"), "world_from_model: "),
            (matrix("[1,0,0,1e999,0,1,0,0,0,0,1,0,0,0,0,1]"), "the question: "),
            (matrix("[1,2,3]"), "the question: "),
            (matrix("[null,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"), "the question: "),
            (matrix(&moved(0.0)).replace("\"part\":0", "\"part\":2"), "part: 2"),
            (matrix(&moved(0.0)).replace("\"part\":0", "\"part\":-1"), "the question: "),
            (String::new(), "the question: "),
            ("[".repeat(3000), "the question: "),
        ];
        for (question, reason) in cases {
            let refusal = ask(&question).expect_err(&question);
            assert!(refusal.starts_with(reason), "{question}: {refusal}");
        }
    }
}
