//! Findings at pairs of parts, in plain numbers: the way that answers take between processes.

use super::pair::Finding;
use super::{Clash, ClashKind};
use crate::query::{Contained, Penetration, SeparatingTranslation, SharedVolume};
use impinge_core::bounds::Aabb;
use impinge_core::math::{DAffine3, DMat3, DVec3};
use impinge_core::transform::Placement;

/// The number of numbers in a [`FindingRow`].
pub const NUMBERS: usize = 48;

/// What a finding has, as bits.
mod bits {
    pub(super) const ESTIMATED: u32 = 1;
    pub(super) const PENETRATION: u32 = 1 << 1;
    pub(super) const DEEPEST: u32 = 1 << 2;
    pub(super) const NEAREST: u32 = 1 << 3;
    pub(super) const OF_SECOND: u32 = 1 << 4;
    pub(super) const BY_THICKNESS: u32 = 1 << 5;
    pub(super) const NARROW: u32 = 1 << 6;
    pub(super) const DEPTH_ESTIMATED: u32 = 1 << 7;
    pub(super) const VOLUME: u32 = 1 << 8;
    pub(super) const VOLUME_ESTIMATED: u32 = 1 << 9;
    pub(super) const SEPARATION: u32 = 1 << 10;
}

/// The number of an answer without a clash.
const UNKNOWN: u8 = 255;

/// The kinds of clashes, by their numbers.
const KINDS: [ClashKind; 6] = [
    ClashKind::Duplicate,
    ClashKind::Overlapping,
    ClashKind::Inside(Contained::A),
    ClashKind::Inside(Contained::B),
    ClashKind::Touching,
    ClashKind::Near,
];

/// A [`Finding`] in plain numbers, which it can be made from again, bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct FindingRow {
    /// The kind: 0 duplicate, 1 overlapping, 2 and 3 first or second part inside, 4 touching, 5 near, 255 unknown.
    pub kind: u8,
    /// What else holds, as bits from the lowest on: estimated; has a penetration, its deepest and nearest point; that is of the second part, limited by thickness, narrow, estimated; has a volume;
    /// that is estimated; has a separating move.
    pub has: u32,
    /// Pairs of faces that intersect, and questions that were asked for the depth.
    pub counts: [u64; 2],
    /// Point, box, closest points, distance; least and greatest penetration, deepest and nearest point; volume, its error and box; direction, distance and place
    /// of the separating move, by columns. Zeros stand for what there is not.
    pub numbers: [f64; NUMBERS],
}

/// Numbers one after the other.
struct Tape<'t>(&'t mut [f64; NUMBERS], usize);

impl Tape<'_> {
    fn put(&mut self, numbers: &[f64]) {
        self.0[self.1..self.1 + numbers.len()].copy_from_slice(numbers);
        self.1 += numbers.len();
    }

    fn put_box(&mut self, bounds: &Aabb) {
        self.put(&bounds.min.to_array());
        self.put(&bounds.max.to_array());
    }

    fn take<const N: usize>(&mut self) -> [f64; N] {
        let taken = std::array::from_fn(|index| self.0[self.1 + index]);
        self.1 += N;
        taken
    }

    fn take_point(&mut self) -> DVec3 {
        DVec3::from_array(self.take())
    }

    fn take_box(&mut self) -> Aabb {
        Aabb { min: self.take_point(), max: self.take_point() }
    }
}

impl From<&Finding> for FindingRow {
    fn from(finding: &Finding) -> FindingRow {
        let mut row = FindingRow { kind: UNKNOWN, has: 0, counts: [0; 2], numbers: [0.0; NUMBERS] };
        let Finding::Clash(clash) = finding else { return row };
        row.kind = KINDS.iter().position(|kind| *kind == clash.kind).map_or(UNKNOWN, |kind| kind as u8);
        row.counts[0] = clash.face_pairs as u64;
        let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        row.has |= flag(clash.is_estimated, bits::ESTIMATED);
        let mut tape = Tape(&mut row.numbers, 0);
        tape.put(&clash.point_in_world.to_array());
        tape.put_box(&clash.bounds);
        clash.closest.iter().for_each(|point| tape.put(&point.to_array()));
        tape.put(&[clash.distance]);
        if let Some(depth) = &clash.penetration {
            row.has |= bits::PENETRATION
                | flag(depth.point_in_world.is_some(), bits::DEEPEST)
                | flag(depth.nearest_in_world.is_some(), bits::NEAREST)
                | flag(depth.of_second, bits::OF_SECOND)
                | flag(depth.limited_by_thickness, bits::BY_THICKNESS)
                | flag(depth.is_narrow, bits::NARROW)
                | flag(depth.is_estimated, bits::DEPTH_ESTIMATED);
            row.counts[1] = depth.questions;
            tape.put(&[depth.at_least, depth.at_most]);
            tape.put(&depth.point_in_world.unwrap_or_default().to_array());
            tape.put(&depth.nearest_in_world.unwrap_or_default().to_array());
        } else {
            tape.put(&[0.0; 8]);
        }
        if let Some(shared) = &clash.volume {
            row.has |= bits::VOLUME | flag(shared.is_estimated, bits::VOLUME_ESTIMATED);
            tape.put(&[shared.volume, shared.error]);
            tape.put_box(&shared.bounds);
        } else {
            tape.put(&[0.0; 8]);
        }
        if let Some(separation) = &clash.separation {
            row.has |= bits::SEPARATION;
            let map = separation.placement.world_from_model();
            tape.put(&separation.direction.to_array());
            tape.put(&[separation.distance]);
            tape.put(&map.matrix3.to_cols_array());
            tape.put(&map.translation.to_array());
        }
        row
    }
}

impl FindingRow {
    /// The finding; `None` where the row says nothing that could have been found. The numbers of the parts are left at 0 and 1.
    pub fn finding(&self) -> Option<Finding> {
        let mut row = self.clone();
        if row.kind == UNKNOWN {
            return Some(Finding::Unknown);
        }
        let kind = *KINDS.get(usize::from(row.kind))?;
        let has = |bit: u32| self.has & bit != 0;
        let mut tape = Tape(&mut row.numbers, 0);
        let point_in_world = tape.take_point();
        let bounds = tape.take_box();
        let closest = [tape.take_point(), tape.take_point()];
        let [distance] = tape.take();
        let [at_least, at_most] = tape.take();
        let [deepest, nearest] = [tape.take_point(), tape.take_point()];
        let penetration = has(bits::PENETRATION).then(|| Penetration {
            at_least,
            at_most,
            point_in_world: has(bits::DEEPEST).then_some(deepest),
            nearest_in_world: has(bits::NEAREST).then_some(nearest),
            of_second: has(bits::OF_SECOND),
            limited_by_thickness: has(bits::BY_THICKNESS),
            is_narrow: has(bits::NARROW),
            is_estimated: has(bits::DEPTH_ESTIMATED),
            questions: self.counts[1],
        });
        let [volume, error] = tape.take();
        let shared_bounds = tape.take_box();
        let is_estimated = has(bits::VOLUME_ESTIMATED);
        let volume =
            has(bits::VOLUME).then_some(SharedVolume { volume, error, is_estimated, bounds: shared_bounds });
        let direction = tape.take_point();
        let [length] = tape.take();
        let map = DAffine3 { matrix3: DMat3::from_cols_array(&tape.take()), translation: tape.take_point() };
        let separation = if has(bits::SEPARATION) {
            let placement = Placement::try_from(map).ok()?;
            Some(SeparatingTranslation { direction, distance: length, placement })
        } else {
            None
        };
        Some(Finding::Clash(Box::new(Clash {
            a: 0,
            b: 1,
            kind,
            is_estimated: has(bits::ESTIMATED),
            point_in_world,
            bounds,
            face_pairs: usize::try_from(self.counts[0]).ok()?,
            distance,
            closest,
            penetration,
            volume,
            separation,
        })))
    }
}
