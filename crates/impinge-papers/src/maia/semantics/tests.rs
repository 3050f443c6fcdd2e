//! What the figures rest on: ways that agree, and a scene that is what it is said to be.

use impinge::shapes::Shape;
use impinge::{Mesh, Model, Verdict};

use super::lazy_refit::{Scene, When};
use super::models::{coarse, small_pair};
use super::{Effort, Models, SECTIONS, Settings, files, global_box, random_pairs, tables};

#[test]
fn the_ways_to_a_box_agree() {
    global_box::assert_ways_agree();
}

#[test]
fn a_lazy_run_refits_what_is_touched_and_finds_what_an_eager_one_finds() {
    let frames = 400;
    let scene = Scene::new(2);
    let [eager, lazy] = [When::Eager, When::Touched].map(|when| scene.play(frames, when));
    assert_eq!((&eager.hits, eager.touched), (&lazy.hits, lazy.touched));
    assert_eq!((eager.odd_frames, lazy.odd_frames), (0, 0));
    assert_eq!((eager.refits, lazy.refits), (64 * frames as u64, lazy.touched));
    assert_eq!((eager.rebuilds, lazy.rebuilds), (0, 0));
    assert!(!lazy.hits.is_empty());
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn the_full_scene_touches_15_of_64() {
    let run = Scene::new(10).play(10_000, When::Touched);
    let mean = run.touched as f64 / 10_000.0;
    assert!((14.0..=16.0).contains(&mean), "{mean} touched in a frame");
}

#[test]
fn about_one_random_pair_in_sixty_meets() {
    let (meshes, _) = small_pair(&Settings::default());
    let models = meshes.map(Model::new);
    let mut chunks = 0;
    let run = random_pairs::run(&models, 12_000, || chunks += 1).expect("the ways agree");
    assert_eq!((run.tests, chunks), (12_000, 50));
    assert!((120..=280).contains(&run.collisions), "{}", run.collisions);
    assert!(run.pairs > 50 * run.collisions, "{}", run.pairs);
}

#[test]
fn a_coarse_mesh_is_the_mesh_with_fewer_triangles() {
    let fine = Mesh::from(Shape::Bumpy.generate(20_000, 5));
    let coarse = coarse(&fine, 2000);
    assert!((1800..=2000).contains(&coarse.face_count()), "{}", coarse.face_count());
    let [fine, coarse] = [fine, coarse].map(Model::new);
    let grown = |axis: usize| fine.bounds().size()[axis] - coarse.bounds().size()[axis];
    assert!((0..3).all(|axis| (0.0..0.2).contains(&grown(axis))));
    let [fine, coarse] = [&fine, &coarse].map(|model| model.at(impinge::Trs::IDENTITY));
    assert_eq!(fine.verdict(&coarse), Verdict::Overlapping);
}

#[test]
fn given_models_are_used() {
    let models = Models {
        cow: Mesh::from(Shape::Gear.generate(900, 0)),
        bunny: Mesh::from(Shape::Bumpy.generate(7000, 0)),
    };
    let settings = Settings { effort: Effort::Quick, models: Some(models) };
    let ([cow, bunny], words) = small_pair(&settings);
    assert_eq!(words, "the cow and a coarse bunny");
    assert_eq!(cow.face_count(), Mesh::from(Shape::Gear.generate(900, 0)).face_count());
    assert!((4500..=5200).contains(&bunny.face_count()), "{}", bunny.face_count());
}

#[test]
fn every_section_has_a_table_and_its_files() {
    let settings = Settings { effort: Effort::Quick, models: None };
    let measure = |(name, measure): &super::Measure| {
        let mut share = 0.0;
        let section = measure(&settings, &mut |done| {
            assert!(done >= share && done < 1.0 + 1e-9, "{name}: {share} {done}");
            share = done;
        });
        section.unwrap_or_else(|fault| panic!("{name}: {fault}"))
    };
    let sections: Vec<_> = SECTIONS.iter().map(measure).collect();
    let text = tables(&sections);
    let files = files(&sections);
    for (section, (name, _)) in sections.iter().zip(SECTIONS) {
        assert_eq!(section.name, *name);
        assert!(section.rows.iter().all(|row| row.len() == section.columns.len()), "{name}");
        assert!(text.contains(&section.title), "{text}");
        assert!(section.ratio.is_finite() && section.ratio > 0.0);
        assert!(files.iter().any(|(file, content)| *file == format!("{name}.csv")
            && content.lines().count() == section.rows.len() + 1));
        assert!(
            files.iter().any(|(file, content)| *file == format!("{name}.svg") && !content.contains("NaN"))
        );
    }
}

#[test]
fn placing_the_model_with_fewer_faces_transforms_fewer_vertices() {
    let settings = Settings { effort: Effort::Quick, models: None };
    let (_, measure) = SECTIONS.iter().find(|(name, _)| *name == "frames").expect("it is listed");
    let section = measure(&settings, &mut |_| ()).expect("the ways agree");
    // Guests are placed anew for each pair of leaves, so the choice of the host saves little.
    assert!(section.ratio > 1.0, "{}", section.ratio);
    // Six ways for each of eight guests; what queries do never takes many more visits than opening both.
    assert_eq!(section.rows.len(), 6 * 8);
    for rows in section.rows.chunks(6) {
        let visits = |row: usize| rows[row][3].parse::<f64>().expect("a number");
        assert!(visits(0) <= 1.25 * visits(2), "{rows:?}");
    }
}
