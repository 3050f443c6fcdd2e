//! Trees against brute force, and what they promise of their shape.

use impinge::Mesh;
use impinge::bounds::Aabb;
use impinge::glam::DVec3;
use impinge::shapes;
use impinge_core::bvh::{Build, DopTree, TreeQuality};

type Triangle = [DVec3; 3];

const PRESETS: [Build; 2] = [Build::COMPACT, Build::TIGHT];

fn tree<const K: usize>(build: Build, triangles: &[Triangle]) -> DopTree<K> {
    let bounds = Aabb::around(triangles.iter().flatten().copied());
    DopTree::build_with(build, triangles.len(), bounds, triangles)
}

/// The same numbers on every machine, from 0 to 1.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn soup(count: usize, size: f64) -> Vec<Triangle> {
    let mut next = random(count as u64);
    (0..count)
        .map(|_| {
            let center = DVec3::new(next(), next(), next());
            std::array::from_fn(|_| center + size * DVec3::new(next() - 0.5, next() - 0.5, next() - 0.5))
        })
        .collect()
}

fn flat_grid(cells: usize) -> Vec<Triangle> {
    let at = |i: usize, j: usize| DVec3::new(i as f64, j as f64, 0.0);
    (0..cells * cells)
        .flat_map(|cell| {
            let (i, j) = (cell % cells, cell / cells);
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect()
}

fn triangles_of(mesh: &Mesh) -> Vec<Triangle> {
    (0..mesh.face_count() as u32)
        .map(|face| {
            let corners: Vec<DVec3> = mesh.corners(face).map(|vertex| mesh.vertex(vertex)).collect();
            [corners[0], corners[1], corners[2]]
        })
        .collect()
}

fn assert_shape(quality: &TreeQuality, name: &str) {
    let count = quality.elements;
    let log = count.next_power_of_two().trailing_zeros();
    assert!(quality.splits <= 2 * log + 2, "{name}: {} splits over {count}", quality.splits);
    // Depths are in nodes of four: never more of them than splits, and one for the root.
    let deepest = quality.depth_histogram.len() - 1;
    assert!(deepest as u32 <= quality.splits.max(1), "{name}: depth {deepest}, {} splits", quality.splits);
    assert_eq!(quality.depth_histogram.iter().sum::<usize>(), quality.leaves, "{name}");
    assert!(quality.leaves * 2 >= count, "{name}");
    assert!((0.0..=1.0).contains(&quality.balance), "{name}");
    assert!(quality.total_volume.is_finite() && quality.sibling_overlap.is_finite(), "{name}");
}

fn assert_right<const K: usize>(triangles: &[Triangle], name: &str) {
    for build in PRESETS {
        let tree = tree::<K>(build, triangles);
        assert_eq!(tree.len(), triangles.len(), "{name}");
        tree.check(triangles).unwrap_or_else(|what| panic!("{name}, {K} directions, {build:?}: {what}"));
        assert_shape(&tree.quality(), name);
    }
}

#[test]
fn every_element_is_in_one_leaf_and_within_all_bounds_above() {
    let large: &[usize] = if cfg!(debug_assertions) { &[64, 129, 500] } else { &[64, 129, 500, 1500] };
    for count in (1..40).chain(large.iter().copied()) {
        for size in [0.01, 0.5] {
            let triangles = soup(count, size);
            assert_right::<6>(&triangles, "soup");
            assert_right::<8>(&triangles, "soup");
            assert_right::<14>(&triangles, "soup");
            assert_right::<18>(&triangles, "soup");
            assert_right::<26>(&triangles, "soup");
        }
    }
}

#[test]
fn models_of_any_size_and_place() {
    for (scale, shift) in [(1e-300, 0.0), (1e-3, 1e9), (1.0, 1e16), (1e150, 0.0), (1e307, 0.0)] {
        let mut triangles = soup(300, 0.3);
        for point in triangles.iter_mut().flatten() {
            *point = *point * scale + DVec3::splat(shift);
        }
        assert_right::<6>(&triangles, "scaled");
        assert_right::<14>(&triangles, "scaled");
    }
}

#[test]
fn nothing_degenerates() {
    let at = |x: f64| [DVec3::new(x, 0.0, 0.0); 3];
    let one = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let mut giant = soup(3000, 1e-6);
    giant.push([DVec3::splat(-100.0), DVec3::new(100.0, 0.0, 0.0), DVec3::splat(100.0)]);
    let inputs: [(&str, Vec<Triangle>); 6] = [
        ("coincident", vec![one; 5000]),
        ("points on a line", (0..5000).map(|i| at(f64::from(i))).collect()),
        ("coincident points", vec![at(1.0); 3000]),
        ("exponential", (0..2000).map(|i| at(2_f64.powf(f64::from(i) * -0.05))).collect()),
        ("fast exponential", (0..1000).map(|i| at(2_f64.powi(-i))).collect()),
        ("giant", giant),
    ];
    for (name, triangles) in &inputs {
        assert_right::<6>(triangles, name);
        assert_right::<18>(triangles, name);
        let quality = tree::<6>(Build::COMPACT, triangles).quality();
        assert!(quality.depth_histogram.len() <= 16, "{name}:\n{quality}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn a_flat_grid_has_a_shallow_tree() {
    let grid = flat_grid(256);
    assert_eq!(grid.len(), 131_072);
    for build in PRESETS {
        let quality = tree::<6>(build, &grid).quality();
        assert_shape(&quality, "grid");
        assert!(quality.depth_histogram.len() <= 14, "{build:?}:\n{quality}");
    }
}

#[test]
fn a_tree_of_six_directions_takes_24_bytes_an_element() {
    let meshes = [
        triangles_of(&Mesh::from(shapes::torus(1.0, 0.25, 96, 64).expect("a torus"))),
        triangles_of(&Mesh::from(shapes::icosphere(1.0, 32).expect("a sphere"))),
        soup(20_000, 0.02),
        flat_grid(100),
    ];
    for triangles in meshes {
        let tree = tree::<6>(Build::COMPACT, &triangles);
        let each = tree.bytes() as f64 / triangles.len() as f64;
        assert!(each <= 24.0, "{each} bytes:\n{}", tree.quality());
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn threads_do_not_change_the_tree() {
    for triangles in [soup(30_000, 0.02), flat_grid(150), vec![[DVec3::ONE; 3]; 10_000]] {
        for build in PRESETS {
            let alone = Build { parallel: false, ..build };
            assert!(tree::<6>(build, &triangles) == tree::<6>(alone, &triangles), "{build:?}");
            assert!(tree::<14>(build, &triangles) == tree::<14>(alone, &triangles), "{build:?}");
        }
    }
}

#[test]
fn elements_without_corners_are_left_out() {
    let elements: Vec<Vec<DVec3>> =
        (0..100).map(|i| if i % 3 == 0 { vec![] } else { vec![DVec3::splat(f64::from(i))] }).collect();
    let bounds = Aabb::around(elements.iter().flatten().copied());
    let tree = DopTree::<6>::build(elements.len(), bounds, elements.as_slice());
    assert_eq!(tree.len(), 66);
    let none = DopTree::<6>::build(1, Aabb::EMPTY, [Vec::<DVec3>::new()].as_slice());
    assert!(none.is_empty());
    assert_eq!(none.quality().leaves, 0);
}

/// Eight cubes in a row, two in a leaf: what their bounds hold and share is known.
fn row_of_cubes<const K: usize>(spacing: f64) -> TreeQuality {
    let corner = |i: usize| DVec3::new((i % 2) as f64, (i / 2 % 2) as f64, (i / 4) as f64);
    let cube = |i: usize| (0..8).map(|c| corner(c) + DVec3::X * spacing * i as f64).collect();
    let cubes: Vec<Vec<DVec3>> = (0..8).map(cube).collect();
    let bounds = Aabb::around(cubes.iter().flatten().copied());
    DopTree::<K>::build(cubes.len(), bounds, cubes.as_slice()).quality()
}

#[test]
fn quality_is_that_of_the_dops() {
    // Bounds are whole steps, here 8 / 32768 of a cube's edge, and grow by one at each end along every direction.
    let near = |found: f64, known: f64| (found - known).abs() < 5e-3;
    // Around a box, planes that are not along the axes touch corners and cut nothing off.
    for apart in
        [row_of_cubes::<6>(2.0), row_of_cubes::<14>(2.0), row_of_cubes::<18>(2.0), row_of_cubes::<26>(2.0)]
    {
        assert_eq!((apart.leaves, apart.nodes), (4, 1));
        assert!(near(apart.total_volume, 4.0 * 3.0 / 15.0) && near(apart.sibling_overlap, 0.0), "{apart}");
        assert!(near(apart.balance, 1.0), "{apart}");
    }
    for close in
        [row_of_cubes::<6>(0.5), row_of_cubes::<14>(0.5), row_of_cubes::<18>(0.5), row_of_cubes::<26>(0.5)]
    {
        assert_eq!((close.leaves, close.nodes), (4, 1));
        // Neighbors share half a cube, three times in a row of 4.5.
        assert!(near(close.total_volume, 6.0 / 4.5) && near(close.sibling_overlap, 1.5 / 4.5), "{close}");
    }
    // Octahedra around separate boxes reach into each other: of radius 2.5 and 4 apart, three times, in one of radius 8.5.
    assert!(row_of_cubes::<8>(2.0).sibling_overlap > 3e-4, "{}", row_of_cubes::<8>(2.0));
}

#[test]
fn quality_prints_a_table() {
    let mesh = Mesh::from(shapes::icosphere(1.0, 8).expect("a sphere"));
    let corners =
        |face: u32| -> Vec<DVec3> { mesh.corners(face).map(|vertex| mesh.vertex(vertex)).collect() };
    let faces: Vec<Vec<DVec3>> = (0..mesh.face_count() as u32).map(corners).collect();
    let table = DopTree::<8>::build(faces.len(), mesh.bounds(), faces.as_slice()).quality().to_string();
    for row in ["elements", "total volume", "balance", "sibling overlap", "leaves at depth"] {
        assert!(table.contains(row), "{table}");
    }
}
