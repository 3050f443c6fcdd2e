//! Preparation: what it makes is what queries make by themselves, and visitors of the user's may ask whatever they like.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use impinge::clash::{ClashOptions, Progress, detect_with};
use impinge::glam::DVec3;
use impinge::model::Purpose;
use impinge::query::{Ray, RayOptions, Scratch, Trajectory, Volume, VolumeOptions, conservative_advancement};
use impinge::world::{Body, World};
use impinge::{Deformable, Mesh, Model, Motion, Placed, Placement, Trs, shapes};
use rayon::ThreadPoolBuilder;

/// Enough faces for trees to be built by several threads.
fn mesh() -> Mesh {
    Mesh::from(shapes::bumpy_sphere(1.0, 0.2, 9, 100, 50, 1).unwrap())
}

fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn threads_build_the_tree_that_one_builds() {
    let lazy = Model::new(mesh());
    for threads in [1, 2, 8, 16] {
        with_threads(threads, || {
            let prepared = Model::new(mesh());
            prepared.prepare(Purpose::ALL);
            assert!(prepared.bvh() == lazy.bvh(), "{threads} threads");
            assert_eq!(format!("{:?}", prepared.edges()), format!("{:?}", lazy.edges()));
        });
    }
}

#[test]
fn threads_refit_the_tree_that_one_refits() {
    // So many pieces that threads share them, moved a little, then far, then in part.
    let moves: [fn(usize, DVec3) -> DVec3; 3] = [
        |_, point| 1.1 * point,
        |number, point| if number % 3 == 0 { -point } else { 2.0 * point },
        |number, point| if number < 50 { point + DVec3::X } else { point },
    ];
    let mut lazy = Deformable::new(mesh());
    let mut kept: Vec<(usize, Deformable)> =
        [2, 8].map(|threads| (threads, Deformable::new(mesh()))).into_iter().collect();
    lazy.model().bvh();
    for (threads, prepared) in &mut kept {
        with_threads(*threads, || prepared.prepare(Purpose::ALL));
    }
    for to in moves {
        let vertices: Vec<DVec3> =
            lazy.model().mesh().vertices().enumerate().map(|(n, p)| to(n, p)).collect();
        lazy.set_vertices(&vertices).unwrap();
        for (threads, prepared) in &mut kept {
            prepared.set_vertices(&vertices).unwrap();
            with_threads(*threads, || prepared.prepare(Purpose::PAIRS));
            assert!(prepared.model().bvh() == lazy.model().bvh(), "{threads} threads");
            assert_eq!(prepared.upkeep(), lazy.upkeep());
        }
    }
}

#[test]
fn a_deformable_can_be_prepared_through_its_model() {
    let mut deformable = Deformable::new(Mesh::from(shapes::torus(1.0, 0.3, 80, 60).unwrap()));
    deformable.model().prepare(Purpose::PAIRS);
    let moved: Vec<DVec3> = deformable.model().mesh().vertices().map(|point| point * 1.5).collect();
    deformable.set_vertices(&moved).unwrap();
    with_threads(8, || deformable.model().prepare(Purpose::PAIRS));
    assert_eq!(deformable.upkeep().refits, 1, "refitted, not built");
    deformable.prepare(Purpose::ALL);
    assert_eq!(deformable.upkeep().refits, 1, "once");
}

#[test]
fn purposes_join() {
    let both = Purpose::PAIRS | Purpose::RAYS;
    assert!(both.contains(Purpose::PAIRS) && both.contains(Purpose::RAYS) && !both.contains(Purpose::SWEEPS));
    assert!(Purpose::ALL.contains(both) && Purpose::ALL.contains(Purpose::SWEEPS | Purpose::DISTANCE));
}

/// Every query, of every kind that takes scratch, and one that enters the pool.
fn ask_all(a: &Placed<'_>, b: &Placed<'_>) -> String {
    let ball = Volume::sphere([0.0; 3], 1.0).unwrap();
    let motion = Motion::translation([0.1, 0.0, 0.0]).unwrap();
    let points = [DVec3::ZERO, DVec3::ONE];
    format!(
        "{:?} {} {:?} {:?} {:?} {:?} {:?} {:?}",
        a.verdict(b),
        a.intersects(b),
        a.distance(b),
        a.contacts(b, 0.1),
        a.faces_touching(&ball),
        a.sweep(&motion, b),
        a.closest_points(&points),
        a.signed_distances(&points),
    )
}

#[test]
fn visitors_may_ask_on_the_same_thread() {
    let (cube, ball) = (
        Model::new(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap()),
        Model::new(shapes::icosphere(0.5, 20).unwrap()),
    );
    let (cube, ball) = (cube.at(Trs::IDENTITY), ball.at(Trs::translation([1.2, 0.0, 0.0]).unwrap()));
    let expected = ask_all(&cube, &ball);
    let asked = AtomicU64::new(0);
    let ask = || {
        asked.fetch_add(1, Ordering::Relaxed);
        assert_eq!(ask_all(&cube, &ball), expected);
    };
    let volume = Volume::sphere([1.0, 0.0, 0.0], 0.5).unwrap();
    // Visitors within visitors, with the scratch of the thread and with the user's own.
    cube.for_each_face_touching(&volume, |_| {
        ask();
        ball.for_each_face_touching(&volume, |_| {
            ask();
            ControlFlow::Break(())
        });
        ControlFlow::Continue(())
    });
    let mut scratch = Scratch::default();
    cube.for_each_face_touching_in(&volume, VolumeOptions::new(), &mut scratch, |_| {
        ask();
        ControlFlow::Continue(())
    });
    let ray = Ray::new([5.0, 0.1, 0.2], [-1.0, 0.0, 0.0]).unwrap();
    let accept = |_| {
        ask();
        true
    };
    assert_eq!(cube.cast_ray_all(&ray, RayOptions::default().accept(Some(&accept))).len(), 2);
    assert!(asked.load(Ordering::Relaxed) >= 8, "{asked:?}");

    let walk = Walk { ask: &ask, from: *ball.placement() };
    let before = asked.load(Ordering::Relaxed);
    conservative_advancement([cube.model(), ball.model()], &walk, 1e-3, &mut scratch);
    assert!(asked.load(Ordering::Relaxed) > before);
}

/// A way along which questions are asked.
struct Walk<'w> {
    ask: &'w dyn Fn(),
    from: Placement,
}

impl Trajectory for Walk<'_> {
    fn poses(&self, _: f64) -> Option<[Placement; 2]> {
        (self.ask)();
        Some([Trs::translation([-2.0, 0.0, 0.0]).unwrap().into(), self.from])
    }

    fn speed(&self, _: f64, _: f64) -> f64 {
        0.0
    }
}

#[test]
fn whoever_is_told_of_progress_or_filters_pairs_may_ask() {
    let models: Vec<Model> = (0..4).map(|_| Model::new(mesh())).collect();
    let at = |number: usize| Trs::translation([0.9 * number as f64, 0.0, 0.0]).unwrap();
    let placed: Vec<Placed<'_>> = models.iter().enumerate().map(|(n, model)| model.at(at(n))).collect();
    let told = AtomicU64::new(0);
    let options = ClashOptions::new().separation(false);
    let ask = || {
        told.fetch_add(1, Ordering::Relaxed);
        assert!(placed[0].intersects(&placed[1]));
        placed[0].closest_points(&[DVec3::ZERO; 3]);
    };
    let accept = |a: u32, b: u32| placed[a as usize].intersects(&placed[b as usize]);
    let progress = |_: Progress| {
        ask();
        ControlFlow::Continue(())
    };
    let found = detect_with(&placed, &options.accept(Some(&accept)).progress(Some(&progress)));
    assert!(!found.partial && told.load(Ordering::Relaxed) >= found.pairs);

    let mut world = World::new();
    let cube = Arc::new(Model::new(shapes::cuboid([-0.4; 3], [0.4; 3]).unwrap()));
    let (inner, outer) = (cube.clone(), Model::new(mesh()));
    world.set_filter(move |_, (_, body)| {
        inner.at(Trs::IDENTITY).verdict(&body.placed());
        outer.at(Trs::IDENTITY).closest_points(&[DVec3::ZERO]);
        true
    });
    let handles: Vec<_> = (0..3)
        .map(|n| {
            let at = Trs::translation([f64::from(n), 0.0, 0.0]).unwrap();
            world.insert(Body::moving(cube.clone(), at)).unwrap()
        })
        .collect();
    let motion = Motion::translation([0.5, 0.0, 0.0]).unwrap();
    let step = world.step(&[(handles[0], motion), (handles[1], motion)]).unwrap();
    assert_eq!(step.moves.len(), 2);
}

#[test]
fn progress_may_end_a_search_while_models_are_prepared() {
    let models: Vec<Model> = (0..4).map(|_| Model::new(mesh())).collect();
    let placed: Vec<Placed<'_>> = models.iter().map(|model| model.at(Trs::IDENTITY)).collect();
    let told = AtomicU64::new(0);
    let found = with_threads(1, || {
        let end = |progress: Progress| {
            told.fetch_add(1, Ordering::Relaxed);
            assert_eq!(progress.done, 0, "models come before pairs");
            ControlFlow::Break(())
        };
        detect_with(&placed, &ClashOptions::new().progress(Some(&end)))
    });
    assert!(found.partial && found.clashes.is_empty());
    assert_eq!(told.load(Ordering::Relaxed), 1);
}

#[test]
fn a_prepared_world_does_what_another_does() {
    let run = |prepare: bool| {
        let mut world = World::new();
        let model = Arc::new(Model::new(mesh()));
        let at = |x: f64| Trs::translation([x, 0.0, 0.0]).unwrap();
        let first = world.insert(Body::moving(model.clone(), at(0.0))).unwrap();
        world.insert(Body::fixed(model, at(3.0))).unwrap();
        let soft = world.insert(Body::deformable(Deformable::new(mesh()), at(6.0))).unwrap();
        if prepare {
            world.prepare();
        }
        let motion = Motion::translation([2.0, 0.0, 0.0]).unwrap();
        let back = Motion::translation([-2.0, 0.0, 0.0]).unwrap();
        let step = world.step(&[(first, motion), (soft, back)]).unwrap();
        (format!("{step:?}"), world.hash())
    };
    assert_eq!(run(true), run(false));
}
