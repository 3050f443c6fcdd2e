//! The protocol against what it must be: objects that fit, distances that reach, answers that are right.

use impinge::query::{Engine, IntersectOptions};
use impinge::shapes::Shape;
use impinge::{Mesh, Model, Trs, Verdict};

use super::{Protocol, fitted, run, tilted};

const PROTOCOL: Protocol = Protocol { distances: 5, rotations: 7, rounds: 3 };

#[test]
fn objects_fit_a_cube_of_edge_two() {
    for shape in [Shape::Door, Shape::Torus, Shape::Terrain, Shape::Quad] {
        let mesh = Mesh::from(shape.generate(200, 3));
        for fit in [fitted(&mesh), tilted(&mesh)] {
            let bounds = fit.bounds();
            assert!((bounds.size().max_element() - 2.0).abs() < 1e-12, "{shape}");
            assert!(bounds.center().abs().max_element() < 1e-12, "{shape}");
            assert_eq!(fit.triangle_count(), mesh.triangle_count(), "{shape}");
        }
    }
}

#[test]
fn hits_are_those_of_brute_force_and_end_beyond_reach() {
    let model = Model::new(fitted(&Mesh::from(Shape::Gear.generate(120, 0))));
    let measured = run::<14>(&model, &PROTOCOL);
    let still = model.at(Trs::IDENTITY);
    let ask = IntersectOptions::new().surface_only(true);
    let meets = |placement: &&_| {
        still.intersect_with(&model.at(**placement), ask.engine(Engine::Brute)).verdict != Verdict::Clear
    };
    let course = PROTOCOL.course(&model);
    assert_eq!(measured.len(), course.len());
    for (m, (distance, placements)) in measured.iter().zip(&course) {
        assert_eq!(placements.len(), PROTOCOL.rotations);
        assert_eq!((m.distance, m.hits), (*distance, placements.iter().filter(meets).count() as u64));
    }
    assert_eq!((measured[0].distance, measured[0].hits), (0.0, 7));
    assert_eq!(measured[4].hits, 0);
}

#[test]
fn rounds_do_not_change_counts() {
    let model = Model::new(fitted(&Mesh::from(Shape::Torus.generate(300, 0))));
    let counts = |rounds: usize| {
        let measured = run::<6>(&model, &Protocol { rounds, ..PROTOCOL });
        measured.iter().map(|m| (m.hits, m.visits, m.box_tests, m.face_tests)).collect::<Vec<_>>()
    };
    assert_eq!(counts(1), counts(3));
    assert_eq!(counts(1), counts(100));
}
