//! Whether every stop has a reason, and whatever is not stopped gets to its end.

use impinge::glam::{DAffine3, DVec3};
use impinge::query::SweepStatus;
use impinge::world::{Handle, Step, World};
use impinge::{Motion, Placement};

use super::Way;

/// Slower than this part of the speeds is not coming nearer; contacts of turning bodies have directions that are known to few digits.
const GRAZING: f64 = 1e-6;

/// Whether a corner of where two bodies are in contact comes nearer to the other as a body turns.
fn presses_at_a_corner(way: &Way, other: &Way, motion: &Motion, time: f64, at_most: f64) -> bool {
    let place = |pose: DAffine3| Placement::try_from(pose).unwrap();
    let poses = [way, other].map(|way| place(way.doing([time, time]).pose));
    let contacts = way.model.at(poses[0]).contacts(&other.model.at(poses[1]), at_most);
    contacts.iter().any(|contact| {
        let turning = motion.turn().map_or(DVec3::ZERO, |turn| {
            let moved = if motion.is_together() { motion.by() * time } else { DVec3::ZERO };
            turn.axis.cross(contact.point_on_a - turn.center - moved) * turn.degrees.to_radians()
        });
        let here = if motion.is_together() { motion.by() + turning } else { turning };
        here.dot(contact.normal) > GRAZING * here.length()
    })
}

/// Asks of every body why it stopped: something that it was coming nearer to itself was within the bound that is said, which is `at_most`. What was not stopped
/// made all of its motion.
pub(crate) fn every_stop_has_a_reason(
    ways: &[Way],
    asked: &[(Handle, Motion)],
    step: &Step,
    before: &World,
    at_most: f64,
) -> Result<(), String> {
    let way_of = |handle: Handle| ways.iter().find(|way| way.handle == handle).expect("all bodies have ways");
    for ((handle, motion), made) in asked.iter().zip(&step.moves) {
        let fail = |why: &str| Err(format!("{handle}: {why}; {made:?}"));
        let way = way_of(*handle);
        if made.handle != *handle {
            return fail("moves are in another order");
        }
        let first = way.segments.first();
        let start = before.get(*handle).unwrap().placement().world_from_model().translation;
        if let Some(first) = first {
            let lift = first.start.world_from_model().translation - start;
            let is_lifted =
                (lift - made.lift.unwrap_or(DVec3::ZERO)).length() <= 1e-15 * (1.0 + start.length());
            if first.from != 0.0 || !is_lifted {
                return fail("the first segment begins elsewhere");
            }
            // The motion, or the first part of it.
            let is_asked = first.motion.by() == motion.by() || first.motion == motion.moved(lift);
            let is_deflected = !made.hits.is_empty()
                && first.motion.turn().is_none()
                && first.motion.by().length() <= motion.by().length() * (1.0 + 1e-9);
            if !is_asked && !is_deflected {
                return fail("another motion");
            }
        }
        for pair in way.segments.windows(2) {
            let end = pair[0].placement_at(pair[0].to).unwrap();
            if pair[0].to != pair[1].from || end != pair[1].start {
                return fail("segments do not follow each other");
            }
        }
        if let Some(last) = way.segments.last() {
            let end = last.placement_at(last.to).unwrap();
            let (end, at_last) = (end.world_from_model(), way.end);
            let off = (end.translation - at_last.translation).length();
            if off > 1e-12 * (1.0 + end.translation.length()) || last.to != made.fraction {
                return fail("the last segment ends elsewhere");
            }
        }
        match made.status {
            SweepStatus::Clear => {
                let is_still =
                    motion.by() == DVec3::ZERO && motion.turn().is_none_or(|turn| turn.degrees == 0.0);
                if made.fraction != 1.0 || !made.hits.is_empty() || (way.segments.is_empty() && !is_still) {
                    return fail("it is not stopped, and has not made its motion");
                }
            }
            _ if made.wedged => {}
            _ => {
                let mut has_reason = false;
                for hit in &made.hits {
                    let other = way_of(hit.other);
                    let Some(found) = hit.hit else { return fail("it fell back") };
                    let stopped = way.segments.iter().map(|segment| segment.to).chain([made.fraction]);
                    let gap = (found.point_on_stationary - found.point_on_moving).dot(found.normal);
                    let comes_nearer = |here: DVec3, time: f64| {
                        let there = other.velocity(found.point_on_stationary, time);
                        here.dot(found.normal) >= -GRAZING * (here.length() + there.length())
                    };
                    let time = stopped
                        .into_iter()
                        .find(|time| comes_nearer(way.velocity(found.point_on_moving, *time), *time));
                    // Or it was stopped or deflected before it made any of a motion, along a line or about an axis.
                    let turning = motion.turn().map_or(DVec3::ZERO, |turn| {
                        turn.axis.cross(found.point_on_moving - turn.center) * turn.degrees.to_radians()
                    });
                    let is_second = motion.turn().is_some() && !motion.is_together() && made.fraction == 0.5;
                    let is_at_start = (motion.turn().is_none() && comes_nearer(motion.by(), 0.0))
                        || (is_second && comes_nearer(turning, 0.5));
                    let time =
                        time.or(is_at_start.then_some(0.0)).filter(|_| (-1e-12..=at_most).contains(&gap));
                    has_reason |= time.is_some() && found.bound <= at_most;
                    // Of faces that are flush one point is told: where a turn begins, another of them may come nearer.
                    has_reason |= motion.turn().is_some()
                        && presses_at_a_corner(way, other, motion, made.fraction, at_most);
                }
                if !has_reason {
                    return fail("nothing stops it");
                }
            }
        }
    }
    Ok(())
}
