//! Trees of K-DOPs beside a model: every thread count and every SIMD level makes the same, and nothing is refitted before it is asked for.

use crate::engine_set::{Engine, Memory, Trees};
use crate::simd_harness::{Bits, case_count, compare_levels, for_pairs, models, say};
use impinge::glam::DVec3;
use impinge::query::{IntersectOptions, Scratch};
use impinge::shapes;
use impinge::{Deformable, Mesh, Model, Placed, Trs};
use impinge_papers::zachmann::DopEngine;
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
    let model = Model::new(mesh());
    let lazy = DopEngine::<14>::default();
    for threads in [1, 2, 8, 16] {
        with_threads(threads, || {
            assert!(DopEngine::new(&model).tree(&model) == lazy.tree(&model), "{threads} threads");
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
    let mut deformable = Deformable::new(mesh());
    let mut lazy = DopEngine::<14>::default();
    lazy.tree(deformable.model());
    let mut kept = [2, 8].map(|threads| (threads, DopEngine::<14>::default()));
    for (threads, prepared) in &mut kept {
        with_threads(*threads, || prepared.prepare_mut(deformable.model()));
    }
    for to in moves {
        let vertices: Vec<DVec3> =
            deformable.model().mesh().vertices().enumerate().map(|(n, p)| to(n, p)).collect();
        deformable.set_vertices(&vertices).unwrap();
        let model = deformable.model();
        lazy.faces_moved(model, None);
        for (threads, prepared) in &mut kept {
            prepared.faces_moved(model, None);
            with_threads(*threads, || prepared.prepare_mut(model));
            assert!(prepared.tree(model) == lazy.tree(model), "{threads} threads");
            assert_eq!(prepared.upkeep(), lazy.upkeep());
        }
    }
}

#[test]
fn of_two_trees_the_one_that_is_asked_for_is_refitted() {
    let ball = Model::new(shapes::icosphere(0.5, 4).unwrap());
    let of_ball = DopEngine::<8>::new(&ball);
    let mut torus = Deformable::new(Mesh::from(shapes::torus(1.0, 0.3, 24, 12).unwrap()));
    let wide: Vec<DVec3> = torus.model().mesh().vertices().map(|p| p * 1.5).collect();
    let there = ball.at(Trs::translation([1.0, 0.0, 0.0]).unwrap());
    let mut octahedra = DopEngine::<8>::default();
    let ask = |torus: &Deformable, octahedra: &DopEngine<8>| {
        let placed = [&torus.at(Trs::IDENTITY), &there];
        DopEngine::intersect(
            [octahedra, &of_ball],
            placed,
            IntersectOptions::default(),
            &mut Scratch::default(),
        )
    };
    assert!(torus.at(Trs::IDENTITY).intersects(&ball.at(Trs::translation([1.0, 0.0, 0.0]).unwrap())));
    ask(&torus, &octahedra);
    torus.set_vertices(&wide).unwrap();
    octahedra.faces_moved(torus.model(), None);
    ask(&torus, &octahedra);
    ask(&torus, &octahedra);
    assert_eq!((torus.upkeep().refits, octahedra.upkeep().refits), (0, 1));
    octahedra.faces_moved(torus.model(), None);
    let copy = octahedra.clone();
    assert_eq!(ask(&torus, &copy), ask(&torus, &octahedra));
    assert_eq!(
        (copy.upkeep().refits, octahedra.upkeep().refits),
        (2, 2),
        "a copy owes what its original owed"
    );
}

#[test]
fn every_simd_level_gives_the_same_bits() {
    compare_levels(2, || {
        let models = models();
        let trees: Vec<Trees<'_>> = models.iter().map(Trees::new).collect();
        say("trees", |bits| {
            models.iter().for_each(|model| add_trees(model, bits));
            for seed in 0..case_count() / 10 {
                add_trees(&Model::new(shapes::bumpy_sphere(1.0, 0.2, 9, 16, 8, seed).unwrap()), bits);
            }
        });
        say("pairs", |bits| {
            let mut memory = Memory::default();
            for_pairs(1, &models, |a, b, _| {
                let of = |placed: &Placed<'_>| {
                    let number = models.iter().position(|model| std::ptr::eq(model, placed.model()));
                    &trees[number.unwrap()]
                };
                let options = IntersectOptions::new().pairs(true);
                let each = Engine::ALL[1..].iter().map(|engine| {
                    let found = engine.intersect([a, b], [of(a), of(b)], options, &mut memory);
                    (found.verdict, found.witness, found.pairs)
                });
                bits.add(&each.collect::<Vec<_>>());
            });
        });
    });
}

fn add_trees(model: &Model, bits: &mut Bits) {
    bits.add(DopEngine::<6>::new(model).tree(model));
    bits.add(DopEngine::<8>::new(model).tree(model));
    bits.add(DopEngine::<14>::new(model).tree(model));
    bits.add(DopEngine::<18>::new(model).tree(model));
    bits.add(DopEngine::<26>::new(model).tree(model));
}
