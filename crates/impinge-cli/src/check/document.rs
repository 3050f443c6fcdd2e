//! An answer as the user wants it reported.

use impinge::Verdict;
use impinge::query::{FacePair, Intersection, Stats, Witness};
use impinge_core::narrow::tri_tri::Kind;
use impinge_report::terminal::Status;

use super::Question;
use crate::json;

/// An answer, after touching was ignored where that is asked for.
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) witness: Option<Witness>,
    pub(super) pairs: Vec<FacePair>,
    pub(super) stats: Stats,
    /// The models touch, but that is reported as clear.
    pub(super) touch_ignored: bool,
}

impl Finding {
    pub(super) fn new(answer: Intersection, ignore_touching: bool) -> Finding {
        let Intersection { verdict, witness, mut pairs, stats, .. } = answer;
        let touch_ignored = ignore_touching && verdict == Verdict::Touching;
        let (verdict, witness) = if touch_ignored { (Verdict::Clear, None) } else { (verdict, witness) };
        // What crosses by no more than --touch only touches, too.
        pairs.retain(|pair| !ignore_touching || pair.kind == Kind::Crossing && !touch_ignored);
        Finding { verdict, witness, pairs, stats, touch_ignored }
    }

    pub(super) fn status(&self) -> Status {
        if self.verdict == Verdict::Clear { Status::Nothing } else { Status::Found }
    }

    /// The JSON document; `index` is the pose of a batch.
    pub(super) fn document<'a>(&self, question: &'a Question<'_>, index: Option<usize>) -> json::Check<'a> {
        let (verdict, contained) = json::verdict(self.verdict);
        let pairs = || self.pairs.iter().map(|pair| [pair.face_a, pair.face_b]).collect();
        json::Check {
            index,
            schema: json::SCHEMA,
            verdict,
            contained,
            witness: self.witness.map(|witness| witness_document(&witness, question)),
            pairs: question.ask.pairs.then(pairs),
            work: self.stats.into(),
            unit: question.unit,
            image: None,
        }
    }
}

fn witness_document(witness: &Witness, question: &Question<'_>) -> json::Witness {
    let [face_a, face_b] = witness.faces.map_or([None; 2], |faces| faces.map(Some));
    let (node_a, primitive_a) = face_a.map_or((None, None), |face| question.a.node_and_primitive(face));
    let (node_b, primitive_b) = face_b.map_or((None, None), |face| question.b.node_and_primitive(face));
    let point = witness.point_in_world.to_array();
    json::Witness { face_a, face_b, point, node_a, primitive_a, node_b, primitive_b }
}
