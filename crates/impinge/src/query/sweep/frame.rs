//! The frame in which a sweep is solved: the stationary body's own where lengths keep their ratios in it, else the world moved to
//! that body. Nothing depends on the distance from the world's origin, but for how poses are rounded there.

use crate::math::{DAffine3, DMat3, DVec3};
use crate::model::Placed;
use crate::narrow::expel::ExpelZone;
use crate::query::frame::row_sum;
use crate::query::surface::FaceSource;
use crate::transform::{Motion, Placement, relative};

/// Lengths of this size can be multiplied four times over.
const RANGE: std::ops::Range<f64> = 1e-50..1e70;

/// The frame of a phase of a motion.
pub(super) struct SweepFrame {
    /// From the moving and the stationary model's own frames to this one; `None` where that changes nothing.
    pub(super) maps: [Option<DAffine3>; 2],
    /// What coordinates are multiplied by before they are mapped.
    shrink: f64,
    /// From vectors of the world to the frame, and back.
    frame_from_world: DMat3,
    world_from_frame: DMat3,
    /// The world's point that is the frame's origin.
    origin: DVec3,
    /// Whether right is left in the frame.
    is_mirrored: bool,
    /// The length of the frame's unit in the world.
    pub(super) scale: f64,
    pub(super) zone: ExpelZone,
}

impl SweepFrame {
    /// `moving` is where the body is at the start of the phase; `expel` is the thickness that is asked for, in the world.
    pub(super) fn new(
        moving: &Placed<'_>,
        stationary: &Placed<'_>,
        motion: &Motion,
        expel: f64,
    ) -> SweepFrame {
        let [of_moving, of_stationary] = [moving, stationary].map(|placed| *placed.placement());
        let mut frame = match of_stationary.uniform_scale() {
            Some(scale) if RANGE.contains(&scale) => {
                SweepFrame::of_stationary(&of_moving, &of_stationary, scale)
            }
            _ => SweepFrame::of_world(&of_moving, &of_stationary),
        };
        let mut size = frame.size(moving, stationary, motion);
        if !RANGE.contains(&size) {
            frame = SweepFrame::of_world(&of_moving, &of_stationary);
            let exponent = libm::ilogb(frame.size(moving, stationary, motion).clamp(1e-300, 1e300));
            frame.shrink_by(exponent);
            size = frame.size(moving, stationary, motion);
        }
        let extent = size + frame.distance_from_origin(moving, stationary, motion);
        // The same for motions of about the same size, so that what one sweep stops is not outside of the next one's zone.
        let [size, extent] =
            [size, extent].map(|length| libm::ldexp(1.0, libm::ilogb(length.clamp(1e-300, 1e300)) + 1));
        frame.zone = ExpelZone::new(size, extent, expel.max(0.0) / frame.scale);
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
            zone: ExpelZone::new(1.0, 1.0, 0.0),
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
            zone: ExpelZone::new(1.0, 1.0, 0.0),
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

    /// No coordinate in the frame gets larger than this during the motion.
    fn size(&self, moving: &Placed<'_>, stationary: &Placed<'_>, motion: &Motion) -> f64 {
        let of_model = |side: usize, placed: &Placed<'_>| match &self.maps[side] {
            None => placed.model().reach(),
            Some(map) => {
                row_sum(&map.matrix3) * (placed.model().reach() * self.shrink)
                    + map.translation.abs().max_element()
            }
        };
        let mut extent = of_model(0, moving).max(of_model(1, stationary));
        if let Some(turn) = motion.turn() {
            let centre = self.point_from_world(turn.centre).abs().max_element();
            // Anywhere on a circle about the centre.
            extent = 2.0 * (extent + centre);
        }
        extent + self.vector_from_world(motion.by()).abs().max_element()
    }

    /// How far from the world's origin poses are rounded, in the frame's unit.
    fn distance_from_origin(&self, moving: &Placed<'_>, stationary: &Placed<'_>, motion: &Motion) -> f64 {
        let in_world =
            |placed: &Placed<'_>| placed.placement().world_from_model().translation.abs().max_element();
        let far = in_world(moving).max(in_world(stationary));
        let far = motion.turn().map_or(far, |turn| far.max(turn.centre.abs().max_element()));
        far * row_sum(&self.frame_from_world)
    }

    pub(super) fn sources<'m>(&self, moving: &Placed<'m>, stationary: &Placed<'m>) -> [FaceSource<'m>; 2] {
        [
            FaceSource::mapped(moving.model(), self.maps[0], self.shrink),
            FaceSource::mapped(stationary.model(), self.maps[1], self.shrink),
        ]
    }

    /// Whether sizes are out of the ordinary: trees are of no use then.
    pub(super) fn is_shrunken(&self) -> bool {
        self.shrink != 1.0
    }

    pub(super) fn is_mirrored(&self) -> bool {
        self.is_mirrored
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
