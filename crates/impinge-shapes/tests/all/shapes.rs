//! Every shape by name, at many counts and seeds.

use glam::DVec3;
use impinge_shapes::{Polyhedron, Shape, ShapeError};

use crate::audit::Audit;

const COUNTS: &[usize] = &[0, 1, 37, 100, 299, 500, 1000, 4096, 12_544];
const SEEDS: &[u64] = &[0, 1, 0xdead_beef];

fn each(mut check: impl FnMut(Shape, usize, u64, &Polyhedron)) {
    for &shape in Shape::ALL {
        for &seed in if shape.is_seeded() { SEEDS } else { &SEEDS[..1] } {
            for &count in COUNTS {
                check(shape, count, seed, &shape.generate(count, seed));
            }
        }
    }
}

#[test]
fn closed_shapes_are_closed_and_face_outwards() {
    each(|shape, count, seed, mesh| {
        let audit = Audit::new(mesh);
        let case = format!("{shape} {count} {seed}");
        assert_eq!(audit.unmatched_edges() == 0, shape.is_closed(), "{case}");
        if shape.is_closed() {
            assert!(audit.volume() > 0.0, "{case}: {}", audit.volume());
        }
    });
}

#[test]
fn every_group_of_a_closed_shape_is_closed_and_faces_outwards() {
    each(|shape, count, seed, mesh| {
        let starts: Vec<u32> = mesh.groups().iter().map(|group| group.first_face).collect();
        for (i, &start) in starts.iter().enumerate().filter(|_| shape.is_closed()) {
            let end = starts.get(i + 1).map_or(mesh.face_count(), |&end| end as usize);
            let whole = Audit::new(mesh);
            let part = Audit { triangles: whole.triangles[start as usize..end].to_vec(), ..whole };
            let case = format!("{shape} {count} {seed} {:?}", mesh.groups()[i].name);
            assert_eq!(part.unmatched_edges(), 0, "{case}");
            assert!(part.volume() > 0.0, "{case}");
        }
    });
}

#[test]
fn no_face_is_double_or_without_area() {
    each(|shape, count, seed, mesh| {
        let audit = Audit::new(mesh);
        assert_eq!(audit.duplicates(), 0, "{shape} {count} {seed}");
        // Far below the area of the thinnest sliver at these counts, far above the rounding of a zero one.
        assert!(audit.least_area() > 1e-11, "{shape} {count} {seed}: {}", audit.least_area());
    });
}

#[test]
fn vertices_are_finite_and_all_used() {
    each(|shape, count, seed, mesh| {
        assert!(mesh.vertices().iter().all(|vertex| vertex.is_finite()), "{shape} {count} {seed}");
        let mut used = vec![false; mesh.vertices().len()];
        for face in 0..mesh.face_count() {
            mesh.corners(face).into_iter().for_each(|corner| used[corner as usize] = true);
        }
        assert!(used.iter().all(|used| *used), "{shape} {count} {seed}");
    });
}

#[test]
fn euler_characteristics_are_right() {
    each(|shape, count, seed, mesh| {
        let expected = match shape {
            Shape::Torus | Shape::Knot | Shape::Gear => 0,
            Shape::Shell => 4,
            // Tori count 0, everything else 2; the skin of the car is a disc, the housing of the lock two spheres.
            Shape::Door => 12,
            Shape::Lock => 28,
            Shape::Car => 9,
            Shape::Pipes => 2 * mesh.groups().len() as i64,
            Shape::Terrain | Shape::Triangle | Shape::Quad => 1,
            Shape::Soup => mesh.triangle_count() as i64,
            _ => 2,
        };
        assert_eq!(Audit::new(mesh).euler(), expected, "{shape} {count} {seed}");
    });
}

/// How far a count may be from the wanted one, as the documentation of `Shape::generate` says.
fn allowed_miss(shape: Shape, wanted: usize) -> f64 {
    let square = |k: f64| (k * wanted as f64).sqrt() + k;
    let part = 0.02 * wanted as f64;
    match shape {
        Shape::Icosphere => square(20.0),
        Shape::Star => square(60.0),
        Shape::Tetrahedron => square(4.0),
        Shape::Octahedron => square(8.0),
        Shape::Soup => 0.0,
        Shape::Triangle | Shape::Quad => f64::INFINITY,
        Shape::Hovertank | Shape::CargoBox | Shape::RepairPad => f64::INFINITY,
        _ => part + 12.0,
    }
}

#[test]
fn counts_come_close_to_the_wanted_ones() {
    let counts = (0..100).map(|i| 7 * i + i * i * 3).chain([200_003, 2_000_000]);
    for count in counts {
        for &shape in Shape::ALL {
            let found = shape.generate(count, 5).triangle_count();
            let wanted = count.max(shape.least_triangles());
            let miss = found.abs_diff(wanted);
            assert!(miss as f64 <= allowed_miss(shape, wanted), "{shape} {count}: {found}");
            assert!(found >= shape.least_triangles(), "{shape} {count}: {found}");
        }
    }
}

#[test]
fn the_least_count_is_reached() {
    for &shape in Shape::ALL {
        assert_eq!(shape.generate(0, 0).triangle_count(), shape.least_triangles(), "{shape}");
    }
}

#[test]
fn a_torus_of_12544_triangles_is_hit_exactly() {
    assert_eq!(Shape::Torus.generate(12_544, 0), impinge_shapes::torus(0.7, 0.3, 112, 56).unwrap());
}

/// The polygons of Blow 1997's bodies: as many as it says, flat to the last bit, and convex.
#[test]
fn the_bodies_of_the_arena_are_of_convex_polygons() {
    for (shape, polygons) in [(Shape::Hovertank, 97), (Shape::CargoBox, 12), (Shape::RepairPad, 69)] {
        let mesh = shape.generate(0, 0);
        assert_eq!(mesh.face_count(), polygons, "{shape}");
        for face in 0..polygons {
            let corners: Vec<DVec3> =
                mesh.corners(face).into_iter().map(|vertex| mesh.vertices()[vertex as usize]).collect();
            let count = corners.len();
            let across = (corners[1] - corners[0]).cross(corners[2] - corners[1]);
            for i in 0..count {
                let [a, b, c] = [0, 1, 2].map(|step| corners[(i + step) % count]);
                // Few bits each: these products are exact.
                assert!((b - a).cross(c - b).dot(across) > 0.0, "{shape} {face}");
                assert_eq!((a - corners[0]).dot(across), 0.0, "{shape} {face}");
            }
        }
    }
}

#[test]
fn shapes_are_about_two_units_across_and_around_the_origin() {
    each(|shape, count, seed, mesh| {
        let vertices = || mesh.vertices().iter().copied();
        let (min, max) =
            (vertices().fold(DVec3::INFINITY, DVec3::min), vertices().fold(DVec3::NEG_INFINITY, DVec3::max));
        let (size, center) = (max - min, 0.5 * (max + min));
        let case = format!("{shape} {count} {seed}: {min} {max}");
        assert!((1.0..=3.0).contains(&size.max_element()) || shape == Shape::Soup, "{case}");
        // At their least counts round shapes are not symmetric: a circle of three reaches half as far on one side.
        assert!(center.abs().max_element() <= 0.35 || shape == Shape::Soup, "{case}");
        assert!(max.max_element() <= 2.0 && min.min_element() >= -2.0, "{case}");
    });
}

#[test]
fn nothing_runs_into_itself() {
    let most = if cfg!(debug_assertions) { 300 } else { 1100 };
    each(|shape, count, seed, mesh| {
        if shape != Shape::Soup && mesh.triangle_count() <= most {
            assert_eq!(Audit::new(mesh).crossings(), [[0; 2]; 0], "{shape} {count} {seed}");
        }
    });
}

#[test]
fn crossings_are_found_where_there_are_some() {
    assert!(!Audit::new(&Shape::Soup.generate(300, 0)).crossings().is_empty());
    let mut bent = Audit::new(&Shape::Torus.generate(200, 0));
    bent.points[0] = -bent.points[0];
    assert!(!bent.crossings().is_empty());
}

#[test]
fn the_same_seed_gives_the_same_mesh_and_another_seed_another() {
    for &shape in Shape::ALL {
        let first = shape.generate(1000, 1);
        assert_eq!(first, shape.generate(1000, 1), "{shape}");
        assert_eq!(first != shape.generate(1000, 2), shape.is_seeded(), "{shape}");
    }
}

#[test]
fn names_lead_back_to_their_shapes() {
    for &shape in Shape::ALL {
        assert_eq!(Shape::parse(shape.name()), Ok(shape));
        assert_eq!(shape.to_string().parse(), Ok(shape));
        assert!(!shape.description().is_empty() && !shape.description().ends_with('.'));
    }
    let error = Shape::parse("Torus").unwrap_err();
    assert_eq!(error, ShapeError::UnknownName("Torus".to_owned()));
    assert_eq!(error.to_string(), "there is no shape called \"Torus\"");
}
