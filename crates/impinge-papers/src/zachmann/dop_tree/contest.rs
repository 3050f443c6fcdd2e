//! All contenders and peers on the same queries, batch by batch by turns, and their answers compared.

use impinge::{Model, Placement};

use super::contender::{Tree, Turn, TurnMemory};
use super::costs::{Costs, Sample};
use super::{Contender, Measurement, PeerMeasurement, Protocol, median};
use crate::peer::{PeerModel, PeerPose};
use crate::stopwatch::Stopwatch;

/// What was measured of one contender.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) measurements: Vec<Measurement>,
    pub(super) costs: Costs,
}

/// What was measured of all.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) contenders: Vec<Measured>,
    pub(super) peers: Vec<Vec<PeerMeasurement>>,
}

/// A batch of queries that one side has answered.
#[derive(Clone, Debug)]
struct Batch {
    nanoseconds: f64,
    /// Ours only.
    work: Option<Turn>,
    answers: Vec<u8>,
}

/// Runs the protocol with several contenders and peers. `tick` is called once per distance.
pub(super) fn contest(
    model: &Model,
    protocol: &Protocol,
    contenders: &[Contender],
    peers: &[PeerModel<'_>],
    tick: &mut dyn FnMut(),
) -> Outcome {
    let trees: Vec<Box<dyn Tree>> = contenders.iter().map(|contender| contender.build(model).1).collect();
    let mut memory = TurnMemory::default();
    let mut measured = vec![Vec::new(); contenders.len()];
    let mut samples = vec![Vec::new(); contenders.len()];
    let mut of_peers = vec![Vec::new(); peers.len()];
    let sides = contenders.len() + peers.len();
    for (step, (distance, placements)) in protocol.course(model).into_iter().enumerate() {
        let mut batches: Vec<Vec<Batch>> = vec![Vec::new(); sides];
        for (round, share) in shares(&placements, protocol.rounds).iter().enumerate() {
            let poses: Vec<PeerPose> = share.iter().map(PeerPose::of).collect();
            // Who comes first changes, so that nobody always finds the caches cold.
            for side in (0..sides).map(|place| (place + round + step) % sides) {
                let batch = match trees.get(side) {
                    Some(tree) => ours(tree.as_ref(), model, share, &mut memory),
                    None => theirs(&peers[side - contenders.len()], &poses),
                };
                batches[side].push(batch);
            }
        }
        for (i, of_side) in batches.iter().enumerate() {
            if let Some(measured) = measured.get_mut(i) {
                measured.push(Measurement::of(distance, of_side, &batches[0]));
            } else {
                of_peers[i - contenders.len()].push(PeerMeasurement::of(distance, of_side, &batches[0]));
            }
        }
        for (samples, tree) in samples.iter_mut().zip(&trees) {
            samples.extend(singly(tree.as_ref(), model, &placements, &mut memory));
        }
        tick();
    }
    let measured = measured.into_iter().zip(samples);
    let measured = measured
        .map(|(measurements, samples)| Measured { measurements, costs: Costs::fit(&samples) })
        .collect();
    Outcome { contenders: measured, peers: of_peers }
}

/// Queries that are timed one by one at each distance.
const SAMPLES: usize = 250;

/// Times single queries, evenly around the turn.
fn singly(tree: &dyn Tree, model: &Model, placements: &[Placement], memory: &mut TurnMemory) -> Vec<Sample> {
    // What the stopwatch itself takes.
    let idle = median((0..51).map(|_| Stopwatch::start().nanoseconds()).collect());
    let some = placements.iter().step_by(placements.len().div_ceil(SAMPLES).max(1));
    some.map(|placement| {
        let turn = tree.turn(model, std::slice::from_ref(placement), memory, &mut [0]);
        let (visits, face_tests) = (turn.visits as f64, turn.face_tests as f64);
        Sample { nanoseconds: turn.nanoseconds - idle, visits, face_tests }
    })
    .collect()
}

/// Every n-th placement, from the first, from the second and so on.
fn shares(placements: &[Placement], rounds: usize) -> Vec<Vec<Placement>> {
    let rounds = rounds.clamp(1, placements.len().max(1));
    (0..rounds).map(|first| placements.iter().skip(first).step_by(rounds).copied().collect()).collect()
}

fn ours(tree: &dyn Tree, model: &Model, share: &[Placement], memory: &mut TurnMemory) -> Batch {
    let mut answers = vec![0; share.len()];
    let turn = tree.turn(model, share, memory, &mut answers);
    Batch { nanoseconds: turn.nanoseconds, work: Some(turn), answers }
}

fn theirs(model: &PeerModel<'_>, poses: &[PeerPose]) -> Batch {
    let still = vec![PeerPose::of(&Placement::IDENTITY); poses.len()];
    let mut answers = vec![0; poses.len()];
    let watch = Stopwatch::start();
    model.collide(&still, model, poses, &mut answers);
    Batch { nanoseconds: watch.nanoseconds(), work: None, answers }
}

impl Batch {
    fn mean_ns(batches: &[Batch]) -> f64 {
        median(batches.iter().map(|batch| batch.nanoseconds / batch.answers.len().max(1) as f64).collect())
    }

    fn hits(batches: &[Batch]) -> u64 {
        batches.iter().flat_map(|batch| &batch.answers).filter(|answer| **answer != 0).count() as u64
    }

    fn disagreements(batches: &[Batch], reference: &[Batch]) -> u64 {
        let answers =
            |batches: &[Batch]| batches.iter().flat_map(|batch| batch.answers.clone()).collect::<Vec<u8>>();
        answers(batches)
            .iter()
            .zip(answers(reference))
            .filter(|(own, other)| (**own != 0) != (*other != 0))
            .count() as u64
    }
}

impl Measurement {
    fn of(distance: f64, batches: &[Batch], reference: &[Batch]) -> Measurement {
        let turns = || batches.iter().filter_map(|batch| batch.work);
        let queries = turns().map(|turn| turn.queries).sum::<u64>().max(1) as f64;
        let mean = |value: fn(&Turn) -> u64| turns().map(|turn| value(&turn)).sum::<u64>() as f64 / queries;
        Measurement {
            distance,
            mean_ns: Batch::mean_ns(batches),
            hits: Batch::hits(batches),
            disagreements: Batch::disagreements(batches, reference),
            box_tests: mean(|turn| turn.box_tests),
            visits: mean(|turn| turn.visits),
            face_tests: mean(|turn| turn.face_tests),
        }
    }
}

impl PeerMeasurement {
    fn of(distance: f64, batches: &[Batch], reference: &[Batch]) -> PeerMeasurement {
        PeerMeasurement {
            distance,
            mean_ns: Batch::mean_ns(batches),
            hits: Batch::hits(batches),
            disagreements: Batch::disagreements(batches, reference),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disagreements_are_counted_query_by_query() {
        let batches = |answers: [&[u8]; 2]| {
            answers.map(|answers| Batch { nanoseconds: 10.0, work: None, answers: answers.to_vec() })
        };
        let (ours, theirs) = (batches([&[0, 1, 1], &[0, 0]]), batches([&[0, 1, 0], &[7, 0]]));
        assert_eq!(Batch::disagreements(&theirs, &ours), 2);
        // As many hits as ours, in other places.
        assert_eq!(Batch::hits(&theirs), Batch::hits(&ours));
        assert_eq!(Batch::disagreements(&ours, &ours), 0);
        let measured = PeerMeasurement::of(0.5, &theirs, &ours);
        assert_eq!((measured.hits, measured.disagreements), (2, 2));
        assert_eq!(measured.mean_ns, 10.0 / 3.0);
    }
}
