//! Volume queries: the faces of a placed model that touch a solid volume (Maia et al. 2006, §3.4 and Figure 3).
//!
//! ```
//! use impinge::query::Volume;
//! use impinge::{Model, Trs, shapes};
//!
//! let ring = Model::new(shapes::torus(1.0, 0.25, 48, 24)?);
//! let ring = ring.at(Trs::scaling([1.0, 2.0, -0.5])?);
//!
//! let ball = Volume::sphere([1.0, 0.0, 0.0], 0.25)?;
//! assert!(ring.touches(&ball));
//! assert!(!ring.touches(&Volume::sphere([0.0, 0.0, 0.0], 0.5)?));
//! println!("{:?}", ring.faces_touching(&ball));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod faces;
mod frame;
mod ground;
mod rounded;

use std::ops::ControlFlow;

use super::scratch::Scratch;
use super::verdict::Engine;
use super::with_scratch;
use crate::model::{Ground, Placed};
use crate::options::options;
use crate::pair::stats::Stats;
use faces::{AllFaces, Faces, Found};
use frame::Frame;
use ground::GroundFaces;
use impinge_core::bounds::{Aabb, Capsule, DepthRange, Frustum, HalfSpace, Obb, Plane, Sphere, VolumeError};
use impinge_core::bvh::{DopTree, VolumeStack, traverse_volume};
use impinge_core::heightfield::traverse_field_volume;
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::parallel::{hold, released};
use impinge_core::simd::dispatch;
use impinge_core::transform::Trs;

/// A solid volume in the world. Closed: what only touches its surface touches it, and what lies inside does too.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Volume {
    /// A box along the world's axes. One that holds no point touches nothing.
    Aabb(Aabb),
    /// A box of any orientation.
    Obb(Obb),
    /// A sphere: all points within a radius of a center.
    Sphere(Sphere),
    /// A capsule: all points within a radius of a segment.
    Capsule(Capsule),
    /// The points of a plane.
    Plane(Plane),
    /// A half-space: the points behind a plane, and those in it.
    HalfSpace(HalfSpace),
    /// A view frustum.
    Frustum(Frustum),
}

impl Volume {
    /// The box between two corners.
    pub fn aabb(min: impl IntoPoint, max: impl IntoPoint) -> Result<Volume, VolumeError> {
        Aabb::new(min, max).map(Volume::Aabb)
    }

    /// The box around a center that reaches `half` along each of its turned axes.
    pub fn obb(center: impl IntoPoint, half: impl IntoPoint, rotation: &Trs) -> Result<Volume, VolumeError> {
        Obb::new(center, half, rotation).map(Volume::Obb)
    }

    /// The sphere around a center.
    #[doc(alias = "ball")]
    pub fn sphere(center: impl IntoPoint, radius: f64) -> Result<Volume, VolumeError> {
        Sphere::new(center, radius).map(Volume::Sphere)
    }

    /// The capsule of all points within a radius of a segment.
    pub fn capsule(start: impl IntoPoint, end: impl IntoPoint, radius: f64) -> Result<Volume, VolumeError> {
        Capsule::new(start, end, radius).map(Volume::Capsule)
    }

    /// The plane of all points x with `normal · x = offset`: touched by faces that have points on both sides, or in it.
    pub fn plane(normal: impl IntoPoint, offset: f64) -> Result<Volume, VolumeError> {
        Plane::new(normal, offset).map(Volume::Plane)
    }

    /// The half-space of all points x with `normal · x ≤ offset`.
    pub fn half_space(normal: impl IntoPoint, offset: f64) -> Result<Volume, VolumeError> {
        HalfSpace::new(normal, offset).map(Volume::HalfSpace)
    }

    /// The view frustum of a camera with this matrix; see [`Frustum::new`].
    pub fn frustum(clip_from_world: [[f64; 4]; 4], depth: DepthRange) -> Result<Volume, VolumeError> {
        Frustum::new(clip_from_world, depth).map(Volume::Frustum)
    }

    /// A box around the volume; all of space for those that are not bounded, and for frusta.
    pub fn bounds(&self) -> Aabb {
        let around = |ends: [DVec3; 2], reach: DVec3| {
            let size = ends[0].abs().max(ends[1].abs()) + reach;
            let reach = reach + size * (8.0 * f64::EPSILON);
            Aabb { min: ends[0].min(ends[1]) - reach, max: ends[0].max(ends[1]) + reach }
        };
        match self {
            Volume::Aabb(bounds) => *bounds,
            Volume::Obb(obb) => around([obb.center(); 2], obb.axes().abs() * obb.half()),
            Volume::Sphere(sphere) => around([sphere.center(); 2], DVec3::splat(sphere.radius())),
            Volume::Capsule(capsule) => {
                around([capsule.start(), capsule.end()], DVec3::splat(capsule.radius()))
            }
            Volume::Plane(_) | Volume::HalfSpace(_) | Volume::Frustum(_) => {
                Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY }
            }
        }
    }
}

macro_rules! from_volume {
    ($($kind:ident,)*) => {$(
        impl From<$kind> for Volume {
            fn from(volume: $kind) -> Volume {
                Volume::$kind(volume)
            }
        }
    )*};
}

from_volume! { Aabb, Obb, Sphere, Capsule, Plane, HalfSpace, Frustum, }

options! {
    /// Options of a volume query.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct VolumeOptions {
        /// The engine that finds the faces: brute force, or trees.
        pub engine: Engine = Engine::Bvh,
    }
}

/// Shows every face that touches the volume, until the visitor breaks.
fn for_each_face_touching(
    placed: &Placed<'_>,
    volume: &Volume,
    engine: Engine,
    scratch: &mut Scratch,
    mut visit: impl FnMut(u32) -> ControlFlow<()>,
) -> Stats {
    let mesh = placed.model().mesh();
    let mut found = |faces: &[u32]| {
        for &face in faces {
            released(|| visit(mesh.label(face)))?;
        }
        ControlFlow::Continue(())
    };
    let _held = hold();
    if placed.radius() > 0.0 {
        return rounded::search_rounded(placed, volume, engine, scratch, &mut found);
    }
    search(placed, volume, engine, &mut scratch.volume.stack, &mut found)
}

fn search(
    placed: &Placed<'_>,
    volume: &Volume,
    engine: Engine,
    stack: &mut VolumeStack,
    found: Found<'_>,
) -> Stats {
    match engine {
        Engine::Brute => brute_force(placed, volume, found),
        Engine::Bvh => match placed.model().ground() {
            Some(ground) => by_heights(placed, &ground, volume, found),
            None => by_tree(placed.model().bvh(), placed, volume, stack, found),
        },
    }
}

/// Collects all faces that touch the volume, sorted.
fn faces_touching(
    placed: &Placed<'_>,
    volume: &Volume,
    engine: Engine,
    scratch: &mut Scratch,
    faces: &mut Vec<u32>,
) -> Stats {
    let mut found = std::mem::take(&mut scratch.volume.found);
    found.clear();
    let work = for_each_face_touching(placed, volume, engine, scratch, |face| {
        found.push(face);
        ControlFlow::Continue(())
    });
    faces.clear();
    sort(&mut found, &mut scratch.volume.marks, faces);
    scratch.volume.found = found;
    work
}

/// All faces that touch a volume, found through a tree of K-DOPs over the faces of the model.
pub fn faces_touching_by<const K: usize>(
    tree: &DopTree<K>,
    placed: &Placed<'_>,
    volume: &Volume,
    scratch: &mut Scratch,
    faces: &mut Vec<u32>,
) -> Stats {
    faces.clear();
    let mesh = placed.model().mesh();
    let mut found = |found: &[u32]| {
        faces.extend(found.iter().map(|&face| mesh.label(face)));
        ControlFlow::Continue(())
    };
    let _held = hold();
    let stats = by_tree(tree, placed, volume, &mut scratch.volume.stack, &mut found);
    faces.sort_unstable();
    faces.dedup();
    stats
}

/// The found faces in order, each once.
fn sort(found: &mut Vec<u32>, marks: &mut Vec<u64>, sorted: &mut Vec<u32>) {
    let words = found.iter().max().map_or(0, |&most| most as usize / 64 + 1);
    // A look at all marks costs less than sorting where there are many faces.
    if found.len() < 32 || words > 8 * found.len() {
        found.sort_unstable();
        found.dedup();
        sorted.extend_from_slice(found);
        return;
    }
    if marks.len() < words {
        marks.resize(words, 0);
    }
    for &face in found.iter() {
        marks[face as usize / 64] |= 1 << (face % 64);
    }
    sorted.reserve(found.len());
    for (i, word) in marks[..words].iter_mut().enumerate() {
        let mut rest = std::mem::take(word);
        while rest != 0 {
            sorted.push(i as u32 * 64 + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
}

fn brute_force(placed: &Placed<'_>, volume: &Volume, found: Found<'_>) -> Stats {
    let Some(frame) = Frame::new(placed, volume) else { return Stats::default() };
    let mut faces = Faces::new(placed.model().mesh(), &frame, found);
    dispatch(AllFaces(&mut faces));
    Stats { face_tests: faces.face_tests, ..Stats::default() }
}

fn by_tree<const K: usize>(
    tree: &DopTree<K>,
    placed: &Placed<'_>,
    volume: &Volume,
    stack: &mut VolumeStack,
    found: Found<'_>,
) -> Stats {
    let Some(frame) = Frame::new(placed, volume) else { return Stats::default() };
    let Some(shape) = frame.shape::<K>() else { return brute_force(placed, volume, found) };
    let mut faces = Faces::new(placed.model().mesh(), &frame, found);
    let counts = traverse_volume(tree, &shape, stack, &mut faces);
    Stats {
        box_tests: counts.bounds,
        face_tests: faces.face_tests,
        visits: counts.visits,
        ..Stats::default()
    }
}

/// A terrain's boxes are those of its heights.
fn by_heights(placed: &Placed<'_>, ground: &Ground<'_>, volume: &Volume, found: Found<'_>) -> Stats {
    let Some(frame) = Frame::new(placed, volume) else { return Stats::default() };
    let Some(shape) = frame.shape::<6>() else { return brute_force(placed, volume, found) };
    let faces = Faces::of_ground(placed.model().mesh(), ground, &frame, found);
    let mut visitor = GroundFaces { grid: ground.grid, faces };
    let reach = placed.model().reach();
    let visits = traverse_field_volume(ground.tree, &ground.field, reach, &shape, &mut visitor);
    Stats { box_tests: 16 * visits, face_tests: visitor.faces.face_tests, visits, ..Stats::default() }
}

impl Placed<'_> {
    /// Whether any face touches the volume.
    #[doc(alias = "overlap_test")]
    pub fn touches(&self, volume: &Volume) -> bool {
        self.any_face_touching(volume).is_some()
    }

    /// A face that touches the volume, by the user's index: the first that is found, not the least.
    pub fn any_face_touching(&self, volume: &Volume) -> Option<u32> {
        let mut found = None;
        self.for_each_face_touching(volume, |face| {
            found = Some(face);
            ControlFlow::Break(())
        });
        found
    }

    /// All faces that touch the volume, by the user's indices, sorted.
    pub fn faces_touching(&self, volume: &Volume) -> Vec<u32> {
        let mut faces = Vec::new();
        with_scratch(|scratch| self.faces_touching_in(volume, VolumeOptions::new(), scratch, &mut faces));
        faces
    }

    /// [`faces_touching`](Self::faces_touching) with given options, into a list and in memory of the caller's.
    pub fn faces_touching_in(
        &self,
        volume: &Volume,
        options: VolumeOptions,
        scratch: &mut Scratch,
        faces: &mut Vec<u32>,
    ) -> Stats {
        faces_touching(self, volume, options.engine, scratch, faces)
    }

    /// Calls `visit` with every face that touches the volume, by the user's index, until it breaks; see
    /// [`for_each_face_touching_in`](Self::for_each_face_touching_in).
    pub fn for_each_face_touching(&self, volume: &Volume, visit: impl FnMut(u32) -> ControlFlow<()>) {
        with_scratch(|scratch| self.for_each_face_touching_in(volume, VolumeOptions::new(), scratch, visit));
    }

    /// Calls `visit` with the user's index of every face that touches the volume, until it breaks, in memory of the caller's.
    ///
    /// Of a rounded model, the faces of the core that are within the radius of the volume; of a frustum, the core alone counts.
    ///
    /// The order is no particular one. Pieces of a polygon that a reader split come with the polygon's index each.
    ///
    /// Exact: for the vertices as rounded into the volume's frame, the answer is that of arithmetic without rounding, whatever
    /// the engine. The radius of a rounded model is added to a sphere's or capsule's, and rounded in that.
    pub fn for_each_face_touching_in(
        &self,
        volume: &Volume,
        options: VolumeOptions,
        scratch: &mut Scratch,
        visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Stats {
        for_each_face_touching(self, volume, options.engine, scratch, visit)
    }
}
