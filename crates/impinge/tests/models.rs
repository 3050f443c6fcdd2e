//! Models of some thousand faces: the pairs and the verdict of every engine are those of brute force, in poses that make
//! faces cross, touch, lie in one plane, mirrored, sheared, and far away.
//!
//! Generated stand-ins are always tested. Real models are tested on demand: with the folder of `cow.obj` and
//! `stanford-bunny.obj` in the environment variable `IMPINGE_MODELS`,
//! `cargo test --release -p impinge --test all models -- --ignored` runs the same poses on the cow and every tenth face of the
//! bunny.

use std::path::Path;

use crate::engine_set::{ALL, Memory, Trees, intersect, intersects};
use crate::oracle::cases::Random;
use impinge::math::{DAffine3, DMat3, DQuat, DVec3};
use impinge::model::Placed;
use impinge::query::{Engine, FacePair, IntersectOptions};
use impinge::shapes::Shape;
use impinge::{Mesh, Model, Placement, Trs, Verdict};
use impinge_core::narrow::tri_tri::Kind;

const POSES: u64 = if cfg!(debug_assertions) { 7 } else { 126 };
const KINDS: [&str; 7] =
    ["crooked", "sheared", "mirrored", "far", "corner on corner", "shifted in a plane", "mirrored in place"];

/// Centered, not larger than a cube of edge 2, and on a grid of 2⁻²⁰: moves along the grid are exact then, and so are the
/// touches that they make.
fn on_grid(points: &[DVec3], faces: Vec<[u32; 3]>) -> Model {
    let bounds = impinge::bounds::Aabb::around(points.iter().copied());
    let (center, scale) = (bounds.center(), 2.0 / bounds.size().max_element());
    let grid = f64::from(1 << 20);
    let place = |p: &DVec3| (((*p - center) * scale * grid).round() / grid).to_array();
    Model::new(Mesh::triangles(points.iter().map(place), faces).unwrap())
}

fn stand_in(triangles: usize, seed: u64, stretch: DVec3) -> Model {
    let mesh = Mesh::from(Shape::Bumpy.generate(triangles, seed));
    let points: Vec<DVec3> = mesh.vertices().map(|p| p * stretch).collect();
    on_grid(&points, (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect())
}

/// A model from the lines `v` and `f` of an OBJ file, with every n-th face.
fn from_file(file: &Path, every: usize) -> Model {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let numbers = |line: &str| {
        let words = line.split_whitespace().skip(1);
        words.map(|word| word.split('/').next().unwrap().parse::<f64>().unwrap()).collect::<Vec<f64>>()
    };
    let lines = |start: &'static str| text.lines().filter(move |line| line.starts_with(start));
    let points: Vec<DVec3> = lines("v ").map(|line| DVec3::from_slice(&numbers(line))).collect();
    let fan = |line: &str| {
        let corners: Vec<u32> = numbers(line).into_iter().map(|number| number as u32 - 1).collect();
        (2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]).collect::<Vec<_>>()
    };
    on_grid(&points, lines("f ").flat_map(fan).step_by(every).collect())
}

/// The two models of a case and where they stand; the second may be the first again.
fn case<'m>(number: u64, cow: &'m Model, bunny: &'m Model) -> [Placed<'m>; 2] {
    let random = &mut Random(number << 8 | 0x0d);
    let crooked = |random: &mut Random| {
        let axis = random.vector() + DVec3::new(0.0, 0.0, 1.5);
        DMat3::from_quat(DQuat::from_axis_angle(axis.normalize(), random.unit() * 3.0))
    };
    let at =
        |matrix3: DMat3, translation: DVec3| Placement::try_from(DAffine3 { matrix3, translation }).unwrap();
    let corner = |model: &Model, random: &mut Random| {
        let mesh = model.mesh();
        mesh.vertex(mesh.corner(random.below(mesh.face_count() as u64) as u32, 0))
    };
    let rigid = |random: &mut Random| at(crooked(random), random.vector() * 0.7);
    let still = Placement::IDENTITY;
    match number % KINDS.len() as u64 {
        0 => [cow.at(rigid(random)), bunny.at(rigid(random))],
        1 => {
            let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.2), DVec3::new(-0.4, 0.3, 1.5));
            [cow.at(at(shear * crooked(random), random.vector() * 0.7)), bunny.at(rigid(random))]
        }
        2 => {
            let scale = DMat3::from_diagonal(DVec3::new(0.75, -1.5, 1.25));
            [cow.at(rigid(random)), bunny.at(at(crooked(random) * scale, random.vector() * 0.7))]
        }
        3 => {
            let far = DVec3::splat(1e6);
            let there = |random: &mut Random| at(crooked(random), random.vector() * 0.7 + far);
            [cow.at(there(random)), bunny.at(there(random))]
        }
        // Two corners in one point, here or far away.
        4 => {
            let far = if random.below(2) == 0 { DVec3::ZERO } else { DVec3::splat(1e6) };
            let step = corner(cow, random) - corner(bunny, random);
            [cow.at(at(DMat3::IDENTITY, far)), bunny.at(at(DMat3::IDENTITY, far + step))]
        }
        // Along an edge: the faces at it stay in their planes. In a crooked place, so that they do so but for rounding,
        // every other time.
        5 => {
            let mesh = cow.mesh();
            let face = random.below(mesh.face_count() as u64) as u32;
            let [from, to] = [0, 1].map(|i| mesh.vertex(mesh.corner(face, i)));
            let place = if random.below(2) == 0 { still } else { rigid(random) };
            let step = Placement::from(Trs::translation((to - from).to_array()).unwrap());
            [cow.at(place), cow.at(step.then(&place).unwrap())]
        }
        // Upon itself, mirrored through a plane of the grid.
        _ => {
            let mut mirror = DVec3::ONE;
            mirror[random.below(3) as usize] = -1.0;
            let step = if random.below(2) == 0 { DVec3::ZERO } else { random.lattice(2) * 0.125 };
            [cow.at(still), cow.at(at(DMat3::from_diagonal(mirror), step))]
        }
    }
}

fn engines_agree(cow: &Model, bunny: &Model) {
    let trees = [Trees::new(cow), Trees::new(bunny)];
    let run = |first: u64| {
        let mut memory = Memory::default();
        let mut pairs = [0_usize; KINDS.len()];
        let mut touching = [0_usize; KINDS.len()];
        for number in (first..POSES).step_by(2) {
            let [a, b] = case(number, cow, bunny);
            let kind = (number % KINDS.len() as u64) as usize;
            let ask = IntersectOptions::new().pairs(true);
            let truth = a.intersect_with(&b, ask.engine(Engine::Brute));
            let trees = [&a, &b].map(|placed| &trees[usize::from(!std::ptr::eq(placed.model(), cow))]);
            for &engine in &ALL[1..] {
                let found = intersect(engine, [&a, &b], trees, ask, &mut memory);
                assert_eq!(found.verdict, truth.verdict, "{number}, {}, {engine:?}", KINDS[kind]);
                assert!(found.pairs == truth.pairs, "{number}, {}, {engine:?}: other pairs", KINDS[kind]);
                let hit = intersects(engine, [&a, &b], trees, IntersectOptions::default(), &mut memory);
                assert_eq!(hit, truth.verdict != Verdict::Clear, "{number}, {}, {engine:?}", KINDS[kind]);
            }
            pairs[kind] += truth.pairs.len();
            let touches = |pair: &&FacePair| pair.kind == Kind::Touching;
            touching[kind] += truth.pairs.iter().filter(touches).count();
        }
        (pairs, touching)
    };
    let (pairs, touching) = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(1));
        let own = run(0);
        let other = other.join().unwrap();
        let sum = |a: [usize; 7], b: [usize; 7]| std::array::from_fn::<usize, 7, _>(|i| a[i] + b[i]);
        (sum(own.0, other.0), sum(own.1, other.1))
    });
    for (kind, name) in KINDS.iter().enumerate() {
        println!("{name}: {} pairs of faces, {} of them only touch", pairs[kind], touching[kind]);
        assert!(pairs[kind] > 0, "nothing meets: {name}");
    }
    assert!(touching[4] > 0 && touching[5] > 0 && touching[6] > 0, "{touching:?}");
}

#[test]
fn stand_ins_of_a_cow_and_a_thinned_bunny() {
    let cow = stand_in(5804, 3, DVec3::new(1.6, 1.0, 0.6));
    let bunny = stand_in(6945, 5, DVec3::ONE);
    println!("{} and {} faces", cow.mesh().face_count(), bunny.mesh().face_count());
    engines_agree(&cow, &bunny);
}

#[test]
#[ignore = "needs IMPINGE_MODELS, a folder with cow.obj and stanford-bunny.obj"]
fn a_cow_and_a_thinned_bunny() {
    let folder = std::env::var_os("IMPINGE_MODELS").expect("IMPINGE_MODELS names the folder of the models");
    let file = |name: &str| Path::new(&folder).join(name);
    let (cow, bunny) = (from_file(&file("cow.obj"), 1), from_file(&file("stanford-bunny.obj"), 10));
    println!("{} and {} faces", cow.mesh().face_count(), bunny.mesh().face_count());
    engines_agree(&cow, &bunny);
}
