//! The volume that two solids share: within its error of the truth, whatever touches.

use crate::effort::share;
use crate::voxels::Voxels;
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};
use impinge::query::SharedVolume;
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placed, Placement, Trs};

pub(crate) fn cuboid(min: [f64; 3], max: [f64; 3]) -> Model {
    Model::new(shapes::cuboid(min, max).unwrap())
}

/// The answer holds a known volume, the same whichever is named first.
fn holds(a: &Placed<'_>, b: &Placed<'_>, volume: f64, what: &str) -> SharedVolume {
    let found = a.shared_volume(b).unwrap();
    // The truth is known to so many digits.
    let slack = 1e-12 * volume;
    assert!((found.volume - volume).abs() <= found.error + slack, "{what}: {volume} {found:?}");
    let swapped = b.shared_volume(a).unwrap();
    assert!((found.volume - swapped.volume).abs() <= found.error + swapped.error, "{what}: {swapped:?}");
    found
}

/// Any rigid place, or one that scales, mirrors and shears, with the factor by which volumes grow.
pub(crate) fn any_place(random: &mut Random, far: f64) -> (Placement, f64) {
    let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
    let by = random.in_cube() * far;
    match random.below(4) {
        0 => (Trs::IDENTITY.into(), 1.0),
        1 | 2 => (Trs::rigid(by, turn).unwrap().into(), 1.0),
        _ => {
            let entries = [(); 9].map(|()| random.between(-1.0, 1.0));
            let linear = DMat3::from_cols_array(&entries) + DMat3::from_diagonal(DVec3::new(2.0, -2.0, 2.0));
            let map = DAffine3 { matrix3: linear, translation: by };
            (Placement::try_from(map).unwrap(), linear.determinant().abs())
        }
    }
}

/// Blocks of two grids whose planes agree, nearly agree or not: flush faces, shared edges, slivers as thin as rounding.
#[test]
fn blocks_of_two_grids() {
    let mut random = Random::new(8);
    for case in 0..share(40, 1_500) {
        let count = 1 + random.below(3) as usize;
        let off = [0.0, 1e-12, 1e-6, 0.2][random.below(4) as usize];
        let far = [0.0, 10.0, 5e6][random.below(3) as usize];
        let voxels = [0, 1].map(|_| Voxels::random(&mut random, count, 0.5).shaken(&mut random, off));
        let models = voxels.each_ref().map(|voxels| voxels.model(&mut random));
        let (place, factor) = any_place(&mut random, far);
        let volume = voxels[0].shared(&voxels[1]) * factor;
        let what = format!("case {case}: off {off}, far {far}");
        let found = holds(&models[0].at(place), &models[1].at(place), volume, &what);
        // A block has an area of 6; what is shared is no larger than all of them.
        let area = 6.0 * (count * count * count) as f64 * factor.max(1.0);
        let precision = 1e-12;
        assert!(found.error <= 1e-6 * volume + 4.0 * area * precision, "{what}: {volume} {found:?}");
        assert!(!found.is_estimated, "{what}: {found:?}");
    }
}

#[test]
fn nested_hollow_and_apart() {
    let [small, large] = [cuboid([1.0; 3], [2.0; 3]), cuboid([0.0; 3], [4.0; 3])];
    let here = Trs::IDENTITY;
    holds(&small.at(here), &large.at(here), 1.0, "nested");
    holds(&large.at(here), &large.at(here), 64.0, "twice the same");
    let apart = holds(&small.at(here), &large.at(Trs::translation([9.0, 0.0, 0.0]).unwrap()), 0.0, "apart");
    assert_eq!((apart.volume, apart.error), (0.0, 0.0));
    holds(&small.at(here), &large.at(Trs::translation([2.0, 0.0, 0.0]).unwrap()), 0.0, "flush");
    let hollow = Model::new(shapes::hollow_sphere(2.0, 1.0, 24, 12).unwrap());
    let core = Model::new(shapes::sphere(1.0, 24, 12).unwrap());
    let found = holds(&hollow.at(here), &core.at(here), 0.0, "a core in its shell");
    assert!(found.volume < 1e-12, "{found:?}");
    let surface = Model::new(Mesh::soup([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap());
    assert!(surface.at(here).shared_volume(&large.at(here)).is_none());
}

/// A thin overlap that lies askew: the error is in proportion to the area and the rounding, not to the box.
#[test]
fn slivers_lie_askew() {
    let slab = cuboid([0.0; 3], [10.0, 10.0, 1.0]);
    let mut random = Random::new(3);
    for depth in [1e-3, 1e-6, 1e-9, 1e-12] {
        let turn = DQuat::from_axis_angle(random.direction(), 1.0);
        let by = DVec3::new(3.0, 2.0, 1.0 - depth);
        let [a, b] = [DVec3::ZERO, by].map(|by| slab.at(Trs::rigid(turn * by, turn).unwrap()));
        // Rounding of the places moves the faces.
        let found = a.shared_volume(&b).unwrap();
        assert!((found.volume - 56.0 * depth).abs() <= found.error, "{depth}: {found:?}");
        assert!(found.error < 1e-6 * found.volume + 4.0 * 56.0 * 1e-12, "{depth}: {found:?}");
    }
}

/// Random solids against points all over what their boxes share.
#[test]
fn samples_agree() {
    let models = [
        Model::new(shapes::torus(0.6, 0.25, 14, 8).unwrap()),
        Model::new(shapes::star(0.8, 0.35, 2).unwrap()),
        Model::new(shapes::icosphere(0.7, 3).unwrap()),
        Model::new(shapes::knot(0.5, 0.12, 40, 6).unwrap()),
        cuboid([-0.5; 3], [0.5; 3]),
    ];
    let mut random = Random::new(4);
    for case in 0..share(6, 60) {
        let [a, b] = [0, 1].map(|_| {
            let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
            let model = &models[random.below(models.len() as u32) as usize];
            model.at(Trs::rigid(random.in_cube() * 0.3, turn).unwrap())
        });
        let found = a.shared_volume(&b).unwrap();
        assert!(found.error < 1e-9 && !found.is_estimated, "case {case}: {found:?}");
        let (bounds, samples) = (found.bounds, 4_000);
        let mut both = 0;
        for _ in 0..samples {
            let unit = DVec3::new(random.unit(), random.unit(), random.unit());
            let point = bounds.min + unit * bounds.size();
            let inside = |placed: &Placed<'_>| placed.signed_distance(point).is_some_and(|it| it.is_inside);
            both += u32::from(inside(&a) && inside(&b));
        }
        let share = f64::from(both) / f64::from(samples);
        let volume = bounds.size().element_product();
        let deviation = volume * (share.max(1e-3) / f64::from(samples)).sqrt();
        let sampled = share * volume;
        assert!(
            (found.volume - sampled).abs() < 5.0 * deviation,
            "case {case}: {found:?} {sampled} {deviation}"
        );
    }
}

/// Where a body crosses itself points may count twice, and the answer owns up to it.
#[test]
fn bodies_that_cross_themselves() {
    let two = |by: [f64; 3]| {
        let mut corners = Vec::new();
        for offset in [DVec3::ZERO, DVec3::from_array(by)] {
            let mesh = Mesh::from(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap());
            let triangles = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
            corners.extend(triangles.flatten().map(|vertex| mesh.vertex(vertex) + offset));
        }
        Model::new(Mesh::soup(corners).unwrap())
    };
    let probe = cuboid([-1.0, 0.25, 0.25], [3.0, 0.75, 0.75]);
    let probe = probe.at(Trs::IDENTITY);
    for (by, length) in [
        ([0.5, 0.0, 0.0], 1.5),
        ([0.5, 0.1, 0.0], 1.5),
        ([0.999, 0.0, 0.0], 1.999),
        ([1e-5, 0.0, 0.0], 1.00001),
    ] {
        let body = two(by);
        let found = body.at(Trs::IDENTITY).shared_volume(&probe).unwrap();
        let volume = 0.25 * length;
        assert!(found.is_estimated, "{by:?}: {found:?}");
        assert!(found.volume >= volume - found.error && found.volume <= 2.0 * volume, "{by:?}: {found:?}");
    }
    // Beside each other nothing is counted twice.
    let found = holds(&two([1.0, 0.0, 0.0]).at(Trs::IDENTITY), &probe, 0.5, "beside each other");
    assert!(!found.is_estimated && found.error < 1e-9, "{found:?}");
}
