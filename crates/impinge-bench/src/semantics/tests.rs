//! What the figures rest on: ways that agree, and a scene that is what it is said to be.

use super::lazy_refit::{Scene, When};
use super::{Effort, SECTIONS, files, global_box, tables};

#[test]
fn the_ways_to_a_box_agree() {
    global_box::assert_ways_agree();
}

#[test]
fn a_lazy_run_refits_what_is_touched_and_finds_what_an_eager_one_finds() {
    let frames = 400;
    let scene = Scene::new(2);
    let (eager, lazy) = (scene.play(frames, When::Eager), scene.play(frames, When::Touched));
    assert_eq!((eager.hits, eager.touched), (lazy.hits, lazy.touched));
    assert_eq!((eager.refits, lazy.refits), (64 * frames as u64, lazy.touched));
    assert_eq!((eager.rebuilds, lazy.rebuilds), (0, 0));
    assert!(lazy.hits > 0);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn the_full_scene_touches_15_of_64() {
    let run = Scene::new(10).play(10_000, When::Touched);
    let mean = run.touched as f64 / 10_000.0;
    assert!((14.0..=16.0).contains(&mean), "{mean} touched in a frame");
}

#[test]
fn every_section_has_a_table_and_its_files() {
    let sections: Vec<_> = SECTIONS.iter().map(|(_, measure)| measure(Effort::Quick)).collect();
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
