//! Levels of brushes before and after their merge into one surface (van Waveren 2005, §4, §6).

use serde::Serialize;

use super::engines::{Answers, ZONE, run_paper};
use super::scenes::{BrushLevel, Failure, Scene, in_level, level_movers};
use crate::van_waveren::narrow::Options;
use crate::van_waveren::polyhedron::{Fold, Polyhedron};

/// A level of brushes as a surface, and a box that moves in it.
#[derive(Clone, Debug, Serialize)]
pub struct SurfaceRow {
    /// The level.
    pub level: &'static str,
    /// Whether the brushes are separate solids, or merged.
    pub surface: &'static str,
    /// How many brushes.
    pub brushes: usize,
    /// How many polygons.
    pub polygons: usize,
    /// How many edges.
    pub edges: usize,
    /// The share of edges whose polygons face each other.
    pub internal: f64,
    /// The share of edges whose polygons continue each other in one plane.
    pub flat: f64,
    /// The share of edges with one polygon.
    pub dangling: f64,
    /// How the box moves.
    pub motion: &'static str,
    /// How many sweeps.
    pub sweeps: usize,
    /// Tests of features a sweep, mean.
    pub feature_tests: f64,
    /// Of these, of edges.
    pub edge_edge: f64,
    /// Tests of features a sweep where internal and flat edges are tested, too.
    pub with_internal: f64,
    /// Microseconds a sweep, mean.
    pub us: f64,
    /// Fractions that differ from those of separate solids by more than a thousandth of the box's size along the path.
    pub differ: usize,
}

/// Two rows for each motion: separate solids, and merged.
pub(super) fn rows(level: &BrushLevel, count: usize) -> Result<Vec<SurfaceRow>, Failure> {
    let [movers, _] = level_movers()?;
    let mut rows = Vec::new();
    for scene in in_level(level.name, &movers, &level.separate, level.size, count) {
        let mut reference: Option<Answers> = None;
        for (surface, polyhedron) in [("separate", &level.separate[0].polyhedron), ("merged", &level.merged)]
        {
            rows.push(row(level, &scene, surface, polyhedron, &mut reference)?);
        }
    }
    Ok(rows)
}

fn row(
    level: &BrushLevel,
    scene: &Scene,
    surface: &'static str,
    polyhedron: &Polyhedron,
    reference: &mut Option<Answers>,
) -> Result<SurfaceRow, Failure> {
    let options = Options { zone: ZONE * scene.size, ..Options::default() };
    let all_edges = Options { internal_edges: false, ..options };
    let (answers, us, stats) = run_paper(scene, |_| 0, &[polyhedron], &options)?;
    let (_, _, with_internal) = run_paper(scene, |_| 0, &[polyhedron], &all_edges)?;
    let known = reference.get_or_insert_with(|| answers.clone());
    let is_other = |((a, b), length): ((f64, f64), f64)| (a - b).abs() * length > 1e-3 * scene.size;
    let lengths = scene.tasks.iter().map(|task| task.length);
    let pairs = answers.iter().map(|a| a.0).zip(known.iter().map(|b| b.0));
    let differ = pairs.zip(lengths).filter(|pair| is_other(*pair)).count();
    let mean = |count: u64| count as f64 / scene.tasks.len().max(1) as f64;
    Ok(SurfaceRow {
        level: level.name,
        surface,
        brushes: level.brushes.len(),
        polygons: polyhedron.polygon_count(),
        edges: polyhedron.edge_count(),
        internal: polyhedron.share(Fold::Internal),
        flat: polyhedron.share(Fold::Flat),
        dangling: polyhedron.share(Fold::Dangling),
        motion: scene.motion,
        sweeps: scene.tasks.len(),
        feature_tests: mean(stats.feature_tests()),
        edge_edge: mean(stats.edge_edge),
        with_internal: mean(with_internal.feature_tests()),
        us,
        differ,
    })
}
