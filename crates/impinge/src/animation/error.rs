//! Why joints or their keys were refused.

/// Why keys do not make a track.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrackFault {
    /// There is no key.
    #[error("there are no keys")]
    NoKeys,
    /// Times and values do not fit.
    #[error("there are {values} values where the keys need {expected}")]
    Count {
        /// How many values there are.
        values: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A time is not finite, or not later than the one before.
    #[error("the time of key {key} is {time}, which is not later than that of the key before")]
    Time {
        /// Which key.
        key: usize,
        /// What was found.
        time: f64,
    },
    /// A number is NaN or infinite.
    #[error("a value of key {key} is {value}, which is not a finite number")]
    Value {
        /// Which key.
        key: usize,
        /// What was found.
        value: f64,
    },
    /// A quaternion is zero.
    #[error("the rotation of key {key} is no direction")]
    NoRotation {
        /// Which key.
        key: usize,
    },
}

/// Why joints do not make a rig.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RigError {
    /// A joint's parent is not there.
    #[error("joint {joint} hangs on joint {parent}, but there are only {joints}")]
    Parent {
        /// The joint.
        joint: usize,
        /// What it hangs on.
        parent: usize,
        /// How many there are.
        joints: usize,
    },
    /// A joint hangs on itself.
    #[error("joint {joint} is among its own ancestors")]
    Circle {
        /// The joint.
        joint: usize,
    },
}
