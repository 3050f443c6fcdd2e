//! The frame in which a pair's distance is measured: lengths in it are lengths in the world, but for one factor.
//!
//! Where the host is only moved, turned and scaled as a whole, its own frame will do: the same numbers in which the pair
//! is tested for overlap. Else it is the world, moved to the host's origin, so that nothing depends on the distance
//! from the world's origin.

use crate::model::Placed;
use crate::pair::frame::{Frame, row_sum};
use crate::pair::surface::FaceSource;
use impinge_core::bounds::Aabb;
use impinge_core::math::{DAffine3, DMat3, DVec3};

/// Extents in this range are measured as they are: fourth powers of lengths neither overflow nor vanish.
const RANGE: std::ops::Range<f64> = 1e-50..1e70;

/// The frame of a pair. The host comes first everywhere.
pub(in crate::query) struct MetricFrame {
    /// The maps from each model to the frame; `None` where that changes nothing.
    pub(in crate::query) maps: [Option<DAffine3>; 2],
    /// The factors that coordinates of each model are multiplied by before they are mapped: 1, but for sizes out of the ordinary.
    shrink: [f64; 2],
    /// The length of the frame's unit in the world: `scale * 2^exponent`.
    scale: f64,
    exponent: i32,
    /// An upper bound of the coordinates in the frame.
    pub(in crate::query) extent: f64,
    /// Where the host's own frame is the pair's, its map to the world; else the world's translation.
    world: World,
}

enum World {
    FromHost(DAffine3),
    Moved(DVec3),
}

impl MetricFrame {
    /// The frame for a host and its guest, with the frame in which they are tested for overlap.
    pub(in crate::query) fn of(frame: &Frame, host: &Placed<'_>, guest: &Placed<'_>) -> MetricFrame {
        if let Some(scale) = host.placement().uniform_scale()
            && let Some(host_from_guest) = frame.host_from_guest()
        {
            let extent = extent_of(&host_from_guest, guest.model().reach()).max(host.model().reach());
            if RANGE.contains(&extent) && RANGE.contains(&scale) {
                return MetricFrame {
                    maps: [None, frame.frame_from_model(1 - frame.host)],
                    shrink: [1.0; 2],
                    scale,
                    exponent: 0,
                    extent,
                    world: World::FromHost(*host.placement().world_from_model()),
                };
            }
        }
        MetricFrame::world(host, guest)
    }

    /// The world, moved to the host.
    fn world(host: &Placed<'_>, guest: &Placed<'_>) -> MetricFrame {
        let [of_host, of_guest] = [host, guest].map(|placed| placed.placement().world_from_model());
        let maps = [
            DAffine3 { matrix3: of_host.matrix3, translation: DVec3::ZERO },
            DAffine3 { matrix3: of_guest.matrix3, translation: of_guest.translation - of_host.translation },
        ];
        MetricFrame::moved(maps, [host, guest].map(|placed| placed.model().reach()), of_host.translation)
    }

    /// The frame for a model and a point, and the point in it.
    pub(in crate::query) fn of_point(placed: &Placed<'_>, point_in_world: DVec3) -> (MetricFrame, DVec3) {
        let map = placed.placement().world_from_model();
        let reach = placed.model().reach();
        if let Some(scale) = placed.placement().uniform_scale() {
            let point = placed.placement().point_to_model(point_in_world);
            let extent = point.abs().max_element().max(reach);
            if RANGE.contains(&extent) && RANGE.contains(&scale) {
                let world = World::FromHost(*map);
                let (maps, shrink) = ([None; 2], [1.0; 2]);
                return (MetricFrame { maps, shrink, scale, exponent: 0, extent, world }, point);
            }
        }
        let moved = DAffine3 { matrix3: map.matrix3, translation: map.translation - point_in_world };
        let frame = MetricFrame::moved([moved, DAffine3::IDENTITY], [reach, 0.0], point_in_world);
        (frame, DVec3::ZERO)
    }

    /// The world, moved by `translation`; `maps` take models that reach so far from their origins there.
    fn moved(mut maps: [DAffine3; 2], reaches: [f64; 2], translation: DVec3) -> MetricFrame {
        let world = World::Moved(translation);
        let extents = [0, 1].map(|side| extent_of(&maps[side], reaches[side]));
        let extent = extents[0].max(extents[1]);
        // All of it may be one point.
        if RANGE.contains(&extent) || extent == 0.0 {
            let shrink = [1.0; 2];
            return MetricFrame { maps: maps.map(Some), shrink, scale: 1.0, exponent: 0, extent, world };
        }
        // Each model made about 1 in size, then the whole: exponents are added where numbers would overflow.
        let sizes = reaches.map(exponent_of);
        let mut whole = -10_000;
        for (map, size) in maps.iter().zip(sizes) {
            let apart = exponent_of(map.translation.abs().max_element());
            whole = whole.max(size + exponent_of(row_sum(&map.matrix3))).max(apart);
        }
        // Within what has an inverse; the rest is done by the map.
        let sizes = sizes.map(|size| size.clamp(-1000, 1000));
        for (map, size) in maps.iter_mut().zip(sizes) {
            let scaled = map.matrix3.to_cols_array().map(|entry| libm::ldexp(entry, size - whole));
            map.matrix3 = DMat3::from_cols_array(&scaled);
            map.translation = map.translation.map(|entry| libm::ldexp(entry, -whole));
        }
        MetricFrame {
            maps: maps.map(Some),
            shrink: sizes.map(|size| libm::ldexp(1.0, -size)),
            scale: 1.0,
            exponent: whole,
            extent: 4.0,
            world,
        }
    }

    /// The faces of a model in the frame.
    pub(in crate::query) fn source<'m>(&self, side: usize, placed: &Placed<'m>) -> FaceSource<'m> {
        FaceSource::mapped(placed.model(), self.maps[side], self.shrink[side])
    }

    /// Whether sizes are out of the ordinary: bounds are of no use then.
    pub(in crate::query) fn is_shrunken(&self) -> bool {
        self.shrink != [1.0; 2]
    }

    /// A length of the frame, in the world.
    pub(in crate::query) fn length_to_world(&self, length: f64) -> f64 {
        libm::ldexp(length * self.scale, self.exponent)
    }

    /// A length of the world, in the frame.
    pub(in crate::query) fn length_from_world(&self, length: f64) -> f64 {
        libm::ldexp(length, -self.exponent) / self.scale
    }

    /// A direction of the frame, in the world: of length 1.
    pub(in crate::query) fn direction_to_world(&self, direction: DVec3) -> DVec3 {
        match &self.world {
            World::FromHost(world_from_host) => {
                (world_from_host.matrix3 * direction / self.scale).normalize()
            }
            World::Moved(_) => direction,
        }
    }

    /// A box of the world around one of the frame.
    pub(in crate::query) fn bounds_to_world(&self, bounds: &Aabb) -> Aabb {
        if bounds.is_empty() {
            return Aabb::EMPTY;
        }
        let corner = |number: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| [bounds.min, bounds.max][number >> axis & 1][axis]);
            self.to_world(DVec3::new(x, y, z))
        };
        Aabb::around((0..8).map(corner))
    }

    pub(in crate::query) fn to_world(&self, point_in_frame: DVec3) -> DVec3 {
        match &self.world {
            World::FromHost(world_from_host) => world_from_host.transform_point3(point_in_frame),
            World::Moved(translation) => {
                point_in_frame.map(|coordinate| libm::ldexp(coordinate, self.exponent)) + *translation
            }
        }
    }
}

/// What coordinates of a model in another frame are below.
fn extent_of(map: &DAffine3, reach: f64) -> f64 {
    row_sum(&map.matrix3) * reach + map.translation.abs().max_element()
}

/// The power of two that is at most twice as large; that of 0 is smaller than all others.
fn exponent_of(size: f64) -> i32 {
    if size == 0.0 { -10_000 } else { libm::ilogb(size) + 1 }
}
