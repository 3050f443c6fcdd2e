//! From what the library found to what a report says.

use std::collections::HashMap;

use impinge::Placed;
use impinge::clash::{Clash, ClashKind, TimedClash};
use impinge::query::Contained;
use impinge_report::text::counted;
use impinge_report::{self as report, Report};
use rayon::prelude::*;

use super::parts::{Part, Parts};
use super::stored::Loaded;
pub(super) use crate::report_scene::rows;
use crate::report_scene::{self, Places};

/// The parts, and with `shapes` what they look like.
pub(super) fn parts(parts: &Parts, shapes: bool, into: &mut Report) {
    let shapes = shapes && !parts.models.is_empty();
    if shapes {
        into.models = parts.models.iter().map(|model| report_scene::shape(model.mesh())).collect();
    }
    into.parts = parts
        .list
        .iter()
        .map(|part| report::Part {
            name: part.called.name.clone(),
            path: part.called.path.clone(),
            model: shapes.then_some(part.model),
            world_from_model: rows(part.placement.world_from_model()),
            identity: identity(parts, part),
            closed: Some(parts.is_closed(part)),
        })
        .collect();
}

/// What a part is known by from run to run, wherever its file lies.
fn identity(parts: &Parts, part: &Part) -> report::Identity {
    let bounds = part.bounds;
    report::Identity {
        names: part.names.clone(),
        shape: Some(parts.geometry_hash(part)),
        place: Some(bounds.center().to_array()).filter(|place| place.iter().all(|number| number.is_finite())),
        size: bounds.size().max_element(),
    }
}

/// Shapes of the parts that are loaded, and of their clashes where they meet and what they share.
pub(super) fn loaded(parts: &Parts, loaded: &Loaded, places: bool, into: &mut Report) {
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    for (number, shown) in into.parts.iter_mut().enumerate() {
        let Some(placed) = loaded.placed(parts, number) else { continue };
        let next = into.models.len();
        let model = *numbers.entry(parts.list[number].model).or_insert(next);
        if model == next {
            into.models.push(report_scene::shape(placed.model().mesh()));
        }
        shown.model = Some(model);
    }
    into.clashes.par_iter_mut().for_each(|clash| {
        let (Some(a), Some(b)) = (loaded.placed(parts, clash.a), loaded.placed(parts, clash.b)) else {
            return;
        };
        if places && clash.face_pairs > 0 {
            show(&a, &b, clash);
        }
        if clash.shared_bounds.is_some() {
            clash.shared = report_scene::shared(&a, &b, clash);
        }
    });
}

/// The clashes, without where their parts meet.
pub(super) fn clashes(found: &[Clash], into: &mut Report) {
    into.clashes = found.iter().map(one).collect();
    let wide = into.clashes.iter().filter(|clash| clash.at_work_limit).count();
    if wide > 0 {
        let depths = counted(wide, "depth is", "depths are");
        into.notes.push(format!("{depths} an interval of more than 1 %: the search ended at its work limit"));
    }
}

/// So many clashes, the gravest, are drawn with where their parts meet.
const MOST_PLACES: usize = 20_000;

/// Along which curves and on which faces the parts of the gravest clashes meet, while `goes_on` tells so.
pub(super) fn places(placed: &[Placed<'_>], goes_on: impl Fn() -> bool + Sync, into: &mut Report) {
    let gravest = into.indices_by_severity();
    let mut is_drawn = vec![false; into.clashes.len()];
    gravest.iter().take(MOST_PLACES).for_each(|number| is_drawn[*number] = true);
    if gravest.len() > MOST_PLACES {
        into.notes
            .push(format!("only the {MOST_PLACES} gravest clashes are drawn with where the parts meet"));
    }
    into.clashes.par_iter_mut().zip(is_drawn).for_each(|(clash, is_drawn)| {
        if is_drawn && clash.face_pairs > 0 && clash.a != clash.b && goes_on() {
            show(&placed[clash.a], &placed[clash.b], clash);
        }
    });
}

/// Clashes of parts that move, each with where the two were when it was seen.
pub(super) fn timed<'m>(
    found: &[TimedClash],
    places: bool,
    at: impl Fn(u32, f64) -> Option<Placed<'m>> + Sync,
) -> Vec<report::Clash> {
    let with_times = |timed: &TimedClash| {
        let at = |part| at(part, timed.moment);
        let mut clash = report::Clash {
            time: Some(timed.time),
            duration: Some(timed.duration),
            moment: Some(timed.moment),
            sampled: timed.sampled,
            ..filled(&timed.clash, places, at)
        };
        if let (true, Some(a), Some(b)) = (places, at(timed.clash.a), at(timed.clash.b)) {
            clash.shared = report_scene::shared(&a, &b, &clash);
        }
        clash
    };
    found.par_iter().map(with_times).collect()
}

/// So many overlaps get the surface of what the parts share, those of each group's gravest clash first.
const MOST_SHARED: usize = 1000;

/// The surfaces of what parts share, where clashes are in groups, while `goes_on` tells so.
pub(super) fn shared(placed: &[Placed<'_>], goes_on: impl Fn() -> bool + Sync, into: &mut Report) {
    let groups = into.groups.as_deref().unwrap_or_default();
    let firsts = groups.iter().filter_map(|group| group.members.first());
    let others = groups.iter().flat_map(|group| group.members.iter().skip(1));
    let overlaps =
        firsts.chain(others).copied().filter(|&number| into.clashes[number].shared_bounds.is_some());
    let chosen: Vec<usize> = overlaps.take(MOST_SHARED).collect();
    let surface = |&number: &usize| {
        let clash = &into.clashes[number];
        let [a, b] = [clash.a, clash.b].map(|part| &placed[part]);
        (number, if goes_on() { report_scene::shared(a, b, clash) } else { None })
    };
    let found: Vec<_> = chosen.par_iter().map(surface).collect();
    for (number, shared) in found {
        into.clashes[number].shared = shared;
    }
}

fn filled<'m>(clash: &Clash, places: bool, at: impl Fn(u32) -> Option<Placed<'m>>) -> report::Clash {
    let mut filled = one(clash);
    if places
        && clash.face_pairs > 0
        && let (Some(a), Some(b)) = (at(clash.a), at(clash.b))
    {
        show(&a, &b, &mut filled);
    }
    filled
}

fn one(clash: &Clash) -> report::Clash {
    let (verdict, contained) = match clash.kind {
        ClashKind::Duplicate => (report::Verdict::Duplicate, None),
        ClashKind::Overlapping => (report::Verdict::Overlapping, None),
        ClashKind::Inside(Contained::A) => (report::Verdict::Inside, Some(report::Side::A)),
        ClashKind::Inside(Contained::B) => (report::Verdict::Inside, Some(report::Side::B)),
        ClashKind::Near => (report::Verdict::Near, None),
        _ => (report::Verdict::Touching, None),
    };
    let is_apart = clash.distance > 0.0;
    report::Clash {
        contained,
        point: Some(clash.point_in_world.to_array()),
        bounds: Some([clash.bounds.min.to_array(), clash.bounds.max.to_array()]),
        face_pairs: clash.face_pairs as u64,
        distance: clash.distance,
        penetration: clash.penetration.map(|found| [found.at_least, found.at_most]),
        volume: clash.volume.as_ref().and_then(report_scene::finite_volume),
        estimated: clash.is_estimated || clash.penetration.is_some_and(|found| found.is_estimated),
        volume_estimated: clash.volume.is_some_and(|shared| shared.is_estimated),
        shared_bounds: clash.volume.and_then(|shared| report_scene::shared_bounds(verdict, &shared)),
        limited_by_thickness: clash.penetration.is_some_and(|found| found.limited_by_thickness),
        at_work_limit: clash.penetration.is_some_and(|found| !found.is_narrow),
        depth: clash.separation.map(|short| short.distance),
        direction: clash.separation.map(|short| report_scene::direction_of_second(&short)),
        closest: is_apart.then(|| clash.closest.map(|point| point.to_array())),
        ..report::Clash::new(clash.a as usize, clash.b as usize, verdict)
    }
}

/// Where the surfaces of two parts meet.
fn show(a: &Placed<'_>, b: &Placed<'_>, into: &mut report::Clash) {
    if into.verdict == report::Verdict::Duplicate {
        // All of both; where their edges cross by rounding tells nothing.
        (into.faces_a, into.faces_b) = (all_faces(a), all_faces(b));
        return;
    }
    let places = Places::of(a, b);
    into.curve = places.curve;
    [into.faces_a, into.faces_b] = places.faces;
}

/// The faces of a part, by the numbers in its file.
fn all_faces(part: &Placed<'_>) -> Vec<u32> {
    let mesh = part.model().mesh();
    let mut faces: Vec<u32> = (0..mesh.face_count() as u32).map(|face| mesh.label(face)).collect();
    faces.sort_unstable();
    faces.dedup();
    faces
}

/// Parts that cross themselves, as clashes with themselves.
pub(super) fn itself(placed: &[Placed<'_>], sets: &[Option<u64>], into: &mut Report) {
    let crossing = |(number, part): (usize, &Placed<'_>)| {
        sets[number]?;
        let pairs = part.model().self_intersections();
        let first = pairs.first()?;
        let mesh = part.model().mesh();
        let face = (0..mesh.face_count() as u32).find(|face| mesh.label(*face) == first.face_a)?;
        let corner = part.placement().point_to_world(mesh.vertex(mesh.corner(face, 0)));
        let mut clash = report::Clash::new(number, number, report::Verdict::Overlapping);
        clash.face_pairs = pairs.len() as u64;
        clash.point = Some(corner.to_array());
        clash.faces_a = pairs.iter().flat_map(|pair| [pair.face_a, pair.face_b]).collect();
        clash.faces_a.sort_unstable();
        clash.faces_a.dedup();
        Some(clash)
    };
    let found: Vec<report::Clash> = placed.par_iter().enumerate().filter_map(crossing).collect();
    into.clashes.extend(found);
}
