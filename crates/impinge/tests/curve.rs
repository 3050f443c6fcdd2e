//! The intersection curve and the contact surface: what they run through is exact, where they run is right to rounding.

use crate::effort::share;
use std::collections::{BTreeMap, BTreeSet};

use crate::oracle::cases::Random;
use impinge::math::DVec3;
use impinge::query::{CurveFeature, CurveNode, CurvePolyline, IntersectionCurve};
use impinge::{Mesh, Model, Placed, Trs, shapes};

fn all_cases() -> u64 {
    share(150, 3_000)
}

fn total_length(curve: &IntersectionCurve) -> f64 {
    curve.polylines.iter().map(CurvePolyline::length).sum()
}

/// How many pieces end at each node.
fn degrees(curve: &IntersectionCurve) -> BTreeMap<CurveNode, usize> {
    let mut degrees = BTreeMap::new();
    for polyline in &curve.polylines {
        let last = polyline.nodes.len() - 1;
        for (i, &node) in polyline.nodes.iter().enumerate() {
            let ends_here = !polyline.closed && (i == 0 || i == last);
            *degrees.entry(node).or_default() += if ends_here { 1 } else { 2 };
        }
    }
    degrees
}

/// The distance of a point from the plane, line or point of a feature, and from the placed model's reach.
fn distance_to_feature(placed: &Placed<'_>, feature: CurveFeature, point: DVec3) -> f64 {
    let mesh = placed.model().mesh();
    let at = |vertex: u32| placed.placement().point_to_world(mesh.vertex(vertex));
    match feature {
        CurveFeature::Vertex(vertex) => at(vertex).distance(point),
        CurveFeature::Edge { vertices: [i, j], .. } => distance_to_segment(at(i), at(j), point),
        CurveFeature::Face(face) => {
            let [a, b, c] = mesh.fan_triangle(face, 0).map(at);
            let normal = (b - a).cross(c - a).normalize();
            (point - a).dot(normal).abs()
        }
        _ => unreachable!(),
    }
}

fn distance_to_segment(a: DVec3, b: DVec3, point: DVec3) -> f64 {
    let along = b - a;
    let t = ((point - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (a + along * t).distance(point)
}

/// Every node lies on both of its features up to the rounding of coordinates of about 1, times what flat angles make of
/// it in these cases.
fn check_positions(curve: &IntersectionCurve, a: &Placed<'_>, b: &Placed<'_>, bound: f64) {
    for polyline in &curve.polylines {
        assert_eq!(polyline.nodes.len(), polyline.points_in_world.len());
        for (node, &point) in polyline.nodes.iter().zip(&polyline.points_in_world) {
            for (placed, feature) in [(a, node.on_a), (b, node.on_b)] {
                let distance = distance_to_feature(placed, feature, point);
                assert!(distance <= bound, "{node:?} at {point} is {distance:e} off");
            }
        }
    }
}

/// Exchanging the models exchanges the names and nothing else.
fn check_symmetry(curve: &IntersectionCurve, a: &Placed<'_>, b: &Placed<'_>) {
    let mut back = b.intersection_curve(a);
    for node in back.polylines.iter_mut().flat_map(|polyline| &mut polyline.nodes) {
        std::mem::swap(&mut node.on_a, &mut node.on_b);
    }
    let IntersectionCurve { faces_a, faces_b, .. } = &mut back;
    std::mem::swap(faces_a, faces_b);
    assert_eq!(*curve, back);
    let pairs = a.face_pairs(b);
    let [of_a, of_b]: [BTreeSet<u32>; 2] =
        [pairs.iter().map(|pair| pair.face_a).collect(), pairs.iter().map(|pair| pair.face_b).collect()];
    assert!(curve.faces_a.iter().eq(&of_a) && curve.faces_b.iter().eq(&of_b));
}

#[test]
fn two_balls_meet_in_one_circle() {
    let offset = DVec3::new(1.0, 0.13, 0.21);
    let radius = (1.0 - offset.length_squared() / 4.0).sqrt();
    let around = std::f64::consts::TAU * radius;
    let mut errors = Vec::new();
    for frequency in [4, 8, 16, 32] {
        let ball = Model::new(shapes::icosphere(1.0, frequency).unwrap());
        let (a, b) = (ball.at(Trs::IDENTITY), ball.at(Trs::translation(offset).unwrap()));
        let curve = a.intersection_curve(&b);
        assert_eq!(curve.polylines.len(), 1);
        assert!(curve.polylines[0].closed && !curve.polylines[0].coplanar);
        check_positions(&curve, &a, &b, 1e-14);
        errors.push((total_length(&curve) / around - 1.0).abs());
    }
    assert!(errors.windows(2).all(|pair| pair[1] < 0.4 * pair[0]), "{errors:?}");
    assert!(errors[3] < 2e-3, "{errors:?}");
}

#[test]
fn a_rod_through_a_ring_pierces_it_four_times() {
    let ring = Model::new(shapes::torus(1.0, 0.3, 64, 32).unwrap());
    let rod = Model::new(shapes::cylinder(0.07, 4.0, 24, 5).unwrap());
    let turned = Trs::rotation_about_axis([0.1, 1.0, 0.03], 90.0).unwrap();
    let (a, b) = (ring.at(Trs::IDENTITY), rod.at(turned));
    let curve = a.intersection_curve(&b);
    assert_eq!(curve.polylines.len(), 4);
    assert!(curve.polylines.iter().all(|polyline| polyline.closed));
    check_positions(&curve, &a, &b, 1e-14);
    assert!(degrees(&curve).values().all(|&degree| degree == 2));
}

#[test]
fn tori_in_any_place_give_loops() {
    let ring = Model::new(shapes::torus(0.7, 0.3, 20, 10).unwrap());
    let mut random = Random(7);
    let mut loops = 0;
    for _ in 0..all_cases() / 5 {
        let place = |random: &mut Random| {
            let turn =
                Trs::rotation_about_axis(random.vector() + DVec3::X * 0.01, 180.0 * random.unit()).unwrap();
            Trs::rigid(random.vector() * 0.8, turn.orientation()).unwrap()
        };
        let (a, b) = (ring.at(place(&mut random)), ring.at(place(&mut random)));
        let curve = a.intersection_curve(&b);
        assert!(curve.polylines.iter().all(|polyline| polyline.closed && !polyline.coplanar));
        assert_eq!(curve.polylines.is_empty(), a.face_pairs(&b).is_empty());
        check_positions(&curve, &a, &b, 1e-11);
        loops += curve.polylines.len();
    }
    assert!(loops > 20, "{loops}");
}

#[test]
fn the_order_of_the_models_does_not_matter() {
    let models = [
        Model::new(shapes::cuboid([0.; 3], [2.; 3]).unwrap()),
        Model::new(shapes::cuboid_of_quads([0.; 3], [2.; 3]).unwrap()),
        Model::new(shapes::icosphere(1.5, 3).unwrap()),
    ];
    for first in &models {
        for second in &models {
            let (a, b) = (first.at(Trs::IDENTITY), second.at(Trs::translation([1., 1., 0.]).unwrap()));
            let there = a.intersection_curve(&b);
            check_symmetry(&there, &a, &b);
            assert!(!there.polylines.is_empty());
        }
    }
}

/// Half-shifted cubes share four sides of a band: its two rims are the curve, and nothing inside of it.
#[test]
fn half_shifted_cubes_share_a_band() {
    let cube = Model::new(shapes::cuboid([0.; 3], [2.; 3]).unwrap());
    let quads = Model::new(shapes::cuboid_of_quads([0.; 3], [2.; 3]).unwrap());
    for (first, second) in [(&cube, &cube), (&cube, &quads), (&quads, &quads)] {
        let (a, b) = (first.at(Trs::IDENTITY), second.at(Trs::translation([1., 0., 0.]).unwrap()));
        let curve = a.intersection_curve(&b);
        assert_eq!(curve.polylines.len(), 2, "{curve:#?}");
        assert!(curve.polylines.iter().all(|polyline| polyline.closed && polyline.coplanar));
        assert_eq!(total_length(&curve), 16.0);
        check_positions(&curve, &a, &b, 0.0);
    }
}

#[test]
fn flush_cubes_share_a_square() {
    let cube = Model::new(shapes::cuboid([0.; 3], [2.; 3]).unwrap());
    for (offset, length) in
        [([2., 0., 0.], 8.0), ([2., 1., 0.], 6.0), ([2., 1., 1.], 4.0), ([-2., -0.5, 1.], 5.0)]
    {
        let curve = cube.at(Trs::IDENTITY).intersection_curve(&cube.at(Trs::translation(offset).unwrap()));
        assert_eq!(curve.polylines.len(), 1, "{offset:?}");
        assert!(curve.polylines[0].closed && curve.polylines[0].coplanar);
        assert_eq!(total_length(&curve), length, "{offset:?}");
    }
    // Edge to edge: a segment; corner to corner: nothing.
    let edge = cube.at(Trs::IDENTITY).intersection_curve(&cube.at(Trs::translation([2., 2., 1.]).unwrap()));
    assert_eq!(edge.polylines.len(), 1);
    assert!(!edge.polylines[0].closed && !edge.polylines[0].coplanar);
    assert_eq!(total_length(&edge), 1.0);
    let corner = cube.at(Trs::IDENTITY).intersection_curve(&cube.at(Trs::translation([2.; 3]).unwrap()));
    assert!(corner.polylines.is_empty());
    // Equal cubes share everything, and a closed surface has no boundary.
    let equal = cube.at(Trs::IDENTITY).intersection_curve(&cube.at(Trs::IDENTITY));
    assert!(equal.polylines.is_empty(), "{equal:#?}");
}

/// Boxes on one lattice, where faces lie in common planes: the boundary of a patch has an even number of pieces at each
/// node, and what is left may end there.
#[test]
fn patches_of_lattice_boxes_are_bounded_by_loops() {
    let mut random = Random(17);
    let mut patches = 0;
    for case in 0..all_cases() {
        let boxes = [(); 2].map(|()| {
            let low: [u64; 3] = std::array::from_fn(|_| random.below(3));
            let high: [u64; 3] = std::array::from_fn(|i| low[i] + 1 + random.below(3));
            let [low, high] = [low, high].map(|corner| corner.map(|c| c as f64));
            let quads = random.below(2) == 0;
            let mesh = if quads { shapes::cuboid_of_quads(low, high) } else { shapes::cuboid(low, high) };
            Model::new(mesh.unwrap())
        });
        let (a, b) = (boxes[0].at(Trs::IDENTITY), boxes[1].at(Trs::IDENTITY));
        let curve = a.intersection_curve(&b);
        check_symmetry(&curve, &a, &b);
        let mut coplanar = curve.clone();
        coplanar.polylines.retain(|polyline| polyline.coplanar);
        assert!(degrees(&coplanar).values().all(|degree| degree % 2 == 0), "case {case} {curve:#?}");
        patches += coplanar.polylines.len();
    }
    assert!(patches > 100, "{patches}");
}

/// Anything at all: no panic, every node on its features, and the same with the names exchanged.
#[test]
fn lattice_soups_of_polygons() {
    for case in 0..all_cases() {
        let mut random = Random(case << 8 | 0xc0);
        let mut soup = |faces: u64| {
            let vertices: Vec<DVec3> = (0..12).map(|_| random.lattice(2)).collect();
            let corners = |random: &mut Random| -> Vec<u32> {
                let count = if random.below(3) == 0 { 1 + random.below(6) } else { 3 };
                (0..count).map(|_| random.below(12) as u32).collect()
            };
            let faces: Vec<Vec<u32>> = (0..faces).map(|_| corners(&mut random)).collect();
            Model::new(Mesh::polygons(vertices, faces).unwrap())
        };
        let models = [soup(6), soup(5)];
        let (a, b) = (models[0].at(Trs::IDENTITY), models[1].at(Trs::IDENTITY));
        let curve = a.intersection_curve(&b);
        check_symmetry(&curve, &a, &b);
        for (node, &point) in curve.polylines.iter().flat_map(|p| p.nodes.iter().zip(&p.points_in_world)) {
            for (placed, feature) in [(&a, node.on_a), (&b, node.on_b)] {
                // A polygon's inside is any of its triangles; those of a soup need not be flat.
                if !matches!(feature, CurveFeature::Face(_)) {
                    assert!(
                        distance_to_feature(placed, feature, point) < 1e-14,
                        "case {case} {node:?} {point}"
                    );
                }
            }
        }
        for model in &models {
            assert!(model.self_intersections().iter().all(|pair| pair.face_a < pair.face_b));
        }
        let contact = a.contact_surface(&b);
        let pairs = a.face_pairs(&b);
        assert!(pairs.iter().all(|pair| contact.faces_a.contains(&pair.face_a)));
        assert!(contact.faces_b.iter().all(|face| pairs.iter().any(|pair| pair.face_b == *face)));
    }
}

/// A box through a box, faces in general planes but corners on lattice points, where edges pass through edges.
#[test]
fn lattice_boxes_have_even_degrees() {
    let mut random = Random(3);
    let mut crossed = 0;
    for _ in 0..all_cases() {
        let mut interval = |shift: f64| {
            let low = random.below(6) as f64;
            [low + shift, low + 1.0 + random.below(4) as f64 + shift]
        };
        let boxes = [0.0, 0.5].map(|shift| {
            let [x, y, z] = [interval(shift), interval(shift), interval(shift)];
            Model::new(shapes::cuboid([x[0], y[0], z[0]], [x[1], y[1], z[1]]).unwrap())
        });
        let (a, b) = (boxes[0].at(Trs::IDENTITY), boxes[1].at(Trs::IDENTITY));
        let curve = a.intersection_curve(&b);
        assert!(degrees(&curve).values().all(|degree| degree % 2 == 0), "{curve:#?}");
        assert_eq!(curve.polylines.is_empty(), a.face_pairs(&b).is_empty());
        check_positions(&curve, &a, &b, 1e-14);
        crossed += usize::from(!curve.polylines.is_empty());
    }
    assert!(crossed > 10);
}

/// Tetrahedra with corners on a small lattice. Where no piece runs along an edge and none bounds a patch, all pieces cross
/// from one side to the other, and every node has an even degree.
#[test]
fn lattice_tetrahedra_have_even_degrees_where_they_cross() {
    let mut random = Random(5);
    let mut checked = 0;
    for _ in 0..all_cases() * 10 {
        let mut tetrahedron = || {
            let corners: [DVec3; 4] = std::array::from_fn(|_| random.lattice(3));
            Model::new(Mesh::triangles(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap())
        };
        let models = [tetrahedron(), tetrahedron()];
        let flat = |m: &Model| {
            let [p, q, r, s]: [DVec3; 4] = std::array::from_fn(|i| m.mesh().vertex(i as u32));
            (q - p).cross(r - p).dot(s - p) == 0.0
        };
        if models.iter().any(flat) {
            continue;
        }
        let (a, b) = (models[0].at(Trs::IDENTITY), models[1].at(Trs::IDENTITY));
        let curve = a.intersection_curve(&b);
        check_positions(&curve, &a, &b, 1e-13);
        if curve.polylines.iter().any(|polyline| polyline.coplanar || has_piece_along_edge(polyline)) {
            continue;
        }
        assert!(degrees(&curve).values().all(|degree| degree % 2 == 0), "{curve:#?}");
        checked += usize::from(!curve.polylines.is_empty());
    }
    assert!(checked > 100, "{checked}");
}

fn has_piece_along_edge(polyline: &CurvePolyline) -> bool {
    let vertices = |feature: CurveFeature| match feature {
        CurveFeature::Vertex(vertex) => vec![vertex],
        CurveFeature::Edge { vertices, .. } => vertices.to_vec(),
        _ => vec![0, 1, 2, 3],
    };
    let along = |p: CurveFeature, q: CurveFeature| {
        let mut all = [vertices(p), vertices(q)].concat();
        all.sort_unstable();
        all.dedup();
        all.len() <= 2
    };
    let n = polyline.nodes.len();
    (0..n).any(|i| {
        let (p, q) = (polyline.nodes[i], polyline.nodes[(i + 1) % n]);
        along(p.on_a, q.on_a) || along(p.on_b, q.on_b)
    })
}

/// A polygon is its fan: the same curve, with the nodes on diagonals marked.
#[test]
fn polygons_have_the_curve_of_their_fans() {
    let quads = Mesh::from(shapes::cuboid_of_quads([-1.; 3], [1.; 3]).unwrap());
    let points: Vec<DVec3> = quads.vertices().collect();
    let fans: Vec<[u32; 3]> =
        (0..quads.face_count() as u32).flat_map(|face| quads.fan(face).collect::<Vec<_>>()).collect();
    let (quads, triangles) = (Model::new(quads), Model::new(Mesh::triangles(points, fans).unwrap()));
    let ball = Model::new(shapes::icosphere(1.2, 5).unwrap());
    let place = Trs::translation([0.3, 0.2, 0.1]).unwrap();
    let [of_quads, of_triangles] =
        [&quads, &triangles].map(|cube| cube.at(place).intersection_curve(&ball.at(Trs::IDENTITY)));
    let points = |curve: &IntersectionCurve| -> Vec<Vec<DVec3>> {
        curve.polylines.iter().map(|polyline| polyline.points_in_world.clone()).collect()
    };
    assert_eq!(points(&of_quads), points(&of_triangles));
    let inner = |curve: &IntersectionCurve| {
        let nodes = curve.polylines.iter().flat_map(|polyline| &polyline.nodes);
        nodes.filter(|node| matches!(node.on_a, CurveFeature::Edge { inner: true, .. })).count()
    };
    assert!(inner(&of_quads) > 0);
    assert_eq!(inner(&of_triangles), 0);
}

/// A cube of which one edge has vertices inside of it: as a corner of polygons, or closed by triangles without area.
#[test]
fn vertices_inside_of_edges_do_not_open_the_loops() {
    #[rustfmt::skip]
    let vertices = [
        [-1., -1., -1.], [1., -1., -1.], [1., 1., -1.], [-1., 1., -1.],
        [-1., -1., 1.], [1., -1., 1.], [1., 1., 1.], [-1., 1., 1.],
        [0., -1., -1.], [0.5, -1., -1.],
    ];
    let sides = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
    let sides = sides.map(|side| side.to_vec());
    let mut slivers = sides.to_vec();
    slivers[2] = vec![0, 8, 4];
    slivers.extend([vec![8, 9, 4], vec![9, 1, 4], vec![1, 5, 4], vec![0, 9, 8], vec![0, 1, 9]]);
    let mut models = vec![slivers];
    for turn in 0..6 {
        let mut polygons = sides.to_vec();
        polygons[0] = vec![0, 3, 2, 1, 9, 8];
        polygons[2] = vec![0, 8, 9, 1, 5, 4];
        polygons[0].rotate_left(turn);
        polygons[2].rotate_left((2 * turn + 1) % 6);
        models.push(polygons);
    }
    let ball = Model::new(shapes::icosphere(0.45, 4).unwrap());
    for (index, faces) in models.into_iter().enumerate() {
        let cube = Model::new(Mesh::polygons(vertices, faces).unwrap());
        assert!(cube.is_closed());
        let mut random = Random(11);
        for _ in 0..40 {
            let center = DVec3::new(0.2, -1.0, -1.0) + random.vector() * 0.4;
            let place = Trs::translation(center).unwrap();
            let curve = cube.at(Trs::IDENTITY).intersection_curve(&ball.at(place));
            assert!(curve.polylines.iter().all(|polyline| polyline.closed), "{center} {curve:#?}");
        }
        // Flush with the split edge: one patch, whose rim is found once.
        let block = Model::new(shapes::cuboid([-1., -1., -2.], [1., 0.5, -1.]).unwrap());
        let curve = cube.at(Trs::IDENTITY).intersection_curve(&block.at(Trs::IDENTITY));
        let patch: f64 = curve.polylines.iter().filter(|p| p.coplanar).map(CurvePolyline::length).sum();
        assert!((patch - 7.0).abs() < 1e-12, "{patch} {curve:#?}");
        // A triangle without area in a face's plane is not looked through: its neighbors' pieces stand beside each other.
        assert!(index == 0 || curve.polylines.iter().all(|polyline| polyline.coplanar));
    }
}

/// Far from the origin: the same nodes.
#[test]
fn names_do_not_depend_on_the_place() {
    let ring = Model::new(shapes::torus(0.7, 0.3, 24, 12).unwrap());
    let ball = Model::new(shapes::icosphere(0.5, 4).unwrap());
    let offset = DVec3::new(0.7, 0.11, 0.07);
    let names = |base: DVec3| {
        let (a, b) = (Trs::translation(base).unwrap(), Trs::translation(base + offset).unwrap());
        let curve = ring.at(a).intersection_curve(&ball.at(b));
        curve.polylines.into_iter().map(|polyline| polyline.nodes).collect::<Vec<_>>()
    };
    assert!(!names(DVec3::ZERO).is_empty());
    assert_eq!(names(DVec3::ZERO), names(DVec3::splat(1024.0)));
}

/// The guest's coordinates in the host's frame would be infinite.
#[test]
fn huge_models_are_met_without_trees() {
    let host = Model::new(shapes::cuboid([-1e300; 3], [1e300; 3]).unwrap());
    let guest = Model::new(shapes::cuboid_of_quads([0.; 3], [2e160; 3]).unwrap());
    let (a, b) = (host.at(Trs::scaling([1e-150; 3]).unwrap()), guest.at(Trs::IDENTITY));
    let curve = a.intersection_curve(&b);
    assert_eq!(curve.polylines.len(), 1);
    assert!(curve.polylines[0].closed);
    assert!((total_length(&curve) / 6e150 - 1.0).abs() < 1e-14);
    let contact = a.contact_surface(&b);
    assert_eq!((contact.faces_b.len(), contact.inside_b.len()), (3, 0));
}

#[test]
fn contact_surface_of_ball_in_box() {
    let cube = Model::new(shapes::cuboid([-1.; 3], [1.; 3]).unwrap());
    let ball = Model::new(shapes::icosphere(0.5, 4).unwrap());
    let at = |x: f64| Trs::translation([x, 0.01, 0.02]).unwrap();
    let count = ball.mesh().face_count();

    let within = cube.at(Trs::IDENTITY).contact_surface(&ball.at(at(0.0)));
    assert_eq!((within.faces_a.len(), within.faces_b.len(), within.inside_a.len()), (0, 0, 0));
    assert_eq!(within.inside_b.len(), count);

    let apart = cube.at(Trs::IDENTITY).contact_surface(&ball.at(at(3.0)));
    assert_eq!(apart.inside_b.len() + apart.faces_b.len(), 0);

    let (a, b) = (cube.at(Trs::IDENTITY), ball.at(at(0.9)));
    let across = a.contact_surface(&b);
    let mut faces: Vec<u32> = a.face_pairs(&b).iter().map(|pair| pair.face_b).collect();
    faces.sort_unstable();
    faces.dedup();
    assert_eq!(across.faces_b, faces);
    assert!(across.inside_a.is_empty());
    // The faces that are left lie inside if and only if their middles are inside the box.
    for face in (0..count as u32).filter(|face| faces.binary_search(face).is_err()) {
        let middle = ball.mesh().corners(face).map(|v| ball.mesh().vertex(v)).sum::<DVec3>() / 3.0;
        let inside = middle.x + 0.9 < 1.0;
        assert_eq!(across.inside_b.binary_search(&face).is_ok(), inside, "face {face}");
    }
    let back = b.contact_surface(&a);
    assert_eq!((back.faces_a, back.faces_b), (across.faces_b, across.faces_a));
    assert_eq!((back.inside_a, back.inside_b), (across.inside_b, across.inside_a));
}
