//! The contacts of two placed models.

use super::answer::{Contact, ContactOptions};
use super::features::Features;
use super::search::{brute_force, traverse_bvh};
use super::side::Side;
use crate::model::Placed;
use crate::pair::frame::Frame;
use crate::pair::stats::Stats;
use crate::query::distance::MetricFrame;
use crate::query::scratch::{ContactMemory, FoundContact, Scratch};
use crate::query::verdict::Engine;
use impinge_core::math::{opposite, positive_zeros};
use impinge_core::parallel::hold;
use impinge_core::tolerance::DISTANCE_ABSOLUTE;

/// Finds all contacts of two placed models within a distance, and how much work that took.
pub fn contacts_counted(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: ContactOptions,
    scratch: &mut Scratch,
) -> (Vec<Contact>, Stats) {
    let _held = hold();
    if options.within.is_nan() || options.within < 0.0 {
        return (Vec::new(), Stats::default());
    }
    let frame = Frame::of(a, b);
    let order = [frame.host, 1 - frame.host];
    let placed = order.map(|side| [a, b][side]);
    let metric = MetricFrame::of(&frame, placed[0], placed[1]);
    let touch = DISTANCE_ABSOLUTE * metric.extent;
    let sides = [0, 1].map(|side| {
        let source = metric.source(side, placed[side]);
        let is_mirrored = metric.maps[side].is_some_and(|map| map.matrix3.determinant() < 0.0);
        Side::new(source, is_mirrored, touch)
    });
    let Scratch { near, pieces, contacts: ContactMemory { found, corners, batches, candidates }, .. } =
        scratch;
    found.clear();
    candidates.clear();
    // The cores are farther apart than the bodies.
    let radii = a.radius() + b.radius();
    let limit = metric.length_from_world(options.within + radii);
    let stats = Stats::default();
    let mut features = Features { sides, limit, touch, found, corners, candidates, stats };
    if options.engine == Engine::Brute || metric.is_shrunken() {
        brute_force(&mut features);
    } else {
        let trees = placed.map(|placed| placed.model().bvh());
        traverse_bvh(trees, &metric, &mut features, near, (batches, pieces));
    }
    let stats = features.stats;
    for found in &mut *found {
        found.points = found.points.map(|point| metric.to_world(point));
        found.normal = metric.direction_to_world(found.normal);
        found.distance = metric.length_to_world(found.distance);
        if radii > 0.0 {
            let [first, second] = found.points;
            found.points =
                [first + found.normal * placed[0].radius(), second - found.normal * placed[1].radius()];
            let distance = found.distance - radii;
            found.distance = if distance.abs() <= metric.length_to_world(touch) { 0.0 } else { distance };
        }
        if frame.host == 1 {
            found.points.swap(0, 1);
            found.features.swap(0, 1);
            found.materials.swap(0, 1);
            found.normal = opposite(found.normal);
        }
        found.normal = positive_zeros(found.normal);
    }
    found.retain(|found| found.distance <= options.within);
    // Pieces of one polygon share its index: the nearest of their contacts stands for all.
    found.sort_unstable_by(|x, y| {
        let by_id = x.contact().id().cmp(&y.contact().id());
        by_id.then(x.distance.total_cmp(&y.distance)).then(x.faces.cmp(&y.faces))
    });
    found.dedup_by_key(|found| found.contact().id());
    (found.iter().map(FoundContact::contact).collect(), stats)
}
