//! An answer as the user wants it reported.

use impinge::Placed;
use impinge::query::{Sweep, SweepVerdict};
use impinge::transform::Phase;

use super::Question;
use crate::error::Status;
use crate::json;

/// An answer.
pub(super) struct Finding {
    pub(super) sweep: Sweep,
}

impl Finding {
    pub(super) fn new(_moving: &Placed<'_>, _stationary: &Placed<'_>, sweep: Sweep) -> Finding {
        Finding { sweep }
    }

    pub(super) fn status(&self) -> Status {
        if self.sweep.verdict == SweepVerdict::Clear { Status::Nothing } else { Status::Found }
    }

    /// The JSON document; `index` is the motion of a batch.
    pub(super) fn document<'a>(&self, question: &'a Question<'_>, index: Option<usize>) -> json::Sweep<'a> {
        let Sweep { verdict, fraction, phase, world_from_moving, hit, work, .. } = &self.sweep;
        let hit = hit.as_ref();
        let columns = [
            world_from_moving.matrix3.x_axis,
            world_from_moving.matrix3.y_axis,
            world_from_moving.matrix3.z_axis,
            world_from_moving.translation,
        ];
        let mut rows = [0.0; 16];
        for (column, vector) in columns.into_iter().enumerate() {
            for (row, entry) in vector.to_array().into_iter().enumerate() {
                rows[4 * row + column] = entry;
            }
        }
        rows[15] = 1.0;
        json::Sweep {
            index,
            schema: json::SCHEMA,
            verdict: match verdict {
                SweepVerdict::Clear => "clear",
                SweepVerdict::Hit => "hit",
                SweepVerdict::StartedOverlapping => "started_overlapping",
            },
            fraction: *fraction,
            phase: phase.map(phase_name),
            world_from_moving: rows,
            point: hit.map(|hit| hit.point_on_stationary.to_array()),
            normal: hit.map(|hit| hit.normal.to_array()),
            feature_moving: hit.and_then(|hit| question.a.feature(hit.feature_moving)),
            feature_stationary: hit.and_then(|hit| question.b.feature(hit.feature_stationary)),
            contacts: Vec::new(),
            bound: hit.map_or(0.0, |hit| hit.bound),
            work: json::SweepWork {
                box_tests: work.box_tests,
                face_tests: work.face_tests,
                feature_tests: work.feature_tests,
            },
            unit: question.unit,
        }
    }
}

pub(super) fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Translation => "translation",
        Phase::Rotation => "rotation",
        Phase::Rigid => "rigid",
    }
}
