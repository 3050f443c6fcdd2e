//! Placements and motions as numbers, for serde: checked as they are read, and the same bits when they come back.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::{TransformError, TransformPart, check_finite, check_large};
use super::{Motion, Placement, Trs, Turn};
use crate::math::{DAffine3, DQuat, DVec3};
use crate::tolerance::{LARGEST, LARGEST_RIGID_TURN, UNIT};

/// Writes and reads a type as its parts.
macro_rules! by_parts {
    ($($whole:ty, $parts:ty;)*) => {$(
        impl Serialize for $whole {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$parts>::from(*self).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $whole {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$whole, D::Error> {
                <$whole>::try_from(<$parts>::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }
    )*};
}

by_parts! {
    Placement, PlacementRows;
    Trs, TrsParts;
    Motion, MotionParts;
}

/// The upper three rows of a placement's matrix.
#[derive(Deserialize, Serialize)]
struct PlacementRows([[f64; 4]; 3]);

impl From<Placement> for PlacementRows {
    fn from(placement: Placement) -> PlacementRows {
        let DAffine3 { matrix3, translation } = placement.world_from_model();
        PlacementRows([0, 1, 2].map(|i| {
            let row = matrix3.row(i);
            [row.x, row.y, row.z, translation[i]]
        }))
    }
}

impl TryFrom<PlacementRows> for Placement {
    type Error = TransformError;

    fn try_from(PlacementRows([x, y, z]): PlacementRows) -> Result<Placement, TransformError> {
        Placement::from_rows([x, y, z, [0.0, 0.0, 0.0, 1.0]])
    }
}

/// The parts of a [`Trs`].
#[derive(Deserialize, Serialize)]
struct TrsParts {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
}

impl From<Trs> for TrsParts {
    fn from(trs: Trs) -> TrsParts {
        TrsParts { translation: trs.position(), rotation: trs.orientation(), scale: trs.scale() }
    }
}

impl TryFrom<TrsParts> for Trs {
    type Error = TransformError;

    fn try_from(parts: TrsParts) -> Result<Trs, TransformError> {
        Trs::new(parts.translation, parts.rotation, parts.scale)
    }
}

/// The parts of a [`Motion`].
#[derive(Deserialize, Serialize)]
struct MotionParts {
    by: DVec3,
    turn: Option<Turn>,
    /// Whether the translation and the turn are made at once.
    together: bool,
}

impl From<Motion> for MotionParts {
    fn from(motion: Motion) -> MotionParts {
        MotionParts { by: motion.by(), turn: motion.turn(), together: motion.is_together() }
    }
}

impl TryFrom<MotionParts> for Motion {
    type Error = TransformError;

    fn try_from(MotionParts { by, turn, together }: MotionParts) -> Result<Motion, TransformError> {
        let along = Motion::translation(by)?;
        let Some(Turn { center, axis, degrees }) = turn else { return Ok(along) };
        if together {
            check_large([degrees], LARGEST_RIGID_TURN, |_| TransformPart::Angle)?;
        }
        // An axis that has length 1 up to rounding keeps its bits: to normalize it once more could move the last of them.
        if (axis.length_squared() - 1.0).abs() <= 8.0 * UNIT {
            check_finite(center.to_array(), TransformPart::Translation)?;
            check_large(center.to_array(), LARGEST, TransformPart::Translation)?;
            check_finite([degrees], |_| TransformPart::Angle)?;
            return Ok(along.with_turn(Turn { center, axis, degrees }, together));
        }
        if together {
            Motion::rigid(by, center, axis, degrees)
        } else {
            along.then_rotation(center, axis, degrees)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again<T: Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
        let text = serde_json::to_string(value).expect("finite numbers");
        serde_json::from_str(&text).expect("what was written")
    }

    #[test]
    fn what_is_written_comes_back_bit_by_bit() {
        for i in 0..2000 {
            let t = f64::from(i);
            let axis = DVec3::new(libm::sin(t), libm::cos(1.7 * t), libm::sin(0.3 * t + 1.0));
            let turned = Trs::rotation_about_axis(axis, 0.7 * t).expect("an axis");
            let trs = Trs::new(axis * 1e6, turned.orientation(), [1.0, -0.3 - t, 1.0 / 3.0]).expect("finite");
            assert_eq!(again(&trs), trs);
            let placement = Placement::from(trs);
            assert_eq!(again(&placement), placement);
            let motions = [
                Motion::translation(axis),
                Motion::rotation(axis, -axis, t),
                Motion::translation(axis).and_then(|along| along.then_rotation(axis, axis * 3.0, -t)),
                Motion::rigid(axis, axis, axis, t),
            ];
            for motion in motions {
                let motion = motion.expect("finite");
                assert_eq!(again(&motion), motion);
            }
        }
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let refused = |text: &str| serde_json::from_str::<Placement>(text).is_err();
        assert!(refused("[[0,0,0,0],[0,1,0,0],[0,0,1,0]]"));
        assert!(refused("[[1e300,0,0,0],[0,1,0,0],[0,0,1,0]]"));
        assert!(!refused("[[1,0,0,0],[0,1,0,0],[0,0,1,5]]"));
        let trs = r#"{"translation":[0,0,0],"rotation":[0,0,0,0],"scale":[1,1,1]}"#;
        assert!(serde_json::from_str::<Trs>(trs).is_err());
        let motion =
            r#"{"by":[0,0,0],"turn":{"center":[0,0,0],"axis":[0,0,0],"degrees":1.0},"together":true}"#;
        assert!(serde_json::from_str::<Motion>(motion).is_err());
    }
}
