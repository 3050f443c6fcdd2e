//! The data of the page, packed: numbers in base64, coordinates as `f32` relative to an `f64` origin and a power of two, so that
//! what is far from the origin and of any size keeps seven digits of its own.

use std::borrow::Cow;

use serde::Serialize;

use super::clashes::ClashData;
use super::packed::{doubles, matrices};
use super::shape::Shapes;
use crate::groups::GroupKind;
use crate::json::SCHEMA;
use crate::report::{
    Animation, Contact, Film, Gap, Kind, Part, Point, Report, Resolved, Sweep, SweepStatus, Table, Track,
};
use crate::review::Review;

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
    use super::super::clashes::{LEAST_DRAWN, MOST_DRAWN_BYTES, MOST_SHARED_BYTES};
    use super::super::shape::{ShapeData, deltas};
    use super::*;
    use crate::report::{Clash, Model, Shared, Verdict};

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
}
