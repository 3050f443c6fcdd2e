//! Rigs: hierarchies of joints that move with time, as in animations, mechanisms and robots.
//!
//! ```
//! use impinge::glam::DVec3;
//! use impinge::animation::{Interpolation, Joint, Local, Rig, Track, Value};
//!
//! let slide = Track::new(vec![0.0, 2.0], vec![DVec3::ZERO, 5.0 * DVec3::Z], Interpolation::Linear)?;
//! let lift = Joint { parent: None, local: Local::translation(Value::Keys(slide)) };
//! let cabin = Joint { parent: Some(0), local: Local::translation(Value::Still([1.0, 0.0, 0.0].into())) };
//! let rig = Rig::new(vec![lift, cabin])?;
//! assert_eq!(rig.world_from_joint(1, 1.0).translation, [1.0, 0.0, 2.5].into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod course;
mod error;
mod piece;
#[cfg(test)]
mod tests;
mod track;

pub use error::{RigError, TrackFault};
pub(crate) use piece::{Piece, PiecePair};
pub use track::{Interpolation, Track};
// Sealed: vectors and quaternions are all that tracks hold.
#[doc(hidden)]
pub use track::Keyed;

use course::{Course, Spin};
use impinge_core::math::{DAffine3, DQuat, DVec3};

/// A value that is constant or has keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<V> {
    /// A constant value.
    Still(V),
    /// A value with keys.
    Keys(Track<V>),
}

/// A joint: a frame that stands in its parent's frame, or in the world, and may move there.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The parent joint; `None` where the joint stands in the world.
    pub parent: Option<usize>,
    /// The transform relative to the parent.
    pub local: Local,
}

/// The transform of a joint relative to its parent.
#[derive(Clone, Debug, PartialEq)]
pub enum Local {
    /// A constant matrix.
    Matrix(DAffine3),
    /// Translation · rotation · scale, each of which may have keys.
    Trs {
        /// The translation of the joint's origin.
        translation: Value<DVec3>,
        /// The rotation, a quaternion of length 1; see [`Track::rotations`].
        rotation: Value<DQuat>,
        /// The scale, applied before the rotation. Where a scale is 0, whatever the joint carries does not exist.
        scale: Value<DVec3>,
    },
}

impl Local {
    /// A transform that only translates.
    pub fn translation(translation: Value<DVec3>) -> Local {
        Local::Trs { translation, rotation: Value::Still(DQuat::IDENTITY), scale: Value::Still(DVec3::ONE) }
    }

    /// The transform at a time.
    pub fn at(&self, time: f64) -> DAffine3 {
        self.piece([time; 2]).at(0.0)
    }

    fn key_times(&self) -> impl Iterator<Item = f64> + '_ {
        let lists = match self {
            Local::Matrix(_) => [[].as_slice(); 3],
            Local::Trs { translation, rotation, scale } => {
                [translation.key_times(), rotation.key_times(), scale.key_times()]
            }
        };
        lists.into_iter().flatten().copied()
    }
}

impl<V: Keyed> Value<V> {
    fn key_times(&self) -> &[f64] {
        match self {
            Value::Still(_) => &[],
            Value::Keys(track) => track.times(),
        }
    }
}

impl Value<DVec3> {
    fn course(&self, span: [f64; 2]) -> Course {
        match self {
            Value::Still(value) => Course::Still(*value),
            Value::Keys(track) => track.course(span),
        }
    }
}

impl Value<DQuat> {
    fn spin(&self, span: [f64; 2]) -> Spin {
        match self {
            Value::Still(value) => Spin::Still(*value),
            Value::Keys(track) => track.spin(span),
        }
    }
}

/// A hierarchy of joints, each known by its number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    joints: Vec<Joint>,
}

impl Rig {
    /// A rig of joints in any order.
    pub fn new(joints: Vec<Joint>) -> Result<Rig, RigError> {
        for (joint, entry) in joints.iter().enumerate() {
            if let Some(parent) = entry.parent.filter(|parent| *parent >= joints.len()) {
                return Err(RigError::Parent { joint, parent, joints: joints.len() });
            }
        }
        // What is known to hang on the world.
        let mut is_known = vec![false; joints.len()];
        for joint in 0..joints.len() {
            let mut way = Vec::new();
            let mut next = Some(joint);
            while let Some(at) = next.filter(|at| !is_known[*at]) {
                if way.len() > joints.len() {
                    return Err(RigError::Circle { joint });
                }
                way.push(at);
                next = joints[at].parent;
            }
            way.into_iter().for_each(|at| is_known[at] = true);
        }
        Ok(Rig { joints })
    }

    /// The joints of the rig, by number.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// A joint and all that it hangs on, the joint first.
    fn up_from(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(joint), |joint| self.joints[*joint].parent)
    }

    /// The pose of a joint in the world at a time. Where values jump, the later one holds.
    ///
    /// # Panics
    ///
    /// If there is no such joint; so do all methods that take the number of one.
    pub fn world_from_joint(&self, joint: usize, time: f64) -> DAffine3 {
        self.piece(joint, [time; 2]).at(0.0)
    }

    /// Whether a joint, or any of its ancestors, has keys.
    pub fn moves(&self, joint: usize) -> bool {
        self.up_from(joint).any(|joint| self.joints[joint].local.key_times().next().is_some())
    }

    /// Whether two joints never move relative to each other: all moving ancestors carry both.
    pub(crate) fn keep_place(&self, a: usize, b: usize) -> bool {
        let has_keys = |joint: usize| self.joints[joint].local.key_times().next().is_some();
        let is_carried_along = |joint: usize, other: usize| {
            // The lowest joint with keys must carry the other as well.
            let lowest = self.up_from(joint).find(|joint| has_keys(*joint));
            lowest.is_none_or(|lowest| self.up_from(other).any(|joint| joint == lowest))
        };
        is_carried_along(a, b) && is_carried_along(b, a)
    }

    /// The times of all keys of the joint and its ancestors, in order.
    pub fn key_times(&self, joint: usize) -> Vec<f64> {
        let mut times: Vec<f64> =
            self.up_from(joint).flat_map(|joint| self.joints[joint].local.key_times()).collect();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// The time of the last key of any joint; 0 where there are none.
    pub fn duration(&self) -> f64 {
        self.joints.iter().flat_map(|joint| joint.local.key_times()).fold(0.0, f64::max)
    }

    /// The motion of a joint between two times that have no key in between.
    pub(crate) fn piece(&self, joint: usize, span: [f64; 2]) -> Piece {
        let mut locals: Vec<_> =
            self.up_from(joint).map(|joint| (joint, self.joints[joint].local.piece(span))).collect();
        locals.reverse();
        Piece::new(locals)
    }
}
