//! The broad phase of moving parts: swept bounds of parts during windows of time, and the pairs that overlap in each.

use super::Stage;
use crate::broad_phase::BroadPhase;
use crate::clash::grown;
use impinge_core::bounds::Aabb;
use impinge_core::math::DVec3;
use impinge_core::parallel;
use impinge_core::transform::Placement;

/// Boxes of moving parts that are computed at most, unless a part needs more: windows get longer where many parts move.
const MOST_BOXES: usize = 1 << 21;
/// Windows that a search has at least, if the moments are that many.
const LEAST_WINDOWS: f64 = 16.0;

/// A pair, and the times between which its boxes overlap.
pub(super) struct Meeting {
    pub(super) pair: [u32; 2],
    /// The time intervals in order; none touches the next.
    pub(super) times: Vec<[f64; 2]>,
}

/// All pairs whose boxes overlap, sorted. Those that never move relative to each other have no times.
pub(super) fn meetings(stage: &Stage<'_>) -> Vec<Meeting> {
    let parts = 0..stage.parts.len() as u32;
    let (moving, still): (Vec<u32>, Vec<u32>) = parts.partition(|part| stage.moves(*part));
    let mut boxes = BroadPhase::new();
    for part in still {
        // A part that is scaled to nothing is not there.
        if let Some(placed) = stage.placed(part, stage.piece(part, [0.0; 2]).at(0.0)) {
            // A placed model has faces and its box is finite, so none is refused.
            let _ = boxes.insert(part, grown(placed.bounds(), reach(stage)));
        }
    }
    let windows = windows(stage, moving.len());
    let mut met: Vec<([u32; 2], u32)> = Vec::new();
    for (number, window) in windows.iter().enumerate() {
        let around = parallel::map(&moving, |part| swept(stage, *part, *window));
        for (part, around) in moving.iter().zip(around) {
            let is_known = boxes.boxes().get(*part).is_some();
            let _ = match (around, is_known) {
                (Some(around), true) => boxes.move_to(*part, around),
                (Some(around), false) => boxes.insert(*part, around),
                (None, true) => boxes.remove(*part).map(|_| ()),
                (None, false) => Ok(()),
            };
        }
        let pairs = boxes.step().pairs.iter().map(|pair| pair.ids());
        let first = number == 0;
        met.extend(
            pairs
                .filter(|pair| first || pair.iter().any(|part| stage.moves(*part)))
                .map(|pair| (pair, number as u32)),
        );
    }
    met.sort_unstable();
    let runs = met.chunk_by(|one, other| one.0 == other.0);
    runs.map(|run| Meeting { pair: run[0].0, times: times(stage, run, &windows) }).collect()
}

/// The windows of a run joined.
fn times(stage: &Stage<'_>, run: &[([u32; 2], u32)], windows: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut times: Vec<[f64; 2]> = Vec::new();
    if stage.are_still(run[0].0) && stage.pair_at(run[0].0, 0.0).is_some() {
        return times;
    }
    for (_, window) in run {
        let [from, to] = windows[*window as usize];
        match times.last_mut() {
            Some(last) if last[1] == from => last[1] = to,
            _ => times.push([from, to]),
        }
    }
    times
}

fn windows(stage: &Stage<'_>, moving: usize) -> Vec<[f64; 2]> {
    let moments = (stage.duration / stage.every).ceil();
    let few = ((MOST_BOXES / moving.max(1)) as f64).max(LEAST_WINDOWS);
    let count = if moving == 0 { 1.0 } else { moments.min(few).max(1.0) };
    let at = |step: f64| stage.duration * (step / count);
    (0..count as u64).map(|step| [at(step as f64), at(step as f64 + 1.0)]).collect()
}

/// How far boxes reach: half of what the two of a pair may be apart.
fn reach(stage: &Stage<'_>) -> f64 {
    0.5 * stage.clash.touch.max(stage.clash.clearance)
}

/// A box around all that a part does during a window; none where it is never there.
fn swept(stage: &Stage<'_>, part: u32, window: [f64; 2]) -> Option<Aabb> {
    let model = stage.parts[part as usize].model;
    let mut around = Aabb::EMPTY;
    for span in stage.spans(&[part], window, f64::INFINITY) {
        let piece = stage.piece(part, span);
        let speed = piece.speed(stage.reach(part));
        let middle = piece.at(0.5);
        // Half of the way before and after. Where the speed has no bound, it may be anywhere.
        let bounds = if speed.is_finite() && middle.is_finite() {
            grown(model.bounds().image(&middle), 0.5 * speed)
        } else {
            everywhere()
        };
        around = around.merge(bounds);
    }
    // Jumps at the end of the window are seen from there.
    let last = stage.piece(part, [window[1]; 2]).at(0.0);
    if Placement::try_from(last).is_ok() {
        around = around.merge(model.bounds().image(&last));
    }
    let most = DVec3::splat(f64::MAX);
    let finite = Aabb { min: around.min.max(-most), max: around.max.min(most) };
    // The boxes are those of cores.
    Some(grown(finite, reach(stage) + model.radius() * (1.0 + 1e-9)))
}

fn everywhere() -> Aabb {
    Aabb { min: DVec3::MIN, max: DVec3::MAX }
}
