//! Temporal coherence: the state of a pair that is kept from one query to the next, where things move little.

use std::borrow::Borrow;

use super::intersect::{Met, Pair};
use super::rounded::{self, is_rounded};
use super::scratch::Scratch;
use super::verdict::{Engine, IntersectOptions};
use crate::model::Model;
use crate::pair::stats::Stats;
use impinge_core::bvh::{Front, Goal};
use impinge_core::math::DVec3;
use impinge_core::narrow::tri_tri::Fan;
use impinge_core::parallel::hold;
use impinge_core::transform::Placement;

/// A cache of two models that are queried again and again while they move a little: keeps the faces that intersected last time, or
/// the front of the traversal that found none. The answers are those of [`Placed::intersects_with`](crate::Placed::intersects_with), always; only the
/// work is less.
///
/// Holds the models by `&`, `Arc` or whatever else lends them.
///
/// ```
/// use impinge::query::{IntersectOptions, PairCache, Scratch};
/// use impinge::{Model, Trs, shapes};
///
/// let (ring, ball) = (Model::new(shapes::torus(1.0, 0.25, 48, 24)?), Model::new(shapes::icosphere(0.5, 8)?));
/// let mut pair = PairCache::new(&ring, &ball);
/// let mut scratch = Scratch::default();
/// for step in 0..100 {
///     let x = 0.01 * f64::from(step);
///     let there = Trs::translation([x, 0.0, 0.0])?;
///     let meet = pair.intersects([Trs::IDENTITY.into(), there.into()], IntersectOptions::default(), &mut scratch);
///     assert_eq!(meet, ring.at(Trs::IDENTITY).intersects(&ball.at(there)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "temporal coherence")]
pub struct PairCache<M> {
    models: [M; 2],
    /// The model that was the host last time; what follows is in the order of host and guest.
    host: usize,
    faces: Option<[u32; 2]>,
    front: Front,
    /// Queries since the front was made from the roots.
    age: u32,
    corners: Vec<DVec3>,
    fans: [Fan; 2],
}

/// A front of more visits is not kept: it would cost more memory than it saves time.
const LONGEST_FRONT: usize = 1 << 12;

/// A front only ever goes down, also where things have parted. After so many queries it is made anew.
const OLDEST_FRONT: u32 = 16;

impl<M: Borrow<Model>> PairCache<M> {
    /// An empty cache for two models.
    pub fn new(a: M, b: M) -> PairCache<M> {
        PairCache {
            models: [a, b],
            host: 0,
            faces: None,
            front: Front::default(),
            age: 0,
            corners: Vec::new(),
            fans: Default::default(),
        }
    }

    /// Whether the two models intersect where they now stand; see [`Placed::intersects_with`](crate::Placed::intersects_with). The engine is that of
    /// BVHs, whatever `options` says.
    pub fn intersects(
        &mut self,
        world_from_models: [Placement; 2],
        options: IntersectOptions,
        scratch: &mut Scratch,
    ) -> bool {
        self.intersects_counted(world_from_models, options, scratch).0
    }

    /// [`intersects`](Self::intersects), and how much work it took.
    pub fn intersects_counted(
        &mut self,
        world_from_models: [Placement; 2],
        options: IntersectOptions,
        scratch: &mut Scratch,
    ) -> (bool, Stats) {
        let _held = hold();
        let [a, b] = [0, 1].map(|i| self.models[i].borrow().at(world_from_models[i]));
        if is_rounded(&a, &b) {
            if a.is_far_from(&b) {
                return (false, Stats::default());
            }
            return rounded::intersects(&a, &b, options.engine(Engine::Bvh), scratch);
        }
        let Some(pair) = Pair::unless_apart(&a, &b) else {
            self.front.clear();
            return (false, Stats::default());
        };
        if pair.host() != self.host {
            // Models of equal rank: which of them is the host depends on where they stand.
            self.host = pair.host();
            self.faces = self.faces.map(|[host, guest]| [guest, host]);
            self.front.clear();
        }
        if let Some(faces) = self.faces
            && pair.faces_meet(faces, &mut self.corners, &mut self.fans)
        {
            return (true, Stats { face_tests: 1, ..Stats::default() });
        }
        self.age += 1;
        if self.age >= OLDEST_FRONT || self.front.pair_count() > LONGEST_FRONT {
            self.age = 0;
            self.front.clear();
        }
        let trees = pair.bvhs();
        let Met { faces, met, stats } = pair.meet(trees, options, Goal::FirstFrom(&mut self.front), scratch);
        self.faces = faces;
        (met, stats)
    }
}
