//! Oriented boxes around two bodies: the separating axes of two of them, at the start and at the end of their ways.
//!
//! Along an axis that stands still, the gap between two bodies whose points go along straight lines is at any time at least what lies between the gaps at the
//! start and at the end, in proportion to the time. Points leave their chords by at most a parabola, whose height is the bulge. So an axis with both gaps on
//! the same side separates the two on the whole way by at least what is left of the chord under the parabola: by the first gap, where the two part fast
//! enough. That holds for parts of the time, too, with bulges that shrink as the square of the part.

use crate::model::Placed;
use crate::world::travel::{OrientedBox, Spin, Travel};
use impinge_core::math::DVec3;

fn reach(OrientedBox { halves: [x, y, z], .. }: &OrientedBox, axis: DVec3) -> f64 {
    x.dot(axis).abs() + y.dot(axis).abs() + z.dot(axis).abs()
}

/// Across the sides of a box.
fn normals(OrientedBox { halves: [x, y, z], .. }: &OrientedBox) -> [DVec3; 3] {
    [y.cross(*z), z.cross(*x), x.cross(*y)]
}

/// What rounding can do to points of that size, and all that is computed from them.
fn rounding(travel: &Travel) -> f64 {
    let middles = travel.boxes.each_ref().map(|boxed| boxed.middle.abs().element_sum());
    1e-13 * (middles[0] + middles[1] + travel.radius)
}

/// How far apart an axis shows the boxes to be on the whole way, where that is more than `margin`.
pub(super) fn gap([a, b]: [&Travel; 2], margin: f64) -> Option<f64> {
    let turns = [a, b].map(|travel| travel.straight.is_none());
    let ends = [0, 1].map(|at| [&a.boxes[at], &b.boxes[at]]);
    let leaves = Leaves::over([a, b], 1.0);
    separate(ends, turns, axes(ends[0]), margin, leaves).map(|(gap, _)| gap)
}

/// How far points of two bodies leave boxes around their chords.
#[derive(Clone, Copy)]
struct Leaves {
    /// At any time.
    always: f64,
    /// In the middle of the time: the height of a parabola.
    bulge: f64,
}

impl Leaves {
    /// For two bodies over a part of the time.
    fn over([a, b]: [&Travel; 2], part: f64) -> Leaves {
        let always = |travel: &Travel| travel.rounding + travel.rounded_by + rounding(travel);
        Leaves { always: always(a) + always(b), bulge: a.bulge_over(part) + b.bulge_over(part) }
    }

    /// At one time.
    fn at_once(travels: [&Travel; 2]) -> Leaves {
        Leaves { bulge: 0.0, ..Leaves::over(travels, 0.0) }
    }

    /// The least gap on a way from one gap to another.
    fn least([first, last]: [f64; 2], Leaves { always, bulge }: Leaves) -> f64 {
        let change = last - first;
        let least = if change.abs() >= 4.0 * bulge {
            first.min(last)
        } else {
            // The chord less the parabola: it is least where both are as steep.
            first + change / 2.0 - bulge - change * change / (16.0 * bulge)
        };
        least - always
    }
}

/// The separating axes of two boxes: across their sides, and across an edge of each.
fn axes<'b>([a, b]: [&'b OrientedBox; 2]) -> impl Iterator<Item = DVec3> + use<'b> {
    let across = a.halves.iter().flat_map(|u| b.halves.iter().map(|v| u.cross(*v)));
    normals(a).into_iter().chain(normals(b)).chain(across)
}

/// The first of some axes along which two pairs of boxes, one at the start of some time and one at its end, are apart by more than `margin` on the same side,
/// at any time between, and by how much. `turns` says which of the two turns meanwhile.
fn separate(
    [start, end]: [[&OrientedBox; 2]; 2],
    turns: [bool; 2],
    mut axes: impl Iterator<Item = DVec3>,
    margin: f64,
    leaves: Leaves,
) -> Option<(f64, DVec3)> {
    let between = [start, end].map(|[a, b]| b.middle - a.middle);
    axes.find_map(|axis| {
        let [first, last] = between.map(|between| between.dot(axis));
        if first * last <= 0.0 {
            return None;
        }
        let reaches = [reach(start[0], axis), reach(start[1], axis)];
        let at_start = first.abs() - (reaches[0] + reaches[1]);
        if at_start <= 0.0 {
            return None;
        }
        let reach_at_end = |side: usize| if turns[side] { reach(end[side], axis) } else { reaches[side] };
        let gaps = [at_start, last.abs() - (reach_at_end(0) + reach_at_end(1))];
        if gaps[0].min(gaps[1]) <= 0.0 {
            return None;
        }
        let length = axis.length();
        let gap = Leaves::least(gaps.map(|gap| gap / length), leaves);
        // False where the axis is none.
        (gap > margin && gap.is_finite()).then_some((gap, axis))
    })
}

/// The time is halved so often at most.
const MOST_HALVINGS: u32 = 4;

/// How far apart axes show the boxes to be on the whole way, each for a part of the time, where that is more than `margin`: those that turn past each other
/// have no axis that separates them all of the time.
pub(super) fn gap_in_parts(travels: [&Travel; 2], placed: [&Placed<'_>; 2], margin: f64) -> Option<f64> {
    if travels[0].straight.is_some() && travels[0].straight == travels[1].straight {
        return None;
    }
    let turns = travels.map(|travel| travel.straight.is_none());
    let boxes_at = |time: f64| {
        let [a, b] = [0, 1].map(|side| travels[side].box_at(placed[side], time));
        Some([a?, b?])
    };
    let ends = [0, 1].map(|at| travels.map(|travel| &travel.boxes[at]));
    // Those that are not apart at an end are not on the way.
    let at_once = Leaves::at_once(travels);
    // What separates them at one time is likely to do so at another.
    let apart_at = |boxes: [&OrientedBox; 2], likely: Option<DVec3>| {
        let tried = likely.into_iter().chain(axes(boxes));
        separate([boxes; 2], [false; 2], tried, margin, at_once).map(|(_, axis)| axis)
    };
    let mut likely = apart_at(ends[0], None)?;
    likely = apart_at(ends[1], Some(likely))?;
    if let Some(gap) = gap_from_turning_sides(travels, margin) {
        return Some(gap);
    }
    let mut least = f64::INFINITY;
    // Parts of the time that are left, the first last: until when, the boxes then, and how often time was halved for it.
    let mut left = vec![(1.0, ends[1].map(|boxed| *boxed), 0)];
    let (mut from, mut start, mut last_axis) = (0.0, ends[0].map(|boxed| *boxed), None);
    while let Some(&(to, end, halvings)) = left.last() {
        let leaves = Leaves::over(travels, to - from);
        let both = [start.each_ref(), end.each_ref()];
        let at_end = both[1].into_iter().flat_map(normals);
        let tried = last_axis.into_iter().chain(axes(both[0])).chain(at_end);
        // What has just been tried on the whole is not tried again.
        let found = (halvings > 0).then(|| separate(both, turns, tried, margin, leaves)).flatten();
        if let Some((gap, axis)) = found {
            least = least.min(gap);
            last_axis = Some(axis);
            (from, start) = (to, end);
            left.pop();
            continue;
        }
        if halvings == MOST_HALVINGS {
            return None;
        }
        let middle = from + (to - from) / 2.0;
        let between = boxes_at(middle)?;
        likely = apart_at(between.each_ref(), Some(likely))?;
        if let Some(last) = left.last_mut() {
            last.2 = halvings + 1;
        }
        left.push((middle, between, halvings + 1));
    }
    Some(least)
}

/// How far a side of a box that turns shows the other body to stay from it on the whole way, where that is more than `margin`: seen from that box, its sides
/// stand still. Bodies that part after a hit are told apart by that, where an axis that stands still would have the box turn into the other.
fn gap_from_turning_sides(travels: [&Travel; 2], margin: f64) -> Option<f64> {
    let turns = [travels[0].spin()?, travels[1].spin()?];
    let always = Leaves::at_once(travels).always;
    (0..2).filter(|own| turns[*own].rate != DVec3::ZERO).find_map(|own| {
        let (host, guest) = (travels[own], travels[1 - own]);
        let bulge = turns[1 - own].acceleration_seen_from(&turns[own], &guest.boxes[0]) / 8.0;
        let leaves = Leaves { always, bulge: bulge * (1.0 + 1e-9) };
        let sides = [normals(&host.boxes[0]), normals(&host.boxes[1])];
        let heights = [0, 1].map(|at| guest.boxes[at].middle - host.boxes[at].middle);
        (0..3).find_map(|side| {
            let along = [0, 1].map(|at| heights[at].dot(sides[at][side]));
            if along[0] * along[1] <= 0.0 {
                return None;
            }
            let gaps = [0, 1].map(|at| {
                let normal = sides[at][side];
                let reaches = reach(&host.boxes[at], normal) + reach(&guest.boxes[at], normal);
                (along[at].abs() - reaches) / normal.length()
            });
            if gaps[0].min(gaps[1]) <= 0.0 {
                return None;
            }
            let gap = Leaves::least(gaps, leaves);
            // False where the box has no such side.
            (gap > margin && gap.is_finite()).then_some(gap)
        })
    })
}

impl Spin {
    /// An upper bound of the acceleration of the points of a box that moves so, at any time of the way, as one sees it who moves like the host: `docs/math/simultaneous.md`.
    fn acceleration_seen_from(&self, host: &Spin, boxed: &OrientedBox) -> f64 {
        let half = boxed.halves.iter().map(|half| half.length()).sum::<f64>();
        // How far points are from the axis that they turn about, and from that of the host.
        let arm = (boxed.middle - self.center).cross(self.axis).length() + half;
        let speed = self.velocity.length() + self.rate.length() * arm;
        let from_host = (boxed.middle - host.center).cross(host.axis).length() + half;
        let host_arm = from_host + speed + host.velocity.length();
        let relative = (self.velocity - host.velocity).length()
            + self.rate.length() * arm
            + host.rate.length() * host_arm;
        let drift = self.rate.cross(self.velocity) - host.rate.cross(host.velocity);
        let change = (self.rate - host.rate).length() * speed + drift.length();
        change + host.rate.length() * relative
    }
}

/// How far the plane of a triangle that stands still shows a body to stay from it on the whole way; none where the body may come to it. The triangle is
/// rounded by a radius, and its corners by `rounding`.
pub(super) fn gap_from_triangle(
    travel: &Travel,
    [a, b, c]: &[DVec3; 3],
    radius: f64,
    rounding: f64,
) -> Option<f64> {
    let normal = (*b - *a).cross(*c - *a);
    let heights = travel.boxes.each_ref().map(|boxed| normal.dot(boxed.middle - *a));
    if heights[0] * heights[1] <= 0.0 {
        return None;
    }
    let length = normal.length();
    let gaps = [0, 1].map(|at| (heights[at].abs() - reach(&travel.boxes[at], normal)) / length);
    let always = travel.rounding + travel.rounded_by + radius;
    let gap = Leaves::least(gaps, Leaves { always, bulge: travel.bulge_over(1.0) });
    // What rounding can do to the corners tilts the plane of a sliver.
    let longest = (*b - *a).length().max((*c - *a).length()).max((*c - *b).length());
    let far = travel.boxes.each_ref().map(|boxed| (boxed.middle - *a).length() + travel.radius);
    let tilt = 8.0 * longest * far[0].max(far[1]) / length;
    let size = travel.boxes[0].middle.abs().element_sum() + travel.boxes[1].middle.abs().element_sum();
    let gap = gap - 1e-13 * (size + travel.radius) - rounding * (2.0 + tilt);
    // False where the triangle has no plane.
    gap.is_finite().then_some(gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Mesh;
    use crate::model::Model;
    use crate::shapes::{self, Random};
    use impinge_core::math::DQuat;
    use impinge_core::transform::{Motion, Trs};

    #[test]
    fn what_sides_that_turn_tell_apart_stays_as_far_apart() {
        let mut random = Random::new(4);
        let model = Model::new(Mesh::from(shapes::cuboid([-0.5; 3], [0.5, 0.4, 0.3]).expect("a box")));
        let (mut told, mut least_found) = (0, f64::INFINITY);
        for case in 0..20_000 {
            let place = |at: DVec3, random: &mut Random| {
                let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
                model.at(Trs::rigid(at, turn).expect("near the origin"))
            };
            let between = random.direction() * random.between(0.7, 1.8);
            let placed = [place(DVec3::ZERO, &mut random), place(between, &mut random)];
            let motions = [0, 1].map(|_| {
                let (by, center) = (random.in_cube() * 0.3, random.in_cube());
                let degrees = if case % 5 == 0 { 0.0 } else { random.between(0.0, 20.0) };
                Motion::rigid(by, center, random.direction(), degrees).expect("in range")
            });
            let travels = [0, 1].map(|side| Travel::new(placed[side], &motions[side]));
            let Some(gap) = gap_from_turning_sides(travels.each_ref(), 1e-9) else { continue };
            told += 1;
            for k in 0..=40 {
                let time = f64::from(k) / 40.0;
                let boxes = [0, 1].map(|side| travels[side].box_at(&placed[side], time).expect("a turn"));
                let both = boxes.each_ref();
                let apart = axes(both).map(|axis| {
                    let between = (both[1].middle - both[0].middle).dot(axis).abs();
                    (between - reach(both[0], axis) - reach(both[1], axis)) / axis.length()
                });
                let most = apart.filter(|gap| gap.is_finite()).fold(f64::NEG_INFINITY, f64::max);
                assert!(most >= gap, "case {case}: {most} {gap} at {time}");
                least_found = least_found.min(most - gap);
            }
        }
        // Often enough, and close to the truth at times.
        assert!(told > 2_000 && least_found < 1e-3, "{told} {least_found}");
    }

    #[test]
    fn the_least_gap_is_that_of_the_chord_less_the_parabola() {
        let mut random = Random::new(3);
        for _ in 0..2_000 {
            let gaps = [random.between(0.0, 1.0), random.between(0.0, 1.0)];
            let leaves = Leaves { always: random.between(0.0, 0.1), bulge: random.between(0.0, 0.6) };
            let at = |time: f64| {
                let chord = gaps[0] + (gaps[1] - gaps[0]) * time;
                chord - 4.0 * leaves.bulge * time * (1.0 - time) - leaves.always
            };
            let sampled = (0..=1_000).map(|k| at(f64::from(k) / 1_000.0)).fold(f64::INFINITY, f64::min);
            let least = Leaves::least(gaps, leaves);
            // Between two samples a parabola of that height falls by less than this.
            assert!(least <= sampled + 1e-12 && least >= sampled - 1e-5, "{least} {sampled}");
        }
        let straight = Leaves { always: 0.0, bulge: 0.0 };
        assert_eq!(Leaves::least([0.5, 0.5], straight), 0.5);
    }
}
