//! Published queries with exact answers: vertices against triangles and edges against edges, of which those are taken
//! in which everything moves by one vector.

use std::fs;
use std::path::{Path, PathBuf};

use dashu_int::IBig;
use dashu_ratio::RBig;
use impinge::Mesh;
use impinge::math::DVec3;

use super::case::{Case, Motion};

/// A query, and whether the two meet.
pub struct Query {
    pub case: Case,
    pub meets: bool,
    /// The vector between the two motions is an `f64` vector. Where it is not, the case has the nearest one: so like the
    /// query, but not it.
    pub is_exact: bool,
    /// By how much each of the two moves in the query, rounded; the case has the one relative to the other.
    pub ways: [DVec3; 2],
}

/// All queries under a folder that are translations; `None` where there is no such folder. Every coordinate
/// is an `f64`.
pub fn read_translations(folder: &Path) -> Option<Vec<Query>> {
    let mut files = Vec::new();
    for scene in list(folder)? {
        for kind in list(&scene).unwrap_or_default() {
            files.extend(
                list(&kind)
                    .unwrap_or_default()
                    .into_iter()
                    .filter(|f| f.extension().is_some_and(|e| e == "csv")),
            );
        }
    }
    files.sort();
    Some(files.iter().flat_map(|file| read(file)).collect())
}

fn list(folder: &Path) -> Option<Vec<PathBuf>> {
    Some(fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

fn read(file: &Path) -> Vec<Query> {
    let is_edges = file.parent().is_some_and(|kind| kind.ends_with("edge-edge"));
    parse(&fs::read_to_string(file).expect("the file can be read"), is_edges)
}

/// The translations among queries in text: eight rows each, of edges against edges or of vertices against triangles.
pub fn parse(text: &str, is_edges: bool) -> Vec<Query> {
    let rows: Vec<([RBig; 3], bool)> = text.lines().filter(|l| !l.trim().is_empty()).map(row).collect();
    rows.chunks_exact(8).filter_map(|eight| query(eight, is_edges)).collect()
}

fn row(line: &str) -> ([RBig; 3], bool) {
    let numbers: Vec<IBig> = line.split(',').map(|n| n.trim().parse().expect("a whole number")).collect();
    let coordinate = |k: usize| RBig::from(numbers[2 * k].clone()) / RBig::from(numbers[2 * k + 1].clone());
    ([coordinate(0), coordinate(1), coordinate(2)], numbers[6] != IBig::ZERO)
}

fn query(eight: &[([RBig; 3], bool)], is_edges: bool) -> Option<Query> {
    let moving = if is_edges { 2 } else { 1 };
    let way = |k: usize| -> [RBig; 3] { std::array::from_fn(|i| &eight[k + 4].0[i] - &eight[k].0[i]) };
    // Each side moves by one vector, so their difference is one vector.
    let is_translation =
        (1..moving).all(|k| way(k) == way(0)) && (moving + 1..4).all(|k| way(k) == way(moving));
    if !is_translation {
        return None;
    }
    let (own, others) = (way(0), way(moving));
    let by: [RBig; 3] = std::array::from_fn(|i| &own[i] - &others[i]);
    let rounded = |v: &[RBig; 3]| {
        let values = [0, 1, 2].map(|i| v[i].to_f64().value());
        let is_exact = (0..3).all(|i| RBig::try_from(values[i]).is_ok_and(|x| x == v[i]));
        (DVec3::from_array(values), is_exact)
    };
    let (by, is_exact) = rounded(&by);
    let ways = [rounded(&own).0, rounded(&others).0];
    let points: Vec<DVec3> = eight[..4].iter().map(|(p, _)| rounded(p).0).collect();
    let mesh = |points: &[DVec3]| Mesh::polygon(points.iter().copied()).expect("points are finite");
    let mut case = Case::by_hand(mesh(&points[..moving]), mesh(&points[moving..]), Motion::Translation(by));
    case.family = if is_edges { "published edge-edge" } else { "published vertex-face" };
    Some(Query { case, meets: eight[0].1, is_exact, ways })
}
