//! The clauses of the promise, held against one claim.

use dashu_ratio::RBig;
use impinge::math::{DAffine3, DVec3};
use impinge::query::{Engine, IntersectOptions};
use impinge::{Model, Placement, Verdict};

use super::case::{Case, Claim, Outcome, Phase, Placed};
use super::geometry::gap;
use super::number::{Number, Twin, V};
use super::rotation::{Budget, Proof, Turn};
use super::translation::Straight;

/// Which clause is broken, and how.
#[derive(Clone, Debug, PartialEq)]
pub enum Violation {
    /// A fraction or bound that cannot be.
    Malformed(&'static str),
    /// "Started overlapping" where the exact test says otherwise, or not where it says so.
    StartMisjudged { exact: Verdict },
    /// The stop pose is not the motion's pose at the fraction.
    OffPath { by: f64 },
    /// The stop pose overlaps; or touches, after a clear start.
    StopMeets { exact: Verdict },
    /// Something was touched before the fraction of a hit.
    Late { touch: f64 },
    /// Something is touched on a path that is said to be clear.
    Missed { touch: f64 },
    /// At a hit, the models are farther apart than said.
    TooFar { distance: f64 },
    /// From a touching start, the models were pushed into each other on the way.
    PushedIn { at: f64 },
    /// The sweep panicked, with this message.
    Panicked(String),
}

/// What is known of a claim that breaks no clause.
#[derive(Clone, Copy, Debug)]
pub struct Audit {
    pub start: Verdict,
    /// The exact start is so near that rounding its placement could decide; judged like a touching start.
    pub is_start_unclear: bool,
    /// The path could be shown neither clear nor touching with the given amount of work.
    pub is_unknown: bool,
    /// The distance at the stop of a hit.
    pub gap: f64,
    /// What that is to be compared with: the extent of both models together at the start.
    pub extent: f64,
}

/// The exact test. All engines say the same; the quick one for poses that are only looked at, brute force for the stop.
fn verdict(case: &Case, at: &DAffine3, engine: Engine) -> Option<Verdict> {
    let moving = case.moving.at(Placement::try_from(*at).ok()?);
    let stationary = case.stationary.at(Placement::try_from(case.world_from_stationary).ok()?);
    Some(moving.intersect_with(&stationary, IntersectOptions::new().engine(engine)).verdict)
}

fn is_overlap(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Overlapping | Verdict::Inside(_))
}

/// The size of both models together at the start, wherever they are.
pub fn extent(case: &Case) -> f64 {
    let origin = case.world_from_stationary.translation;
    let sides = [(&case.moving, &case.world_from_moving), (&case.stationary, &case.world_from_stationary)];
    let points = sides.into_iter().flat_map(|(model, at)| {
        let shift = at.translation - origin;
        model.mesh().vertices().map(move |p| at.transform_vector3(p) + shift)
    });
    let (low, high) = points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
    (high - low).length()
}

/// How much rounding into the frame of either model can shift a corner, with room: far from the world's origin not more
/// than near it.
fn rounding(case: &Case, extent: f64) -> f64 {
    let own = |model: &Model| model.mesh().vertices().map(DVec3::length).fold(0.0, f64::max);
    let apart = (case.world_from_moving.translation - case.world_from_stationary.translation).length();
    64.0 * f64::EPSILON * (own(&case.moving) + own(&case.stationary) + apart + extent)
}

/// Whether nothing touches in `[from, to]`, by phases.
pub fn prove_clear(case: &Case, from: f64, to: f64) -> Proof {
    let phases = case.motion.phases();
    let count = phases.len() as f64;
    let stationary = (&case.stationary, case.world_from_stationary);
    let mut shift = V::<Twin>::zero();
    for (k, phase) in phases.iter().enumerate() {
        let global = |t: f64| (t + k as f64) / count;
        let local = |t: f64| (t * count - k as f64).clamp(0.0, 1.0);
        let (first, last) = (local(from), local(to));
        let is_reached = k == 0 || to * count > k as f64;
        let is_left = k + 1 < phases.len() && from * count >= k as f64 + 1.0;
        match *phase {
            Phase::Translation(by) => {
                if is_reached && !is_left {
                    let straight = Straight::new((&case.moving, case.world_from_moving), stationary, by);
                    if let Some(touch) = straight.first_touch(first, last) {
                        let at = global(touch.to_f64().value());
                        let is_last = RBig::try_from(to).is_ok_and(|to| {
                            let global = (touch + RBig::from(k)) / RBig::from(phases.len());
                            global == to
                        });
                        return if is_last { Proof::TouchAtEnd } else { Proof::Touch { at } };
                    }
                }
                shift = shift + V::of(by);
            }
            Phase::Rotation { .. } | Phase::Rigid { .. } => {
                if !is_reached || is_left {
                    continue;
                }
                let moving = Placed::new(&case.moving, &case.world_from_moving).moved(shift);
                let still = Placed::new(&case.stationary, &case.world_from_stationary);
                let (rotation, drift) = match *phase {
                    Phase::Rigid { translation, center, axis, angle } => {
                        ((center, axis, angle), Some(translation))
                    }
                    Phase::Rotation { center, axis, angle } => ((center, axis, angle), None),
                    Phase::Translation(_) => unreachable!("it is another arm"),
                };
                let Some(turn) = Turn::new([&moving, &still], rotation, drift) else { continue };
                match turn.prove_clear(first, last, Budget::default()) {
                    Proof::Clear => {}
                    Proof::Touch { at } => return Proof::Touch { at: global(at) },
                    other => return other,
                }
            }
        }
    }
    Proof::Clear
}

/// The distance of two placed models, in 100 bits where it comes near what `f64` rounds.
pub fn distance(moving: &Placed, stationary: &Placed) -> f64 {
    distance_unless(moving, stationary, f64::NEG_INFINITY)
}

/// The same; but where the distance is at most `enough`, anything that is.
///
/// In `f64`, and where that comes near its error, in 100 bits for the pairs that could be the nearest.
fn distance_unless(moving: &Placed, stationary: &Placed, enough: f64) -> f64 {
    let sides = [moving, stationary];
    let origin = stationary.points[0];
    let near = sides.map(|side| side.points.iter().map(|&p| (p - origin).rounded()).collect::<Vec<V<f64>>>());
    let size = near.iter().flatten().map(|p| p.values().length()).fold(0.0, f64::max);
    let error = 64.0 * f64::EPSILON * size;
    let corners = |side: usize, t: usize| sides[side].triangles[t].map(|v| near[side][v]);
    let bounds = |side: usize, t: usize| {
        let [a, b, c] = corners(side, t).map(V::values);
        (a.min(b).min(c), a.max(b).max(c))
    };
    let second: Vec<_> = (0..stationary.triangles.len()).map(|t| bounds(1, t)).collect();
    let (mut least, mut nearest) = (f64::INFINITY, Vec::new());
    for i in 0..moving.triangles.len() {
        let (low, high) = bounds(0, i);
        for (j, (other_low, other_high)) in second.iter().enumerate() {
            let apart = (*other_low - high).max(low - *other_high).max(DVec3::ZERO).length();
            if apart <= least + error {
                let distance = gap(&corners(0, i), &corners(1, j)).distance;
                nearest.push((distance, [i, j]));
                least = least.min(distance);
            }
        }
    }
    if least + error <= enough {
        return least;
    }
    // Edges that are nearly parallel may be much closer than `f64` finds: before that counts against anybody, all pairs are
    // looked at once more.
    if least <= enough || enough < 0.0 {
        if least > 1e4 * error {
            return least;
        }
        nearest.retain(|(distance, _)| *distance <= least + error);
    }
    let fine = |pair: [usize; 2]| {
        let corners = |k: usize| sides[k].triangles[pair[k]].map(|v| sides[k].points[v] - origin);
        gap(&corners(0), &corners(1)).distance.value()
    };
    let mut least = f64::INFINITY;
    for (_, pair) in nearest {
        least = least.min(fine(pair));
        if least <= enough.max(1e-28 * size) {
            break;
        }
    }
    least
}

/// Whether both placements are so plain that no coordinate is rounded in the frame of either model.
fn is_exact(case: &Case, moving: &Placed, stationary: &Placed) -> bool {
    let is_plain = |at: &DAffine3| at.matrix3.to_cols_array().iter().all(|c| [0.0, 1.0, -1.0].contains(c));
    let origins = [case.world_from_moving.translation, case.world_from_stationary.translation];
    let single = |p: &V<Twin>| p.0.iter().all(|c| c.is_single());
    is_plain(&case.world_from_moving)
        && is_plain(&case.world_from_stationary)
        && [moving, stationary].iter().all(|side| {
            side.points.iter().all(|p| single(p) && origins.iter().all(|&o| single(&(*p - V::of(o)))))
        })
}

/// Holds a claim against the promise.
pub fn audit(case: &Case, claim: &Claim) -> Result<Audit, Violation> {
    let fraction = claim.fraction;
    if !(0.0..=1.0).contains(&fraction) {
        return Err(Violation::Malformed("the fraction is not in [0, 1]"));
    }
    let Some(start) = verdict(case, &case.world_from_moving, Engine::Bvh) else {
        return Err(Violation::Malformed("the start pose is no placement"));
    };
    match claim.outcome {
        Outcome::Clear if fraction != 1.0 => return Err(Violation::Malformed("clear, but stopped early")),
        Outcome::StartedOverlapping if fraction != 0.0 => {
            return Err(Violation::Malformed("started overlapping, but moved"));
        }
        Outcome::Hit if !(claim.bound >= 0.0 && claim.bound.is_finite()) => {
            return Err(Violation::Malformed("a hit without a bound"));
        }
        _ => {}
    }
    if is_overlap(start) != (claim.outcome == Outcome::StartedOverlapping) {
        return Err(Violation::StartMisjudged { exact: start });
    }
    let (reach, extent) = (case.reach(), extent(case));
    if let Some(lift) = claim.lift {
        // From there on it is a motion from a clear start.
        if lift.length() > 1e-8 * extent + 1e-11 * reach {
            return Err(Violation::Malformed("lifted by more than a skin"));
        }
        let mut lifted = case.clone();
        lifted.world_from_moving.translation += lift;
        lifted.motion = case.motion.moved(lift);
        if verdict(&lifted, &lifted.world_from_moving, Engine::Brute) != Some(Verdict::Clear) {
            return Err(Violation::Malformed("lifted to where it is not free"));
        }
        return audit(&lifted, &Claim { lift: None, ..*claim });
    }
    let by = off_path(case, claim);
    if by.is_nan() || by > 1e-12 * reach {
        return Err(Violation::OffPath { by });
    }
    let mut audit = Audit { start, is_start_unclear: false, is_unknown: false, gap: 0.0, extent };
    if claim.outcome == Outcome::StartedOverlapping {
        return Ok(audit);
    }
    let is_moved = claim.world_from_moving != case.world_from_moving;
    let stop = if is_moved { verdict(case, &claim.world_from_moving, Engine::Brute) } else { Some(start) };
    let Some(stop) = stop else {
        return Err(Violation::Malformed("the stop pose is no placement"));
    };
    if is_overlap(stop) || start == Verdict::Clear && stop != Verdict::Clear {
        return Err(Violation::StopMeets { exact: stop });
    }
    let stationary = Placed::new(&case.stationary, &case.world_from_stationary);
    if claim.outcome == Outcome::Hit {
        let stopped = Placed::new(&case.moving, &claim.world_from_moving);
        // Where the exact test says "touching", it says so of rounded images.
        let rounding = if stop == Verdict::Touching { rounding(case, extent) } else { 1e-25 * extent };
        let most = claim.bound * (1.0 + 1e-12) + rounding;
        audit.gap = distance_unless(&stopped, &stationary, most);
        if audit.gap > most {
            return Err(Violation::TooFar { distance: audit.gap });
        }
        if fraction == 0.0 {
            return Ok(audit);
        }
    }
    let moving = Placed::new(&case.moving, &case.world_from_moving);
    audit.is_start_unclear = start == Verdict::Clear && {
        let rounding = rounding(case, extent);
        !is_exact(case, &moving, &stationary)
            && distance_unless(&moving, &stationary, 0.5 * rounding) < rounding
    };
    let from = if start == Verdict::Clear && !audit.is_start_unclear {
        Some(0.0)
    } else {
        leave_contact(case, fraction, &stationary, extent, reach)?
    };
    let Some(from) = from else { return Ok(audit) };
    match prove_clear(case, from, fraction) {
        Proof::Clear => Ok(audit),
        // Not later than the touch, and the stop pose is clear: nothing is broken.
        Proof::TouchAtEnd if claim.outcome == Outcome::Hit => Ok(audit),
        Proof::TouchAtEnd => Err(Violation::Missed { touch: 1.0 }),
        Proof::Touch { at } if claim.outcome == Outcome::Hit => Err(Violation::Late { touch: at }),
        Proof::Touch { at } => Err(Violation::Missed { touch: at }),
        Proof::Unknown => Ok(Audit { is_unknown: true, ..audit }),
    }
}

/// How far any corner is from where the motion has it at the fraction.
fn off_path(case: &Case, claim: &Claim) -> f64 {
    let exact = case.pose_at(claim.fraction);
    let off = case.moving.mesh().vertices().map(|p| {
        let (is, should) = (claim.world_from_moving.transform_point3(p), exact.transform_point3(p));
        (is - should).length()
    });
    // NaN is kept.
    off.fold(0.0, |most, d| if d <= most { most } else { d })
}

/// From a touching start: looks at moments on the way, early ones more closely. None may be pushed in; returns the
/// first at which the models have come apart.
fn leave_contact(
    case: &Case,
    fraction: f64,
    stationary: &Placed,
    extent: f64,
    reach: f64,
) -> Result<Option<f64>, Violation> {
    let mut times: Vec<f64> =
        (0..14).map(|k| 4f64.powi(-k)).chain((1..8).map(|k| f64::from(k) / 8.0)).collect();
    times.sort_by(f64::total_cmp);
    let clear_of_rounding = 1e-10 * extent + 1e-13 * reach;
    let mut apart = None;
    for time in times.into_iter().map(|t| t * fraction) {
        let pose = case.pose_at(time);
        if is_pushed_in(case, &pose, 1e-7 * extent + 1e-12 * reach) {
            return Err(Violation::PushedIn { at: time });
        }
        let moving = Placed::new(&case.moving, &pose);
        if apart.is_none() && distance_unless(&moving, stationary, clear_of_rounding) > clear_of_rounding {
            apart = Some(time);
        }
    }
    Ok(apart)
}

/// Whether the models overlap however the moving one is shifted by a little, and when it is shrunk or grown by a little: so not
/// by rounding, and not because one fits snugly into the other, whichever of them that is.
fn is_pushed_in(case: &Case, pose: &DAffine3, little: f64) -> bool {
    let overlaps = |pose: &DAffine3| verdict(case, pose, Engine::Bvh).is_some_and(is_overlap);
    let shifted = |by: DVec3| DAffine3 { translation: pose.translation + by, ..*pose };
    let way = |k: u32| DVec3::from_array([k % 3, k / 3 % 3, k / 9].map(|c| f64::from(c) - 1.0));
    let resized = |sense: f64| {
        let bounds = case.moving.bounds();
        let middle = pose.transform_point3((bounds.min + bounds.max) * 0.5);
        let size = (bounds.max - bounds.min).length().max(f64::MIN_POSITIVE);
        let factor = 1.0 + sense * (little / size).min(0.5);
        DAffine3 {
            matrix3: pose.matrix3 * factor,
            translation: middle + (pose.translation - middle) * factor,
        }
    };
    overlaps(pose)
        && [-1.0, 1.0].iter().all(|&sense| overlaps(&resized(sense)))
        && (0..27).all(|k| overlaps(&shifted(way(k) * little)))
}
