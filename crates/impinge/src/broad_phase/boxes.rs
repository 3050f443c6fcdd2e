//! The boxes of a broad phase: checked when inserted, and which have changed since the last step.

use thiserror::Error;

use impinge_core::bounds::Aabb;

/// The largest id. Ids index tables, so that a stray large number must not ask for all memory.
pub(super) const LARGEST_ID: u32 = (1 << 24) - 1;

/// The reason why a call of the broad phase was refused.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BroadPhaseError {
    /// A bound is NaN.
    #[error("box {id}: a bound is NaN")]
    NotANumber {
        /// The id that was given.
        id: u32,
    },
    /// The box holds no point: a least coordinate is above the greatest, or both are the same infinity.
    #[error("box {id} is empty")]
    Empty {
        /// The id that was given.
        id: u32,
    },
    /// A box with this id is there already.
    #[error("box {id} is there already")]
    Occupied {
        /// The id that was given.
        id: u32,
    },
    /// There is no box with this id.
    #[error("there is no box {id}")]
    Missing {
        /// The id that was given.
        id: u32,
    },
    /// The id is above [`BroadPhase::LARGEST_ID`](super::BroadPhase::LARGEST_ID).
    #[error("id {id} is above {LARGEST_ID}, the largest")]
    IdTooLarge {
        /// The id that was given.
        id: u32,
    },
    /// An end of a segment is not finite.
    #[error("an end of the segment is not finite")]
    SegmentNotFinite,
}

/// The boxes of a broad phase by id, and which of them have changed since the last step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boxes {
    /// By id; empty where there is none.
    bounds: Vec<Aabb>,
    /// By id: inserted, moved or removed since the last step.
    is_changed: Vec<bool>,
    changed: Vec<u32>,
    /// Whether a box was inserted or removed since the last step.
    has_other_ids: bool,
    count: usize,
}

impl Boxes {
    /// The number of boxes.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The limit of ids: one more than the largest that was ever used.
    pub(crate) fn id_limit(&self) -> u32 {
        self.bounds.len() as u32
    }

    /// The box with this id.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> Option<&Aabb> {
        self.bounds.get(id as usize).filter(|bounds| !bounds.is_empty())
    }

    /// All boxes, by ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Aabb)> {
        (0..).zip(&self.bounds).filter(|(_, bounds)| !bounds.is_empty())
    }

    /// The ids that were inserted, moved or removed since the last step, each once.
    pub(crate) fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// Whether a box was inserted or removed since the last step; otherwise boxes have only moved.
    pub(super) fn has_other_ids(&self) -> bool {
        self.has_other_ids
    }

    /// Whether a box with this id was inserted, moved or removed since the last step.
    #[inline]
    pub(crate) fn is_changed(&self, id: u32) -> bool {
        self.is_changed[id as usize]
    }

    /// The box of an id that an engine knows; empty when it has been removed since.
    #[inline]
    pub(super) fn bounds(&self, id: u32) -> &Aabb {
        &self.bounds[id as usize]
    }

    pub(super) fn insert(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadPhaseError> {
        self.may_insert(id, &bounds)?;
        let needed = id as usize + 1;
        if self.bounds.len() < needed {
            self.bounds.resize(needed, Aabb::EMPTY);
            self.is_changed.resize(needed, false);
        }
        self.count += 1;
        self.has_other_ids = true;
        self.replace(id, bounds);
        Ok(())
    }

    pub(super) fn may_insert(&self, id: u32, bounds: &Aabb) -> Result<(), BroadPhaseError> {
        if id > LARGEST_ID {
            return Err(BroadPhaseError::IdTooLarge { id });
        }
        if self.get(id).is_some() {
            return Err(BroadPhaseError::Occupied { id });
        }
        valid(id, bounds)
    }

    #[inline]
    pub(super) fn move_to(&mut self, id: u32, bounds: Aabb) -> Result<(), BroadPhaseError> {
        self.may_move(id, &bounds)?;
        // Users who move everything in every step should not pay for what stands still.
        if self.bounds[id as usize] != bounds {
            self.replace(id, bounds);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn may_move(&self, id: u32, bounds: &Aabb) -> Result<(), BroadPhaseError> {
        // Boxes are valid or empty along every axis, so that one tells.
        if !self.bounds.get(id as usize).is_some_and(|old| old.min.x <= old.max.x) {
            return Err(BroadPhaseError::Missing { id });
        }
        if is_plain(bounds) { Ok(()) } else { valid(id, bounds) }
    }

    pub(super) fn remove(&mut self, id: u32) -> Result<Aabb, BroadPhaseError> {
        let bounds = *self.get(id).ok_or(BroadPhaseError::Missing { id })?;
        self.count -= 1;
        self.has_other_ids = true;
        self.replace(id, Aabb::EMPTY);
        Ok(bounds)
    }

    #[inline]
    fn replace(&mut self, id: u32, bounds: Aabb) {
        self.bounds[id as usize] = bounds;
        if !self.is_changed[id as usize] {
            self.is_changed[id as usize] = true;
            self.changed.push(id);
        }
    }

    /// Clears the list of changed boxes.
    pub(super) fn settle(&mut self) {
        if self.changed.len() == self.is_changed.len() {
            self.is_changed.fill(false);
        } else {
            for &id in &self.changed {
                self.is_changed[id as usize] = false;
            }
        }
        self.changed.clear();
        self.has_other_ids = false;
    }
}

/// Whether a box is surely valid, as those are whose sides have finite lengths that are not negative. Without branches.
#[inline(always)]
fn is_plain(Aabb { min, max }: &Aabb) -> bool {
    let (x, y, z) = (max.x - min.x, max.y - min.y, max.z - min.z);
    // False for NaN, which the differences of equal infinities are, too.
    (x >= 0.0) & (y >= 0.0) & (z >= 0.0) & (x + y + z < f64::INFINITY)
}

#[cold]
fn valid(id: u32, bounds: &Aabb) -> Result<(), BroadPhaseError> {
    let Aabb { min, max } = bounds;
    // A bound at its own infinity is a half space; at the other one, no point is left.
    let holds_a_point = min.cmple(*max) & min.cmplt(impinge_core::math::DVec3::INFINITY);
    if (holds_a_point & max.cmpgt(impinge_core::math::DVec3::NEG_INFINITY)).all() {
        return Ok(());
    }
    let is_nan = min.is_nan() || max.is_nan();
    Err(if is_nan { BroadPhaseError::NotANumber { id } } else { BroadPhaseError::Empty { id } })
}
