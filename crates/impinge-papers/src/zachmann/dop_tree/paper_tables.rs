//! Tables 1 to 6 and the histogram of depths of Zachmann 1998, ours beside the paper's.

use impinge::shapes::Shape;

use super::text::table;
use super::{Construction, ObjectReport, Report, Row, TreeKind};

/// What the paper prints of one object.
pub(super) struct PaperRow {
    shape: Shape,
    triangles: usize,
    /// Milliseconds of a query with 6, 8 and 14 directions (Table 1).
    pub(super) query_ms: Option<[f64; 3]>,
    /// Seconds to build the trees (Table 2).
    pub(super) build_s: Option<[f64; 3]>,
    /// Megabytes of the trees (Table 3).
    pub(super) megabytes: Option<[f64; 3]>,
    /// Milliseconds of a query with boxes and with the OBB-tree (Table 4).
    pub(super) obb_query_ms: [f64; 2],
    /// Megabytes of both (Table 5).
    pub(super) obb_megabytes: [f64; 2],
    /// Seconds to build both (Table 6).
    pub(super) obb_build_s: [f64; 2],
}

const CAD: PaperRow = PaperRow {
    shape: Shape::Door,
    triangles: 3391,
    query_ms: Some([0.27, 1.81, 0.38]),
    build_s: Some([0.14, 0.17, 0.19]),
    megabytes: Some([0.1, 0.1, 0.1]),
    obb_query_ms: [0.27, 0.34],
    obb_megabytes: [0.1, 1.0],
    obb_build_s: [0.1, 0.4],
};

const SYNTHETIC: PaperRow = PaperRow {
    shape: Shape::Torus,
    triangles: 12544,
    query_ms: None,
    build_s: None,
    megabytes: None,
    obb_query_ms: [0.28, 0.33],
    obb_megabytes: [0.1, 9.0],
    obb_build_s: [0.6, 2.4],
};

const PAPER_ROWS: [PaperRow; 8] = [
    CAD,
    PaperRow {
        shape: Shape::Lock,
        triangles: 20898,
        query_ms: Some([3.02, 24.6, 3.10]),
        build_s: Some([1.3, 1.4, 1.8]),
        megabytes: Some([1.0, 1.0, 2.0]),
        obb_query_ms: [3.0, 2.2],
        obb_megabytes: [1.0, 8.0],
        obb_build_s: [1.3, 4.5],
    },
    PaperRow {
        shape: Shape::Car,
        triangles: 60755,
        query_ms: Some([0.42, 5.25, 0.59]),
        build_s: Some([4.2, 4.7, 6.4]),
        megabytes: Some([5.0, 6.0, 9.0]),
        obb_query_ms: [0.42, 1.1],
        obb_megabytes: [5.0, 21.0],
        obb_build_s: [4.2, 10.5],
    },
    PaperRow {
        shape: Shape::Pipes,
        triangles: 124_736,
        query_ms: Some([1.69, 232.0, 23.7]),
        build_s: Some([9.4, 10.3, 13.8]),
        megabytes: Some([11.0, 13.0, 19.0]),
        obb_query_ms: [1.67, 1.04],
        obb_megabytes: [11.0, 44.0],
        obb_build_s: [9.4, 18.4],
    },
    SYNTHETIC,
    PaperRow {
        shape: Shape::Sphere,
        triangles: 22952,
        obb_query_ms: [0.48, 0.56],
        obb_megabytes: [1.0, 17.0],
        obb_build_s: [1.3, 5.4],
        ..SYNTHETIC
    },
    PaperRow {
        triangles: 73984,
        obb_query_ms: [0.47, 0.43],
        obb_megabytes: [6.0, 60.0],
        obb_build_s: [4.8, 16.1],
        ..SYNTHETIC
    },
    PaperRow {
        shape: Shape::Sphere,
        triangles: 97032,
        obb_query_ms: [1.02, 0.73],
        obb_megabytes: [9.0, 73.0],
        obb_build_s: [6.7, 25.6],
        ..SYNTHETIC
    },
];

impl PaperRow {
    /// The paper's row for an object: that of the same shape with about as many triangles.
    pub(super) fn of(object: &ObjectReport) -> Option<&'static PaperRow> {
        let is_like = |row: &&PaperRow| {
            row.shape == object.shape && row.triangles.abs_diff(object.triangles) * 20 <= row.triangles
        };
        PAPER_ROWS.iter().find(is_like)
    }
}

const RATIOS: &str = "\
The paper's Tables 1 to 3: 8 and 14 directions as multiples of 6, with those of the paper after the slash

";

const OBB: &str = "
The paper's Tables 4 to 6: the OBB-tree as a multiple of the tree of boxes, with those of the paper after the slash
  query      the paper's \"speedup\" of 6-DOP-trees over OBB-trees
  memory     our trees of boxes have four children a node and offsets of 16 bits; our OBB-trees are binary, in 64 bits
  6-paper    the same with the tree of boxes built as in the paper

";

const CONSTRUCTION: &str = "
The paper's construction (§4.2): leaves at each depth of the binary tree of boxes with one polygon a leaf

";

const CRITERIA: &str = "
The paper's criteria of a good tree (§4.2); it prints none
  volume     of all bounds, as a multiple of the root's: less is better
  balance    polygons below the smaller child over those below the larger: more is better
  overlap    volume that siblings share, as a multiple of their parent's: less is better
  binary     as the paper builds it; the others have four children a node and up to two polygons a leaf

";

/// The paper's tables and its histogram, each with ours.
pub(super) fn paper_tables(report: &Report) -> String {
    RATIOS.to_owned()
        + &directions(&report.objects)
        + OBB
        + &oriented(&report.objects)
        + CONSTRUCTION
        + &depths(&report.construction)
        + CRITERIA
        + &criteria(&report.construction)
}

pub(super) fn row(object: &ObjectReport, tree: TreeKind, k: usize) -> Option<&Row> {
    object.rows.iter().find(|row| row.tree == tree && row.k == k)
}

fn ratio(ours: f64, paper: Option<f64>) -> String {
    format!("{ours:.2} / {}", paper.map_or("-".to_owned(), |paper| format!("{paper:.2}")))
}

/// Tables 1 to 3.
fn directions(objects: &[ObjectReport]) -> String {
    let header =
        ["object", "triangles", "query 8", "query 14", "build 8", "build 14", "memory 8", "memory 14"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for object in objects {
        let trees = [6, 8, 14].map(|k| row(object, TreeKind::Dop, k));
        let [Some(six), Some(eight), Some(fourteen)] = trees else { continue };
        let paper = PaperRow::of(object);
        let mut entries = vec![object.shape.to_string(), object.triangles.to_string()];
        type Value = fn(&Row) -> f64;
        let values: [(Value, Option<[f64; 3]>); 3] = [
            (|row| row.summary().mean_ns, paper.and_then(|paper| paper.query_ms)),
            (|row| row.build_ms, paper.and_then(|paper| paper.build_s)),
            (|row| row.bytes as f64, paper.and_then(|paper| paper.megabytes)),
        ];
        for (value, paper) in values {
            entries.push(ratio(value(eight) / value(six), paper.map(|of| of[1] / of[0])));
            entries.push(ratio(value(fourteen) / value(six), paper.map(|of| of[2] / of[0])));
        }
        rows.push(entries);
    }
    table(&rows, 0)
}

/// Tables 4 to 6.
fn oriented(objects: &[ObjectReport]) -> String {
    let header = ["object", "triangles", "query", "memory", "build", "query 6-paper", "build 6-paper"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for object in objects {
        let boxes = row(object, TreeKind::Dop, 6);
        let (Some(boxes), Some(obb)) = (boxes, row(object, TreeKind::Obb, 0)) else { continue };
        let paper = PaperRow::of(object);
        let printed = |of: fn(&PaperRow) -> [f64; 2]| paper.map(of).map(|[dop, obb]| obb / dop);
        let (query, build) = (printed(|row| row.obb_query_ms), printed(|row| row.obb_build_s));
        let times = |own: &Row| obb.summary().mean_ns / own.summary().mean_ns;
        let mut entries = vec![
            object.shape.to_string(),
            object.triangles.to_string(),
            ratio(times(boxes), query),
            ratio(obb.bytes as f64 / boxes.bytes as f64, printed(|row| row.obb_megabytes)),
            ratio(obb.build_ms / boxes.build_ms, build),
        ];
        if let Some(own) = row(object, TreeKind::DopOfPaper, 6) {
            entries.push(ratio(times(own), query));
            entries.push(ratio(obb.build_ms / own.build_ms, build));
        }
        rows.push(entries);
    }
    table(&rows, 0)
}

fn depths(all: &[Construction]) -> String {
    let mut text = String::new();
    for of in all {
        let depths: Vec<usize> = of.depths().collect();
        let row = |name: String, leaves: &dyn Fn(usize) -> String| {
            let mut row = vec![name];
            row.extend(depths.iter().map(|&depth| leaves(depth)));
            row
        };
        let rows = [
            row(format!("{}, {} polygons", of.object, of.triangles), &|depth| format!("depth {depth}")),
            row("ours".to_owned(), &|depth| of.leaves_at(depth).to_string()),
            row(format!("paper, {}", of.paper.name), &|depth| of.paper.leaves_at(depth).to_string()),
        ];
        text += &table(&rows, 0);
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn criteria(all: &[Construction]) -> String {
    let mut rows = vec![["object", "tree", "volume", "balance", "overlap"].map(str::to_owned).to_vec()];
    for of in all {
        let trees = [("binary", of.binary), ("paper's build", of.by_paper), ("default build", of.by_default)];
        for (name, criteria) in trees {
            let values = [criteria.total_volume, criteria.balance, criteria.sibling_overlap];
            let mut row = vec![of.object.clone(), name.to_owned()];
            row.extend(values.map(|value| format!("{value:.4}")));
            rows.push(row);
        }
    }
    table(&rows, 3)
}
