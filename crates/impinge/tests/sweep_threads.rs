//! Many threads sweep against the same models at once: each gets the bits that one thread alone gets.

use impinge::glam::DVec3;
use impinge::query::{Scratch, Sweep, SweepOptions, SweepStatus};
use impinge::shapes::{self, Random};
use impinge::{Model, Motion, Placed, Trs};

/// A motion of the ball, and of the other where that moves too.
#[derive(Clone, Copy)]
struct Task {
    start: Trs,
    motion: Motion,
    other_by: Option<DVec3>,
    ask: SweepOptions,
}

fn tasks(count: u64) -> Vec<Task> {
    let mut random = Random::new(11);
    (0..count)
        .map(|i| {
            let out = random.direction() * random.between(2.2, 4.0);
            let start = Trs::translation(out).unwrap();
            let by = -out * random.between(0.2, 2.0) + random.in_cube();
            let (axis, degrees) = (random.direction(), random.between(-400.0, 400.0));
            let motion = match i % 4 {
                0 | 3 => Motion::translation(by),
                1 => Motion::rotation(random.in_cube() * 2.0, axis, degrees),
                _ => Motion::rigid(by, out, axis, degrees),
            };
            let other_by = (i % 4 == 3).then(|| random.in_cube());
            let ask = SweepOptions::new().margin(f64::from(u8::from(i % 7 == 0)) * 1e-3);
            Task { start, motion: motion.unwrap(), other_by, ask }
        })
        .collect()
}

fn answer(ball: &Model, ring: &Placed<'_>, task: &Task, scratch: &mut Scratch) -> Sweep {
    let ball = ball.at(task.start);
    match task.other_by {
        Some(by) => ball.sweep_both(task.motion.by(), ring, by, task.ask).unwrap(),
        None => ball.sweep_in(&task.motion, ring, task.ask, scratch),
    }
}

/// All numbers of an answer as bits: equality of floats would take 0 for -0.
fn bits(sweep: &Sweep) -> Vec<u64> {
    let mut numbers = vec![sweep.fraction];
    numbers.extend(sweep.world_from_moving.world_from_model().to_cols_array());
    numbers.extend(sweep.world_from_stationary.world_from_model().to_cols_array());
    if let Some(hit) = &sweep.hit {
        numbers.extend(
            [hit.point_on_moving, hit.point_on_stationary, hit.normal].map(|v| v.to_array()).concat(),
        );
        numbers.push(hit.bound);
    }
    numbers.into_iter().map(f64::to_bits).collect()
}

#[test]
fn eight_threads_get_the_bits_of_one() {
    // Made anew for the threads, so that what a model prepares on first use is prepared by eight at once.
    let make = || {
        let ball = Model::new(shapes::bumpy_sphere(1.0, 0.2, 5, 16, 8, 3).unwrap());
        let ring = Model::new(shapes::torus(1.5, 0.4, 24, 12).unwrap());
        (ball, ring)
    };
    let at = Trs::rotation_about_axis([1.0, 2.0, 3.0], 40.0).unwrap();
    let tasks = tasks(if cfg!(debug_assertions) { 12 } else { 400 });
    let (ball, ring) = make();
    let alone: Vec<Sweep> = {
        let mut scratch = Scratch::default();
        tasks.iter().map(|task| answer(&ball, &ring.at(at), task, &mut scratch)).collect()
    };
    let hits = alone.iter().filter(|sweep| sweep.status == SweepStatus::Hit).count();
    let clear = alone.iter().filter(|sweep| sweep.status == SweepStatus::Clear).count();
    assert!(hits.min(clear) * 20 >= tasks.len(), "{hits} {clear}");

    let (ball, ring) = make();
    let ring = ring.at(at);
    let threads = 8;
    let together: Vec<Vec<(usize, Sweep)>> = std::thread::scope(|scope| {
        let (tasks, ball, ring) = (&tasks, &ball, &ring);
        let work = |thread: usize| {
            move || {
                let mut scratch = Scratch::default();
                // Each does all tasks, in an order of its own, so that the same ones and different ones are done at once; half of them
                // with the memory that the methods share.
                let count = tasks.len();
                (0..count)
                    .map(|i| (i * 7 + thread * count / threads) % count)
                    .map(|i| {
                        let task = &tasks[i];
                        let sweep = match (thread % 2, task.other_by) {
                            (1, None) => ball.at(task.start).sweep_with(&task.motion, ring, task.ask),
                            _ => answer(ball, ring, task, &mut scratch),
                        };
                        (i, sweep)
                    })
                    .collect()
            }
        };
        let handles: Vec<_> = (0..threads).map(|thread| scope.spawn(work(thread))).collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    for (thread, answers) in together.iter().enumerate() {
        let mut is_done = vec![false; tasks.len()];
        for (i, sweep) in answers {
            assert_eq!(sweep, &alone[*i], "task {i}, thread {thread}");
            assert_eq!(bits(sweep), bits(&alone[*i]), "task {i}, thread {thread}");
            is_done[*i] = true;
        }
        assert!(is_done.iter().all(|done| *done));
    }
}
