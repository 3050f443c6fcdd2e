//! Pairs that are copies of each other: the same two models, turned alike, at the same distance from each other.
//!
//! A hundred copies of a machine have each of its pairs a hundred times. One of them is tested, and what is found there is moved to the others.

use std::collections::HashMap;

use super::Clash;
use super::outline::Outline;
use impinge_core::math::DVec3;
use impinge_core::transform::Placement;

/// What copies of a pair have in common.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    models: [u64; 2],
    /// The linear maps of both, bit by bit.
    linear: [[u64; 9]; 2],
    /// From the first to the second, as a number of steps no larger than rounding.
    apart: [i64; 3],
    /// The step, bit by bit.
    step: u64,
    /// The touch tolerance, bit by bit.
    touch: u64,
}

/// How many roundings of a place two copies may differ by.
const ROUNDINGS: f64 = 64.0;

/// For each pair the first that it is a copy of, which may be itself. Copies differ by what rounding does to places, and by much less than `touch`: where that is 0, by nothing.
pub(super) fn first_copies(
    parts: &[Outline],
    pairs: &[[u32; 2]],
    touch: impl Fn([u32; 2]) -> f64,
) -> Vec<u32> {
    let mut known: HashMap<Key, u32> = HashMap::new();
    let mut firsts = Vec::with_capacity(pairs.len());
    for (number, pair) in (0..).zip(pairs) {
        let key = key(pair.map(|part| &parts[part as usize]), touch(*pair));
        firsts.push(*known.entry(key).or_insert(number));
    }
    firsts
}

fn key(parts: [&Outline; 2], touch: f64) -> Key {
    let maps = parts.map(|part| part.placement.world_from_model());
    let apart = maps[1].translation - maps[0].translation;
    let far = maps.map(|map| map.translation.abs().max_element());
    // A power of two, so that all copies near each other have the same.
    let rounding = ROUNDINGS * f64::EPSILON * far[0].max(far[1]);
    let step = 2.0_f64.powi(if rounding > 0.0 { libm::ilogb(rounding) + 1 } else { -1000 });
    let is_coarse = step > touch / 64.0;
    let steps = (apart / step).round();
    let fits = !is_coarse && steps.abs().max_element() < 1e15;
    let bits = |number: f64| number.to_bits();
    Key {
        models: parts.map(|part| part.model),
        linear: maps.map(|map| map.matrix3.to_cols_array().map(bits)),
        apart: if fits {
            steps.to_array().map(|step| step as i64)
        } else {
            apart.to_array().map(|it| bits(it) as i64)
        },
        step: if fits { bits(step) } else { 0 },
        touch: bits(touch),
    }
}

/// The clash of a pair, moved to a copy of it.
pub(super) fn moved(clash: &Clash, from: &Placement, to: &Placement) -> Clash {
    let by = to.world_from_model().translation - from.world_from_model().translation;
    let mut moved = *clash;
    let points = [&mut moved.point_in_world, &mut moved.bounds.min, &mut moved.bounds.max];
    points.into_iter().chain(&mut moved.closest).for_each(|point| *point += by);
    if let Some(depth) = &mut moved.penetration {
        let points: [&mut Option<DVec3>; 2] = [&mut depth.point_in_world, &mut depth.nearest_in_world];
        points.into_iter().flatten().for_each(|point| *point += by);
    }
    if let Some(shared) = &mut moved.volume {
        shared.bounds.min += by;
        shared.bounds.max += by;
    }
    if let Some(separation) = &mut moved.separation {
        let mut map = *separation.placement.world_from_model();
        map.translation += by;
        separation.placement = Placement::try_from(map).unwrap_or(separation.placement);
    }
    moved
}
