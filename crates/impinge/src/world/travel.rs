//! Swept bounds of a moving body, for the broad phase and the filters: Blow 1997's speedbox.

use super::body::grown;
use crate::model::Placed;
use impinge_core::bounds::Aabb;
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::transform::Motion;

/// Padding for rounding, as a part of the coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A moving body: its path, and volumes around that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Travel<'m> {
    /// The body at the start.
    pub(super) placed: Placed<'m>,
    /// The translation of its points, if they all move alike; zero for a body that stands still.
    pub(super) straight: Option<DVec3>,
    /// A box around all of the way.
    #[doc(alias = "speedbox")]
    pub(super) bounds: Aabb,
    /// A sphere around the body: its center at the start and at the end of a straight way, and its radius. One that turns stays
    /// within the sphere.
    pub(super) centers: [DVec3; 2],
    pub(super) radius: f64,
}

impl<'m> Travel<'m> {
    /// A body that stands still.
    pub(super) fn resting(placed: Placed<'m>) -> Travel<'m> {
        let (center, radius) = placed.sphere_in_world();
        Travel { placed, straight: Some(DVec3::ZERO), bounds: placed.bounds(), centers: [center; 2], radius }
    }

    /// A body that moves.
    pub(super) fn new(placed: Placed<'m>, motion: &Motion) -> Travel<'m> {
        let still = Travel::resting(placed);
        let by = motion.by();
        let Some(turn) = motion.turn() else {
            let moved = Aabb { min: still.bounds.min + by, max: still.bounds.max + by };
            return Travel {
                straight: Some(by),
                bounds: rounded(still.bounds.merge(moved)),
                centers: [still.centers[0], still.centers[0] + by],
                radius: still.radius + ROUNDING * (still.centers[0] + by).abs().element_sum(),
                ..still
            };
        };
        // How far points of the body are from the axis at most; with a translation before the turn, that much farther.
        let arm = (still.centers[0] - turn.center).cross(turn.axis).length() + by.length();
        let angle = turn.degrees.abs().to_radians();
        let swing = (arm * angle).min(2.0 * arm);
        let radius = (still.radius + by.length() + swing) * (1.0 + ROUNDING);
        let around = grown(Aabb { min: still.centers[0], max: still.centers[0] }, radius);
        let bounds = if angle <= std::f64::consts::FRAC_PI_2 {
            // Between two places, points leave the straight way by their acceleration times the square of the time, over eight.
            let bulge = (arm + still.radius) * angle * angle / 8.0;
            let mut bounds = still.bounds;
            for fraction in [0.5, 1.0] {
                let map: DAffine3 = motion.carry(placed.placement().world_from_model(), fraction);
                bounds = bounds.merge(placed.model().bounds().image(&map));
            }
            intersection(grown(bounds, bulge), around)
        } else {
            around
        };
        Travel { straight: None, bounds: rounded(bounds), radius, ..still }
    }
}

impl Travel<'_> {
    /// An upper bound of the coordinates of the body on its way, and of anything that the motion is made of.
    pub(super) fn size(&self, motion: &Motion) -> f64 {
        let bounds = self.bounds.min.abs().max(self.bounds.max.abs()).max_element();
        let center = motion.turn().map_or(0.0, |turn| turn.center.abs().max_element());
        2.0 * (bounds + self.radius + motion.by().length() + center)
    }
}

/// The intersection of two boxes, of which each holds the whole path.
fn intersection(a: Aabb, b: Aabb) -> Aabb {
    Aabb { min: a.min.max(b.min), max: a.max.min(b.max) }
}

/// The box with padding for rounding.
fn rounded(bounds: Aabb) -> Aabb {
    grown(bounds, ROUNDING * bounds.min.abs().max(bounds.max.abs()).max_element())
}
