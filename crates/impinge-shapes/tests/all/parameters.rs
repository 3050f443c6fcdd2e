//! The constructors that take parameters: their formulas, and what they refuse.

use impinge_shapes as shapes;
use impinge_shapes::{Gear, Pipes, Polyhedron, ShapeError};

use crate::audit::Audit;

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
        (shapes::cuboid([0.0; 3], [1.0; 3]), 12),
        (shapes::cuboid_of_quads([0.0; 3], [1.0; 3]), 12),
        (shapes::cuboid_grid([0.0; 3], [1.0, 2.0, 3.0], [2, 3, 5]), 4 * (6 + 15 + 10)),
        (shapes::torus(2.0, 0.5, 7, 5), 2 * 7 * 5),
        (shapes::sphere(1.0, 7, 5), 2 * 7 * 4),
        (shapes::icosphere(1.0, 3), 20 * 9),
        (shapes::cylinder(1.0, 2.0, 7, 5), 2 * 7 * 6),
        (shapes::cone(1.0, 2.0, 7, 5), 2 * 7 * 5),
        (shapes::capsule(1.0, 2.0, 7, 5), 4 * 7 * 5),
        (shapes::knot(1.0, 0.25, 24, 3), 2 * 24 * 3),
        (shapes::knot(1.0, 0.25, 24, 16), 2 * 24 * 16),
        (shapes::knot(1.0, 0.25, 50, 8), 2 * 50 * 8),
        (shapes::gear(&GEAR), 16 * 9 * 2 * 7),
        (shapes::pipes(&PIPES), 2 * 5 * 5 * (9 * 2 + 1)),
        (shapes::bumpy_sphere(1.0, 0.9, 50, 16, 9, 1), 2 * 16 * 8),
        (shapes::star(2.0, 0.1, 2), 60 * 4),
        (shapes::tetrahedron(1.0), 4),
        (shapes::octahedron(1.0), 8),
        (shapes::stairs([1.0, 2.0, 3.0], 5, 3), 4 * (5 + 3 * 6)),
        (shapes::hollow_sphere(1.0, 0.99, 7, 5), 4 * 7 * 4),
    ];
    for (i, (mesh, count)) in cases.into_iter().enumerate() {
        let mesh = mesh.unwrap();
        assert_eq!(mesh.triangle_count(), count, "case {i}");
        let audit = Audit::new(&mesh);
        assert_eq!(audit.unmatched_edges(), 0, "case {i}");
        assert!(audit.volume() > 0.0, "case {i}");
        assert_eq!(audit.crossings(), [[0; 2]; 0], "case {i}");
    }
    assert_eq!(shapes::hills(1.0, 1.0, 7, 5, 3).unwrap().triangle_count(), 2 * 6 * 4);
    assert_eq!(shapes::random_soup(17, 1.0, 3).unwrap().triangle_count(), 17);
}

#[test]
fn volumes_are_those_of_the_solids() {
    let volume = |mesh: Result<Polyhedron, ShapeError>| Audit::new(&mesh.unwrap()).volume();
    // Sums of exact products: these come out exactly.
    assert_eq!(volume(shapes::cuboid([-1.0, 0.0, 2.0], [1.0, 1.0, 5.0])), 6.0);
    assert_eq!(volume(shapes::cuboid_of_quads([-1.0, 0.0, 2.0], [1.0, 1.0, 5.0])), 6.0);
    assert_eq!(volume(shapes::cuboid_grid([-1.0, 0.0, 2.0], [1.0, 1.0, 6.0], [4, 2, 8])), 8.0);
    assert_eq!(volume(shapes::stairs([4.0, 1.0, 4.0], 2, 1)), 12.0);
    // A cylinder over a regular octagon of circumradius 1, whose area is 2√2.
    let octagon = 8.0_f64.sqrt();
    assert!((volume(shapes::cylinder(1.0, 2.0, 8, 3)) - 2.0 * octagon).abs() < 1e-14);
    assert!((volume(shapes::cone(1.0, 3.0, 8, 3)) - octagon).abs() < 1e-14);
    // Polygons have less area than their circles: from below, by the square of the step.
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    for mesh in [shapes::sphere(1.0, 200, 100), shapes::icosphere(1.0, 32)] {
        let found = volume(mesh);
        assert!(found < ball && found > 0.998 * ball, "{found}");
    }
    let hollow = volume(shapes::hollow_sphere(1.0, 0.5, 200, 100));
    assert!((hollow - 0.875 * volume(shapes::sphere(1.0, 200, 100))).abs() < 1e-12);
    let knot = volume(shapes::knot(3.0, 0.1, 2000, 100));
    // Length times area (Pappus); the length is 31.9 by Simpson's rule.
    let length = knot / (std::f64::consts::PI * 0.01);
    assert!((31.0..33.0).contains(&length), "{length}");
}

#[test]
fn nonsense_is_refused_by_name() {
    let huge = u32::MAX;
    let cases: Vec<(Result<Polyhedron, ShapeError>, &str)> = vec![
        (shapes::cuboid([0.0; 3], [1.0, 0.0, 1.0]), "min"),
        (shapes::cuboid([f64::NAN; 3], [1.0; 3]), "min"),
        (shapes::cuboid([0.0; 3], [f64::NAN; 3]), "min"),
        (shapes::cuboid_of_quads([0.0; 3], [f64::INFINITY; 3]), "max"),
        (shapes::cuboid_grid([0.0; 3], [1.0; 3], [1, 0, 1]), "cells"),
        (shapes::torus(f64::NAN, 0.1, 3, 3), "major"),
        (shapes::torus(1.0, 1.0, 3, 3), "minor"),
        (shapes::torus(1.0, 0.1, 2, 3), "segments"),
        (shapes::torus(1.0, 0.1, 3, 0), "sides"),
        (shapes::sphere(-1.0, 3, 2), "radius"),
        (shapes::sphere(1.0, 3, 1), "rings"),
        (shapes::sphere(1.0, 0, 5), "segments"),
        (shapes::icosphere(0.0, 1), "radius"),
        (shapes::icosphere(1.0, 0), "frequency"),
        (shapes::cylinder(1.0, 0.0, 3, 1), "height"),
        (shapes::cylinder(1.0, 1.0, 3, 0), "stacks"),
        (shapes::cone(f64::INFINITY, 1.0, 3, 1), "radius"),
        (shapes::capsule(1.0, -1.0, 3, 1), "half_length"),
        (shapes::capsule(1.0, 1.0, 3, 0), "rings"),
        (shapes::knot(1.0, 0.26, 48, 8), "tube"),
        (shapes::knot(1.0, 0.1, 23, 8), "segments"),
        (shapes::gear(&Gear { teeth: 2, ..GEAR }), "teeth"),
        (shapes::gear(&Gear { root_radius: 1.0, ..GEAR }), "root_radius"),
        (shapes::gear(&Gear { root_radius: f64::NAN, ..GEAR }), "root_radius"),
        (shapes::gear(&Gear { teeth: 3, bore_radius: 0.75, ..GEAR }), "bore_radius"),
        (shapes::pipes(&Pipes { radius: 0.5, ..PIPES }), "radius"),
        (shapes::pipes(&Pipes { cells: 0, ..PIPES }), "cells"),
        (shapes::hills(1.0, 1.0, 1, 2, 0), "columns"),
        (shapes::bumpy_sphere(1.0, 1.0, 5, 8, 8, 0), "amplitude"),
        (shapes::star(1.0, 1.0, 1), "inner"),
        (shapes::stairs([1.0, f64::NAN, 1.0], 1, 1), "size"),
        (shapes::stairs([1.0; 3], 0, 1), "steps"),
        (shapes::hollow_sphere(1.0, 1.5, 8, 8), "inner"),
        (shapes::random_soup(0, 1.0, 0), "count"),
        (shapes::random_soup(1, f64::NAN, 0), "size"),
    ];
    for (i, (result, name)) in cases.into_iter().enumerate() {
        match result {
            Err(ShapeError::Parameter { parameter, .. }) => assert_eq!(parameter, name, "case {i}"),
            other => panic!("case {i}, {name}: {:?}", other.map(|mesh| mesh.triangle_count())),
        }
    }
    for result in [
        shapes::cuboid_grid([0.0; 3], [1.0; 3], [huge; 3]),
        shapes::torus(1.0, 0.1, huge, huge),
        shapes::sphere(1.0, huge, huge),
        shapes::icosphere(1.0, huge),
        shapes::cylinder(1.0, 1.0, huge, huge),
        shapes::cone(1.0, 1.0, huge, 3),
        shapes::capsule(1.0, 1.0, 3, huge),
        shapes::knot(1.0, 0.1, huge, 3),
        shapes::gear(&Gear { teeth: huge, ..GEAR }),
        shapes::pipes(&Pipes { pipes: huge, cells: huge, sections: huge, sides: huge, ..PIPES }),
        shapes::hills(1.0, 1.0, huge, huge, 0),
        shapes::bumpy_sphere(1.0, 0.5, 1, huge, 8, 0),
        shapes::star(1.0, 0.5, huge),
        shapes::stairs([1.0; 3], huge, huge),
        shapes::hollow_sphere(1.0, 0.5, huge, 3),
        shapes::random_soup(huge, 1.0, 0),
    ] {
        assert!(matches!(result, Err(ShapeError::TooMany { .. })), "{:?}", result.map(|m| m.face_count()));
    }
    // Finite parameters whose coordinates overflow.
    assert!(matches!(shapes::torus(1.7e308, 1.6e308, 3, 3), Err(ShapeError::Overflow { .. })));
}

#[test]
fn no_more_triangles_are_made_than_a_mesh_may_have() {
    // 2²⁸ - 2 is 2 · 3 · 44739242 + 2: three segments of sides are the nearest below and above.
    let [most, more] = [44_739_242, 44_739_243];
    let refused = |sides: u32| shapes::torus(1.0, 0.5, 3, sides);
    assert!(2 * 3 * most < (1 << 28) - 1 && 2 * 3 * more >= (1 << 28) - 1);
    assert_eq!(refused(more), Err(ShapeError::TooMany { triangles: 6 * u64::from(more) }));
    // So small that a grid of it has no spacing.
    assert!(matches!(
        shapes::hills(5e-324, 1.0, 3, 3, 0),
        Err(ShapeError::Parameter { parameter: "size", .. })
    ));
}
