//! Against all pairs of points.

use super::*;
use crate::bounds::Aabb;
use crate::math::DQuat;
use crate::simd::Portable;

type Triangle = [DVec3; 3];

/// The least distance of corners, squared: what a search among triangles is, without their edges and insides.
struct Nearest<'t> {
    trees: [&'t DopTree<6>; 2],
    triangles: [&'t [Triangle]; 2],
    maps: [DAffine3; 2],
    squared: f64,
    offset: DVec3,
    leaves: Vec<[Leaf; 2]>,
}

impl NearestVisitor for Nearest<'_> {
    fn meet<L: Lanes>(&mut self, a: Leaf, b: Leaf) -> f64 {
        self.leaves.push([a, b]);
        for &first in self.trees[0].elements(a) {
            for &second in self.trees[1].elements(b) {
                let pair = [&self.triangles[0][first as usize], &self.triangles[1][second as usize]];
                let (squared, offset) = of_corners(pair, &self.maps);
                if squared < self.squared {
                    (self.squared, self.offset) = (squared, offset);
                }
            }
        }
        if self.squared == 0.0 { -1.0 } else { self.squared.sqrt() }
    }

    fn towards(&self) -> Option<DVec3> {
        Some(self.offset / self.squared.sqrt())
    }

    fn add_points<L: Lanes>(&self, side: usize, leaf: Leaf, around: &mut PointBounds<L>) {
        for &element in self.trees[side].elements(leaf) {
            for point in &self.triangles[side][element as usize] {
                around.add(point);
            }
        }
    }
}

fn of_corners([first, second]: [&Triangle; 2], maps: &[DAffine3; 2]) -> (f64, DVec3) {
    let mut least = (f64::INFINITY, DVec3::ZERO);
    for p in first.map(|corner| maps[0].transform_point3(corner)) {
        for q in second.map(|corner| maps[1].transform_point3(corner)) {
            if (q - p).length_squared() < least.0 {
                least = ((q - p).length_squared(), q - p);
            }
        }
    }
    least
}

fn tree_of(triangles: &[Triangle]) -> DopTree<6> {
    DopTree::build(triangles.len(), Aabb::around(triangles.iter().flatten().copied()), triangles)
}

struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// A bent sheet, a cloud of small triangles, or points one of which is there often.
    fn triangles(&mut self, kind: usize, size: f64) -> Vec<Triangle> {
        let count = 1 + (self.0 >> 40) as usize % 150;
        let mut triangles = Vec::new();
        for i in 0..count {
            let middle = match kind {
                0 => {
                    let flat = self.vector();
                    DVec3::new(flat.x, flat.y, 0.3 * flat.x * flat.x - 0.2 * flat.y)
                }
                1 => self.vector(),
                _ => self.vector() * f64::from(u8::from(i % 3 == 0)),
            };
            let by = if kind == 2 { 0.0 } else { 0.05 };
            triangles.push([0, 1, 2].map(|_| (middle + self.vector() * by) * size));
        }
        triangles
    }
}

/// The bits of what is found, and the work that it took.
fn search<const PORTABLE: bool>(
    triangles: [&[Triangle]; 2],
    trees: [&DopTree<6>; 2],
    maps: [Option<&DAffine3>; 2],
    error: f64,
    stack: &mut DistanceStack,
) -> (f64, Vec<[Leaf; 2]>, NearCounts) {
    let placed = maps.map(|map| *map.unwrap_or(&DAffine3::IDENTITY));
    let visitor = &mut Nearest {
        trees,
        triangles,
        maps: placed,
        squared: f64::INFINITY,
        offset: DVec3::ZERO,
        leaves: Vec::new(),
    };
    let counts = if PORTABLE {
        let view = &NearView::new(trees, maps, error);
        let (maps, distance) = ([&placed[0], &placed[1]], f64::INFINITY);
        if view.far.is_some() {
            Traversal::<'_, true, _> { trees, view, maps, distance, stack, visitor }.run::<Portable>()
        } else {
            Traversal::<'_, false, _> { trees, view, maps, distance, stack, visitor }.run::<Portable>()
        }
    } else {
        traverse_nearest(trees, maps, error, f64::INFINITY, stack, visitor)
    };
    (visitor.squared, std::mem::take(&mut visitor.leaves), counts)
}

#[test]
fn the_closest_points_are_found() {
    let mut random = Random(17);
    let mut stack = DistanceStack::default();
    let (mut tried, mut pairs) = (0, 0);
    for case in 0..105 {
        let size = [1.0, 1e-9, 1e12][case % 3];
        let smaller = [1.0, 0.02, 1e-4][case / 3 % 3];
        let (first, second) =
            (random.triangles(case % 4, size), random.triangles(case / 4 % 3, size * smaller));
        let apart = [0.0, 0.5, 1.5, 3.0, 100.0, 1e5, 1e9][case % 7] * size;
        let turn = DQuat::from_axis_angle(random.vector().normalize(), 3.0 * random.number());
        let guest = DAffine3::from_rotation_translation(turn, random.vector() * apart);
        // Far from the origin, stretched and sheared.
        let mut host = DAffine3::from_quat(turn.inverse());
        host.matrix3.x_axis += 0.3 * host.matrix3.y_axis;
        host.translation = random.vector() * [0.0, 1e3][case % 2] * size;
        let mut moved = guest;
        moved.translation += host.translation;
        let maps = if case % 5 < 3 { [None, Some(&guest)] } else { [Some(&host), Some(&moved)] };
        let placed = maps.map(|map| *map.unwrap_or(&DAffine3::IDENTITY));
        let trees = [&tree_of(&first), &tree_of(&second)];
        let triangles = [&first[..], &second[..]];
        let extent = placed
            .iter()
            .zip(triangles)
            .flat_map(|(map, triangles)| triangles.iter().flatten().map(|&point| map.transform_point3(point)))
            .fold(placed[1].translation.abs().max_element(), |extent, point| {
                extent.max(point.abs().max_element())
            });
        let error = 8.0 * f64::EPSILON * 2.0 * extent;
        let all = first.iter().flat_map(|a| second.iter().map(move |b| [a, b]));
        let least = all.map(|pair| of_corners(pair, &placed).0).fold(f64::INFINITY, f64::min);
        let found = search::<false>(triangles, trees, maps, error, &mut stack);
        // Twice the boxes' room at most.
        let room = 8.0 * error;
        assert!((found.0.sqrt() - least.sqrt()).abs() <= room, "{case}: {} {least}", found.0);
        assert_eq!(found, search::<true>(triangles, trees, maps, error, &mut stack), "{case}");
        (tried, pairs) = (tried + found.2.leaves, pairs + trees[0].len() * trees[1].len());
    }
    assert!(tried < pairs as u64 / 20, "{tried} of {pairs}");
}

#[test]
fn no_elements_have_no_distance() {
    let mut stack = DistanceStack::default();
    let one = [[DVec3::ONE; 3]];
    let (empty, tree) = (tree_of(&[]), tree_of(&one));
    let found = search::<false>([&[], &one], [&empty, &tree], [None; 2], 0.0, &mut stack);
    assert_eq!((found.0, found.2), (f64::INFINITY, NearCounts::default()));
}
