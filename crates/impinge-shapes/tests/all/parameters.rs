//! The constructors that take parameters: their formulas, and what they refuse.

use impinge::Mesh;
use impinge::mesh::generate::{Gear, Pipes, ShapeError};

use super::audit::Audit;

const GEAR: Gear = Gear {
    tip_radius: 1.0,
    root_radius: 0.8,
    bore_radius: 0.3,
    thickness: 0.4,
    teeth: 9,
    pieces: 2,
    layers: 3,
    rings: 4,
};

const PIPES: Pipes = Pipes { size: 2.0, radius: 0.4, pipes: 5, cells: 9, sections: 2, sides: 5, seed: 11 };

#[test]
fn counts_follow_their_formulas() {
    let cases = [
        (Mesh::cuboid([0.0; 3], [1.0; 3]), 12),
        (Mesh::cuboid_of_quads([0.0; 3], [1.0; 3]), 12),
        (Mesh::cuboid_grid([0.0; 3], [1.0, 2.0, 3.0], [2, 3, 5]), 4 * (6 + 15 + 10)),
        (Mesh::torus(2.0, 0.5, 7, 5), 2 * 7 * 5),
        (Mesh::sphere(1.0, 7, 5), 2 * 7 * 4),
        (Mesh::icosphere(1.0, 3), 20 * 9),
        (Mesh::cylinder(1.0, 2.0, 7, 5), 2 * 7 * 6),
        (Mesh::cone(1.0, 2.0, 7, 5), 2 * 7 * 5),
        (Mesh::capsule(1.0, 2.0, 7, 5), 4 * 7 * 5),
        (Mesh::knot(1.0, 0.25, 24, 3), 2 * 24 * 3),
        (Mesh::knot(1.0, 0.25, 24, 16), 2 * 24 * 16),
        (Mesh::knot(1.0, 0.25, 50, 8), 2 * 50 * 8),
        (Mesh::gear(&GEAR), 16 * 9 * 2 * 7),
        (Mesh::pipes(&PIPES), 2 * 5 * 5 * (9 * 2 + 1)),
        (Mesh::bumpy_sphere(1.0, 0.9, 50, 16, 9, 1), 2 * 16 * 8),
        (Mesh::star(2.0, 0.1, 2), 60 * 4),
        (Mesh::tetrahedron(1.0), 4),
        (Mesh::octahedron(1.0), 8),
        (Mesh::stairs([1.0, 2.0, 3.0], 5, 3), 4 * (5 + 3 * 6)),
        (Mesh::hollow_sphere(1.0, 0.99, 7, 5), 4 * 7 * 4),
    ];
    for (i, (mesh, count)) in cases.into_iter().enumerate() {
        let mesh = mesh.unwrap();
        assert_eq!(mesh.triangle_count(), count, "case {i}");
        let audit = Audit::new(&mesh);
        assert_eq!(audit.unmatched_edges(), 0, "case {i}");
        assert!(audit.volume() > 0.0, "case {i}");
        assert_eq!(audit.crossings(), [[0; 2]; 0], "case {i}");
    }
    assert_eq!(Mesh::hills(1.0, 1.0, 7, 5, 3).unwrap().triangle_count(), 2 * 6 * 4);
    assert_eq!(Mesh::random_soup(17, 1.0, 3).unwrap().triangle_count(), 17);
}

#[test]
fn volumes_are_those_of_the_solids() {
    let volume = |mesh: Result<Mesh, ShapeError>| Audit::new(&mesh.unwrap()).volume();
    // Sums of exact products: these come out exactly.
    assert_eq!(volume(Mesh::cuboid([-1.0, 0.0, 2.0], [1.0, 1.0, 5.0])), 6.0);
    assert_eq!(volume(Mesh::cuboid_of_quads([-1.0, 0.0, 2.0], [1.0, 1.0, 5.0])), 6.0);
    assert_eq!(volume(Mesh::cuboid_grid([-1.0, 0.0, 2.0], [1.0, 1.0, 6.0], [4, 2, 8])), 8.0);
    assert_eq!(volume(Mesh::stairs([4.0, 1.0, 4.0], 2, 1)), 12.0);
    // A cylinder over a regular octagon of circumradius 1, whose area is 2√2.
    let octagon = 8.0_f64.sqrt();
    assert!((volume(Mesh::cylinder(1.0, 2.0, 8, 3)) - 2.0 * octagon).abs() < 1e-14);
    assert!((volume(Mesh::cone(1.0, 3.0, 8, 3)) - octagon).abs() < 1e-14);
    // Polygons have less area than their circles: from below, by the square of the step.
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    for mesh in [Mesh::sphere(1.0, 200, 100), Mesh::icosphere(1.0, 32)] {
        let found = volume(mesh);
        assert!(found < ball && found > 0.998 * ball, "{found}");
    }
    let hollow = volume(Mesh::hollow_sphere(1.0, 0.5, 200, 100));
    assert!((hollow - 0.875 * volume(Mesh::sphere(1.0, 200, 100))).abs() < 1e-12);
    let knot = volume(Mesh::knot(3.0, 0.1, 2000, 100));
    // Length times area (Pappus); the length is 31.9 by Simpson's rule.
    let length = knot / (std::f64::consts::PI * 0.01);
    assert!((31.0..33.0).contains(&length), "{length}");
}

#[test]
fn nonsense_is_refused_by_name() {
    let huge = u32::MAX;
    let cases: Vec<(Result<Mesh, ShapeError>, &str)> = vec![
        (Mesh::cuboid([0.0; 3], [1.0, 0.0, 1.0]), "min"),
        (Mesh::cuboid([f64::NAN; 3], [1.0; 3]), "min"),
        (Mesh::cuboid([0.0; 3], [f64::NAN; 3]), "min"),
        (Mesh::cuboid_of_quads([0.0; 3], [f64::INFINITY; 3]), "max"),
        (Mesh::cuboid_grid([0.0; 3], [1.0; 3], [1, 0, 1]), "cells"),
        (Mesh::torus(f64::NAN, 0.1, 3, 3), "major"),
        (Mesh::torus(1.0, 1.0, 3, 3), "minor"),
        (Mesh::torus(1.0, 0.1, 2, 3), "segments"),
        (Mesh::torus(1.0, 0.1, 3, 0), "sides"),
        (Mesh::sphere(-1.0, 3, 2), "radius"),
        (Mesh::sphere(1.0, 3, 1), "rings"),
        (Mesh::sphere(1.0, 0, 5), "segments"),
        (Mesh::icosphere(0.0, 1), "radius"),
        (Mesh::icosphere(1.0, 0), "frequency"),
        (Mesh::cylinder(1.0, 0.0, 3, 1), "height"),
        (Mesh::cylinder(1.0, 1.0, 3, 0), "stacks"),
        (Mesh::cone(f64::INFINITY, 1.0, 3, 1), "radius"),
        (Mesh::capsule(1.0, -1.0, 3, 1), "half_length"),
        (Mesh::capsule(1.0, 1.0, 3, 0), "rings"),
        (Mesh::knot(1.0, 0.26, 48, 8), "tube"),
        (Mesh::knot(1.0, 0.1, 23, 8), "segments"),
        (Mesh::gear(&Gear { teeth: 2, ..GEAR }), "teeth"),
        (Mesh::gear(&Gear { root_radius: 1.0, ..GEAR }), "root_radius"),
        (Mesh::gear(&Gear { root_radius: f64::NAN, ..GEAR }), "root_radius"),
        (Mesh::gear(&Gear { teeth: 3, bore_radius: 0.75, ..GEAR }), "bore_radius"),
        (Mesh::pipes(&Pipes { radius: 0.5, ..PIPES }), "radius"),
        (Mesh::pipes(&Pipes { cells: 0, ..PIPES }), "cells"),
        (Mesh::hills(1.0, 1.0, 1, 2, 0), "columns"),
        (Mesh::bumpy_sphere(1.0, 1.0, 5, 8, 8, 0), "amplitude"),
        (Mesh::star(1.0, 1.0, 1), "inner"),
        (Mesh::stairs([1.0, f64::NAN, 1.0], 1, 1), "size"),
        (Mesh::stairs([1.0; 3], 0, 1), "steps"),
        (Mesh::hollow_sphere(1.0, 1.5, 8, 8), "inner"),
        (Mesh::random_soup(0, 1.0, 0), "count"),
        (Mesh::random_soup(1, f64::NAN, 0), "size"),
    ];
    for (i, (result, name)) in cases.into_iter().enumerate() {
        match result {
            Err(ShapeError::Parameter { parameter, .. }) => assert_eq!(parameter, name, "case {i}"),
            other => panic!("case {i}, {name}: {:?}", other.map(|mesh| mesh.triangle_count())),
        }
    }
    for result in [
        Mesh::cuboid_grid([0.0; 3], [1.0; 3], [huge; 3]),
        Mesh::torus(1.0, 0.1, huge, huge),
        Mesh::sphere(1.0, huge, huge),
        Mesh::icosphere(1.0, huge),
        Mesh::cylinder(1.0, 1.0, huge, huge),
        Mesh::cone(1.0, 1.0, huge, 3),
        Mesh::capsule(1.0, 1.0, 3, huge),
        Mesh::knot(1.0, 0.1, huge, 3),
        Mesh::gear(&Gear { teeth: huge, ..GEAR }),
        Mesh::pipes(&Pipes { pipes: huge, cells: huge, sections: huge, sides: huge, ..PIPES }),
        Mesh::hills(1.0, 1.0, huge, huge, 0),
        Mesh::bumpy_sphere(1.0, 0.5, 1, huge, 8, 0),
        Mesh::star(1.0, 0.5, huge),
        Mesh::stairs([1.0; 3], huge, huge),
        Mesh::hollow_sphere(1.0, 0.5, huge, 3),
        Mesh::random_soup(huge, 1.0, 0),
    ] {
        assert!(matches!(result, Err(ShapeError::TooMany { .. })), "{:?}", result.map(|m| m.face_count()));
    }
    // Finite parameters whose coordinates overflow.
    assert!(matches!(Mesh::torus(1.7e308, 1.6e308, 3, 3), Err(ShapeError::Mesh(_))));
}
