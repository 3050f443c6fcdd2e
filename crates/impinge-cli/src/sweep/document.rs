//! An answer as the user wants it reported.

use impinge::Placed;
use impinge::query::{Contact, Sweep, SweepStatus};
use impinge::transform::Phase;
use impinge_report::terminal::Status;

use super::Question;
use crate::{json, report_scene};

/// An answer.
pub(super) struct Finding {
    pub(super) sweep: Sweep,
    /// Those at the stop.
    pub(super) contacts: Vec<Contact>,
}

impl Finding {
    pub(super) fn new(moving: &Placed<'_>, stationary: &Placed<'_>, sweep: Sweep) -> Finding {
        // All that is about as close as what stopped it.
        let contacts = sweep.hit.as_ref().map_or(Vec::new(), |hit| {
            let stopped = moving.model().try_at(sweep.world_from_moving);
            stopped.map_or(Vec::new(), |stopped| stopped.contacts(stationary, 2.0 * hit.bound))
        });
        Finding { sweep, contacts }
    }

    pub(super) fn status(&self) -> Status {
        if self.sweep.status == SweepStatus::Clear { Status::Nothing } else { Status::Found }
    }

    /// The JSON document; `index` is the motion of a batch.
    pub(super) fn document<'a>(&self, question: &'a Question<'_>, index: Option<usize>) -> json::Sweep<'a> {
        let Sweep { status, fraction, phase, world_from_moving, hit, lift, wedged, stats, .. } = &self.sweep;
        let hit = hit.as_ref();
        json::Sweep {
            index,
            schema: json::SCHEMA,
            verdict: match status {
                SweepStatus::Clear => "clear",
                SweepStatus::Hit => "hit",
                SweepStatus::StartedOverlapping => "started_overlapping",
            },
            fraction: *fraction,
            phase: phase.map(phase_name),
            world_from_moving: report_scene::rows(world_from_moving.world_from_model()),
            point: hit.map(|hit| hit.point_on_stationary.to_array()),
            normal: hit.map(|hit| hit.normal.to_array()),
            feature_moving: hit.and_then(|hit| question.a.feature(hit.feature_moving)),
            feature_stationary: hit.and_then(|hit| question.b.feature(hit.feature_stationary)),
            contacts: self.contacts.iter().map(|contact| contact_document(contact, question)).collect(),
            bound: hit.map_or(0.0, |hit| hit.bound),
            lift: lift.map(|lift| lift.to_array()),
            wedged: *wedged,
            work: json::SweepWork {
                box_tests: stats.box_tests,
                face_tests: stats.face_tests,
                feature_tests: stats.feature_tests,
            },
            unit: question.unit,
        }
    }
}

fn contact_document(contact: &Contact, question: &Question<'_>) -> json::Contact {
    json::Contact {
        point_a: contact.point_on_a.to_array(),
        point_b: contact.point_on_b.to_array(),
        normal: contact.normal.to_array(),
        distance: contact.distance,
        feature_a: question.a.feature(contact.feature_a),
        feature_b: question.b.feature(contact.feature_b),
    }
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Translation => "translation",
        Phase::Rotation => "rotation",
        Phase::Rigid => "rigid",
    }
}
