//! Two models that are asked about many poses.

use super::distance::{Distance, DistanceOptions};
use super::intersect::{intersect_pair, intersects_pair};
use super::patience::Patience;
use super::scratch::{Scratch, with_scratch};
use super::verdict::{Engine, FacePair, IntersectOptions, Intersection, Verdict};
use crate::model::{Model, Placed, are_spheres_apart};
use crate::pair::invariants::PairInvariants;
use impinge_core::math::DVec3;
use impinge_core::transform::Placement;

/// Two models to be asked about many poses: what depends on the models alone is computed once.
///
/// Answers are those of [`Placed`], bit for bit; those about models that are far apart come sooner. Poses are given as `world_from_a`
/// and `world_from_b`. Threads may share a pair.
///
/// ```
/// use impinge::query::ModelPair;
/// use impinge::{Model, Placement, Trs, Verdict, shapes};
///
/// let (ring, ball) = (Model::new(shapes::torus(1.0, 0.25, 48, 24)?), Model::new(shapes::icosphere(0.5, 8)?));
/// let pair = ModelPair::new(&ring, &ball);
/// let places = [0.0, 0.125, 0.5, 1.0, 2.0].map(|x| Trs::translation([x, 0.0, 0.0]));
/// let mut verdicts = Vec::new();
/// for place in places {
///     verdicts.push(pair.verdict([Placement::IDENTITY, place?.into()]));
/// }
/// use Verdict::{Clear, Overlapping};
/// assert_eq!(verdicts, [Clear, Clear, Overlapping, Overlapping, Clear]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias = "batch")]
pub struct ModelPair<'m> {
    models: [&'m Model; 2],
    invariants: PairInvariants,
    spheres: Spheres,
}

/// Spheres around both models, as rigid placements leave them.
#[derive(Clone, Copy, Debug)]
struct Spheres {
    centers: [DVec3; 2],
    /// The sum of the radii.
    radii: f64,
    /// The size of what is rounded, but for the translations.
    size: f64,
}

impl Spheres {
    fn of(models: [&Model; 2]) -> Spheres {
        let stretch = Placement::IDENTITY.stretch();
        let [(center_a, radius_a), (center_b, radius_b)] = models.map(Model::sphere);
        let rounded = models[0].radius() + models[1].radius();
        let size = center_a.abs().element_sum() + center_b.abs().element_sum() + radius_a + radius_b;
        Spheres {
            centers: [center_a, center_b],
            radii: stretch * (radius_a + radius_b) + rounded,
            size: stretch * size + rounded,
        }
    }

    /// Whether the spheres are apart by more than rounding could bring them together; as of [`Placed::is_far_from`].
    #[inline(always)]
    fn are_apart(&self, [a, b]: &[Placement; 2]) -> bool {
        let between = a.point_to_world(self.centers[0]) - b.point_to_world(self.centers[1]);
        let translations = a.world_from_model().translation.abs() + b.world_from_model().translation.abs();
        are_spheres_apart(between, self.radii, self.size + translations.element_sum())
    }
}

impl<'m> ModelPair<'m> {
    /// The pair of two models, which may be the same one.
    pub fn new(a: &'m Model, b: &'m Model) -> ModelPair<'m> {
        let models = [a, b];
        ModelPair { models, invariants: PairInvariants::of(models), spheres: Spheres::of(models) }
    }

    /// The two models.
    pub fn models(&self) -> [&'m Model; 2] {
        self.models
    }

    /// The two models where they stand.
    #[inline]
    pub fn at(&self, [world_from_a, world_from_b]: [Placement; 2]) -> [Placed<'m>; 2] {
        [self.models[0].at(world_from_a), self.models[1].at(world_from_b)]
    }

    /// Whether the models are certainly apart, by spheres around them.
    #[inline(always)]
    fn are_far(&self, poses: &[Placement; 2], engine: Engine) -> bool {
        // Brute force takes no short way, because it is the oracle of all others.
        engine == Engine::Bvh
            && if poses[0].is_rigid() && poses[1].is_rigid() {
                self.spheres.are_apart(poses)
            } else {
                let [a, b] = self.at(*poses);
                a.is_far_from(&b)
            }
    }

    /// Whether the two intersect; see [`Placed::intersects`].
    pub fn intersects(&self, world_from_models: [Placement; 2]) -> bool {
        self.intersects_with(world_from_models, IntersectOptions::new())
    }

    /// [`intersects`](Self::intersects) with given options; see [`Placed::intersects_with`].
    pub fn intersects_with(&self, world_from_models: [Placement; 2], options: IntersectOptions) -> bool {
        with_scratch(|scratch| self.intersects_in(world_from_models, options, scratch))
    }

    /// [`intersects_with`](Self::intersects_with) in memory of the caller's.
    #[inline]
    pub fn intersects_in(
        &self,
        world_from_models: [Placement; 2],
        options: IntersectOptions,
        scratch: &mut Scratch,
    ) -> bool {
        !self.are_far(&world_from_models, options.engine)
            && self.near_ones_intersect(self.at(world_from_models), options, scratch)
    }

    /// [`intersects_in`](Self::intersects_in) for models that are not far apart: out of line, so that poses of others stay in registers.
    #[inline(never)]
    fn near_ones_intersect(
        &self,
        [a, b]: [Placed<'_>; 2],
        options: IntersectOptions,
        scratch: &mut Scratch,
    ) -> bool {
        intersects_pair(&self.invariants, &a, &b, options, scratch)
    }

    /// How the two stand to each other, and a place where they intersect; see [`Placed::intersect`].
    pub fn intersect(&self, world_from_models: [Placement; 2]) -> Intersection {
        self.intersect_with(world_from_models, IntersectOptions::new())
    }

    /// [`intersect`](Self::intersect) with given options; see [`Placed::intersect_with`].
    pub fn intersect_with(
        &self,
        world_from_models: [Placement; 2],
        options: IntersectOptions,
    ) -> Intersection {
        with_scratch(|scratch| self.intersect_in(world_from_models, options, scratch))
    }

    /// [`intersect_with`](Self::intersect_with) in memory of the caller's.
    #[inline]
    pub fn intersect_in(
        &self,
        world_from_models: [Placement; 2],
        options: IntersectOptions,
        scratch: &mut Scratch,
    ) -> Intersection {
        if self.are_far(&world_from_models, options.engine) {
            return Intersection::CLEAR;
        }
        let [a, b] = self.at(world_from_models);
        intersect_pair(&self.invariants, &a, &b, options, &Patience::endless(), scratch)
    }

    /// How the two stand to each other; see [`Placed::verdict`].
    pub fn verdict(&self, world_from_models: [Placement; 2]) -> Verdict {
        self.intersect(world_from_models).verdict
    }

    /// All pairs of faces that intersect, sorted; see [`Placed::face_pairs`].
    pub fn face_pairs(&self, world_from_models: [Placement; 2]) -> Vec<FacePair> {
        let options = IntersectOptions::new().pairs(true).surface_only(true);
        self.intersect_with(world_from_models, options).pairs
    }

    /// The minimum distance of the two; see [`Placed::distance`].
    pub fn distance(&self, world_from_models: [Placement; 2]) -> Distance {
        let [a, b] = self.at(world_from_models);
        a.distance(&b)
    }

    /// [`distance`](Self::distance) with given options; see [`Placed::distance_with`].
    pub fn distance_with(
        &self,
        world_from_models: [Placement; 2],
        options: DistanceOptions,
    ) -> Option<Distance> {
        with_scratch(|scratch| self.distance_in(world_from_models, options, scratch))
    }

    /// [`distance_with`](Self::distance_with) in memory of the caller's.
    pub fn distance_in(
        &self,
        world_from_models: [Placement; 2],
        options: DistanceOptions,
        scratch: &mut Scratch,
    ) -> Option<Distance> {
        let [a, b] = self.at(world_from_models);
        a.distance_in(&b, options, scratch)
    }
}
