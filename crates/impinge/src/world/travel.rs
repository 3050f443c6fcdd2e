//! Swept bounds of a moving body, for the broad phase and the filters: Blow 1997's speedbox.

use super::body::grown;
use crate::model::Placed;
use impinge_core::bounds::Aabb;
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::transform::{Motion, Turn};

/// Padding for rounding, as a part of the coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The way of a body, as volumes around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Travel {
    /// The translation of its points, if they all move alike; zero for a body that stands still.
    pub(super) straight: Option<DVec3>,
    /// Boxes around the core of the body at the start and at the end, and how far it is rounded beyond them.
    pub(super) boxes: [OrientedBox; 2],
    pub(super) rounded_by: f64,
    /// No point of the body leaves its chord, the straight way from where it is at the start to where it is at the end, by more: its acceleration times
    /// the square of the time, over eight.
    pub(super) bulge: f64,
    /// What rounding has a part of in the bulge.
    pub(super) rounding: f64,
    /// The motion of a body that turns by no more than a quarter, in one go, and where it leads.
    turning: Option<(Motion, DAffine3)>,
    /// A box around all of the way.
    #[doc(alias = "speedbox")]
    pub(super) bounds: Aabb,
    /// Spheres around the body: their centers at the start and at the end. On the way it stays within spheres of this radius between them.
    pub(super) centers: [DVec3; 2],
    pub(super) radius: f64,
}

/// A box, sheared where its body is: its middle, and half of its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrientedBox {
    pub(super) middle: DVec3,
    pub(super) halves: [DVec3; 3],
}

/// The velocity of a body and its turn, over a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spin {
    pub(super) velocity: DVec3,
    /// A point of the axis at the start, and the direction of it.
    pub(super) center: DVec3,
    pub(super) axis: DVec3,
    /// The angular velocity, as a vector.
    pub(super) rate: DVec3,
}

impl OrientedBox {
    /// The box around a model that is mapped so.
    fn of(bounds: &Aabb, map: &DAffine3) -> OrientedBox {
        let half = (bounds.max - bounds.min) / 2.0;
        OrientedBox {
            middle: map.transform_point3(bounds.center()),
            halves: [map.matrix3.x_axis * half.x, map.matrix3.y_axis * half.y, map.matrix3.z_axis * half.z],
        }
    }

    fn aligned(bounds: &Aabb) -> OrientedBox {
        let half = (bounds.max - bounds.min) / 2.0;
        let halves = [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z];
        OrientedBox { middle: bounds.center(), halves }
    }
}

impl Travel {
    /// A body that stands still.
    pub(super) fn resting(placed: Placed<'_>) -> Travel {
        let (center, radius) = placed.sphere_in_world();
        let boxed = OrientedBox::of(&placed.model().bounds(), placed.placement().world_from_model());
        Travel {
            straight: Some(DVec3::ZERO),
            boxes: [boxed; 2],
            rounded_by: placed.radius(),
            bulge: 0.0,
            rounding: 0.0,
            turning: None,
            bounds: placed.bounds(),
            centers: [center; 2],
            radius,
        }
    }

    /// A body that moves.
    pub(super) fn new(placed: Placed<'_>, motion: &Motion) -> Travel {
        let still = Travel::resting(placed);
        let by = motion.by();
        let Some(turn) = motion.turn() else {
            let moved = Aabb { min: still.bounds.min + by, max: still.bounds.max + by };
            let [start, end] = still.boxes;
            return Travel {
                straight: Some(by),
                boxes: [start, OrientedBox { middle: end.middle + by, ..end }],
                bounds: rounded(still.bounds.merge(moved)),
                centers: [still.centers[0], still.centers[0] + by],
                radius: still.radius + ROUNDING * (still.centers[0] + by).abs().element_sum(),
                ..still
            };
        };
        // How far points of the body are from the axis at most; with a translation before the turn, that much farther.
        let is_one_phase = motion.is_together() || by == DVec3::ZERO;
        let before = if is_one_phase { 0.0 } else { by.length() };
        let arm = (still.centers[0] - turn.center).cross(turn.axis).length() + before;
        let angle = turn.degrees.abs().to_radians();
        let rounding = ROUNDING * (turn.center.abs().element_sum() + arm + by.length() + still.radius);
        if is_one_phase && angle <= std::f64::consts::FRAC_PI_2 {
            let bends = angle * angle / 8.0 * (1.0 + 1e-9);
            let bulge = (arm + still.radius) * bends + rounding;
            let end: DAffine3 = motion.carry(placed.placement().world_from_model(), 1.0);
            let bounds = placed.model().bounds();
            let center = end.transform_point3(placed.model().sphere().0);
            return Travel {
                straight: None,
                boxes: [still.boxes[0], OrientedBox::of(&bounds, &end)],
                rounded_by: still.rounded_by,
                bulge,
                rounding,
                turning: Some((*motion, end)),
                bounds: rounded(grown(still.bounds.merge(placed.rounded_bounds(&end)), bulge)),
                centers: [still.centers[0], center],
                radius: still.radius + arm * bends + rounding + ROUNDING * center.abs().element_sum(),
            };
        }
        let swing = (arm * angle).min(2.0 * arm);
        let radius = (still.radius + by.length() + swing) * (1.0 + ROUNDING);
        let around = grown(Aabb { min: still.centers[0], max: still.centers[0] }, radius);
        let bounds = if angle <= std::f64::consts::FRAC_PI_2 {
            let bulge = (arm + still.radius) * angle * angle / 8.0;
            let mut bounds = still.bounds;
            for fraction in [0.5, 1.0] {
                let map: DAffine3 = motion.carry(placed.placement().world_from_model(), fraction);
                bounds = bounds.merge(placed.rounded_bounds(&map));
            }
            intersection(grown(bounds, bulge), around)
        } else {
            around
        };
        let bounds = rounded(bounds);
        Travel {
            straight: None,
            boxes: [OrientedBox::aligned(&bounds); 2],
            rounded_by: 0.0,
            bulge: 0.0,
            rounding: 0.0,
            turning: None,
            bounds,
            centers: still.centers,
            radius,
        }
    }

    /// The box around the core of the body at a time, if the way is known at that time; `placed` is the body at the start.
    pub(super) fn box_at(&self, placed: &Placed<'_>, time: f64) -> Option<OrientedBox> {
        match (&self.turning, self.straight) {
            (Some((motion, _)), _) => {
                let map: DAffine3 = motion.carry(placed.placement().world_from_model(), time);
                Some(OrientedBox::of(&placed.model().bounds(), &map))
            }
            (None, Some(by)) => {
                let [OrientedBox { middle, halves }, _] = self.boxes;
                Some(OrientedBox { middle: middle + by * time, halves })
            }
            (None, None) => None,
        }
    }

    /// [`bulge`](Self::bulge) over a part of the time, without rounding.
    pub(super) fn bulge_over(&self, part: f64) -> f64 {
        (self.bulge - self.rounding).max(0.0) * (part * part) * (1.0 + 1e-9)
    }

    /// Where the motion leads, of a body that turns, if that is known.
    pub(super) fn end(&self) -> Option<&DAffine3> {
        self.turning.as_ref().map(|(_, end)| end)
    }

    /// The translation, and a point of the axis where the body turns; none where it turns far or after the translation.
    pub(super) fn course(&self) -> Option<(DVec3, Option<DVec3>)> {
        match (&self.turning, self.straight) {
            (Some((motion, _)), _) => Some((motion.by(), motion.turn().map(|turn| turn.center))),
            (None, by) => Some((by?, None)),
        }
    }

    /// The velocity and the turn; none where the body turns far or after the translation.
    pub(super) fn spin(&self) -> Option<Spin> {
        if let Some((motion, _)) = &self.turning {
            let Turn { center, axis, degrees, .. } = motion.turn()?;
            return Some(Spin { velocity: motion.by(), center, axis, rate: axis * degrees.to_radians() });
        }
        let center = self.boxes[0].middle;
        Some(Spin { velocity: self.straight?, center, axis: DVec3::Z, rate: DVec3::ZERO })
    }

    /// An upper bound of the coordinates of the body on its way, and of anything that the motion is made of.
    pub(super) fn size(&self, motion: &Motion) -> f64 {
        let center = motion.turn().map_or(0.0, |turn| turn.center.abs().max_element());
        self.size_at_rest() + 2.0 * (motion.by().length() + center)
    }

    /// [`size`](Self::size), of a body that stands still.
    pub(super) fn size_at_rest(&self) -> f64 {
        let bounds = self.bounds.min.abs().max(self.bounds.max.abs()).max_element();
        2.0 * (bounds + self.radius)
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
