//! Cracks that rounding made: closed within a tolerance, and nothing else moves.

use impinge::math::DVec3;
use impinge::mesh::Group;
use impinge::{Mesh, Model};

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() * end as f64) as usize
    }
}

/// A sphere of rings whose poles are rings of sin 0 and sin π times the radius, each with vertices of its own.
fn sphere(radius: f64, center: DVec3, round: impl Fn(f64) -> f64) -> Mesh {
    let (rings, around) = (12_u32, 16_u32);
    let mut points = Vec::new();
    for ring in 0..=rings {
        let (sine, cosine) = (std::f64::consts::PI * f64::from(ring) / f64::from(rings)).sin_cos();
        for place in 0..=around {
            let (y, x) = (std::f64::consts::TAU * f64::from(place) / f64::from(around)).sin_cos();
            let point = center + radius * DVec3::new(sine * x, sine * y, cosine);
            points.push(point.to_array().map(&round));
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for place in 0..around {
            let a = ring * (around + 1) + place;
            let [b, c, d] = [a + 1, a + around + 1, a + around + 2];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    Mesh::triangles(points, triangles).unwrap()
}

/// Faces of a cube as a soup, each corner moved by up to so much.
fn loose_cube(by: f64, numbers: &mut Numbers) -> Mesh {
    let squares = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let mut points = Vec::new();
    for [a, b, c, d] in squares {
        for corner in [a, b, c, a, c, d] {
            let bit = |axis: u32| f64::from(corner >> axis & 1_u32);
            let mut off = || by * (2.0 * numbers.next() - 1.0);
            points.push(DVec3::new(bit(0) + off(), bit(1) + off(), bit(2) + off()));
        }
    }
    Mesh::soup(points).unwrap()
}

fn is_closed(mesh: &Mesh) -> bool {
    Model::new(mesh.clone()).is_closed()
}

#[test]
fn spheres_that_end_in_sin_pi_close() {
    for (radius, center) in
        [(1.0, DVec3::ZERO), (1000.0, DVec3::ZERO), (1.0, DVec3::splat(77.7)), (1000.0, DVec3::splat(-2e5))]
    {
        let largest = center.abs().max_element() + radius;
        let rounding = [f64::EPSILON / 2.0, f64::from(f32::EPSILON) / 2.0].map(|share| share * largest);
        let exact = sphere(radius, center, |value| value);
        let single = sphere(radius, center, |value| f64::from(value as f32));
        for (mesh, rounding) in [(exact, rounding[0]), (single, rounding[1])] {
            let Some(closed) = mesh.with_cracks_closed(2.0 * 3.0_f64.sqrt() * rounding).unwrap() else {
                assert!(is_closed(&mesh), "{radius} {center}");
                continue;
            };
            assert_eq!(closed.open_edges, 0, "{radius} {center}");
            assert!(is_closed(&closed.mesh) && closed.moved > 0);
            assert_eq!(closed.mesh.face_count(), mesh.face_count());
        }
    }
    // This one is open for sure.
    assert!(!is_closed(&sphere(1.0, DVec3::ZERO, |value| value)));
}

#[test]
fn what_is_closed_is_left_alone_and_real_gaps_stay() {
    let mut numbers = Numbers(1);
    let clean = loose_cube(0.0, &mut numbers);
    assert_eq!(clean.with_cracks_closed(0.1).unwrap(), None);
    for by in [1e-9, 1e-4] {
        let cube = loose_cube(by, &mut numbers);
        assert_eq!(cube.open_edge_count(), 36);
        let closed = cube.with_cracks_closed(4.0 * by).unwrap().unwrap();
        assert!(is_closed(&closed.mesh) && closed.open_edges == 0 && closed.collapsed == 0);
        assert_eq!(cube.with_cracks_closed(1e-3 * by).unwrap(), None);
    }
    // A triangle: nothing near anything.
    let triangle = Mesh::soup([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    assert_eq!(triangle.with_cracks_closed(10.0).unwrap(), None);
    // The tolerance never reaches the size of edges.
    let closed = loose_cube(1e-3, &mut numbers).with_cracks_closed(1e9).unwrap().unwrap();
    assert!(closed.tolerance < 0.3 && is_closed(&closed.mesh));
    assert!(triangle.with_cracks_closed(-1.0).is_err() && triangle.with_cracks_closed(f64::NAN).is_err());
}

#[test]
fn shells_within_shells_stay_apart() {
    let outer = sphere(1.0, DVec3::ZERO, |value| value);
    let inner = sphere(0.999, DVec3::ZERO, |value| value);
    let first = outer.vertex_count() as u32;
    let triangles = |mesh: &Mesh, by: u32| -> Vec<[u32; 3]> {
        (0..mesh.face_count() as u32)
            .map(|face| mesh.fan_triangle(face, 0).map(|vertex| vertex + by))
            .collect()
    };
    let both = Mesh::triangles(
        outer.vertices().chain(inner.vertices()),
        [triangles(&outer, 0), triangles(&inner, first)].concat(),
    )
    .unwrap();
    let closed = both.with_cracks_closed(1e-15).unwrap().unwrap();
    let model = Model::new(closed.mesh);
    assert!(model.is_closed());
    assert_eq!(model.part_count(), 2);
}

#[test]
fn groups_have_edges_of_their_own() {
    let cube = loose_cube(0.0, &mut Numbers(3));
    let group = |name: &str, first_face| Group { name: name.to_owned(), first_face };
    let halves = cube.with_groups(vec![group("a", 0), group("b", 6)]).unwrap();
    assert!(halves.open_edge_count() > 0 && !is_closed(&halves));
}

/// Whatever the mesh: the count of open edges agrees with the topology of the model, nothing moves farther than the tolerance, vertices that others
/// move to stay, and the result does not depend on anything but the mesh.
#[test]
fn soups_of_few_places_keep_the_laws() {
    let mut numbers = Numbers(7);
    let mut closed_some = 0;
    for round in 0..400 {
        let count = 1 + numbers.below(12);
        let spread = [0.0, 1e-12, 1e-6, 1e-3][round % 4];
        let far = [0.0, 1e6][numbers.below(2)];
        let points: Vec<DVec3> = (0..3 * count)
            .map(|_| {
                let mut coordinate = || far + numbers.below(2) as f64 + spread * (numbers.next() - 0.5);
                DVec3::new(coordinate(), coordinate(), coordinate())
            })
            .collect();
        let mesh = Mesh::soup(points.clone()).unwrap();
        let open = mesh.open_edge_count();
        if open == 0 {
            // Points and segments are open though their edges balance.
            let is_flat = |corners: &[DVec3]| {
                corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]
            };
            assert!(is_closed(&mesh) || points.chunks(3).any(is_flat));
        } else {
            assert!(!is_closed(&mesh));
        }
        let tolerance = 2.0 * spread;
        let Some(closed) = mesh.with_cracks_closed(tolerance).unwrap() else { continue };
        closed_some += 1;
        assert!(closed.open_edges < open && closed.tolerance <= tolerance);
        assert_eq!(closed.open_edges, closed.mesh.open_edge_count());
        let moved: Vec<usize> =
            (0..points.len()).filter(|&vertex| closed.mesh.vertex(vertex as u32) != points[vertex]).collect();
        assert_eq!(moved.len(), closed.moved);
        for vertex in moved {
            let place = closed.mesh.vertex(vertex as u32);
            assert!(place.distance(points[vertex]) <= closed.tolerance * (1.0 + 1e-12));
            let stays = points.iter().position(|point| *point == place).unwrap();
            assert!(stays < vertex && closed.mesh.vertex(stays as u32) == place);
        }
        assert_eq!(closed, mesh.with_cracks_closed(tolerance).unwrap().unwrap());
    }
    assert!(closed_some > 20, "{closed_some}");
}

#[test]
fn numbers_of_any_size_are_welded_or_left() {
    for size in [1e-300, 1e-160, 1.0, 1e160, 1e300] {
        let points: Vec<DVec3> =
            loose_cube(1e-9, &mut Numbers(5)).vertices().map(|point| point * size).collect();
        let mesh = Mesh::soup(points).unwrap();
        let closed = mesh.with_cracks_closed(4e-9 * size).unwrap();
        // Lengths beyond the range of squares are not known, and then nothing is done.
        assert!(closed.is_none_or(|closed| closed.open_edges == 0), "{size}");
    }
}
