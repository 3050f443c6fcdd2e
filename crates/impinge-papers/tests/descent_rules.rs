//! The frame of either model and every way down the trees find the same meetings; the ways that queries take do so with less
//! work where models differ much.

use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::query::{Engine, IntersectOptions, Scratch, Stats};
use impinge::shapes;
use impinge::{Mesh, Model, Placement, Trs};
use impinge_papers::maia::descent_rules::{DescentRule, HostRule, intersections_by};

const DOWN: [DescentRule; 5] = [
    DescentRule::Usual,
    DescentRule::Together,
    DescentRule::Larger(1.0),
    DescentRule::HostFirst,
    DescentRule::GuestFirst,
];

/// Placements whose entries are small multiples of powers of two: vertices on a grid are placed without rounding, in either
/// frame.
fn exact_placements() -> Vec<Placement> {
    let turns = [
        DMat3::IDENTITY,
        DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X),
        DMat3::from_cols(DVec3::NEG_X, DVec3::Y, DVec3::Z),
        DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::Z),
    ];
    let shifts = [[0.25, 0.125, 0.0], [0.75, -0.5, 0.375], [1.0, 0.0, 0.0], [9.0, 0.0, 0.0]];
    let placement = |scale: f64, turn: DMat3, at: [f64; 3]| {
        Placement::try_from(DAffine3 { matrix3: turn * scale, translation: DVec3::from_array(at) }).unwrap()
    };
    let of_turn = |turn: DMat3| {
        let of_scale = move |scale: f64| shifts.map(|at| placement(scale, turn, at));
        [0.0625, 1.0, 4.0].into_iter().flat_map(of_scale)
    };
    turns.into_iter().flat_map(of_turn).collect()
}

/// A mesh with its vertices on a grid of 2⁻¹⁰.
fn on_grid(mesh: &Mesh) -> Model {
    let points = mesh.vertices().map(|p| ((p * 1024.0).round() / 1024.0).to_array());
    let faces = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect();
    Model::new(Mesh::triangles(points, faces).unwrap())
}

#[test]
fn every_way_finds_what_brute_force_finds() {
    let models = [
        on_grid(&Mesh::from(shapes::icosphere(1.0, 5).unwrap())),
        on_grid(&Mesh::from(shapes::torus(1.0, 0.5, 16, 8).unwrap())),
        on_grid(&Mesh::from(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap())),
    ];
    let (mut scratch, mut all) = (Scratch::default(), 0);
    for (a, b) in [(&models[0], &models[1]), (&models[2], &models[0]), (&models[1], &models[1])] {
        for placement in exact_placements() {
            let (a, b) = (a.at(Trs::IDENTITY), b.at(placement));
            let ask = IntersectOptions::new().pairs(true).surface_only(true);
            let expected = a.intersect_with(&b, ask.engine(Engine::Brute)).pairs.len() as u64;
            all += expected;
            for (a, b) in [(&a, &b), (&b, &a)] {
                for down in DOWN {
                    for host in [HostRule::MoreFaces, HostRule::FewerFaces] {
                        let (meetings, _) = intersections_by(a, b, (host, down), &mut scratch).unwrap();
                        assert_eq!(meetings, expected, "{host:?} {down:?}");
                    }
                }
            }
        }
    }
    assert!(all > 5000, "{all}");
}

#[test]
fn queries_open_the_larger_volume() {
    let large = Model::new(shapes::icosphere(1.0, 40).unwrap());
    let mut scratch = Scratch::default();
    let mut work = |small: &Model, scale: f64, way| {
        let mut sum = Stats::default();
        for step in 0..20 {
            let t = 0.3 * f64::from(step);
            let at = DVec3::new(t.cos() * 0.8, t.sin() * 0.8, 0.6);
            let placement = Trs::new(at, Trs::IDENTITY.orientation(), [scale; 3]).unwrap();
            let (_, work) =
                intersections_by(&large.at(Trs::IDENTITY), &small.at(placement), way, &mut scratch).unwrap();
            sum.visits += work.visits;
            sum.box_tests += work.box_tests;
        }
        sum
    };
    let ball = Model::new(shapes::icosphere(1.0, 15).unwrap());
    let usual = work(&ball, 0.05, (HostRule::MoreFaces, DescentRule::Usual));
    for down in [DescentRule::Together, DescentRule::HostFirst, DescentRule::GuestFirst] {
        let other = work(&ball, 0.05, (HostRule::MoreFaces, down));
        assert!(usual.visits < other.visits, "{down:?} {usual:?} {other:?}");
        // Where one tree is opened to its end, fewer volumes may be compared in more visits.
        assert!(
            down == DescentRule::HostFirst || usual.box_tests < other.box_tests,
            "{down:?} {usual:?} {other:?}"
        );
    }
}
