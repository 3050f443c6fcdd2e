//! Errors of animations: the reasons why joints or their keys were refused.

/// The reason why keys do not make a track.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrackFault {
    /// There is no key.
    #[error("there are no keys")]
    NoKeys,
    /// The number of values does not fit the number of times.
    #[error("there are {values} values where the keys need {expected}")]
    Count {
        /// The number of values that were given.
        values: usize,
        /// The number of values that the times need.
        expected: usize,
    },
    /// A time is not finite, or not later than the one before.
    #[error("the time of key {key} is {time}, which is not later than that of the key before")]
    Time {
        /// The number of the key.
        key: usize,
        /// The value that was given.
        time: f64,
    },
    /// A number is NaN or infinite.
    #[error("a value of key {key} is {value}, which is not a finite number")]
    Value {
        /// The number of the key.
        key: usize,
        /// The value that was given.
        value: f64,
    },
    /// A quaternion is zero.
    #[error("the rotation of key {key} is no direction")]
    NoRotation {
        /// The number of the key.
        key: usize,
    },
}

/// The reason why joints do not make a rig, or do not carry what hangs on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RigError {
    /// A joint's parent does not exist.
    #[error("joint {joint} hangs on joint {parent}, but there are only {joints}")]
    Parent {
        /// The number of the joint.
        joint: usize,
        /// The parent that the joint names.
        parent: usize,
        /// The number of joints in the rig.
        joints: usize,
    },
    /// A part is carried by a joint that the rig does not have.
    #[error("part {part} is carried by joint {joint}, but the rig has {joints} joints, counted from 0")]
    Attachment {
        /// The number of the part.
        part: usize,
        /// The joint that the part names.
        joint: usize,
        /// The number of joints in the rig.
        joints: usize,
    },
    /// A joint is its own ancestor.
    #[error("joint {joint} is among its own ancestors")]
    Circle {
        /// The number of the joint.
        joint: usize,
    },
}
