//! The test of SIMD levels: the program runs itself once for each level that the processor has, with `IMPINGE_SIMD` set, and compares what each
//! says about the same random cases.

use crate::effort::share;
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::Command;

use impinge::glam::{DMat3, DVec3};
use impinge::mesh::Terrain;
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model, Placed, Placement, SimdLevel, Trs};

pub(crate) fn case_count() -> u64 {
    share(30, 1_500)
}

/// Set in the processes that answer.
const ANSWER: &str = "IMPINGE_TEST_ANSWER";

/// Compares what all levels say. `answer` [says](say) at least so many lines.
pub(crate) fn compare_levels(lines: usize, answer: fn()) {
    if std::env::var_os(ANSWER).is_some() {
        check_level();
        return answer();
    }
    let levels = SimdLevel::ALL.into_iter().filter(|level| level.is_available());
    let answers: Vec<(SimdLevel, String)> = levels.map(|level| (level, answer_of(level.name()))).collect();
    let (_, first) = &answers[0];
    assert!(first.lines().count() >= lines, "{first}");
    for (level, answer) in &answers {
        assert_eq!(answer, first, "{level:?}");
    }
    // A name of no level is of no consequence to the library.
    assert_eq!(answer_of("sse9"), *first);
}

fn check_level() {
    let asked = std::env::var("IMPINGE_SIMD").unwrap();
    let expected = SimdLevel::ALL
        .into_iter()
        .rfind(|level| level.is_available() && (level.name() == asked || SimdLevel::requested().is_err()));
    assert_eq!(Some(SimdLevel::current()), expected, "what is asked for is used");
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
pub(crate) struct Bits(DefaultHasher, u64);

impl Bits {
    pub(crate) fn add(&mut self, answer: &impl Debug) {
        format!("{answer:?}").hash(&mut self.0);
        self.1 += 1;
    }
}

pub(crate) fn say(what: &str, answers: impl FnOnce(&mut Bits)) {
    let mut bits = Bits(DefaultHasher::new(), 0);
    answers(&mut bits);
    assert!(bits.1 >= case_count() / 10, "{what}");
    println!("\nbits of {what}: {:016x}, {} answers", bits.0.finish(), bits.1);
}

pub(crate) fn models() -> Vec<Model> {
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
pub(crate) fn anywhere(random: &mut Random) -> Placement {
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

pub(crate) fn for_pairs(
    seed: u64,
    models: &[Model],
    mut ask: impl FnMut(&Placed<'_>, &Placed<'_>, &mut Random),
) {
    let mut random = Random::new(seed);
    for _ in 0..case_count() {
        let [a, b] = [0, 1].map(|_| &models[random.below(models.len() as u32) as usize]);
        let (a, b) = (a.at(anywhere(&mut random)), b.at(anywhere(&mut random)));
        ask(&a, &b, &mut random);
    }
}
