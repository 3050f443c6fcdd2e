//! Traversals of a tree that moves, against all pairs of triangles at many times.

use super::*;
use crate::bounds::Aabb;
use crate::bvh::traverse::swept::{SweptQueue, SweptVisitor};
use crate::math::{DAffine3, DQuat};

type Triangle = [DVec3; 3];

struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn triangles(&mut self) -> Vec<Triangle> {
        (0..60)
            .map(|_| {
                let middle = self.point();
                [0; 3].map(|_| middle + 0.1 * self.point())
            })
            .collect()
    }
}

fn tree_of(triangles: &[Triangle]) -> DopTree<6> {
    DopTree::build(triangles.len(), Aabb::around(triangles.iter().flatten().copied()), triangles)
}

/// Two bodies, the second of which moves, and their trees.
struct Scene {
    triangles: [Vec<Triangle>; 2],
    trees: [DopTree<6>; 2],
    map: DAffine3,
    velocity: DVec3,
    error: f64,
}

impl Scene {
    fn new(random: &mut Random) -> Scene {
        let triangles = [random.triangles(), random.triangles()];
        let trees = [tree_of(&triangles[0]), tree_of(&triangles[1])];
        let turn = DQuat::from_axis_angle(random.point().normalize(), 3.0 * random.number());
        let map = DAffine3::from_rotation_translation(turn, 2.0 * random.point());
        Scene { triangles, trees, map, velocity: 2.0 * random.point(), error: 0.02 }
    }

    fn swept(&self) -> SweptTrees<'_> {
        let [a, b] = &self.trees;
        let maps = [None, Some(&self.map)];
        SweptTrees { trees: [a, b], maps, velocity: self.velocity, error: self.error, horizon: 1.0 }
    }

    fn names(&self, pairs: &[[Leaf; 2]]) -> Vec<[u32; 2]> {
        let mut names = Vec::new();
        for [a, b] in pairs {
            let others = self.trees[1].elements(*b);
            names
                .extend(self.trees[0].elements(*a).iter().flat_map(|i| others.iter().map(move |j| [*i, *j])));
        }
        names.sort_unstable();
        names
    }

    /// The pairs that come within the error between two times along all axes, and along a direction, where one is given.
    fn by_trying_all(&self, times: [f64; 2], direction: Option<SweptDirection>) -> Vec<[u32; 2]> {
        let mut found = Vec::new();
        for (i, a) in self.triangles[0].iter().enumerate() {
            for (j, b) in self.triangles[1].iter().enumerate() {
                let comes_near = (0..=16).any(|k| {
                    let time = times[0] + (times[1] - times[0]) * f64::from(k) / 16.0;
                    let b = b.map(|corner| self.map.transform_point3(corner) + self.velocity * time);
                    let gap = |normal: DVec3| {
                        let least = b.iter().map(|corner| normal.dot(*corner)).fold(f64::INFINITY, f64::min);
                        least - a.iter().map(|corner| normal.dot(*corner)).fold(f64::NEG_INFINITY, f64::max)
                    };
                    let near = |normal: DVec3| gap(normal) <= self.error && gap(-normal) <= self.error;
                    direction.is_none_or(|direction| gap(direction.normal) <= direction.error)
                        && [DVec3::X, DVec3::Y, DVec3::Z].into_iter().all(near)
                });
                if comes_near {
                    found.push([i as u32, j as u32]);
                }
            }
        }
        found
    }
}

#[test]
fn gathering_from_a_front_finds_what_all_pairs_and_the_roots_do() {
    let random = &mut Random(5);
    let (mut near, mut left_out) = (0, 0);
    for case in 0..40 {
        let scene = Scene::new(random);
        let normal = random.point().normalize();
        let direction = (case % 2 == 0).then_some(SweptDirection { normal, error: 0.01 });
        let (fronts, pairs) = (&mut SweptFronts::default(), &mut Vec::new());
        scene.swept().gather(None, 0..0, fronts, 10, pairs);
        let front = 0..fronts.pair_count();
        if pairs.len() <= 10 {
            assert!(front.is_empty(), "all of them were gathered");
            continue;
        }
        // The halves of the time, each as a time of its own and with less of an error.
        for half in [0.0, 0.5] {
            let mut map = scene.map;
            map.translation += scene.velocity * half;
            let part = SweptTrees {
                maps: [None, Some(&map)],
                velocity: scene.velocity / 2.0,
                error: scene.error * 0.9,
                ..scene.swept()
            };
            part.gather(direction, front.clone(), fronts, usize::MAX, pairs);
            let found = scene.names(pairs);
            assert_eq!(fronts.pair_count(), front.end, "a traversal that does not stop leaves no front");
            part.gather(direction, 0..0, fronts, usize::MAX, pairs);
            assert_eq!(found, scene.names(pairs), "case {case}");
            let expected =
                Scene { map, velocity: part.velocity, error: part.error, ..Scene::clone_of(&scene) }
                    .by_trying_all([0.0, 1.0], direction);
            assert!(expected.iter().all(|pair| found.binary_search(pair).is_ok()), "case {case}");
            part.gather(None, 0..0, fronts, usize::MAX, pairs);
            near += expected.len();
            left_out += scene.names(pairs).len() - found.len();
        }
    }
    assert!(near > 200 && left_out > 20, "{near} {left_out}");
}

impl Scene {
    fn clone_of(scene: &Scene) -> Scene {
        Scene { triangles: scene.triangles.clone(), trees: scene.trees.clone(), ..*scene }
    }
}

/// Sees all pairs, and then those only that come until a time.
struct Seen {
    pairs: Vec<[Leaf; 2]>,
    horizon: f64,
}

impl SweptVisitor for Seen {
    fn meet(&mut self, a: Leaf, b: Leaf) -> f64 {
        self.pairs.push([a, b]);
        self.horizon
    }
}

#[test]
fn traversals_of_the_earliest_show_all_that_comes_until_the_horizon() {
    let random = &mut Random(6);
    let queue = &mut SweptQueue::default();
    let (mut near, mut fewer) = (0, 0);
    for case in 0..40 {
        let scene = Scene::new(random);
        let mut counts = [0; 2];
        for (i, horizon) in [1.0, 0.4].into_iter().enumerate() {
            let mut seen = Seen { pairs: Vec::new(), horizon };
            scene.swept().traverse(queue, &mut seen);
            let found = scene.names(&seen.pairs);
            let expected = scene.by_trying_all([0.0, horizon], None);
            assert!(expected.iter().all(|pair| found.binary_search(pair).is_ok()), "case {case}");
            near += expected.len();
            counts[i] = found.len();
        }
        fewer += usize::from(counts[1] < counts[0]);
    }
    assert!(near > 200 && fewer > 10, "{near} {fewer}");
}
