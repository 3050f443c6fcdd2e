//! Whether a model lies within another's open parts, as far as that can be told.

use super::OverlapFrame;
use super::surface::{ENCLOSED, Surface};
use crate::model::Placed;
use impinge_core::math::DVec3;
use impinge_core::parallel::hold;

/// Whether a model lies within another's open parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Enclosed {
    /// Nothing of it does.
    No,
    /// It cannot be told: the open parts neither enclose it nor leave it out.
    Unknown,
    /// All of it does; a point of it.
    Yes(DVec3),
}

/// So many points of a model are looked at.
const SAMPLES: usize = 24;

/// Open parts leave out a point up to this winding number.
const LEFT_OUT: f64 = 0.25;

/// Whether the first or the second model, by `side`, lies within the other's open parts, by some of its points. Those no farther than `touch` from
/// the other's surface say nothing. Estimated.
pub(crate) fn enclosed(frame: &OverlapFrame, placed: [&Placed<'_>; 2], side: usize, touch: f64) -> Enclosed {
    let (own, other) = (placed[side], placed[1 - side]);
    let metric = &frame.metric;
    if other.model().is_closed() || metric.is_shrunken() {
        return Enclosed::No;
    }
    let _held = hold();
    let [of, mut within] = [(side, own), (1 - side, other)]
        .map(|(side, placed)| Surface::new(metric, side ^ frame.host, placed));
    if !of.bounds().overlaps(&within.bounds()) {
        return Enclosed::No;
    }
    let source = &of.source;
    let mesh = source.mesh();
    let near = metric.length_from_world(touch.max(0.0)).max(1e-12 * metric.extent);
    let step = mesh.face_count().div_ceil(SAMPLES).max(1);
    let (mut all, mut any) = (true, false);
    let mut point = None;
    for face in (0..mesh.face_count() as u32).step_by(step) {
        let Some(triangle) = mesh.fan(face).next() else { continue };
        let [a, b, c] = triangle.map(|vertex| source.place(mesh.vertex(vertex)));
        for sample in [a, (a + b + c) / 3.0] {
            let is_left_out = within.open_winding(sample, LEFT_OUT) <= LEFT_OUT;
            // What is left out tells nothing new once something else was.
            if !is_left_out || all {
                let distance = within.nearest(sample, None).map_or(f64::INFINITY, |found| found.distance);
                if distance <= near {
                    continue;
                }
            }
            any |= !is_left_out;
            all = all && !is_left_out && within.open_winding(sample, ENCLOSED) >= ENCLOSED;
            if all && point.is_none() {
                point = Some(metric.to_world(sample));
            }
        }
        if any && !all {
            return Enclosed::Unknown;
        }
    }
    match point.filter(|_| all) {
        Some(point) => Enclosed::Yes(point),
        None if any => Enclosed::Unknown,
        None => Enclosed::No,
    }
}
