//! The surface of what two solids share: it encloses the volume that they share, and lies in both.

use crate::effort::share;
use crate::shared_volume::{any_place, cuboid};
use crate::voxels::Voxels;
use impinge::math::{DQuat, DVec3};
use impinge::query::{SharedSurface, SharedSurfaceOptions};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placed, Trs};

/// The surface is whole, encloses the shared volume, and no point of it is outside of either solid or of the box by more than `slack`.
fn holds(a: &Placed<'_>, b: &Placed<'_>, slack: f64, what: &str) -> SharedSurface {
    let found = a.shared_surface(b).unwrap();
    let shared = a.shared_volume(b).unwrap();
    assert!(found.is_complete && found.of_first <= found.triangles.len(), "{what}");
    let area: f64 = corners(&found).map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum();
    let off = (found.volume() - shared.volume).abs();
    assert!(off <= shared.error + slack * (1.0 + area), "{what}: {} {shared:?}", found.volume());
    for triangle in corners(&found) {
        let middle = triangle.iter().sum::<DVec3>() / 3.0;
        for (placed, name) in [(a, "first"), (b, "second")] {
            let there = placed.signed_distance(middle + found.origin_in_world).unwrap();
            assert!(
                there.is_inside || there.closest.distance <= slack,
                "{what}: {middle} off the {name} {there:?}"
            );
        }
        for corner in triangle {
            let [low, high] = [shared.bounds.min, shared.bounds.max].map(|end| end - found.origin_in_world);
            assert!(
                (low - corner).max_element() <= slack && (corner - high).max_element() <= slack,
                "{what}"
            );
        }
    }
    found
}

fn corners(surface: &SharedSurface) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    surface.triangles.iter().map(|triangle| triangle.map(|corner| surface.positions[corner as usize]))
}

#[test]
fn nested_flush_and_apart() {
    let [small, large] = [cuboid([1.0; 3], [2.0; 3]), cuboid([0.0; 3], [4.0; 3])];
    let here = Trs::IDENTITY;
    let nested = holds(&small.at(here), &large.at(here), 1e-12, "nested");
    assert_eq!((nested.triangles.len(), nested.of_first), (12, 12), "as it is");
    let swapped = holds(&large.at(here), &small.at(here), 1e-12, "nested");
    assert_eq!((swapped.triangles.len(), swapped.of_first), (12, 0));
    let twice = holds(&large.at(here), &large.at(here), 1e-12, "twice the same");
    assert!((twice.volume() - 64.0).abs() < 1e-9, "once, not twice");
    for by in [2.0, 9.0] {
        let apart =
            holds(&small.at(here), &large.at(Trs::translation([by, 0.0, 0.0]).unwrap()), 1e-12, "apart");
        assert!(apart.triangles.is_empty(), "{by}");
    }
    // A corner, sides and all of a side in one plane.
    for by in [[2.0, 2.0, 2.0], [0.0, 2.0, 1.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.5]] {
        holds(&large.at(here), &large.at(Trs::translation(by).unwrap()), 1e-12, &format!("{by:?}"));
    }
    let hollow = Model::new(shapes::hollow_sphere(2.0, 1.0, 24, 12).unwrap());
    let core = Model::new(shapes::sphere(1.0, 24, 12).unwrap());
    assert!(holds(&hollow.at(here), &core.at(here), 1e-11, "a core in its shell").volume().abs() < 1e-11);
    holds(&hollow.at(here), &large.at(Trs::translation([-2.0; 3]).unwrap()), 1e-11, "a shell in a box");
    let open = Model::new(Mesh::soup([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap());
    assert!(open.at(here).shared_surface(&large.at(here)).is_none());
}

/// A pin with very many sides goes through a plate: its faces meet few, and the plate's meet all of them.
#[test]
fn one_face_meets_very_many() {
    let plate = cuboid([-2.0, -2.0, 0.0], [2.0, 2.0, 0.5]);
    for segments in [8, 600] {
        let pin = Model::new(shapes::cylinder(1.0, 3.0, segments, 1).unwrap());
        let found = holds(&pin.at(Trs::IDENTITY), &plate.at(Trs::IDENTITY), 1e-11, "a pin");
        assert!(found.triangles.len() < 60 * segments as usize, "{segments}: {}", found.triangles.len());
    }
}

/// Blocks of two grids whose planes agree, nearly agree or not, anywhere, scaled, sheared and mirrored.
#[test]
fn blocks_of_two_grids() {
    let mut random = Random::new(18);
    for case in 0..share(15, 300) {
        let count = 1 + random.below(3) as usize;
        let off = [0.0, 1e-12, 1e-6, 0.2][random.below(4) as usize];
        let far = [0.0, 10.0, 5e6][random.below(3) as usize];
        let voxels = [0, 1].map(|_| Voxels::random(&mut random, count, 0.5).shaken(&mut random, off));
        let models = voxels.each_ref().map(|voxels| voxels.model(&mut random));
        let (place, factor) = any_place(&mut random, far);
        let [a, b] = models.each_ref().map(|model| model.at(place));
        // The truth is known by counting, and the world rounds what it is compared with.
        let found = holds(&a, &b, 1e-11 + 4e-15 * far, &format!("case {case}: off {off}, far {far}"));
        let volume = voxels[0].shared(&voxels[1]) * factor;
        let precision = 1e-11 * (1.0 + factor) * (1 + count * count * count) as f64;
        assert!((found.volume() - volume).abs() < precision, "case {case}: {volume} {}", found.volume());
    }
}

#[test]
fn random_solids() {
    let models = [
        Model::new(shapes::torus(0.6, 0.25, 14, 8).unwrap()),
        Model::new(shapes::star(0.8, 0.35, 2).unwrap()),
        Model::new(shapes::icosphere(0.7, 3).unwrap()),
        Model::new(shapes::knot(0.5, 0.12, 40, 6).unwrap()),
        Model::new(shapes::cylinder(0.4, 1.2, 12, 2).unwrap()),
        cuboid([-0.5; 3], [0.5; 3]),
    ];
    let mut random = Random::new(14);
    for case in 0..share(10, 120) {
        let far = [0.0, 1e3, 5e6][random.below(3) as usize];
        let away = random.direction() * far;
        let [a, b] = [0, 1].map(|_| {
            let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
            let model = &models[random.below(models.len() as u32) as usize];
            model.at(Trs::rigid(away + random.in_cube() * 0.3, turn).unwrap())
        });
        holds(&a, &b, 1e-11 + 1e-15 * far, &format!("case {case}, far {far}"));
    }
}

/// What is too large for a picture is not drawn by half without a word.
#[test]
fn a_limit_is_kept_and_told() {
    let ball = Model::new(shapes::icosphere(0.7, 6).unwrap());
    let [a, b] = [0.0, 0.5].map(|x| ball.at(Trs::translation([x, 0.1, 0.2]).unwrap()));
    let whole = a.shared_surface(&b).unwrap();
    assert!(whole.is_complete);
    for most in [0, 1, 10, whole.triangles.len() / 2] {
        let part = a.shared_surface_with(&b, SharedSurfaceOptions::new().most(most)).unwrap();
        assert!(!part.is_complete && part.triangles.len() <= most, "{most}: {}", part.triangles.len());
        assert!(part.of_first <= part.triangles.len());
    }
    let huge = cuboid([0.0; 3], [1e90; 3]);
    let out_of_range = huge.at(Trs::IDENTITY).shared_surface(&huge.at(Trs::IDENTITY)).unwrap();
    assert!(!out_of_range.is_complete && out_of_range.triangles.is_empty());
}
