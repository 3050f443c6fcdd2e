//! The canonical frame of a pair: the one frame in which every engine, and brute force too, places the vertices
//! and decides.
//!
//! It is the frame of the model with more faces, so that the larger one is taken as it is; ties are broken by a hash of
//! the geometry, then by the placements themselves. The rule does not know which model was named first, so A against B
//! and B against A are the same computation, and the distance from the world's origin does not matter.
//!
//! Where bit lengths prove that nothing is rounded in the world, and the host's frame could round, it is the world
//! instead, moved to the host's origin: the answer is that of the placed models without any rounding. It is the moved world, too, where a
//! model is rounded: the radius is a length of the world.

use std::cmp::Ordering;

use super::invariants::{PairInvariants, order_of_models};
use crate::model::Placed;
use impinge_core::math::{DAffine3, DMat3, DVec3};
use impinge_core::predicates::exact_difference;
use impinge_core::transform::relative;

/// The kind of a pair's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The host's own, as it nearly always is.
    Host,
    /// The world's, moved, where nothing is rounded in it, or where a model is rounded.
    World,
    /// The world's, shrunken, where the guest's coordinates would overflow in the host's.
    Shrunken,
}

/// The frame of a pair, and how to get into it and out of it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The maps from each model's own frame to this one; `None` where that changes nothing.
    frame_from_model: [Option<DAffine3>; 2],
    /// The factor that coordinates are multiplied by first: 1, but in a shrunken world.
    shrink: f64,
    world_from_frame: DAffine3,
    /// The model that is looked through first, so that the search, too, does not know which was named first.
    pub host: usize,
    kind: Kind,
    /// Whether both placements are rigid.
    rigid: bool,
    /// What coordinates of the guest are below in the host's frame.
    guest_extent: f64,
    /// The handedness: 1, or -1 for a model that is mirrored on its way into the frame.
    pub(crate) handedness: [i32; 2],
}

impl Frame {
    /// The canonical frame of two placed models.
    pub fn of(a: &Placed<'_>, b: &Placed<'_>) -> Frame {
        FrameChoice::of(&PairInvariants::of([a.model(), b.model()]), [a, b]).frame([a, b])
    }

    /// The frame of one of the two, which need not be the canonical one.
    pub fn hosted_by(host: usize, a: &Placed<'_>, b: &Placed<'_>) -> Frame {
        FrameChoice::hosted_by(host, true, [a, b]).frame([a, b])
    }

    /// Where the guest's coordinates would overflow in the host's frame: the world, made so small that nothing can. Half of
    /// the shrinking is done to the coordinates and half to the placements, so that neither vanishes.
    #[cold]
    fn shrunken_world(placed: [&Placed<'_>; 2], host: usize) -> Frame {
        const HALF: f64 = 4.909_093_465_297_727e-91; // 2^-300
        let shrunken = |placed: &Placed<'_>| {
            let map = placed.placement().world_from_model();
            DAffine3 { matrix3: map.matrix3 * HALF, translation: map.translation * HALF * HALF }
        };
        Frame {
            frame_from_model: placed.map(|placed| Some(shrunken(placed))),
            shrink: HALF,
            world_from_frame: DAffine3::from_scale(DVec3::splat(1.0 / HALF / HALF)),
            host,
            kind: Kind::Shrunken,
            rigid: false,
            guest_extent: f64::INFINITY,
            handedness: placed.map(|p| if p.placement().is_mirrored() { -1 } else { 1 }),
        }
    }

    /// The exponent of the power of two that lengths of the world are multiplied by, in the frame of a pair of rounded models.
    pub(crate) fn exponent(&self) -> i32 {
        if self.kind == Kind::Shrunken { -600 } else { 0 }
    }

    /// The world, moved so that `origin` is its origin.
    #[inline(never)]
    fn exact_world(placed: [&Placed<'_>; 2], host: usize, origin: DVec3) -> Frame {
        let moved = |placed: &Placed<'_>| {
            let map = placed.placement().world_from_model();
            let map = DAffine3 { matrix3: map.matrix3, translation: map.translation - origin };
            (map != DAffine3::IDENTITY).then_some(map)
        };
        Frame {
            frame_from_model: placed.map(moved),
            shrink: 1.0,
            world_from_frame: DAffine3::from_translation(origin),
            host,
            kind: Kind::World,
            rigid: false,
            guest_extent: f64::INFINITY,
            handedness: placed.map(|p| if p.placement().is_mirrored() { -1 } else { 1 }),
        }
    }

    /// The maps between the host's and the guest's own frames, for bounds; `None` where bounds are of no use.
    #[inline(always)]
    pub fn maps(&self, host: &Placed<'_>, guest: &Placed<'_>) -> Option<Maps> {
        match self.kind {
            Kind::Host => {}
            Kind::World => return self.maps_of_world([host, guest]),
            Kind::Shrunken => return None,
        }
        let host_from_guest = self.frame_from_model[1 - self.host].unwrap_or(DAffine3::IDENTITY);
        let reach = guest.model().reach();
        // A placed vertex is rounded four times.
        let error_in_host = 4.0 * f64::EPSILON * self.guest_extent;
        let (guest_from_host, error_in_guest) = if self.rigid {
            let matrix3 = host_from_guest.matrix3.transpose();
            let translation = matrix3 * -host_from_guest.translation;
            // The sum of a row of a rotation is at most the root of 3.
            let size = 1.75 * self.guest_extent + translation.abs().max_element();
            let error = RIGID_RESIDUAL * reach + 16.0 * f64::EPSILON * size;
            (DAffine3 { matrix3, translation }, error)
        } else {
            let back = relative(guest.placement(), host.placement());
            (back, error_of_return(&host_from_guest, &back, reach))
        };
        Some(Maps { host_from_guest, guest_from_host, error_in_host, error_in_guest })
    }

    /// The maps where nothing is rounded on the way into the frame, and both models have a way into it.
    #[cold]
    fn maps_of_world(&self, placed: [&Placed<'_>; 2]) -> Option<Maps> {
        let into = self.ways_in();
        let error = |to: usize, from: usize, map: &DAffine3| {
            let inverse = placed[to].placement().model_from_world_linear();
            let detour =
                error_of_detour([&into[to], &into[from]], &inverse, map, placed[from].model().reach())?;
            // Where a model is rounded, images of both are rounded on their way into the frame.
            let is_exact = placed.iter().all(|placed| placed.radius() == 0.0);
            let reach = extent(&into[to], placed[to].model().reach())
                + extent(&into[from], placed[from].model().reach());
            let images = if is_exact { 0.0 } else { 16.0 * f64::EPSILON * row_sum(&inverse) * reach };
            Some(detour + images)
        };
        let host_from_guest = relative(placed[0].placement(), placed[1].placement());
        let guest_from_host = relative(placed[1].placement(), placed[0].placement());
        let (error_in_host, error_in_guest) =
            (error(0, 1, &host_from_guest)?, error(1, 0, &guest_from_host)?);
        Some(Maps { host_from_guest, guest_from_host, error_in_host, error_in_guest })
    }

    /// The maps from the frame to the own frames of the host and the guest, and how far off that may be, where the frame is the exact
    /// world.
    #[inline]
    pub(crate) fn models_from_world(&self, placed: [&Placed<'_>; 2]) -> Option<[(DAffine3, f64); 2]> {
        if self.kind == Kind::World { Some(self.ways_back(placed)) } else { None }
    }

    #[cold]
    fn ways_back(&self, placed: [&Placed<'_>; 2]) -> [(DAffine3, f64); 2] {
        let into = self.ways_in();
        [0, 1].map(|i| {
            let matrix3 = placed[i].placement().model_from_world_linear();
            let back = DAffine3 { matrix3, translation: matrix3 * -into[i].translation };
            (back, error_of_return(&into[i], &back, placed[i].model().reach()))
        })
    }

    /// From the own frames of the host and the guest to this one.
    fn ways_in(&self) -> [DAffine3; 2] {
        [self.host, 1 - self.host].map(|side| self.frame_from_model[side].unwrap_or(DAffine3::IDENTITY))
    }

    /// The map from the guest's frame to the host's, where that is the frame.
    pub(crate) fn host_from_guest(&self) -> Option<DAffine3> {
        let map = || self.frame_from_model[1 - self.host].unwrap_or(DAffine3::IDENTITY);
        (self.kind == Kind::Host).then(map)
    }

    /// The map from one model's own frame to this one; `None` where that changes nothing.
    pub(crate) fn frame_from_model(&self, side: usize) -> Option<DAffine3> {
        self.frame_from_model[side]
    }

    /// The factor that coordinates are multiplied by before anything else.
    pub(crate) fn shrink(&self) -> f64 {
        self.shrink
    }

    pub(crate) fn to_world(&self, point_in_frame: DVec3) -> DVec3 {
        self.world_from_frame.transform_point3(point_in_frame)
    }
}

/// The choice of a pair's frame, before the frame is made: poses that boxes tell apart need no more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameChoice {
    kind: Kind,
    host: usize,
    /// The world's point that is the origin of a world's frame.
    origin: DVec3,
    /// Of no meaning in a shrunken world, nor where a model is rounded.
    host_from_guest: DAffine3,
    guest_extent: f64,
    /// Whether the frame is the host's and both placements are rigid.
    rigid: bool,
}

impl FrameChoice {
    /// The canonical choice for two placed models of which the invariants are known.
    #[inline(always)]
    pub(crate) fn of(invariants: &PairInvariants, [a, b]: [&Placed<'_>; 2]) -> FrameChoice {
        let by_placement = || usize::from(order_of_placements(a, b) == Ordering::Less);
        let host = invariants.host.unwrap_or_else(by_placement);
        FrameChoice::hosted_by(host, invariants.have_grids, [a, b])
    }

    /// The frame of one of the two. Nothing is exact in the world unless they have grids.
    #[inline(always)]
    fn hosted_by(host: usize, have_grids: bool, [a, b]: [&Placed<'_>; 2]) -> FrameChoice {
        let (hosting, visiting) = if host == 0 { (a, b) } else { (b, a) };
        let mut choice = FrameChoice {
            kind: Kind::Host,
            host,
            origin: DVec3::ZERO,
            host_from_guest: DAffine3::IDENTITY,
            guest_extent: f64::INFINITY,
            rigid: false,
        };
        if a.radius() > 0.0 || b.radius() > 0.0 {
            (choice.kind, choice.origin) = metric_world(hosting, visiting);
            return choice;
        }
        choice.host_from_guest = relative(hosting.placement(), visiting.placement());
        choice.guest_extent = extent(&choice.host_from_guest, visiting.model().reach());
        if !choice.guest_extent.is_finite() {
            choice.kind = Kind::Shrunken;
        } else if have_grids && let Some(origin) = exact_origin(hosting, visiting, &choice.host_from_guest) {
            (choice.kind, choice.origin) = (Kind::World, origin);
        } else {
            choice.rigid = hosting.placement().is_rigid() && visiting.placement().is_rigid();
        }
        choice
    }

    /// Whether boxes around the two are certainly apart, seen from the host and, where both stand rigidly, from the guest. A look that
    /// costs little; `false` says nothing.
    #[inline(always)]
    pub(crate) fn boxes_are_apart(&self, [a, b]: [&Placed<'_>; 2]) -> bool {
        if self.kind != Kind::Host {
            return false;
        }
        let (host, guest) = if self.host == 0 { (a.model(), b.model()) } else { (b.model(), a.model()) };
        let map = &self.host_from_guest;
        let [host_half, guest_half] = [host, guest].map(|model| 0.5 * model.bounds().size());
        let between = map.transform_point3(guest.sphere().0) - host.sphere().0;
        let columns = [map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis];
        let [x, y, z] = columns.map(DVec3::abs);
        // Coordinates are rounded four times where they are placed, and less than twelve times here.
        let size = self.guest_extent + host.reach();
        // What vanishes is far below the least normal number.
        let room = 16.0 * f64::EPSILON * size + f64::MIN_POSITIVE;
        let reach = host_half + x * guest_half.x + y * guest_half.y + z * guest_half.z;
        if between.abs().cmpgt(reach + room).any() {
            return true;
        }
        // Along the guest's axes, which are at right angles up to rounding. No sum along one is more than twice the size.
        let along = |axis: DVec3| axis.dot(between).abs();
        let room = (8.0 * RIGID_RESIDUAL + 64.0 * f64::EPSILON) * size + f64::MIN_POSITIVE;
        let reach = guest_half + DVec3::new(x.dot(host_half), y.dot(host_half), z.dot(host_half));
        let seen = DVec3::new(along(columns[0]), along(columns[1]), along(columns[2]));
        self.rigid && seen.cmpgt(reach + room).any()
    }

    /// The frame that was chosen.
    #[inline(always)]
    pub(crate) fn frame(&self, [a, b]: [&Placed<'_>; 2]) -> Frame {
        let (hosting, visiting) = if self.host == 0 { (a, b) } else { (b, a) };
        match self.kind {
            Kind::Host => {}
            Kind::World => return Frame::exact_world([a, b], self.host, self.origin),
            Kind::Shrunken => return Frame::shrunken_world([a, b], self.host),
        }
        let mirrored = hosting.placement().is_mirrored() != visiting.placement().is_mirrored();
        let of_guest = if mirrored { -1 } else { 1 };
        let map = (self.host_from_guest != DAffine3::IDENTITY).then_some(self.host_from_guest);
        Frame {
            frame_from_model: if self.host == 0 { [None, map] } else { [map, None] },
            shrink: 1.0,
            world_from_frame: *hosting.placement().world_from_model(),
            host: self.host,
            kind: Kind::Host,
            rigid: self.rigid,
            guest_extent: self.guest_extent,
            handedness: if self.host == 0 { [1, of_guest] } else { [of_guest, 1] },
        }
    }
}

/// The world, moved to the host: lengths, such as the radii of rounded models, are what they are. Shrunken by a power of two where
/// coordinates would overflow.
#[inline(never)]
fn metric_world(host: &Placed<'_>, guest: &Placed<'_>) -> (Kind, DVec3) {
    let origin = host.placement().world_from_model().translation;
    let is_finite = |placed: &Placed<'_>| {
        let map = placed.placement().world_from_model();
        let reach = row_sum(&map.matrix3) * placed.model().reach();
        (reach + (map.translation - origin).abs().max_element()).is_finite()
    };
    let kind = if is_finite(host) && is_finite(guest) { Kind::World } else { Kind::Shrunken };
    (kind, origin)
}

/// How far the product of the map between two rigid placements with its transpose may be from the identity, as the largest sum of a
/// row's magnitudes: 2^-43. `docs/math/canonical-frame.md` adds it up.
const RIGID_RESIDUAL: f64 = 1.0 / (1_u64 << 43) as f64;

/// The maps between the own frames of two models, and how far any coordinate may be off.
#[derive(Clone, Copy, Debug)]
pub struct Maps {
    /// From the guest's frame to the host's.
    pub host_from_guest: DAffine3,
    /// From the host's frame to the guest's.
    pub guest_from_host: DAffine3,
    /// How far off a coordinate of the guest may be in the host's frame.
    pub error_in_host: f64,
    /// How far off a coordinate of the host may be in the guest's frame.
    pub error_in_guest: f64,
}

/// The world's point that is the origin of the exact frame; `None` where bit lengths do not prove the world exact, and
/// where the host's frame is as exact.
#[inline(never)]
fn exact_origin(host: &Placed<'_>, guest: &Placed<'_>, host_from_guest: &DAffine3) -> Option<DVec3> {
    let grids = [host.model().grid()?, guest.model().grid()?];
    let maps = [host, guest].map(|placed| placed.placement().world_from_model());
    let are_admitted = grids[0].admits(&maps[0].matrix3) && grids[1].admits(&maps[1].matrix3);
    if !are_admitted || maps[0] == maps[1] {
        return None;
    }
    // In the world, moved to the host, if that is known without rounding: then nothing depends on where both are.
    let offset = exact_difference(maps[1].translation, maps[0].translation);
    if offset.is_some() && maps[0].matrix3 == DMat3::IDENTITY {
        return None;
    }
    let are_exact = |translations: [DVec3; 2]| {
        (0..2).all(|i| grids[i].has_exact_images(&maps[i].matrix3, translations[i]))
    };
    match offset {
        Some(offset) if are_exact([DVec3::ZERO, offset]) => {
            let is_as_exact = is_inverse_exact(maps[0], [maps[1].matrix3, host_from_guest.matrix3])
                && maps[0].matrix3 * host_from_guest.translation == offset
                && grids[1].has_exact_images(&host_from_guest.matrix3, host_from_guest.translation);
            (!is_as_exact).then_some(maps[0].translation)
        }
        _ => are_exact(maps.map(|map| map.translation)).then_some(DVec3::ZERO),
    }
}

/// Whether a map takes axes to axes and scales by powers of two, so that products with it are exact, and so took the second
/// matrix to the first.
fn is_inverse_exact(map: &DAffine3, [whole, quotient]: [DMat3; 2]) -> bool {
    let is_simple = |column: DVec3| {
        let bits = column.to_array().map(|entry| entry.to_bits() << 1);
        bits.iter().filter(|&&bits| bits != 0).count() == 1 && (bits[0] | bits[1] | bits[2]) << (64 - 53) == 0
    };
    let DMat3 { x_axis, y_axis, z_axis } = map.matrix3;
    [x_axis, y_axis, z_axis].into_iter().all(is_simple) && map.matrix3 * quotient == whole
}

/// What coordinates of a model that reaches so far are below in another frame.
#[inline(always)]
fn extent(map: &DAffine3, reach: f64) -> f64 {
    row_sum(&map.matrix3) * reach + map.translation.abs().max_element()
}

/// How far from where it was a point of a model may be that goes there and back, as two maps in a row that are nearly
/// inverse: computed, with padding for the rounding of that computation.
#[inline(always)]
fn error_of_return(there: &DAffine3, back: &DAffine3, reach: f64) -> f64 {
    let residual = row_sum(&(back.matrix3 * there.matrix3 - DMat3::IDENTITY)) * reach
        + (back.matrix3 * there.translation + back.translation).abs().max_element();
    let size = row_sum(&back.matrix3) * extent(there, reach) + back.translation.abs().max_element();
    residual + 16.0 * f64::EPSILON * size
}

/// How far a map from one model to another may miss the way through the frame, into which both models have exact maps:
/// what is missed there, seen through the inverse of the map into it. `None` where that inverse is of no use.
fn error_of_detour(
    [into_to, into_from]: [&DAffine3; 2],
    inverse: &DMat3,
    to_from: &DAffine3,
    reach: f64,
) -> Option<f64> {
    let offset = into_from.translation - into_to.translation;
    let missed = row_sum(&(into_to.matrix3 * to_from.matrix3 - into_from.matrix3)) * reach
        + (into_to.matrix3 * to_from.translation - offset).abs().max_element();
    let size = row_sum(&into_to.matrix3) * extent(to_from, reach)
        + extent(into_from, reach)
        + into_to.translation.abs().max_element();
    let missed = missed + 16.0 * f64::EPSILON * size;
    // The true inverse is no more than twice as large as one that leaves less than half of the identity.
    let off = row_sum(&(*inverse * into_to.matrix3 - DMat3::IDENTITY))
        + 8.0 * f64::EPSILON * row_sum(inverse) * row_sum(&into_to.matrix3);
    (off < 0.5).then(|| 2.0 * row_sum(inverse) * missed)
}

/// The largest sum of a row's magnitudes: how much the matrix can enlarge a largest coordinate.
#[inline(always)]
pub fn row_sum(matrix: &DMat3) -> f64 {
    (matrix.x_axis.abs() + matrix.y_axis.abs() + matrix.z_axis.abs()).max_element()
}

/// The order that chooses the host: greater when `a` is the host; equal only where it does not matter.
pub fn host_order(a: &Placed<'_>, b: &Placed<'_>) -> Ordering {
    order_of_models(a.model(), b.model()).then_with(|| order_of_placements(a, b))
}

/// The order of two placements, column by column. Most often the first entry tells.
#[inline]
fn order_of_placements(a: &Placed<'_>, b: &Placed<'_>) -> Ordering {
    let [first, second] = [a, b].map(|placed| placed.placement().world_from_model());
    first.matrix3.x_axis.x.total_cmp(&second.matrix3.x_axis.x).then_with(|| order_of_maps(first, second))
}

#[inline(never)]
fn order_of_maps(a: &DAffine3, b: &DAffine3) -> Ordering {
    let entries = a.to_cols_array().into_iter().zip(b.to_cols_array());
    entries.map(|(x, y)| x.total_cmp(&y)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
