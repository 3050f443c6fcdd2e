use super::*;
use crate::bounds::Aabb;
use crate::bvh::DopTree;
use crate::simd::{Portable, Work, dispatch};

type Triangle = [DVec3; 3];

/// A ray: origin, direction and the largest time.
type Cast = (DVec3, DVec3, f64);

/// What rays find: faces in the order of their numbers, and the one that is certain. None where lanes cannot tell.
#[derive(Debug, PartialEq)]
struct Found {
    faces: Vec<u32>,
    only: Option<u32>,
}

struct Look<'w> {
    tree: &'w Bvh8,
    casts: &'w [Cast; RAYS],
    cull_back: bool,
}

impl Work for Look<'_> {
    type Output = Vec<Option<Found>>;

    fn run<L: Lanes>(self) -> Vec<Option<Found>> {
        let mut traversals = RayTraversals::NEW;
        for (group, casts) in self.casts.as_chunks::<EIGHT>().0.iter().enumerate() {
            let quad = |half: usize, of: &dyn Fn(&Cast) -> f64| {
                let casts = &casts[4 * half..];
                L::f64x4_from(of(&casts[0]), of(&casts[1]), of(&casts[2]), of(&casts[3]))
            };
            let rays = Ray8::<L> {
                origins: [0, 1, 2].map(|k| [0, 1].map(|half| quad(half, &|cast| cast.0[k]))),
                directions: [0, 1, 2].map(|k| [0, 1].map(|half| quad(half, &|cast| cast.1[k]))),
                times: [0, 1].map(|half| quad(half, &|cast| cast.2)),
                usual: 0xff,
            };
            traversals.set(group, self.tree, &rays, EIGHT);
        }
        traversals.traverse::<L>(self.tree, RAYS / EIGHT, self.cull_back);
        let mut found = Vec::new();
        traversals.settle(RAYS / EIGHT, &mut [0; RAYS]);
        for ray in 0..RAYS {
            found.push(traversals.finds(ray).map(|finds| {
                let mut faces = finds.faces().to_vec();
                faces.sort_unstable();
                Found { faces, only: finds.only() }
            }));
        }
        found
    }
}

/// Small triangles on several wavy sheets.
fn sheets() -> Vec<Triangle> {
    let corner = |i: u32, j: u32, layer: u32| {
        let (x, y) = (f64::from(i) * 0.1, f64::from(j) * 0.1);
        DVec3::new(x, y, 0.3 * (x * y - x * x) + 0.4 * f64::from(layer))
    };
    let cell = |n: u32| (n % 20, n / 20 % 20, n / 400);
    let triangle = |n: u32| {
        let (i, j, layer) = cell(n / 2);
        let turn = n % 2;
        [corner(i + turn, j + turn, layer), corner(i + 1, j, layer), corner(i, j + 1, layer)]
    };
    (0..2 * 1200).map(triangle).collect()
}

/// When a ray meets a triangle, and by how much of the triangle's size it misses the rim; plain arithmetic.
fn meet((origin, direction, _): &Cast, [a, b, c]: &Triangle) -> (f64, f64) {
    let (u, v, from) = (*b - *a, *c - *a, *origin - *a);
    let across = direction.cross(v);
    let determinant = u.dot(across);
    let (of_b, of_c) = (from.dot(across) / determinant, direction.dot(from.cross(u)) / determinant);
    (v.dot(from.cross(u)) / determinant, of_b.min(of_c).min(1.0 - of_b - of_c))
}

/// Rays of all kinds: groups that go alike and groups that do not, some of them with an end.
fn casts(step: u32) -> [Cast; RAYS] {
    std::array::from_fn(|i| {
        let n = step * RAYS as u32 + i as u32;
        let mix = |k: u32| {
            f64::from((n * 2_654_435 + k * 40_503).wrapping_mul(2_246_822_519) >> 8) / f64::from(1 << 24)
        };
        if i < 2 * EIGHT {
            let at = DVec3::new(0.02 * f64::from(n % 97), 0.019 * f64::from(n / 8 % 101), 0.0);
            let eye = DVec3::new(1.1, -0.3, 4.0);
            return (eye, at - eye, if n.is_multiple_of(5) { 0.9 } else { f64::INFINITY });
        }
        let (from, to) = (DVec3::new(mix(0), mix(1), mix(2)), DVec3::new(mix(3), mix(4), mix(5)));
        let direction = if n.is_multiple_of(7) { DVec3::AXES[n as usize % 3] } else { to - from };
        (from * 2.0, direction, if n.is_multiple_of(3) { 0.7 } else { f64::INFINITY })
    })
}

#[test]
fn every_kind_of_lanes_finds_the_same_and_nothing_is_lost() {
    let triangles = sheets();
    let bounds = Aabb::around(triangles.iter().flatten().copied());
    let tree = DopTree::<6>::build(triangles.len(), bounds, triangles.as_slice());
    let tree = Bvh8::new(&tree, &|face| triangles[face as usize]);
    let (mut hits, mut certain) = (0, 0);
    for step in 0..40 {
        let casts = casts(step);
        for cull_back in [false, true] {
            let wide = dispatch(Look { tree: &tree, casts: &casts, cull_back });
            let plain = Look { tree: &tree, casts: &casts, cull_back }.run::<Portable>();
            assert_eq!(wide, plain);
            for (cast, found) in casts.iter().zip(&wide) {
                let found = found.as_ref().expect("nothing is extreme about these rays");
                let counts = |triangle: &Triangle| {
                    let [a, b, c] = *triangle;
                    !(cull_back && (b - a).cross(c - a).dot(cast.1) > 0.0)
                };
                // Only those that are hit beyond doubt.
                let clear =
                    (0..triangles.len()).filter(|&face| counts(&triangles[face])).filter_map(|face| {
                        let (t, inside) = meet(cast, &triangles[face]);
                        (inside > 1e-9 && t > 1e-9 && t < cast.2 - 1e-9).then_some((t, face as u32))
                    });
                let nearest = clear.min_by(|a, b| a.0.total_cmp(&b.0));
                if let Some((_, face)) = nearest {
                    assert!(found.faces.contains(&face), "{cast:?} {found:?} {face}");
                    hits += 1;
                }
                if let Some(only) = found.only {
                    assert_eq!(Some(only), nearest.map(|nearest| nearest.1), "{cast:?}");
                    certain += 1;
                }
            }
        }
    }
    // Nearly all are certain without looking closer.
    assert!(hits > 800 && certain > hits * 9 / 10, "{hits} {certain}");
}

#[test]
fn trees_of_few_triangles_are_blocks() {
    for count in 0..20 {
        let triangles = &sheets()[..count];
        let bounds = Aabb::around(triangles.iter().flatten().copied());
        let tree = DopTree::<6>::build(count, bounds, triangles);
        let wide = Bvh8::new(&tree, &|face| triangles[face as usize]);
        assert_eq!(wide.root.is_none(), count == 0);
        assert_eq!(wide.root.is_some_and(Child8::is_block), (1..=WIDE).contains(&count));
        let mut faces: Vec<u32> = Vec::new();
        let blocks = wide.nodes.iter().flat_map(|node| {
            let children = node.children.map(Child8);
            let is_there = move |lane: &usize| node.sides[0][*lane] != i16::MAX;
            (0..WIDE).filter(is_there).map(move |lane| children[lane])
        });
        for child in blocks.chain(wide.root).filter(|child| child.is_block()) {
            faces.extend(&wide.blocks[child.index()].faces[..child.lanes().count_ones() as usize]);
        }
        faces.sort_unstable();
        assert_eq!(faces, (0..count as u32).collect::<Vec<_>>());
    }
}
