//! An answer as the user wants it reported.

use impinge::query::Distance;
use impinge_report::terminal::Status;

use super::Question;
use crate::json;

/// An answer.
pub(super) struct Finding {
    /// `None` beyond the limit.
    pub(super) found: Option<Distance>,
    pub(super) has_limit: bool,
}

impl Finding {
    pub(super) fn status(&self) -> Status {
        match &self.found {
            Some(found) if self.has_limit || found.distance == 0.0 => Status::Found,
            _ => Status::Nothing,
        }
    }

    /// The JSON document; `index` is the pose of a batch.
    pub(super) fn document<'a>(
        &self,
        question: &'a Question<'_>,
        index: Option<usize>,
    ) -> json::Distance<'a> {
        let found = self.found.as_ref();
        json::Distance {
            index,
            schema: json::SCHEMA,
            distance: found.map(|found| found.distance),
            point_a: found.map(|found| found.point_on_a.to_array()),
            point_b: found.map(|found| found.point_on_b.to_array()),
            feature_a: found.and_then(|found| question.a.feature(found.feature_a?)),
            feature_b: found.and_then(|found| question.b.feature(found.feature_b?)),
            at_most: question.at_most,
            unit: question.unit,
        }
    }
}
