//! Places where an answer was found to be wrong, each as small as it gets.

use impinge::math::DVec3;
use impinge::mesh::Group;
use impinge::query::{Contained, Engine, IntersectOptions};
use impinge::{Mesh, Model, Placement, Trs, Verdict};
use impinge_core::narrow::winding::{Direction, ExactPoint, ray_crossing};

const QUADS: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

fn corners(min: [f64; 3], max: [f64; 3]) -> Vec<[f64; 3]> {
    (0..8).map(|i| std::array::from_fn(|k| if i >> k & 1 == 1 { max[k] } else { min[k] })).collect()
}

/// A box, and behind it other faces, each in a group of its own.
fn cuboid_and(min: [f64; 3], max: [f64; 3], others: &[&[[f64; 3]]]) -> Model {
    let mut points = corners(min, max);
    let mut faces: Vec<Vec<u32>> = QUADS.iter().map(|quad| quad.to_vec()).collect();
    let mut groups = vec![Group { name: String::new(), first_face: 0 }];
    for other in others {
        groups.push(Group { name: String::new(), first_face: faces.len() as u32 });
        faces.push((0..other.len() as u32).map(|i| i + points.len() as u32).collect());
        points.extend_from_slice(other);
    }
    Model::new(Mesh::polygons(points, faces).unwrap().with_groups(groups).unwrap())
}

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Model {
    cuboid_and(min, max, &[])
}

fn verdict(a: &Model, b: &Model) -> Verdict {
    a.at(Trs::IDENTITY).verdict(&b.at(Trs::IDENTITY))
}

/// The same segment in both models: only the model named first is told that it sticks out.
#[test]

fn a_segment_of_both_models_counts_for_both() {
    let wire = [[10.0, 0.0, 0.0], [11.0, 0.0, 0.0]];
    let large = cuboid_and([0.0; 3], [4.0; 3], &[&wire]);
    let small = cuboid_and([1.0; 3], [2.0; 3], &[&wire]);
    assert_eq!(verdict(&large, &small), verdict(&small, &large).flipped());
    assert_eq!(verdict(&large, &small), Verdict::Overlapping);
}

/// A segment, or a point, on a sheet in the middle of a solid lies in its interior, as a triangle there does.
#[test]

fn what_lies_on_a_sheet_inside_a_solid_is_inside() {
    let sheet = [[1.0, 1.0, 2.0], [3.0, 1.0, 2.0], [3.0, 3.0, 2.0], [1.0, 3.0, 2.0]];
    let solid = cuboid_and([0.0; 3], [4.0; 3], &[&sheet]);
    let face = |points: &[[f64; 3]]| Model::new(Mesh::polygon(points).unwrap());
    let [p, q, r] = [[1.5, 1.5, 2.0], [2.5, 1.5, 2.0], [2.5, 2.5, 2.0]];
    assert_eq!(verdict(&face(&[p, q, r]), &solid), Verdict::Inside(Contained::A), "triangle");
    assert_eq!(verdict(&face(&[p, q]), &solid), Verdict::Inside(Contained::A), "segment");
    assert_eq!(verdict(&face(&[p]), &solid), Verdict::Inside(Contained::A), "point");
}

/// The same where two parts of the solid overlap: a wall of one of them runs through the other.
#[test]

fn what_lies_on_an_inner_wall_is_inside() {
    let list = [([0.0; 3], [4.0; 3]), ([2.0, 1.0, 1.0], [6.0, 3.0, 3.0])];
    let (mut points, mut faces, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for (min, max) in list {
        let first = points.len() as u32;
        groups.push(Group { name: String::new(), first_face: faces.len() as u32 });
        points.extend(corners(min, max));
        faces.extend(QUADS.iter().map(|quad| quad.map(|corner| corner + first)));
    }
    let solid = Model::new(Mesh::polygons(points, faces).unwrap().with_groups(groups).unwrap());
    let face = |points: &[[f64; 3]]| Model::new(Mesh::polygon(points).unwrap());
    let [p, q, r] = [[2.0, 1.5, 1.5], [2.0, 2.5, 1.5], [2.0, 2.5, 2.5]];
    assert_eq!(verdict(&face(&[p, q, r]), &solid), Verdict::Inside(Contained::A), "triangle");
    assert_eq!(verdict(&face(&[p, q]), &solid), Verdict::Inside(Contained::A), "segment");
    assert_eq!(verdict(&face(&[p]), &solid), Verdict::Inside(Contained::A), "point");
}

/// A box lies on the ridge of a roof. The roof's top is one polygon that is not planar, so the ridge is a diagonal.
#[test]

fn a_box_on_a_ridge_only_touches() {
    let points = [
        [-2.0, 0.0, 0.0],
        [0.0, -2.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 2.0, 0.0],
        [0.0, -2.0, 1.0],
        [0.0, 2.0, 1.0],
    ];
    // Outward; the first two triangles are one polygon in the other model.
    let rest = [vec![0, 3, 1], vec![1, 3, 2], vec![1, 2, 4], vec![2, 3, 5], vec![3, 0, 5], vec![0, 1, 4]];
    let roof = |top: &[Vec<u32>]| {
        let faces: Vec<Vec<u32>> = rest.iter().chain(top).cloned().collect();
        Model::new(Mesh::polygons(points, faces).unwrap())
    };
    let as_triangles = roof(&[vec![4, 2, 5], vec![4, 5, 0]]);
    let as_polygon = roof(&[vec![4, 2, 5, 0]]);
    assert!(as_triangles.is_closed() && as_polygon.is_closed());
    let lying = cuboid([-1.0, -1.0, 1.0], [1.0, 1.0, 2.0]);
    assert_eq!(verdict(&as_triangles, &lying), Verdict::Touching);
    assert_eq!(verdict(&as_polygon, &lying), Verdict::Touching);
}

/// A polygon that is not convex, as a fan that folds back: its rim is a diagonal.
#[test]

fn the_fold_of_a_fan_is_no_inside() {
    let dart = Model::new(
        Mesh::polygon([[4.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 0.0]]).unwrap(),
    );
    // An upright triangle that stands beside it along the fold.
    let upright = Model::new(Mesh::polygon([[3.0, 1.0, -1.0], [1.0, 3.0, -1.0], [2.0, 2.0, 3.0]]).unwrap());
    assert_eq!(verdict(&dart, &upright), Verdict::Touching);
}

/// Coordinates near the end of `f64`: the witness must be finite.
#[test]

fn witnesses_of_huge_models_are_finite() {
    let h = 1.7e308;
    for (a, b) in [
        (cuboid([0.5 * h; 3], [h; 3]), cuboid([0.75 * h; 3], [1.05 * h; 3])),
        (cuboid([0.5 * h; 3], [h; 3]), cuboid([h, 0.5 * h, 0.5 * h], [1.05 * h; 3])),
        (cuboid([0.5 * h; 3], [h; 3]), cuboid([0.5 * h; 3], [h; 3])),
        (cuboid([-h; 3], [f64::MAX; 3]), cuboid([-1.0; 3], [1.0, 2.0, f64::MAX])),
        (cuboid([-f64::MAX; 3], [f64::MAX; 3]), cuboid([-0.3 * h, -h, 0.1], [0.7 * h, h, f64::MAX])),
    ] {
        let answer = a
            .at(Trs::IDENTITY)
            .intersect_with(&b.at(Trs::IDENTITY), IntersectOptions::default().engine(Engine::Brute));
        let point = answer.witness.unwrap().point_in_world;
        assert!(point.is_finite(), "{:?} at {point}", answer.verdict);
    }
}

/// The frame for models that are too large for each other keeps what the world's frame could keep.
#[test]

fn a_shrunken_world_keeps_shapes() {
    // Half a hair before the slab in the world: 1e150 across, at -1e150.
    let large = cuboid([0.0, -1e200, -1e200], [1e200; 3]);
    // One face more than the slab, so that its frame is the pair's.
    let patch = [[-1e300, 0.0, 0.0], [-1e300, 1e298, 0.0], [-1e300, 0.0, 1e298]];
    let fine = cuboid_and([-1e300, -1e299, -1e299], [-1e299, 1e299, 1e299], &[&patch]);
    let offset_inward = Trs::scaling([1e-150; 3]).unwrap();
    assert_eq!(fine.at(offset_inward).verdict(&large.at(Trs::IDENTITY)), Verdict::Clear);
}

/// What the documentation of `check` says: exchanging the models exchanges nothing but the names.
#[test]

fn exchanging_the_models_keeps_the_witness() {
    let (a, b) = (cuboid([0.0; 3], [2.0; 3]), cuboid([1.0; 3], [3.0; 3]));
    let [there, back] = [(&a, &b), (&b, &a)].map(|(a, b)| {
        a.at(Placement::IDENTITY)
            .intersect_with(&b.at(Placement::IDENTITY), IntersectOptions::default().engine(Engine::Brute))
            .witness
            .unwrap()
    });
    assert_eq!(there.point_in_world, back.point_in_world);
    assert_eq!(there.faces.unwrap(), [back.faces.unwrap()[1], back.faces.unwrap()[0]]);
}

/// A fence around a point that stands in the way of every ray.
///
/// The fractions of a direction are odd multiples of 2^-26 whose indices (s, t) form a lattice modulo 2^20: three times
/// 2^20 directions in all, on 1264 parallel lines each time. So 3792 triangles have each direction pass through a rim,
/// and a containment test from that point never ends.
#[test]

fn some_ray_gets_through_every_fence() {
    // A shortest vector of the lattice, and the line of an index across it.
    const STEP: [i64; 2] = [-384, 880];
    let line_of = |[s, t]: [i64; 2]| s * STEP[1] - t * STEP[0];
    let index = |n: i64| [648_056, 478_221].map(|step| (n * step) & 0xf_ffff);
    let mut lines: Vec<(i64, [i64; 2])> = (1..=1 << 20).map(|n| (line_of(index(n)), index(n))).collect();
    lines.sort_unstable();
    lines.dedup_by_key(|line| line.0);
    assert_eq!(lines.len(), 1264);
    let place = |main: usize, x: f64, y: f64, z: f64| match main {
        0 => DVec3::new(x, y, z),
        1 => DVec3::new(z, x, y),
        _ => DVec3::new(y, z, x),
    };
    let fence: Vec<Vec<[DVec3; 3]>> = (0..3)
        .map(|main| {
            let triangle = |&(_, [s, t]): &(i64, [i64; 2])| {
                let ahead = f64::exp2(26.0);
                let end = |k: i64| {
                    let [y, z] = [2 * (s + k * STEP[0]) + 1, 2 * (t + k * STEP[1]) + 1];
                    place(main, ahead, y as f64, z as f64)
                };
                [end(-4000), end(4000), place(main, 2.0 * ahead, 1e6, 2e6)]
            };
            lines.iter().map(triangle).collect()
        })
        .collect();
    let origin = ExactPoint::from(DVec3::ZERO);
    let is_blocked = |number: u32| {
        let ray = Direction::attempt(number);
        let stops = |triangle: &[DVec3; 3]| ray_crossing(&origin, ray, *triangle).is_none();
        // The triangle that was made for it, or any other.
        let line = line_of(index(i64::from(number) + 1));
        let made = lines.binary_search_by_key(&line, |line| line.0).ok();
        made.is_some_and(|i| stops(&fence[number as usize % 3][i])) || fence.iter().flatten().any(stops)
    };
    assert!(
        (0..20_000).any(|number| !is_blocked(number)),
        "20,000 attempts were blocked, and so are all others"
    );
}
