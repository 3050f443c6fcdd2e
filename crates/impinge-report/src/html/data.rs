//! The data of the page, packed: numbers in base64, coordinates as `f32` relative to an `f64` origin and a power of two, so that
//! what is far from the origin and of any size keeps seven digits of its own.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::shape::{ShapeData, Shapes, deltas, middle_and_reach};
use crate::check::upper_rows;
use crate::groups::GroupKind;
use crate::json::SCHEMA;
use crate::report::{
    Animation, Clash, Contact, Film, Gap, Kind, Matrix, Part, Point, Report, Resolved, Side, Status, Sweep,
    SweepStatus, Table, Track, Verdict,
};
use crate::review::{Review, Severity};

#[derive(Serialize)]
pub(super) struct PageData<'a> {
    schema: u32,
    kind: Kind,
    title: &'a str,
    unit: &'a str,
    z_up: bool,
    partial: bool,
    notes: Vec<Cow<'a, str>>,
    tables: &'a [Table],
    live: bool,
    models: Shapes<'a>,
    parts: PartsData<'a>,
    /// The gravest first.
    clashes: Vec<ClashData<'a>>,
    /// The gravest first.
    groups: Option<Vec<GroupData<'a>>>,
    resolved: Option<&'a [Resolved]>,
    gap: Option<Gap>,
    animation: Option<AnimationData<'a>>,
    sweep: Option<SweepData<'a>>,
}

impl<'a> PageData<'a> {
    /// Packs a report that was checked.
    pub(super) fn new(report: &'a Report) -> PageData<'a> {
        let (clashes, drawn) = ClashData::all(report);
        let mut notes: Vec<Cow<'_, str>> = report.notes.iter().map(|note| Cow::from(note.as_str())).collect();
        if drawn < clashes.len() {
            notes.push(Cow::from(format!(
                "The picture shows where surfaces cross and which faces meet for the {drawn} gravest clashes only, \
                 so that the page stays small."
            )));
        }
        let boxes =
            clashes.iter().filter(|clash| clash.shared.is_none() && clash.shared_box.is_some()).count();
        if boxes > 0 {
            let were = if boxes == 1 { "1 overlap is".to_owned() } else { format!("{boxes} overlaps are") };
            notes.push(Cow::from(format!(
                "What parts share is drawn as a solid; {were} drawn as a box around it, so that the page stays small."
            )));
        }
        PageData {
            schema: SCHEMA,
            kind: report.kind,
            title: &report.title,
            unit: &report.unit,
            z_up: report.z_up,
            partial: report.partial,
            notes,
            tables: &report.tables,
            live: report.live,
            models: Shapes(&report.models),
            parts: PartsData::new(&report.parts),
            clashes,
            groups: GroupData::all(report),
            resolved: report.resolved.as_deref(),
            gap: report.gap,
            animation: report.animation.as_ref().map(AnimationData::new),
            sweep: report.sweep.as_ref().map(SweepData::new),
        }
    }
}

/// Points as `f32`: a point is the origin plus the scale times what is packed.
#[derive(Serialize)]
struct Packed {
    origin: Point,
    scale: f64,
    /// A text for each list of points.
    lists: Vec<String>,
}

impl Packed {
    fn new(lists: &[&[Point]]) -> Packed {
        let (origin, reach) = middle_and_reach(lists.iter().copied().flatten());
        let scale = power_of_two_near(reach);
        let pack = |list: &[Point]| {
            let mut packed = Vec::with_capacity(12 * list.len());
            for point in list {
                for axis in 0..3 {
                    let value = ((point[axis] - origin[axis]) / scale) as f32;
                    packed.extend(value.to_le_bytes());
                }
            }
            STANDARD.encode(packed)
        };
        Packed { origin, scale, lists: lists.iter().map(|list| pack(list)).collect() }
    }
}

/// 1 for what `f32` holds easily, else the power of two at or below the number.
fn power_of_two_near(number: f64) -> f64 {
    if number == 0.0 || (1e-30..1e30).contains(&number) {
        return 1.0;
    }
    // Only the exponent. For subnormal numbers, which have none, the least normal one.
    f64::from_bits(number.to_bits() & f64::INFINITY.to_bits()).max(f64::MIN_POSITIVE)
}

fn doubles(values: impl Iterator<Item = f64>) -> String {
    STANDARD.encode(values.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}

/// The upper three rows of each matrix.
fn matrices<'m>(matrices: impl Iterator<Item = &'m Matrix>) -> String {
    doubles(matrices.flat_map(upper_rows))
}

#[derive(Serialize)]
struct PartsData<'a> {
    names: Vec<&'a str>,
    paths: Vec<&'a str>,
    /// -1 for those without a shape.
    models: Vec<i64>,
    world_from_model: String,
}

impl<'a> PartsData<'a> {
    fn new(parts: &'a [Part]) -> PartsData<'a> {
        PartsData {
            names: parts.iter().map(|part| part.name.as_str()).collect(),
            paths: parts.iter().map(|part| part.path.as_str()).collect(),
            models: parts.iter().map(|part| part.model.map_or(-1, |model| model as i64)).collect(),
            world_from_model: matrices(parts.iter().map(|part| &part.world_from_model)),
        }
    }
}

#[derive(Serialize)]
struct ClashData<'a> {
    id: &'a str,
    a: usize,
    b: usize,
    verdict: Verdict,
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
    faces_a: String,
    faces_b: String,
    closest: Option<[Point; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<SharedData>,
    /// The box around what both share, which is drawn where there is no surface.
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_box: Option<[Point; 2]>,
}

/// The surface of what both share; the shape is moved by the origin.
#[derive(Serialize)]
struct SharedData {
    at: Point,
    shape: ShapeData,
}

#[derive(Serialize)]
struct GroupData<'a> {
    id: &'a str,
    kind: GroupKind,
    /// Places in the page's list of clashes, ascending.
    members: Vec<usize>,
    review: Option<&'a Review>,
}

impl<'a> GroupData<'a> {
    fn all(report: &'a Report) -> Option<Vec<GroupData<'a>>> {
        let groups = report.groups.as_ref()?;
        let mut place = vec![0; report.clashes.len()];
        for (rank, index) in report.indices_by_severity().into_iter().enumerate() {
            place[index] = rank;
        }
        let data = groups.iter().map(|group| GroupData {
            id: &group.id,
            kind: group.kind,
            members: group.members.iter().map(|&member| place[member]).collect(),
            review: group.review.as_ref(),
        });
        Some(data.collect())
    }
}

#[derive(Serialize)]
struct CurveData {
    points: Packed,
    closed: Vec<bool>,
}

/// So many of the gravest clashes are always drawn with curves and faces.
const LEAST_DRAWN: usize = 1000;
/// Bytes of curves and faces; of clashes beyond, only parts, point and box are drawn.
const MOST_DRAWN_BYTES: usize = 8 << 20;
/// Bytes of surfaces of what parts share; of clashes beyond, a box is drawn.
const MOST_SHARED_BYTES: usize = 4 << 20;

impl<'a> ClashData<'a> {
    /// All clashes, the gravest first, and how many of them have their curves and faces.
    fn all(report: &'a Report) -> (Vec<ClashData<'a>>, usize) {
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

#[derive(Serialize)]
struct AnimationData<'a> {
    name: &'a str,
    duration: f64,
    tracks: Vec<TrackData>,
    followed: &'a [usize],
    film: Option<FilmData<'a>>,
}

#[derive(Serialize)]
struct FilmData<'a> {
    camera: Point,
    target: Point,
    cutaway: Option<f64>,
    colors: &'a [[u8; 3]],
}

#[derive(Serialize)]
struct TrackData {
    part: usize,
    times: String,
    /// Twelve numbers each; NaN where the part is not there.
    world_from_model: String,
}

impl<'a> AnimationData<'a> {
    fn new(animation: &'a Animation) -> AnimationData<'a> {
        let track = |track: &Track| TrackData {
            part: track.part,
            times: doubles(track.times.iter().copied()),
            world_from_model: matrices(
                track.world_from_model.iter().map(|key| key.as_ref().unwrap_or(&[f64::NAN; 16])),
            ),
        };
        AnimationData {
            name: &animation.name,
            duration: animation.duration,
            tracks: animation.tracks.iter().map(track).collect(),
            followed: &animation.followed,
            film: animation.film.as_ref().map(|Film { camera, target, cutaway, colors }| FilmData {
                camera: *camera,
                target: *target,
                cutaway: *cutaway,
                colors,
            }),
        }
    }
}

#[derive(Serialize)]
struct SweepData<'a> {
    moving: usize,
    verdict: SweepStatus,
    fraction: f64,
    path: String,
    stop: String,
    contacts: &'a [Contact],
}

impl<'a> SweepData<'a> {
    fn new(sweep: &'a Sweep) -> SweepData<'a> {
        SweepData {
            moving: sweep.moving,
            verdict: sweep.verdict,
            fraction: sweep.fraction,
            path: matrices(sweep.path.iter()),
            stop: matrices([&sweep.stop].into_iter()),
            contacts: &sweep.contacts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Model, Shared};

    fn unpack(packed: &Packed, list: usize) -> Vec<Point> {
        let bytes = STANDARD.decode(&packed.lists[list]).unwrap();
        let value = |four: &[u8]| f64::from(f32::from_le_bytes(four.try_into().unwrap()));
        let points = bytes.chunks_exact(12);
        points
            .map(|point| [0, 1, 2].map(|i| packed.origin[i] + packed.scale * value(&point[4 * i..4 * i + 4])))
            .collect()
    }

    #[test]
    fn of_very_many_clashes_the_gravest_are_drawn_whole() {
        let mut report = crate::sample::two_boxes();
        let clash = Clash { faces_a: (0..10_000).collect(), ..Clash::new(0, 1, Verdict::Touching) };
        let own = deltas(&clash.faces_a).len();
        report.clashes = vec![clash; 1500];
        let page = PageData::new(&report);
        let drawn = page.clashes.iter().filter(|clash| !clash.faces_a.is_empty()).count();
        assert_eq!(drawn, LEAST_DRAWN.max(MOST_DRAWN_BYTES / own));
        assert!(page.clashes[..drawn].iter().all(|clash| !clash.faces_a.is_empty()), "the gravest");
        assert!(page.notes.last().unwrap().contains(&drawn.to_string()), "and that is said");
        report.clashes.truncate(drawn);
        assert_eq!(PageData::new(&report).notes.len(), report.notes.len());
    }

    #[test]
    fn of_very_many_solids_some_are_boxes_and_that_is_said() {
        let mut report = crate::sample::two_boxes();
        // Not what is shared: only its size counts here.
        let shape = Model {
            positions: vec![[1.0, 2.0, 3.0]; 30_000],
            triangles: vec![[0, 1, 2]; 1000],
            ..Model::default()
        };
        let own = ShapeData::new(&shape).bytes();
        let clash = Clash {
            shared: Some(Shared { origin: [5e6, 0.0, 0.0], model: shape }),
            shared_bounds: Some([[0.0; 3], [1.0; 3]]),
            ..Clash::new(0, 1, Verdict::Overlapping)
        };
        report.clashes = vec![clash; 40];
        let small = Clash {
            shared: Some(Shared { model: crate::sample::cube(), ..Shared::default() }),
            ..report.clashes[0].without_places()
        };
        report.clashes.push(small);
        let page = PageData::new(&report);
        let solid = |clash: &&ClashData<'_>| clash.shared.is_some();
        let solids = MOST_SHARED_BYTES / own;
        assert!(solids < 40 && page.clashes[..solids].iter().all(|clash| solid(&clash)), "the gravest");
        assert_eq!(page.clashes.iter().filter(solid).count(), solids + 1, "and what is small");
        assert!(page.clashes.iter().all(|clash| clash.shared_box.is_some()));
        let note = page.notes.last().unwrap();
        assert!(note.contains(&format!("{} overlaps are drawn as a box", 40 - solids)), "{note}");
        report.clashes.drain(1..40);
        assert_eq!(PageData::new(&report).notes.len(), report.notes.len());
    }

    #[test]
    fn points_keep_their_digits_anywhere() {
        // Far away, tiny, subnormal, huge, and almost from end to end of what there is.
        let cases = [
            (0.0, 1.0),
            (1e9, 1.0),
            (3.0, 1e-6),
            (0.0, 1e-310),
            (1e300, 1e300),
            (0.0, f64::MAX / 2.0),
            (5.0, 0.0),
        ];
        for (middle, reach) in cases {
            let points: Vec<Point> = (0..20)
                .map(|i| {
                    [f64::from(i) / 9.5 - 1.0, f64::from(i % 3) - 1.0, 1.0 - f64::from(i % 2)]
                        .map(|v| middle + reach * v)
                })
                .collect();
            let found = unpack(&Packed::new(&[&points[..7], &points[7..]]), 1);
            assert_eq!(found.len(), 13);
            for (found, expected) in found.iter().zip(&points[7..]) {
                for axis in 0..3 {
                    // Half a unit of f32's 24 bits, and of f64's 53 where the middle is far away; scaled first,
                    // because a difference of the greatest numbers is not finite. Subnormal numbers have fewer bits.
                    let error = (found[axis] / 4.0 - expected[axis] / 4.0).abs();
                    let bound =
                        reach / 4.0 * 2.0_f64.powi(-23) + middle * 2.0_f64.powi(-52) + f64::MIN_POSITIVE;
                    assert!(error <= bound, "{middle} {reach}: {found:?} {expected:?}");
                }
            }
        }
        let empty = Packed::new(&[]);
        assert_eq!((empty.origin, empty.scale), ([0.0; 3], 1.0));
    }
}
