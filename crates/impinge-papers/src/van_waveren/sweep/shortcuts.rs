//! What each shortcut of van Waveren 2005, §4 and §5, saves: the same sweeps with it and without.

use serde::Serialize;

use super::engines::{Answers, ZONE, run_paper};
use super::scenes::{Failure, Scene};
use crate::van_waveren::narrow::Options;
use crate::van_waveren::polyhedron::Polyhedron;

/// Sweeps with one shortcut left out.
#[derive(Clone, Debug, Serialize)]
pub struct ShortcutRow {
    /// What moves against what.
    pub scene: String,
    /// How it moves.
    pub motion: &'static str,
    /// The shortcut that is left out; "none" where all are in use.
    pub without: &'static str,
    /// Polygons that were looked at, mean.
    pub polygons: f64,
    /// Tests of features, mean.
    pub feature_tests: f64,
    /// Sidedness relations that were computed, mean.
    pub sides: f64,
    /// Sidedness relations that were read from the cache, mean.
    pub sides_reused: f64,
    /// Bytes of the largest cache.
    pub cache_bytes: u64,
    /// Microseconds a sweep, mean.
    pub us: f64,
    /// Answers that are not those of all shortcuts.
    pub differ: usize,
}

/// The options without one shortcut each, by its name.
pub fn variants(zone: f64) -> [(&'static str, Options); 11] {
    let all = Options { zone, ..Options::default() };
    [
        ("none", all),
        ("shared features", Options { shared_features: false, ..all }),
        ("side cache", Options { side_cache: false, ..all }),
        ("internal edges", Options { internal_edges: false, ..all }),
        ("culled polygons", Options { cull_polygons: false, ..all }),
        ("culled edges", Options { cull_edges: false, ..all }),
        ("culled vertices", Options { cull_vertices: false, ..all }),
        ("axial BSP tree", Options { tree: false, ..all }),
        ("bounds of features", Options { feature_bounds: false, ..all }),
        ("order of tangents", Options { tangent_order: false, ..all }),
        ("all", Options::plain(zone)),
    ]
}

/// Fractions within this of each other are one answer: arc tangents round.
const SAME: f64 = 1e-9;

/// One row for each shortcut.
pub(super) fn rows(scene: &Scene, most: usize) -> Result<Vec<ShortcutRow>, Failure> {
    let targets: Vec<&Polyhedron> = scene.targets.iter().map(|body| &body.polyhedron).collect();
    let few = Scene {
        tasks: Vec::new(),
        name: scene.name.clone(),
        movers: scene.movers.clone(),
        targets: scene.targets.clone(),
        ..*scene
    };
    let few = Scene { tasks: scene.tasks.iter().take(most).cloned().collect(), ..few };
    let mut reference: Option<Answers> = None;
    let mut rows = Vec::new();
    for (without, options) in variants(ZONE * scene.size) {
        let (answers, us, stats) = run_paper(&few, |task| task.target, &targets, &options)?;
        let known = reference.get_or_insert_with(|| answers.clone());
        let differ = answers.iter().zip(known.iter()).filter(|(a, b)| (a.0 - b.0).abs() > SAME).count();
        let mean = |count: u64| count as f64 / few.tasks.len().max(1) as f64;
        rows.push(ShortcutRow {
            scene: scene.name.clone(),
            motion: scene.motion,
            without,
            polygons: mean(stats.polygons),
            feature_tests: mean(stats.feature_tests()),
            sides: mean(stats.sides),
            sides_reused: mean(stats.sides_reused),
            cache_bytes: stats.cache_bytes,
            us,
            differ,
        });
    }
    Ok(rows)
}
