//! The clashes of the page, as many as it has room for with all that is drawn of them.

use serde::Serialize;

use super::packed::Packed;
use super::shape::{ShapeData, deltas};
use crate::report::{Clash, Point, Report, Side, Status, Verdict};
use crate::review::{Review, Severity};

#[derive(Serialize)]
pub(super) struct ClashData<'a> {
    id: &'a str,
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) verdict: Verdict,
    contained: Option<Side>,
    point: Option<Point>,
    #[serde(rename = "box")]
    bounds: Option<[Point; 2]>,
    face_pairs: u64,
    distance: f64,
    penetration: Option<[f64; 2]>,
    limited_by_thickness: bool,
    volume: Option<f64>,
    volume_error: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
    depth: Option<f64>,
    direction: Option<Point>,
    time: Option<f64>,
    duration: Option<f64>,
    moment: Option<f64>,
    sampled: bool,
    status: Option<Status>,
    severity: Option<Severity>,
    review: Option<&'a Review>,
    curve: Option<CurveData>,
    pub(super) faces_a: String,
    faces_b: String,
    closest: Option<[Point; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shared: Option<SharedData>,
    /// The box around what both share, which is drawn where there is no surface.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shared_box: Option<[Point; 2]>,
}

/// The surface of what both share; the shape is moved by the origin.
#[derive(Serialize)]
pub(super) struct SharedData {
    at: Point,
    shape: ShapeData,
}

#[derive(Serialize)]
struct CurveData {
    points: Packed,
    closed: Vec<bool>,
}

/// So many of the gravest clashes are always drawn with curves and faces.
pub(super) const LEAST_DRAWN: usize = 1000;
/// Bytes of curves and faces; of clashes beyond, only parts, point and box are drawn.
pub(super) const MOST_DRAWN_BYTES: usize = 8 << 20;
/// Bytes of surfaces of what parts share; of clashes beyond, a box is drawn.
pub(super) const MOST_SHARED_BYTES: usize = 4 << 20;

impl<'a> ClashData<'a> {
    /// All clashes, the gravest first, and how many of them have their curves and faces.
    pub(super) fn all(report: &'a Report) -> (Vec<ClashData<'a>>, usize) {
        let mut bytes = 0;
        let mut shared_bytes = 0;
        let mut drawn = None;
        let mut clashes: Vec<ClashData<'_>> = Vec::with_capacity(report.clashes.len());
        for (rank, clash) in report.clashes_by_severity().into_iter().enumerate() {
            let mut data = ClashData::new(clash);
            bytes += data.drawn_bytes();
            if rank >= LEAST_DRAWN && bytes > MOST_DRAWN_BYTES {
                drawn.get_or_insert(rank);
                data = ClashData { curve: None, faces_a: String::new(), faces_b: String::new(), ..data };
            }
            // One that is too large leaves room for smaller ones.
            let own = data.shared.as_ref().map_or(0, |shared| shared.shape.bytes());
            if shared_bytes + own > MOST_SHARED_BYTES {
                data.shared = None;
            } else {
                shared_bytes += own;
            }
            clashes.push(data);
        }
        let drawn = drawn.unwrap_or(clashes.len());
        (clashes, drawn)
    }

    fn drawn_bytes(&self) -> usize {
        let lists = self.curve.iter().flat_map(|curve| &curve.points.lists);
        lists.map(String::len).sum::<usize>() + self.faces_a.len() + self.faces_b.len()
    }

    fn new(clash: &'a Clash) -> ClashData<'a> {
        let lines: Vec<&[Point]> = clash.curve.iter().map(|line| line.points.as_slice()).collect();
        ClashData {
            id: &clash.id,
            a: clash.a,
            b: clash.b,
            verdict: clash.verdict,
            contained: clash.contained,
            point: clash.point,
            bounds: clash.bounds,
            face_pairs: clash.face_pairs,
            distance: clash.distance,
            penetration: clash.penetration,
            estimated: clash.estimated,
            limited_by_thickness: clash.limited_by_thickness,
            volume: clash.volume.map(|[volume, _]| volume),
            volume_error: clash.volume.map(|[_, error]| error),
            depth: clash.depth,
            direction: clash.direction,
            time: clash.time,
            duration: clash.duration,
            moment: clash.moment,
            sampled: clash.sampled,
            status: clash.status,
            severity: clash.severity,
            review: clash.review.as_ref(),
            curve: (!lines.is_empty()).then(|| CurveData {
                points: Packed::new(&lines),
                closed: clash.curve.iter().map(|line| line.closed).collect(),
            }),
            faces_a: deltas(&clash.faces_a),
            faces_b: deltas(&clash.faces_b),
            closest: clash.closest,
            shared: clash
                .shared
                .as_ref()
                .map(|shared| SharedData { at: shared.origin, shape: ShapeData::new(&shared.model) }),
            shared_box: clash.shared_bounds,
        }
    }
}
