//! The frame of a volume query, and the volume as a traversal sees it.
//!
//! Of the seven frames of Maia et al. 2006, Figure 2, each kind of volume takes the one in which it is simplest: boxes along the
//! axes, planes and frusta the world; turned boxes their own; balls and capsules the world moved to their center, because
//! they are metric. The model's vertices are rounded into that frame once, and from then on they are *the* vertices.
//! `docs/math/volume-frames.md` says why.

use super::Volume;
use crate::model::Placed;
use impinge_core::bounds::{Aabb, HalfSpace, directions};
use impinge_core::bvh::{Ball, MOST_SLABS, Slab, VolumeShape};
use impinge_core::math::{DAffine3, DMat3, DVec3};
use impinge_core::narrow::volume::{Side, Solid};
use impinge_core::tolerance::UNIT;

/// A volume and a model in one frame.
pub(super) struct Frame {
    pub(super) solid: Solid,
    /// The map from the model to the frame; `None` where it changes nothing.
    pub(super) frame_from_model: Option<DAffine3>,
    /// The factor that the model's coordinates are multiplied by first: 1, but where they would overflow.
    pub(super) shrink: f64,
    /// The inverse of the linear part, nearly.
    model_from_frame: DMat3,
    /// How large the model's coordinates are.
    reach: f64,
}

impl Frame {
    /// The frame of a model and a volume; `None` for a box that holds no point.
    pub(super) fn new(placed: &Placed<'_>, volume: &Volume) -> Option<Frame> {
        let world_from_model = *placed.placement().world_from_model();
        let model_from_world = placed.placement().model_from_world_linear();
        let side = |half: &HalfSpace| Side { normal: half.normal(), offset: half.offset() };
        let moved = |origin: DVec3| DAffine3 {
            matrix3: world_from_model.matrix3,
            translation: world_from_model.translation - origin,
        };
        let (solid, frame_from_model, model_from_frame) = match volume {
            Volume::Aabb(bounds) => {
                let Aabb { min, max } = *bounds;
                // False for NaN, too. Nothing that is finite lies beyond the largest number.
                if !min.cmple(max).all() {
                    return None;
                }
                let clamp = |corner: DVec3| corner.clamp(DVec3::MIN, DVec3::MAX);
                (Solid::Box { low: clamp(min), high: clamp(max) }, world_from_model, model_from_world)
            }
            Volume::Obb(bounds) => {
                let box_from_world = bounds.axes().transpose();
                let map = DAffine3 {
                    matrix3: box_from_world * world_from_model.matrix3,
                    translation: box_from_world * (world_from_model.translation - bounds.center()),
                };
                let solid = Solid::Box { low: -bounds.half(), high: bounds.half() };
                (solid, map, model_from_world * *bounds.axes())
            }
            Volume::Sphere(ball) => {
                let solid = Solid::Round { axis: DVec3::ZERO, radius: ball.radius() };
                (solid, moved(ball.center()), model_from_world)
            }
            Volume::Capsule(capsule) => {
                let axis = capsule.end() - capsule.start();
                let solid = Solid::Round { axis, radius: capsule.radius() };
                (solid, moved(capsule.start()), model_from_world)
            }
            Volume::Plane(plane) => (Solid::Plane(side(&plane.behind())), world_from_model, model_from_world),
            Volume::HalfSpace(half) => {
                let sides = [Some(side(half)), None, None, None, None, None];
                (Solid::Sides(sides), world_from_model, model_from_world)
            }
            Volume::Frustum(frustum) => {
                let list = frustum.places().map(|half| half.as_ref().map(side));
                (Solid::Sides(list), world_from_model, model_from_world)
            }
        };
        let reach = placed.model().reach();
        let frame = Frame {
            solid,
            frame_from_model: (frame_from_model != DAffine3::IDENTITY).then_some(frame_from_model),
            shrink: 1.0,
            model_from_frame,
            reach,
        };
        Some(if frame.size().is_finite() { frame } else { frame.shrunken() })
    }

    /// Where coordinates would overflow: everything so much smaller that they do not. Half of that is done to the model's
    /// coordinates and half to the map, so that neither vanishes.
    #[cold]
    fn shrunken(self) -> Frame {
        const HALF: f64 = 4.909_093_465_297_727e-91; // 2^-300
        let whole = HALF * HALF;
        let shrink_side = |side: Side| Side { offset: side.offset * whole, ..side };
        let solid = match self.solid {
            Solid::Box { low, high } => Solid::Box { low: low * whole, high: high * whole },
            Solid::Plane(side) => Solid::Plane(shrink_side(side)),
            Solid::Sides(list) => Solid::Sides(list.map(|side| side.map(shrink_side))),
            Solid::Round { axis, radius } => Solid::Round { axis: axis * whole, radius: radius * whole },
        };
        let map = self.frame_from_model.unwrap_or(DAffine3::IDENTITY);
        let map = DAffine3 { matrix3: map.matrix3 * HALF, translation: map.translation * whole };
        Frame { solid, frame_from_model: Some(map), shrink: HALF, ..self }
    }

    fn map(&self) -> DAffine3 {
        self.frame_from_model.unwrap_or(DAffine3::IDENTITY)
    }

    /// No term of a placed coordinate is larger.
    fn size(&self) -> f64 {
        let map = self.map();
        let rows = map.matrix3.x_axis.abs() + map.matrix3.y_axis.abs() + map.matrix3.z_axis.abs();
        rows.max_element() * self.reach + map.translation.abs().max_element()
    }

    /// The volume as a traversal sees it; `None` where coordinates are so large that it is of no use.
    pub(super) fn shape<const K: usize>(&self) -> Option<VolumeShape<K>> {
        if self.shrink != 1.0 {
            return None;
        }
        let mut slabs = [None; MOST_SLABS];
        let (mut own, mut ball) = (true, None);
        match &self.solid {
            Solid::Box { low, high } => {
                for (k, slab) in slabs.iter_mut().enumerate().take(3) {
                    *slab = Some(self.slab(DVec3::AXES[k], [low[k], high[k]]));
                }
                // Where the box stands along the model's axes, its own sides are all that there is to know.
                let along_axis =
                    |slab: &Slab| slab.normal.to_array().iter().filter(|c| **c != 0.0).count() == 1;
                own = !slabs.iter().flatten().all(along_axis);
            }
            Solid::Plane(side) => {
                slabs[0] = Some(self.slab(side.normal, [side.offset; 2]));
                own = false;
            }
            Solid::Sides(list) => {
                for (slab, side) in slabs.iter_mut().zip(list) {
                    *slab = side.map(|side| self.slab(side.normal, [f64::NEG_INFINITY, side.offset]));
                }
                own = list.iter().flatten().count() >= 4;
            }
            Solid::Round { axis, radius } => {
                let metric = Metric::of(&self.map().matrix3);
                if *axis == DVec3::ZERO {
                    // A ball that is one in the model's scaled frame needs no more than its center and radius.
                    own = K > 6 || metric.shear > 1e-3;
                } else {
                    let columns = self.map().matrix3;
                    let across = [columns.x_axis, columns.y_axis, columns.z_axis].map(|c| axis.cross(c));
                    for (slab, direction) in slabs.iter_mut().zip([*axis, across[0], across[1], across[2]]) {
                        let outer = self.slab(direction, self.extent(direction));
                        *slab = Some(Slab { inner: [f64::NEG_INFINITY, f64::INFINITY], ..outer });
                    }
                }
                ball = Some(self.ball(*axis, *radius, &metric));
            }
        }
        let own = own.then(|| self.own::<K>());
        Some(VolumeShape { slabs, own, ball })
    }

    /// What an interval along a direction of the frame is along a direction of the model, for the placed vertices.
    fn slab(&self, direction: DVec3, [low, high]: [f64; 2]) -> Slab {
        let map = self.map();
        let normal = map.matrix3.mul_transpose_vec3(direction);
        let shift = direction.dot(map.translation);
        let room = self.room(direction);
        Slab {
            normal,
            outer: [low - shift - room, high - shift + room],
            inner: [low - shift + room, high - shift - room],
        }
    }

    /// What rounding can do to a placed vertex along a direction, and to the direction in the model's frame.
    fn room(&self, direction: DVec3) -> f64 {
        32.0 * UNIT * direction.abs().element_sum() * self.size() + f64::MIN_POSITIVE
    }

    /// How far the volume reaches along the tree's directions.
    fn own<const K: usize>(&self) -> [[f64; 2]; K] {
        let mut own = [[f64::NEG_INFINITY, f64::INFINITY]; K];
        let corners = match &self.solid {
            Solid::Sides(list) => corners(list),
            _ => [None; 8],
        };
        for (i, interval) in own.iter_mut().enumerate().take(K / 2) {
            let direction = DVec3::from_array(const { directions::<K>() }[i]);
            // The direction of the frame that is this one in the model, nearly; what is missing is added as room.
            let in_frame = self.model_from_frame.mul_transpose_vec3(direction);
            let extent = match &self.solid {
                Solid::Sides(_) => {
                    [-self.most_of_sides(&corners, -in_frame), self.most_of_sides(&corners, in_frame)]
                }
                _ => self.extent(in_frame),
            };
            let slab = self.slab(in_frame, extent);
            let missing = (direction - slab.normal).abs().element_sum() * self.reach * (1.0 + 8.0 * UNIT);
            if missing.is_finite() {
                *interval = [slab.outer[0] - missing, slab.outer[1] + missing];
            }
        }
        own
    }

    /// How far a box, a ball or a capsule reaches along a direction of the frame.
    fn extent(&self, direction: DVec3) -> [f64; 2] {
        match &self.solid {
            Solid::Box { low, high } => {
                let ends = [direction * *low, direction * *high];
                let (least, most) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                let room = 8.0 * UNIT * (least.abs().element_sum() + most.abs().element_sum());
                [least.element_sum() - room, most.element_sum() + room]
            }
            Solid::Round { axis, radius } => {
                let end = direction.dot(*axis);
                let reach = direction.length() * radius;
                let room = 8.0 * UNIT * (direction.abs().dot(axis.abs()) + reach);
                [end.min(0.0) - reach - room, end.max(0.0) + reach + room]
            }
            Solid::Sides(_) | Solid::Plane(_) => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }

    /// An upper bound along a direction of where the sides and the model can be: the direction is a combination of three
    /// sides' normals with factors that are not negative, and what is missing is made up for by the model's size.
    fn most_of_sides(&self, corners: &[Option<Corner>; 8], direction: DVec3) -> f64 {
        let size = self.size();
        let mut least = f64::INFINITY;
        for Corner { normals, inverse, offsets } in corners.iter().flatten() {
            let factors = (*inverse * direction).max(DVec3::ZERO);
            let missing = (direction - *normals * factors).abs().element_sum();
            let sizes = direction.abs().element_sum() + normals.abs().mul_vec3(factors).element_sum();
            let room = 16.0 * UNIT * (factors.dot(offsets.abs()) + size * sizes);
            let bound = factors.dot(*offsets) + missing * size + room;
            // False for NaN: the sides do not meet in a point.
            if bound < least {
                least = bound;
            }
        }
        least
    }

    /// A ball in the model's frame, or balls along a segment.
    fn ball(&self, axis: DVec3, radius: f64, metric: &Metric) -> Ball {
        let map = self.map();
        let to_model = |point: DVec3| self.model_from_frame * (point - map.translation);
        let (center, end) = (to_model(DVec3::ZERO), to_model(axis));
        // What is missing when the center goes back to the frame.
        let missing = |point: DVec3, in_model: DVec3| (map.transform_point3(in_model) - point).length();
        let in_model = center.abs().max_element().max(end.abs().max_element());
        let sizes = self.size() + metric.largest * 3.0 * in_model + axis.abs().max_element();
        let room =
            missing(DVec3::ZERO, center).max(missing(axis, end)) + 64.0 * UNIT * sizes + f64::MIN_POSITIVE;
        let squared = axis.length_squared();
        let place = if squared > 0.0 {
            (map.matrix3.mul_transpose_vec3(axis) / squared, map.translation.dot(axis) / squared)
        } else {
            (DVec3::ZERO, 0.0)
        };
        let place = if place.0.is_finite() && place.1.is_finite() { place } else { (DVec3::ZERO, 0.0) };
        let (outer, inner) = (radius + room, radius - room);
        let is_usable = outer.is_finite() && center.is_finite() && end.is_finite();
        Ball {
            center: if is_usable { center } else { DVec3::ZERO },
            along: if is_usable { end - center } else { DVec3::ZERO },
            place,
            outer: if is_usable { metric.least_stretch / outer } else { DVec3::ZERO },
            inner: if is_usable && inner > 0.0 { metric.most_stretch / inner } else { DVec3::INFINITY },
        }
    }
}

/// A corner of a frustum, where three sides intersect.
#[derive(Clone, Copy)]
struct Corner {
    /// As columns.
    normals: DMat3,
    inverse: DMat3,
    offsets: DVec3,
}

/// All corners of a frustum: one of each pair of opposite sides.
fn corners(list: &[Option<Side>; 6]) -> [Option<Corner>; 8] {
    std::array::from_fn(|choice| {
        let [a, b, c] = [0, 1, 2].map(|pair| list[2 * pair + (choice >> pair & 1)]);
        let (a, b, c) = (a?, b?, c?);
        let normals = DMat3::from_cols(a.normal, b.normal, c.normal);
        let offsets = DVec3::new(a.offset, b.offset, c.offset);
        Some(Corner { normals, inverse: normals.inverse(), offsets })
    })
}

/// How a linear map changes lengths: `|A x|` is between the lengths of `x` in multiples of the two stretches.
struct Metric {
    least_stretch: DVec3,
    most_stretch: DVec3,
    largest: f64,
    /// The largest sum of cosines between a column and the others: 0 for translation · rotation · scale.
    shear: f64,
}

impl Metric {
    /// The columns' lengths, were they at right angles; what the angles can change is bounded by their cosines (Gershgorin).
    fn of(matrix: &DMat3) -> Metric {
        let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        let lengths = columns.map(DVec3::length);
        let cosine = |i: usize, j: usize| ((columns[i] / lengths[i]).dot(columns[j] / lengths[j])).abs();
        let [xy, yz, zx] = [cosine(0, 1), cosine(1, 2), cosine(2, 0)];
        let shear = (xy + zx).max(xy + yz).max(yz + zx) + 32.0 * UNIT;
        let lengths = DVec3::from_array(lengths);
        Metric {
            least_stretch: lengths * ((1.0 - shear).max(0.0).sqrt() * (1.0 - 8.0 * UNIT)),
            most_stretch: lengths * ((1.0 + shear).sqrt() * (1.0 + 8.0 * UNIT)),
            largest: lengths.max_element(),
            shear,
        }
    }
}
