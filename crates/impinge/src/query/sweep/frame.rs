//! The frame in which a sweep is solved: the stationary body's own where lengths keep their ratios in it, else the world moved to
//! that body; where one is rounded, always the latter, because radii are lengths of the world. Nothing depends on the distance from the world's origin, but for how poses are rounded there.

use crate::model::Placed;
use crate::pair::frame::row_sum;
use crate::pair::surface::FaceSource;
use impinge_core::math::{DAffine3, DMat3, DVec3};
use impinge_core::tolerance::{SKIN, SKIN_ROUNDINGS, SWEEP_ROUNDING};
use impinge_core::transform::{Placement, relative};

/// Lengths of this size can be multiplied four times over.
const RANGE: std::ops::Range<f64> = 1e-50..1e70;

/// The frame of a leg of a motion.
pub(super) struct SweepFrame {
    /// The maps from the moving and the stationary model's own frames to this one; `None` where that changes nothing.
    pub(super) maps: [Option<DAffine3>; 2],
    /// The factor that coordinates are multiplied by before they are mapped.
    shrink: f64,
    /// The linear maps from vectors of the world to the frame, and back.
    frame_from_world: DMat3,
    world_from_frame: DMat3,
    /// The world's point that is the frame's origin.
    origin: DVec3,
    /// Whether right is left in the frame.
    is_mirrored: bool,
    /// The length of the frame's unit in the world.
    pub(super) scale: f64,
    /// The sum of the radii of the two bodies, in the unit of the frame: their cores are so much farther apart than they are.
    pub(super) radii: f64,
    pub(super) margin: Margin,
}

/// The thickness of the margin and what roundings can do, both in the unit of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Margin {
    /// The thickness of the margin: how near the two may come.
    pub(super) thickness: f64,
    /// The distance at which a body is stopped: a little more than the thickness, so that it can be moved along from there.
    pub(super) stop: f64,
    /// The distance below which bodies count as touching: more than all roundings can move a point by.
    pub(super) core: f64,
    /// The distance below which bodies count as touching at the start, where that from the world's origin does not matter.
    pub(super) fine: f64,
}

/// The extent of a leg's motion, which its frame has to hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// An upper bound of the translation of any point during the leg, but for turning, in the world.
    pub(super) travel: f64,
    /// A point of the axis that the body turns about.
    pub(super) center: Option<DVec3>,
    /// A point of the axis that the other body turns about.
    pub(super) other_center: Option<DVec3>,
    /// The thickness of the margin that is asked for, in the world.
    pub(super) asked: f64,
    /// The thickness of the margin where none is asked for, unless it is to come from the two bodies.
    pub(super) skin: f64,
}

impl SweepFrame {
    /// The frame of a leg; `moving` is the body at the start of it.
    pub(super) fn new(moving: &Placed<'_>, stationary: &Placed<'_>, reach: &Reach) -> SweepFrame {
        let [of_moving, of_stationary] = [moving, stationary].map(|placed| *placed.placement());
        let radii = moving.radius() + stationary.radius();
        let mut frame = match of_stationary.uniform_scale() {
            Some(scale) if RANGE.contains(&scale) && radii == 0.0 => {
                SweepFrame::of_stationary(&of_moving, &of_stationary, scale)
            }
            _ => SweepFrame::of_world(&of_moving, &of_stationary),
        };
        let mut extent = frame.extent(moving, stationary, reach);
        if !RANGE.contains(&extent) {
            frame = SweepFrame::of_world(&of_moving, &of_stationary);
            let exponent = libm::ilogb(frame.extent(moving, stationary, reach).clamp(1e-300, 1e300));
            frame.shrink_by(exponent);
            extent = frame.extent(moving, stationary, reach);
        }
        let fine = SWEEP_ROUNDING * power_above(extent);
        extent += frame.distance_from_origin(moving, stationary, reach);
        let core = SWEEP_ROUNDING * power_above(extent);
        // The same wherever the two are and whatever way they go.
        let size = size_of(moving).max(size_of(stationary)) / frame.scale;
        let wanted = if reach.skin > 0.0 { reach.skin / frame.scale } else { SKIN * power_above(size) };
        let skin = wanted.max(SKIN_ROUNDINGS * core);
        let asked = if reach.asked > 0.0 { reach.asked / frame.scale } else { 0.0 };
        let (thickness, stop) = if asked > skin { (asked, asked + core) } else { (skin, 1.5 * skin) };
        frame.margin = Margin { thickness, stop, core, fine };
        frame.radii = radii / frame.scale;
        frame
    }

    fn of_stationary(moving: &Placement, stationary: &Placement, scale: f64) -> SweepFrame {
        let map = relative(stationary, moving);
        SweepFrame {
            maps: [(map != DAffine3::IDENTITY).then_some(map), None],
            shrink: 1.0,
            frame_from_world: stationary.model_from_world_linear(),
            world_from_frame: stationary.world_from_model().matrix3,
            origin: stationary.world_from_model().translation,
            is_mirrored: stationary.is_mirrored(),
            scale,
            radii: 0.0,
            margin: Margin { thickness: 1.0, stop: 1.0, core: 1.0, fine: 1.0 },
        }
    }

    fn of_world(moving: &Placement, stationary: &Placement) -> SweepFrame {
        let origin = stationary.world_from_model().translation;
        let moved = |placement: &Placement| {
            let map = placement.world_from_model();
            Some(DAffine3 { matrix3: map.matrix3, translation: map.translation - origin })
        };
        SweepFrame {
            maps: [moved(moving), moved(stationary)],
            shrink: 1.0,
            frame_from_world: DMat3::IDENTITY,
            world_from_frame: DMat3::IDENTITY,
            origin,
            is_mirrored: false,
            scale: 1.0,
            radii: 0.0,
            margin: Margin { thickness: 1.0, stop: 1.0, core: 1.0, fine: 1.0 },
        }
    }

    /// Makes everything smaller by a power of two: half of it is done to the coordinates and half to the maps.
    #[cold]
    fn shrink_by(&mut self, exponent: i32) {
        let half = exponent / 2;
        let [first, second] = [libm::ldexp(1.0, -half), libm::ldexp(1.0, half - exponent)];
        for map in self.maps.iter_mut().flatten() {
            map.matrix3 *= second;
            map.translation *= first * second;
        }
        self.shrink = first;
        self.frame_from_world = self.frame_from_world * first * second;
        self.world_from_frame = self.world_from_frame * (1.0 / first) * (1.0 / second);
        self.scale = self.scale / first / second;
    }

    /// No coordinate in the frame gets larger than this during the leg.
    fn extent(&self, moving: &Placed<'_>, stationary: &Placed<'_>, reach: &Reach) -> f64 {
        let of_model = |side: usize, placed: &Placed<'_>| match &self.maps[side] {
            None => placed.model().reach(),
            Some(map) => {
                row_sum(&map.matrix3) * (placed.model().reach() * self.shrink)
                    + map.translation.abs().max_element()
            }
        };
        let radii = (moving.radius() + stationary.radius()) / self.scale;
        let mut extent = of_model(0, moving).max(of_model(1, stationary)) + radii;
        if let Some(center) = reach.center {
            // Anywhere on a circle about the center.
            extent = 2.0 * (extent + self.point_from_world(center).abs().max_element());
        }
        extent += reach.travel * row_sum(&self.frame_from_world);
        if let Some(center) = reach.other_center {
            // Seen from the other body, anywhere on a circle about its center; twice that, for what more is rounded.
            extent = 4.0 * (extent + self.point_from_world(center).abs().max_element());
        }
        extent
    }

    /// How far from the world's origin poses are rounded, in the frame's unit.
    fn distance_from_origin(&self, moving: &Placed<'_>, stationary: &Placed<'_>, reach: &Reach) -> f64 {
        let in_world =
            |placed: &Placed<'_>| placed.placement().world_from_model().translation.abs().max_element();
        let far = in_world(moving).max(in_world(stationary));
        let centers = [reach.center, reach.other_center].into_iter().flatten();
        let far = centers.fold(far, |far, center| far.max(center.abs().max_element()));
        let DMat3 { x_axis, y_axis, z_axis } = self.frame_from_world;
        far * x_axis.length().max(y_axis.length()).max(z_axis.length())
    }

    pub(super) fn sources<'m>(&self, moving: &Placed<'m>, stationary: &Placed<'m>) -> [FaceSource<'m>; 2] {
        [
            FaceSource::mapped(moving.model(), self.maps[0], self.shrink),
            FaceSource::mapped(stationary.model(), self.maps[1], self.shrink),
        ]
    }

    /// The error bound of a point on the way, in the world.
    pub(super) fn rounding(&self) -> f64 {
        6.0 * self.margin.core * self.scale
    }

    /// Whether sizes are out of the ordinary: trees are of no use then.
    pub(super) fn is_shrunken(&self) -> bool {
        self.shrink != 1.0
    }

    pub(super) fn vector_from_world(&self, vector: DVec3) -> DVec3 {
        self.frame_from_world * vector
    }

    pub(super) fn point_from_world(&self, point: DVec3) -> DVec3 {
        self.frame_from_world * (point - self.origin)
    }

    /// The axis of a turn: mirrored, it turns the other way.
    pub(super) fn axis_from_world(&self, axis: DVec3) -> DVec3 {
        let axis = (self.frame_from_world * axis).normalize();
        if self.is_mirrored { -axis } else { axis }
    }

    pub(super) fn vector_to_world(&self, vector: DVec3) -> DVec3 {
        self.world_from_frame * vector
    }

    pub(super) fn point_to_world(&self, point: DVec3) -> DVec3 {
        self.world_from_frame * point + self.origin
    }
}

/// A power of two that is larger.
fn power_above(length: f64) -> f64 {
    libm::ldexp(1.0, libm::ilogb(length.clamp(1e-300, 1e300)) + 1)
}

/// The skin of bodies that are no larger than this, in the world.
pub(crate) fn skin_for(size: f64) -> f64 {
    SKIN * power_above(size)
}

/// The size of a placed model, in the world: the diagonal of its box as it is placed, and twice its radius. Up to rounding it does not depend on where
/// the model stands and how it is turned.
pub(crate) fn size_of(placed: &Placed<'_>) -> f64 {
    let bounds = placed.model().bounds();
    let size = bounds.max - bounds.min;
    let matrix3 = placed.placement().world_from_model().matrix3;
    // A rotation changes the length of no edge of the box.
    let edges = [matrix3.x_axis * size.x, matrix3.y_axis * size.y, matrix3.z_axis * size.z];
    edges.map(DVec3::length_squared).iter().sum::<f64>().sqrt() + 2.0 * placed.radius()
}
