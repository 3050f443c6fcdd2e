//! Every SIMD level gives the same bits: the program runs itself once for each level that the processor has, with `IMPINGE_SIMD` set,
//! and compares what each says about the same random cases.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

use impinge::broad_phase::{Algorithm, BroadPhase};
use impinge::glam::{DMat3, DVec3};
use impinge::mesh::Terrain;
use impinge::query::ray::{Ray, RayOptions};
use impinge::query::{Engine, IntersectOptions, Scratch, Volume, intersect};
use impinge::shapes::{self, Random};
use impinge::world::{Body, World};
use impinge::{Deformable, Mesh, Model, Motion, Placed, Placement, SimdLevel, Trs};

const CASES: u64 = if cfg!(debug_assertions) { 30 } else { 1_500 };
/// Set in the processes that answer.
const ANSWER: &str = "IMPINGE_TEST_ANSWER";

#[test]
fn every_level_gives_the_same_bits() {
    if std::env::var_os(ANSWER).is_some() {
        return answer();
    }
    let levels = SimdLevel::ALL.into_iter().filter(|level| level.is_available());
    let answers: Vec<(SimdLevel, String)> = levels.map(|level| (level, answer_of(level.name()))).collect();
    let (_, first) = &answers[0];
    assert!(first.lines().count() >= 9, "{first}");
    for (level, answer) in &answers {
        assert_eq!(answer, first, "{level:?}");
    }
    // A name of no level is of no consequence to the library.
    assert_eq!(answer_of("sse9"), *first);
}

/// What a process with that level says, one line for each kind of query.
fn answer_of(level: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let test = std::thread::current().name().unwrap().to_owned();
    let output = Command::new(program)
        .args([&test, "--exact", "--nocapture"])
        .env("IMPINGE_SIMD", level)
        .env(ANSWER, level)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{level}: {text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().filter(|line| line.starts_with("bits of ")).map(|line| format!("{line}\n")).collect()
}

/// Bits as one number: numbers are printed so that they can be told from all others, -0 from 0.
struct Bits(DefaultHasher, u64);

impl Bits {
    fn add(&mut self, answer: &impl Debug) {
        format!("{answer:?}").hash(&mut self.0);
        self.1 += 1;
    }
}

fn say(what: &str, answers: impl FnOnce(&mut Bits)) {
    let mut bits = Bits(DefaultHasher::new(), 0);
    answers(&mut bits);
    assert!(bits.1 >= CASES / 10, "{what}");
    println!("\nbits of {what}: {:016x}, {} answers", bits.0.finish(), bits.1);
}

fn answer() {
    let asked = std::env::var("IMPINGE_SIMD").unwrap();
    let expected = SimdLevel::ALL
        .into_iter()
        .rfind(|level| level.is_available() && (level.name() == asked || SimdLevel::requested().is_err()));
    assert_eq!(Some(SimdLevel::current()), expected, "what is asked for is used");
    let models = models();
    say("trees", |bits| trees(&models, bits));
    say("pairs", |bits| for_pairs(1, &models, |a, b, _| bits.add(&pair(a, b))));
    say("distances", |bits| for_pairs(2, &models, |a, b, random| bits.add(&distances(a, b, random))));
    say("contacts", |bits| for_pairs(3, &models, |a, b, _| bits.add(&a.contacts(b, 0.3))));
    say("sweeps", |bits| for_pairs(4, &models, |a, b, random| bits.add(&sweeps(a, b, random))));
    say("rays", |bits| rays(&models, bits));
    say("volumes", |bits| volumes(&models, bits));
    say("refits", refits);
    say("boxes", boxes);
    say("worlds", |bits| worlds(&models, bits));
}

fn models() -> Vec<Model> {
    let heights: Vec<f64> = (0..400).map(|i| f64::from(i * 7919 % 97) * 0.01).collect();
    let terrain =
        Terrain { origin: [-2.0, -2.0, 0.0], spacing: [0.2; 2], columns: 20, heights, holes: vec![7, 90] };
    let meshes = [
        Mesh::from(shapes::cuboid([-0.5; 3], [0.5; 3]).unwrap()),
        Mesh::from(shapes::cuboid_of_quads([-1.0, -0.2, -0.1], [1.0, 0.2, 0.1]).unwrap()),
        Mesh::from(shapes::icosphere(0.6, 4).unwrap()),
        Mesh::from(shapes::torus(0.7, 0.2, 24, 12).unwrap()),
        Mesh::from(shapes::bumpy_sphere(0.7, 0.3, 9, 24, 12, 5).unwrap()),
        Mesh::from(shapes::knot(0.6, 0.15, 60, 8).unwrap()),
        Mesh::terrain(terrain).unwrap(),
    ];
    meshes.into_iter().map(Model::new).collect()
}

/// Any placement: most are rigid, some scaled, mirrored or sheared.
fn anywhere(random: &mut Random) -> Placement {
    let turn = Trs::rotation_about_axis(random.direction(), random.between(-180.0, 180.0)).unwrap();
    let mut map = *Placement::from(turn).world_from_model();
    map.translation = 0.9 * random.in_cube();
    if random.below(4) == 0 {
        let [x, y, z] = [0, 1, 2].map(|_| random.between(0.3, 1.5));
        let shear =
            DMat3::from_cols(DVec3::new(x, 0.2, 0.0), DVec3::new(0.0, -y, 0.1), DVec3::new(0.3, 0.0, z));
        map.matrix3 *= shear;
    }
    Placement::try_from(map).unwrap()
}

fn for_pairs(seed: u64, models: &[Model], mut ask: impl FnMut(&Placed<'_>, &Placed<'_>, &mut Random)) {
    let mut random = Random::new(seed);
    for _ in 0..CASES {
        let [a, b] = [0, 1].map(|_| &models[random.below(models.len() as u32) as usize]);
        let (a, b) = (a.at(anywhere(&mut random)), b.at(anywhere(&mut random)));
        ask(&a, &b, &mut random);
    }
}

fn trees(models: &[Model], bits: &mut Bits) {
    for model in models {
        let mut add = |answer: &dyn Debug| bits.add(&answer);
        add(model.dop_tree::<6>());
        add(model.dop_tree::<8>());
        add(model.dop_tree::<14>());
        add(model.dop_tree::<18>());
        add(model.dop_tree::<26>());
    }
    // Large enough for the ways of large ranges, and with nothing but ties.
    let large = Mesh::from(shapes::bumpy_sphere(1.0, 0.2, 9, 200, 100, 1).unwrap());
    bits.add(Model::new(large).dop_tree::<6>());
    let mut random = Random::new(9);
    for _ in 0..CASES / 10 {
        let soup: Vec<[f64; 3]> =
            (0..3 * (1 + random.below(60))).map(|_| random.in_cube().to_array()).collect();
        bits.add(Model::new(Mesh::soup(soup).unwrap()).dop_tree::<6>());
    }
}

fn pair(a: &Placed<'_>, b: &Placed<'_>) -> impl Debug + use<> {
    let mut scratch = Scratch::default();
    let engines = [Engine::Dop6, Engine::Dop8, Engine::Dop14, Engine::Dop18, Engine::Dop26, Engine::Bsp];
    let each = engines.map(|engine| {
        let found = intersect(
            a,
            b,
            IntersectOptions { pairs: true, engine, ..IntersectOptions::default() },
            &mut scratch,
        );
        (found.verdict, found.witness, found.pairs)
    });
    (each, a.intersects(b))
}

fn distances(a: &Placed<'_>, b: &Placed<'_>, random: &mut Random) -> impl Debug + use<> {
    let point = 2.0 * random.in_cube();
    let within = a.distance_within(b, random.between(0.0, 0.5));
    (a.distance(b), within, a.closest_point(point), b.signed_distance(point), a.winding_number(point))
}

fn sweeps(a: &Placed<'_>, b: &Placed<'_>, random: &mut Random) -> impl Debug + use<> {
    let start = Placement::from(Trs::translation(2.5 * random.direction()).unwrap());
    let by = -1.5 * start.world_from_model().translation + random.in_cube();
    let (axis, degrees) = (random.direction(), random.between(-200.0, 200.0));
    let motion = match random.below(3) {
        0 => Motion::translation(by),
        1 => Motion::rotation(random.in_cube(), axis, degrees),
        _ => Motion::rigid(by, random.in_cube(), axis, degrees),
    };
    let sweep = a.model().at(start).sweep(&motion.unwrap(), b);
    (sweep.verdict, sweep.fraction, sweep.world_from_moving, sweep.hit)
}

fn rays(models: &[Model], bits: &mut Bits) {
    let mut random = Random::new(5);
    for _ in 0..CASES / 10 {
        for model in models {
            let placed = model.at(anywhere(&mut random));
            let ray = |random: &mut Random| {
                let origin = 2.0 * random.in_cube();
                // Many along axes: zeros in directions are a case of their own.
                let at = DVec3::from_array(
                    random.in_cube().to_array().map(|c| if c.abs() < 0.2 { 0.0 } else { c }),
                );
                Ray::new(origin, if at == DVec3::ZERO { DVec3::X } else { at }).unwrap()
            };
            let rays: Vec<Ray> = (0..40).map(|_| ray(&mut random)).collect();
            bits.add(&placed.cast_rays(&rays, RayOptions::default()));
            bits.add(&placed.cast_ray(&rays[0]));
            bits.add(&placed.cast_ray_all(&rays[1], RayOptions { cull_back: true }));
        }
    }
}

fn volumes(models: &[Model], bits: &mut Bits) {
    let mut random = Random::new(6);
    for _ in 0..CASES / 10 {
        for model in models {
            let placed = model.at(anywhere(&mut random));
            let [p, q] = [0, 1].map(|_| random.in_cube());
            let turn = Trs::rotation_about_axis(random.direction(), random.between(0.0, 180.0)).unwrap();
            let radius = random.between(0.05, 0.6);
            let volumes = [
                Volume::aabb(p.min(q), p.max(q)),
                Volume::obb(p, DVec3::splat(radius), &turn),
                Volume::sphere(p, radius),
                Volume::capsule(p, q, radius),
                Volume::plane(random.direction(), radius - 0.3),
                Volume::half_space(random.direction(), radius - 0.3),
            ];
            for volume in volumes {
                bits.add(&placed.faces_touching(&volume.unwrap()));
            }
        }
    }
}

fn refits(bits: &mut Bits) {
    let mut random = Random::new(7);
    let mut deformable = Deformable::new(Mesh::from(shapes::torus(1.0, 0.3, 60, 40).unwrap()));
    deformable.model().dop_tree::<6>();
    for _ in 0..1 + CASES / 10 {
        let (by, turn) = (random.in_cube(), random.between(0.5, 2.0));
        let moved: Vec<DVec3> =
            deformable.model().mesh().vertices().map(|p| (p + by * p.x.abs()) * turn / p.length()).collect();
        deformable.set_vertices(&moved).unwrap();
        bits.add(deformable.model().dop_tree::<6>());
    }
}

fn boxes(bits: &mut Bits) {
    let mut random = Random::new(8);
    for kind in [Algorithm::Bvh, Algorithm::SweepAndPrune] {
        let mut broad = BroadPhase::with_engine(impinge::broad_phase::AnyFinder::new(kind));
        for id in 0..500 {
            let bounds = some_box(&mut random);
            broad.insert(id, bounds).unwrap();
        }
        for _ in 0..1 + CASES / 20 {
            for _ in 0..50 {
                broad.move_to(random.below(500), some_box(&mut random)).unwrap();
            }
            bits.add(&broad.step().pairs);
        }
    }
}

fn some_box(random: &mut Random) -> impinge::bounds::Aabb {
    let center = 10.0 * random.in_cube();
    let half = DVec3::splat(random.between(0.0, 1.0));
    impinge::bounds::Aabb { min: center - half, max: center + half }
}

fn worlds(models: &[Model], bits: &mut Bits) {
    let mut random = Random::new(10);
    let mut world = World::new();
    let rigid = &models[..models.len() - 1];
    let mut handles = Vec::new();
    for number in 0..27 {
        let place = [number % 3, number / 3 % 3, number / 9].map(|k| 2.5 * f64::from(k));
        let model = rigid[number as usize % rigid.len()].clone();
        handles.push(world.insert(Body::moving(model, Trs::translation(place).unwrap())).unwrap());
    }
    for _ in 0..1 + CASES / 10 {
        let motions: Vec<_> = handles
            .iter()
            .map(|&handle| (handle, Motion::translation(0.7 * random.in_cube()).unwrap()))
            .collect();
        bits.add(&world.step(&motions).unwrap());
    }
    bits.add(&world.hash());
}
