//! The volume that two solids share, against rational arithmetic on the stored coordinates.

use crate::effort::share;
use crate::oracle::volume::shared_volume;
use crate::voxels::Voxels;
use impinge::math::{DQuat, DVec3};
use impinge::shapes::{self, Polyhedron, Random};
use impinge::{Mesh, Model, Trs};

pub(crate) type Triangles = Vec<[DVec3; 3]>;

pub(crate) fn triangles(mesh: &Mesh) -> Triangles {
    let faces = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
    faces.map(|corners| corners.map(|vertex| mesh.vertex(vertex))).collect()
}

pub(crate) fn model(triangles: &[[DVec3; 3]]) -> Model {
    Model::new(Mesh::soup(triangles.iter().flatten().copied()).unwrap())
}

/// The volume by the divergence theorem, seen from the first corner.
fn volume(triangles: &[[DVec3; 3]]) -> f64 {
    let from = triangles[0][0];
    triangles.iter().map(|face| face.map(|p| p - from)).map(|[a, b, c]| a.cross(b).dot(c)).sum::<f64>() / 6.0
}

fn area(triangles: &[[DVec3; 3]]) -> f64 {
    triangles.iter().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum()
}

/// Whether all winding numbers are 0 and 1: only then their squares have the same integral.
pub(crate) fn is_simple(triangles: &[[DVec3; 3]]) -> bool {
    let (volume, squares) = (volume(triangles), shared_volume(triangles, triangles));
    volume > 0.0 && (squares - volume).abs() <= 1e-12 * area(triangles).powf(1.5)
}

/// How far a coordinate may be off in the frame of a pair, as the documentation has it.
pub(crate) fn rounding(triangles: [&[[DVec3; 3]]; 2]) -> f64 {
    let corners = triangles.into_iter().flatten().flatten();
    64.0 * f64::EPSILON * corners.map(|p| p.abs().max_element()).fold(0.0, f64::max)
}

/// The library's volume of two solids is within its error of the exact one, and within 10⁻⁶ of it and what rounding moves; which the answer is.
pub(crate) fn holds(a: &[[DVec3; 3]], b: &[[DVec3; 3]], what: &str) -> f64 {
    let exact = shared_volume(a, b);
    let (first, second) = (model(a), model(b));
    let found = first.at(Trs::IDENTITY).shared_volume(&second.at(Trs::IDENTITY)).unwrap();
    // The oracle is exact up to the last digit of a double.
    let digit = 4.0 * f64::EPSILON * exact;
    assert!((found.volume - exact).abs() <= found.error + digit, "{what}: {exact} {found:?}");
    let precision = rounding([a, b]);
    let shared = area(a).min(area(b));
    assert!(
        (found.volume - exact).abs() <= 1e-6 * exact + 4.0 * shared * precision,
        "{what}: {exact} {found:?}"
    );
    assert!(!found.is_estimated, "{what}: {found:?}");
    exact
}

#[test]
fn the_oracle_counts_blocks() {
    let mut random = Random::new(18);
    for case in 0..share(10, 60) {
        let count = 1 + random.below(3) as usize;
        let off = [0.0, 1e-12, 0.2][random.below(3) as usize];
        let voxels = [0, 1].map(|_| Voxels::random(&mut random, count, 0.5).shaken(&mut random, off));
        let [a, b] = voxels.each_ref().map(|voxels| triangles(voxels.model(&mut random).mesh()));
        let (exact, counted) = (shared_volume(&a, &b), voxels[0].shared(&voxels[1]));
        assert!((exact - counted).abs() <= 1e-14 * (1.0 + counted), "case {case}: {exact} {counted}");
        assert!(is_simple(&a) && is_simple(&b), "case {case}");
    }
    // A body that is there twice is no simple one, nor is one that is turned inside out.
    let cube = triangles(&Mesh::from(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap()));
    let turned: Triangles = cube.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert!(is_simple(&cube) && !is_simple(&turned));
    assert!(!is_simple(&[cube.clone(), cube.clone()].concat()));
    assert_eq!(shared_volume(&cube, &turned), -1.0);
    // What is left of a sliver that no double can tell from nothing beside its corners.
    let sunk: Triangles =
        cube.iter().map(|face| face.map(|p| p + DVec3::new(0.0, 0.0, 1.0 - 2e-16))).collect();
    assert_eq!(shared_volume(&cube, &sunk), 2.0 * f64::EPSILON / 2.0);
}

/// Solids of many kinds around the origin.
pub(crate) fn solids() -> Vec<Triangles> {
    let list: Vec<Polyhedron> = vec![
        shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap(),
        shapes::cuboid([-0.8, -0.3, -0.1], [0.8, 0.3, 0.1]).unwrap(),
        shapes::cylinder(0.4, 1.2, 7, 1).unwrap(),
        shapes::cylinder(0.5, 0.6, 12, 1).unwrap(),
        shapes::torus(0.5, 0.2, 8, 5).unwrap(),
        shapes::star(0.8, 0.35, 1).unwrap(),
        shapes::octahedron(0.7).unwrap(),
        shapes::tetrahedron(0.9).unwrap(),
        shapes::hollow_sphere(0.8, 0.4, 8, 5).unwrap(),
        shapes::stairs([1.0, 0.8, 0.6], 3, 1).unwrap(),
    ];
    list.into_iter().map(|shape| triangles(&Mesh::from(shape))).collect()
}

fn mapped(list: &[[DVec3; 3]], map: impl Fn(DVec3) -> DVec3) -> Triangles {
    list.iter().map(|face| face.map(&map)).collect()
}

/// Anywhere, on a lattice where faces are flush and edges shared, or off it by a trifle.
pub(crate) fn moved(list: &[[DVec3; 3]], random: &mut Random) -> Triangles {
    let lattice =
        |random: &mut Random| DVec3::from_array([(); 3].map(|()| f64::from(random.below(5)) * 0.25 - 0.5));
    match random.below(4) {
        0 => {
            let turn = DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
            let by = random.in_cube() * 0.5;
            mapped(list, |p| turn * p + by)
        }
        1 => {
            let by = lattice(random);
            mapped(list, |p| p + by)
        }
        2 => {
            let trifle = [1e-15, 1e-12, 1e-9, 1e-6][random.below(4) as usize];
            let by = lattice(random) + random.in_cube() * trifle;
            mapped(list, |p| p + by)
        }
        _ => {
            let scale = [0.5, 1.0, 1.0 + 1e-7, 2.0][random.below(4) as usize];
            // Quarter turns keep what is flush.
            mapped(list, |p| DVec3::new(-p.y, p.x, p.z) * scale)
        }
    }
}

#[test]
fn random_and_flush_solids() {
    let solids = solids();
    for solid in &solids {
        assert!(is_simple(solid));
    }
    let mut random = Random::new(5);
    let (mut some, cases) = (0, share(12, 300));
    for case in 0..cases {
        let [i, j] = [0, 1].map(|_| random.below(solids.len() as u32) as usize);
        let [mut a, mut b] = [i, j].map(|k| moved(&solids[k], &mut random));
        let (mut to_f32, mut far) = (false, DVec3::ZERO);
        match random.below(4) {
            0 => to_f32 = true,
            1 => far = random.in_cube() * 5e6,
            _ => {}
        }
        for list in [&mut a, &mut b] {
            *list = mapped(list, |p| if to_f32 { p.as_vec3().as_dvec3() } else { p + far });
        }
        let what = format!("case {case}: solids {i} and {j}, f32 {to_f32}, far {far}");
        // Rounding may turn the thinnest of them over.
        if is_simple(&a) && is_simple(&b) {
            some += u64::from(holds(&a, &b, &what) > 1e-3);
        }
    }
    println!("{cases} cases, {some} share a volume");
    assert!(2 * some > cases);
}
