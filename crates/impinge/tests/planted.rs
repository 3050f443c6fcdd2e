//! Scenes with planted clashes: what is planted is found, and nothing else.

use impinge::clash::{ClashKind, ClashOptions, Clashes, detect_with};
use impinge::query::Contained;
use impinge::shapes::{ManyParts, Part, PlantedKind, Scene, animated_assembly, assembly, many_parts};
use impinge::{Model, Placed, Placement};

/// The clashes that are found, after it was checked that they are the planted ones.
fn find_planted(scene: &Scene, touch: f64, case: &str) -> Clashes {
    let models: Vec<Model> = scene.meshes.iter().cloned().map(Model::new).collect();
    let place = |part: &Part| Placement::try_from(part.world_from_mesh).expect("a place");
    let parts: Vec<Placed<'_>> = scene.parts.iter().map(|part| models[part.mesh].at(place(part))).collect();
    let options = ClashOptions::new().touch(touch).clearance(scene.clearance);
    let found = detect_with(&parts, &options);
    let clashes: Vec<_> =
        found.clashes.iter().map(|clash| (clash.a as usize, clash.b as usize, clash.kind)).collect();
    let planted: Vec<_> =
        scene.planted.iter().map(|planted| (planted.first, planted.second, kind(planted.kind))).collect();
    assert_eq!(clashes, planted, "{case}");
    found
}

fn kind(planted: PlantedKind) -> ClashKind {
    match planted {
        PlantedKind::Duplicate => ClashKind::Duplicate,
        PlantedKind::Overlapping => ClashKind::Overlapping,
        PlantedKind::FirstInside => ClashKind::Inside(Contained::A),
        PlantedKind::SecondInside => ClashKind::Inside(Contained::B),
        PlantedKind::Touching => ClashKind::Touching,
        PlantedKind::Near => ClashKind::Near,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_assembly_clashes_where_it_was_made_to() {
    for seed in 0..3 {
        let scene = assembly(8, seed).expect("an assembly");
        assert!(scene.planted.len() >= 40);
        find_planted(&scene, 1e-4, &format!("seed {seed}"));
    }
}

#[test]
fn an_animated_assembly_at_rest_has_the_clashes_of_the_assembly() {
    for (stations, seed) in [(1, 1), (5, 2)] {
        let animated = animated_assembly(stations, seed).expect("an assembly");
        assert_eq!(animated.scene.planted, assembly(stations, seed).expect("an assembly").planted);
        find_planted(&animated.scene, 1e-4, &format!("seed {seed}"));
    }
}

#[test]
fn many_parts_clash_where_they_were_made_to() {
    for (seed, instanced) in [(0, false), (1, true)] {
        let parameters = ManyParts { parts: 300, faces: 60, clashes: 60, instanced, seed };
        let scene = many_parts(&parameters).expect("parts");
        assert_eq!((scene.parts.len(), scene.planted.len()), (300, 60));
        // Eight meshes of each of seven forms.
        assert_eq!(scene.meshes.len(), if instanced { 56 } else { 300 });
        let found = find_planted(&scene, 1e-5, &format!("seed {seed}"));
        // Boxes around turned boxes within the clearance of each other, a part: about five where there are so many that few stand at the rim.
        let near = 2.0 * found.pairs as f64 / 300.0;
        assert!((3.0..7.0).contains(&near), "{near}");
    }
}
