//! How one looks.

use impinge::glam::{DMat3, DQuat, DVec3};

use crate::view::{Frame, Projection};
use crate::{Detail, ImageError, Own};

/// Fewest and most pixels a side.
pub(crate) const SIDES: [u32; 2] = [16, 4096];

/// From where one looks.
#[derive(Clone, Debug, PartialEq)]
pub enum Views {
    /// Along so many directions, chosen so that no axis is seen end-on. Three are at right angles to each other, and
    /// then the precision does not depend on how edges run; each edge is drawn where it is seen best.
    Count(u32),
    /// Along these.
    Along(Vec<DVec3>),
}

/// How one looks at a scene.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Pixels a side: 16 to 4096.
    pub resolution: u32,
    /// From where.
    pub views: Views,
    /// Along parallel rays, or from an eye.
    pub projection: Projection,
    /// How many edges behind each other a pixel looks at. All by default: then none can hide behind another. With 1 it is the
    /// paper's test, which an edge can hide from.
    pub layers: u32,
    /// How an edge is kept from being found inside of its own solid.
    pub own: Own,
    /// A length: where the image is coarser, it is looked at again, in tiles, until it is not. Needs three views at right angles,
    /// and the answer then has pairs, whatever [`detail`](Self::detail) says. Where that asks for less than pairs, those that are
    /// known to interfere are not looked at again; [`Interference::precision`](crate::Interference::precision) says how exact
    /// their edges are.
    pub precision: Option<f64>,
    /// How many tiles at most.
    pub most_tiles: u32,
    /// Looks at edges and the boxes around the others first: what is clear then needs no second look.
    pub coarse: bool,
    /// How much is wanted.
    pub detail: Detail,
    /// Whether the answer has pictures of the layers of the first look of each view.
    pub pictures: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            resolution: 256,
            views: Views::Count(3),
            projection: Projection::Orthographic,
            layers: u32::MAX,
            own: Own::Ignored,
            precision: None,
            most_tiles: 1024,
            coarse: false,
            detail: Detail::Pairs,
            pictures: false,
        }
    }
}

impl Options {
    /// By how many pixels edges are moved.
    pub(crate) fn offset(&self) -> f64 {
        match self.own {
            Own::Ignored => 0.0,
            Own::Offset { pixels } => pixels,
        }
    }

    /// The frames of the views, or what is wrong with the options.
    pub(crate) fn frames(&self) -> Result<Vec<Frame>, ImageError> {
        let [least, most] = SIDES;
        if !(least..=most).contains(&self.resolution) {
            return Err(ImageError::Resolution { asked: self.resolution, least, most });
        }
        if self.layers == 0 {
            return Err(ImageError::Option { name: "layers", value: 0.0, rule: "at least one is looked at" });
        }
        if let Some(value) = self.precision.filter(|length| !(*length > 0.0 && length.is_finite())) {
            return Err(ImageError::Option { name: "precision", value, rule: "a length above 0" });
        }
        match self.projection {
            Projection::Perspective { distance } if !(distance > 1.0 && distance.is_finite()) => {
                let rule = "the eye is more than one radius away";
                return Err(ImageError::Option { name: "distance of the eye", value: distance, rule });
            }
            _ => {}
        }
        match self.own {
            Own::Offset { pixels }
                if !(0.0..=64.0).contains(&pixels) || pixels > 0.25 * f64::from(self.resolution) =>
            {
                let rule =
                    "edges are moved by 0 to 64 pixels, and by no more than a quarter of the image's side";
                return Err(ImageError::Option { name: "offset", value: pixels, rule });
            }
            _ => {}
        }
        match &self.views {
            Views::Count(count) if (1..=12).contains(count) => {
                (0..*count as usize).map(|view| Frame::along(view, direction(view))).collect()
            }
            Views::Count(count) => {
                let rule = "1 to 12 directions can be chosen";
                Err(ImageError::Option { name: "views", value: f64::from(*count), rule })
            }
            Views::Along(list) if list.is_empty() => {
                Err(ImageError::Option { name: "views", value: 0.0, rule: "at least one direction" })
            }
            Views::Along(list) => {
                list.iter().enumerate().map(|(view, along)| Frame::along(view, *along)).collect()
            }
        }
    }
}

/// Three directions at right angles, none of them near an axis or a diagonal of a face; then three more, turned, and so on.
fn direction(view: usize) -> DVec3 {
    let oblique = DQuat::from_axis_angle(DVec3::new(0.3, -0.5, 0.81).normalize(), 0.62);
    let turned = DQuat::from_axis_angle(DVec3::new(0.7, 0.2, -0.4).normalize(), 0.55 * (view / 3) as f64);
    DMat3::from_quat(turned * oblique).col(view % 3)
}
