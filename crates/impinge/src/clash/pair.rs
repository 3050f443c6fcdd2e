//! One pair of parts: whether it clashes, how, and by how much.

use std::cell::OnceCell;

use super::duplicate::are_duplicates;
use super::touch::{LazyOverlap, Relation, relation};
use super::{Clash, ClashKind, ClashOptions};
use crate::model::Placed;
use crate::query::{
    Contained, Enclosed, IntersectOptions, Intersection, OverlapFrame, Patience, PenetrationOptions,
    PlacedMesh, Verdict, common, enclosed, meeting_bounds,
};
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;

/// The answer on a pair of parts that is not clear.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Finding {
    /// The two clash.
    Clash(Box<Clash>),
    /// One may lie inside of the other, which is open; see [`Clashes::unknown`](super::Clashes::unknown).
    Unknown,
}

/// Tests two parts for a clash; `None` where they do not clash, or where that is [unknown](super::Clashes::unknown). The numbers of the parts are left at 0
/// and 1.
pub fn check_pair(a: &Placed<'_>, b: &Placed<'_>, options: &ClashOptions<'_>) -> Option<Clash> {
    match look_at(a, b, options, &Patience::endless())? {
        Finding::Clash(clash) => Some(*clash),
        Finding::Unknown => None,
    }
}

/// The answer on two parts; `None` where they are clear. Where patience is over, a clash is one, but depths and volumes may be missing; `None` says nothing.
pub(super) fn look_at(
    a: &Placed<'_>,
    b: &Placed<'_>,
    options: &ClashOptions<'_>,
    patience: &Patience<'_>,
) -> Option<Finding> {
    let touch = options.touch;
    let is_duplicate = are_duplicates(a, b, touch);
    // Of the same thing twice it does not matter how the solids stand to each other, and it would take long to find out.
    let of_faces = is_duplicate
        .then(|| a.intersect_while(b, IntersectOptions::new().pairs(true).surface_only(true), patience));
    let answer = of_faces
        .filter(|answer| answer.verdict != Verdict::Clear)
        .unwrap_or_else(|| a.intersect_while(b, IntersectOptions::new().pairs(true), patience));
    if patience.is_over_now() {
        return None;
    }
    let frame = OnceCell::new();
    let mut overlap = LazyOverlap::new(&frame, [a, b], touch, patience);
    let mut clash =
        if answer.verdict == Verdict::Clear { near(a, b, options) } else { Some(meeting(a, b, &answer)) };
    if is_duplicate {
        // What rounding has moved apart may be the same twice.
        let clash = clash.as_mut()?;
        clash.kind = ClashKind::Duplicate;
    } else if answer.verdict != Verdict::Clear {
        let relation = relation([a, b], &answer, touch, &mut overlap);
        if patience.gave_up() {
            return None;
        }
        clash.as_mut()?.kind = match relation {
            Relation::Equal => ClashKind::Duplicate,
            Relation::Verdict(Verdict::Overlapping) => ClashKind::Overlapping,
            Relation::Verdict(Verdict::Inside(contained)) => ClashKind::Inside(contained),
            Relation::Verdict(_) => ClashKind::Touching,
        };
    }
    let is_light =
        clash.as_ref().is_none_or(|clash| matches!(clash.kind, ClashKind::Touching | ClashKind::Near));
    let is_open = || ![a, b].iter().all(|placed| placed.model().is_closed());
    if options.open_parts && is_light && is_open() {
        match in_open_parts(overlap.frame(), [a, b], touch) {
            InOpenParts::Yes(contained, point) => {
                let inner = if contained == Contained::A { a } else { b };
                let found = clash.get_or_insert_with(|| at(point, inner.bounds()));
                // A part that is inside is at no distance from the whole of the other.
                *found =
                    Clash { kind: ClashKind::Inside(contained), is_estimated: true, distance: 0.0, ..*found };
                found.closest = [found.point_in_world; 2];
            }
            InOpenParts::Unknown if clash.is_none() => return Some(Finding::Unknown),
            InOpenParts::Unknown | InOpenParts::No => {}
        }
    }
    let mut clash = clash?;
    let is_deep = matches!(clash.kind, ClashKind::Overlapping | ClashKind::Inside(_));
    if options.penetration && is_deep {
        let goal = PenetrationOptions::new().width(touch.max(0.0)).open_parts(options.open_parts);
        clash.penetration = overlap.get(&answer.pairs).penetration(goal);
    }
    if options.volume && is_deep {
        clash.volume = overlap.get(&answer.pairs).shared_volume();
    }
    if options.separation && clash.kind == ClashKind::Overlapping {
        clash.separation = a.separation_of_meeting(b, &answer.pairs, f64::INFINITY, patience);
    }
    Some(Finding::Clash(Box::new(clash)))
}

/// A clash at a point, nothing of which is known yet.
fn at(point: DVec3, bounds: Aabb) -> Clash {
    Clash {
        a: 0,
        b: 1,
        kind: ClashKind::Touching,
        is_estimated: false,
        point_in_world: point,
        bounds,
        face_pairs: 0,
        distance: 0.0,
        closest: [point; 2],
        penetration: None,
        volume: None,
        separation: None,
    }
}

/// Two parts that are apart: touching or near, if they are near enough.
fn near(a: &Placed<'_>, b: &Placed<'_>, options: &ClashOptions<'_>) -> Option<Clash> {
    let at_most = options.touch.max(options.clearance);
    let near = if at_most > 0.0 { a.distance_within(b, at_most) } else { None }?;
    let closest = [near.point_on_a, near.point_on_b];
    let kind = if near.distance <= options.touch { ClashKind::Touching } else { ClashKind::Near };
    let middle = near.point_on_a.midpoint(near.point_on_b);
    Some(Clash { kind, distance: near.distance, closest, ..at(middle, Aabb::around(closest)) })
}

/// Two parts that intersect.
fn meeting(a: &Placed<'_>, b: &Placed<'_>, answer: &Intersection) -> Clash {
    let in_world: [PlacedMesh<'_>; 2] = [
        (a.model().mesh(), &|point| a.placement().point_to_world(point)),
        (b.model().mesh(), &|point| b.placement().point_to_world(point)),
    ];
    let mut bounds = meeting_bounds(in_world, &answer.pairs);
    if bounds.is_empty() {
        bounds = common(&a.bounds(), &b.bounds());
    }
    let point = answer.witness.map_or(DVec3::ZERO, |witness| witness.point_in_world);
    Clash { face_pairs: answer.pairs.len(), ..at(point, bounds) }
}

/// Whether one of two parts lies inside of the other's open parts.
enum InOpenParts {
    No,
    Unknown,
    /// One does, with a point of it.
    Yes(Contained, DVec3),
}

/// Whether one of two parts lies inside of the other's open parts, estimated. Where both seem to, the smaller one does.
fn in_open_parts(frame: &OverlapFrame, placed: [&Placed<'_>; 2], touch: f64) -> InOpenParts {
    let found = [0, 1].map(|side| enclosed(frame, placed, side, touch));
    let size = |side: usize| placed[side].bounds().size().length();
    match found {
        [Enclosed::Yes(_), Enclosed::Yes(point)] if size(1) < size(0) => {
            InOpenParts::Yes(Contained::B, point)
        }
        [Enclosed::Yes(point), _] => InOpenParts::Yes(Contained::A, point),
        [_, Enclosed::Yes(point)] => InOpenParts::Yes(Contained::B, point),
        [Enclosed::No, Enclosed::No] => InOpenParts::No,
        _ => InOpenParts::Unknown,
    }
}
