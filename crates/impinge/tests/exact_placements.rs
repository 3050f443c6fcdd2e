//! Placements whose numbers are exact: where no image of a vertex in the world is rounded, the answer is that of the
//! baked models, whose vertices are those images.
//!
//! Images are computed here in whole numbers. So are the verdicts of boxes.

use crate::effort::share;
use crate::engine_set::{self, ALL, ALWAYS, Engine, Memory, Trees};
use crate::oracle::cases::Random;
use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::query::{self, Contained, DistanceOptions, FacePair, IntersectOptions, PairCache, Scratch};
use impinge::shapes;
use impinge::{Deformable, Mesh, Model, Placed, Placement, Verdict};

fn all_cases() -> u64 {
    share(120, 24_000)
}

type Vector = [i64; 3];
/// By rows.
type Matrix = [[i64; 3]; 3];

/// A polyhedron with corners on a lattice, counter-clockwise from outside.
#[derive(Clone)]
struct Shape {
    corners: Vec<Vector>,
    faces: Vec<Vec<u32>>,
}

fn times(m: &Matrix, v: Vector) -> Vector {
    std::array::from_fn(|i| (0..3).map(|j| m[i][j] * v[j]).sum())
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

fn sum(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

fn determinant(m: &Matrix) -> i128 {
    let c = |i: usize, j: usize| i128::from(m[i][j]);
    (0..3)
        .map(|i| c(0, i) * (c(1, (i + 1) % 3) * c(2, (i + 2) % 3) - c(1, (i + 2) % 3) * c(2, (i + 1) % 3)))
        .sum()
}

const ONE: Matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/// A matrix of determinant 1 or -1, and its inverse.
fn unimodular(random: &mut Random) -> [Matrix; 2] {
    let (mut matrix, mut inverse) = (ONE, ONE);
    for _ in 0..random.below(4) {
        let (i, j) = (random.below(3) as usize, random.below(3) as usize);
        let (mut step, mut back) = (ONE, ONE);
        if i == j {
            step[i][i] = -1;
            back = step;
        } else {
            step[i][j] = random.below(5) as i64 - 2;
            back[i][j] = -step[i][j];
        }
        (matrix, inverse) = (product(&matrix, &step), product(&back, &inverse));
    }
    assert_eq!(product(&matrix, &inverse), ONE);
    [matrix, inverse]
}

fn linear(random: &mut Random) -> Matrix {
    loop {
        let size = [1, 3, 9, 1 << 12][random.below(4) as usize];
        let mut entry = || random.below(2 * size + 1) as i64 - size as i64;
        let matrix: Matrix = std::array::from_fn(|_| std::array::from_fn(|_| entry()));
        // What is nearly singular is refused by placements.
        let [x, y, z] = matrix.map(|row| row.iter().map(|&c| i128::from(c).abs()).max().unwrap());
        if determinant(&matrix).abs() * 1000 > x * y * z {
            return matrix;
        }
    }
}

fn cuboid([min, max]: [Vector; 2]) -> Shape {
    let corners =
        (0..8).map(|i| std::array::from_fn(|k| if i >> k & 1 == 1 { max[k] } else { min[k] })).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    Shape { corners, faces: quads.iter().map(|quad| quad.to_vec()).collect() }
}

/// A tetrahedron, an octahedron or a prism.
fn polyhedron(random: &mut Random) -> Shape {
    let mut point = || {
        let p = random.lattice(4);
        [2 * p.x as i64, 2 * p.y as i64, 2 * p.z as i64]
    };
    let minus = |a: Vector, b: Vector| -> Vector { std::array::from_fn(|i| a[i] - b[i]) };
    loop {
        let [o, u, v, w] = [point(), point(), point(), point()];
        let [du, dv, dw] = [u, v, w].map(|p| minus(p, o));
        let volume = determinant(&[du, dv, dw]);
        if volume == 0 {
            continue;
        }
        let mut shape = match random.below(3) {
            0 => Shape {
                corners: vec![o, u, v, w],
                faces: vec![vec![0, 2, 1], vec![0, 1, 3], vec![1, 2, 3], vec![0, 3, 2]],
            },
            1 => Shape {
                corners: vec![u, minus(sum(o, o), u), v, minus(sum(o, o), v), w, minus(sum(o, o), w)],
                faces: (0..8)
                    .map(|i: u32| {
                        let (a, b, c) = (i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2 & 1));
                        if i.count_ones().is_multiple_of(2) { vec![a, b, c] } else { vec![a, c, b] }
                    })
                    .collect(),
            },
            _ => Shape {
                corners: vec![o, u, v, sum(o, dw), sum(u, dw), sum(v, dw)],
                faces: vec![
                    vec![0, 2, 1],
                    vec![3, 4, 5],
                    vec![0, 1, 4, 3],
                    vec![1, 2, 5, 4],
                    vec![2, 0, 3, 5],
                ],
            },
        };
        if volume < 0 {
            shape.faces.iter_mut().for_each(|face| face.reverse());
        }
        return shape;
    }
}

/// A corner, or the middle of an edge or of a face, whose corners are even.
fn place_on(shape: &Shape, random: &mut Random) -> Vector {
    let mut corner = || shape.corners[random.below(shape.corners.len() as u64) as usize];
    let [a, b] = [corner(), corner()];
    sum(a, b).map(|c| c / 2)
}

/// Two shapes on one lattice that touch, cross or contain each other; of boxes also how.
fn pair(random: &mut Random) -> ([Shape; 2], Option<Verdict>) {
    if random.below(2) == 0 {
        let size: Vector = std::array::from_fn(|_| 1 + random.below(4) as i64);
        let mut below = |n: i64| random.below(n as u64) as i64;
        let first = [[0; 3], size];
        let second = if below(3) == 0 {
            // Within the first.
            let size = size.map(|size| 1 + below(size));
            let at: Vector = std::array::from_fn(|i| below(first[1][i] - size[i] + 1));
            [at, sum(at, size)]
        } else {
            let at: Vector = std::array::from_fn(|_| below(8) - 4);
            [at, sum(at, size.map(|_| 1 + below(4)))]
        };
        let [a, b] = if below(2) == 0 { [first, second] } else { [second, first] };
        return ([a, b].map(cuboid), Some(verdict_of_boxes(a, b)));
    }
    let (a, mut b) = (polyhedron(random), polyhedron(random));
    let (to, from) = (place_on(&a, random), place_on(&b, random));
    let by: Vector = std::array::from_fn(|i| to[i] - from[i]);
    b.corners.iter_mut().for_each(|corner| *corner = sum(*corner, by));
    ([a, b], None)
}

fn verdict_of_boxes(a: [Vector; 2], b: [Vector; 2]) -> Verdict {
    let all = |test: &dyn Fn(usize) -> bool| (0..3).all(test);
    if !all(&|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k]) {
        Verdict::Clear
    } else if !all(&|k| a[0][k] < b[1][k] && b[0][k] < a[1][k]) {
        Verdict::Touching
    } else if a != b && all(&|k| b[0][k] <= a[0][k] && a[1][k] <= b[1][k]) {
        Verdict::Inside(Contained::A)
    } else if a != b && all(&|k| a[0][k] <= b[0][k] && b[1][k] <= a[1][k]) {
        Verdict::Inside(Contained::B)
    } else {
        Verdict::Overlapping
    }
}

/// A model and its placement, in multiples of powers of two.
#[derive(Clone)]
struct Part {
    shape: Shape,
    linear: Matrix,
    /// In the world's steps.
    translation: Vector,
    /// The exponents of the model's and of the matrix's steps: that of the world's is their sum.
    steps: [i32; 2],
}

fn number(value: i64, step: i32) -> f64 {
    assert!(value.abs() < 1 << 53);
    libm::ldexp(value as f64, step)
}

impl Part {
    fn mesh(&self, corners: &[Vector], step: i32, is_mirrored: bool) -> Mesh {
        let vertices = corners.iter().map(|corner| corner.map(|c| number(c, step)));
        let faces = self.shape.faces.iter().map(|face| {
            let mut face = face.clone();
            if is_mirrored {
                // The same fan, seen from the other side.
                face[1..].reverse();
            }
            face
        });
        Mesh::polygons(vertices, faces).unwrap()
    }

    fn model(&self) -> Model {
        Model::new(self.mesh(&self.shape.corners, self.steps[0], false))
    }

    fn placement(&self) -> Placement {
        let [x, y, z] =
            [0, 1, 2].map(|j| DVec3::from_array([0, 1, 2].map(|i| number(self.linear[i][j], self.steps[1]))));
        let translation = self.translation.map(|c| number(c, self.steps[0] + self.steps[1]));
        Placement::try_from(DAffine3::from_cols(x, y, z, translation.into())).unwrap()
    }

    /// The model with all vertices where the placement takes them.
    fn baked(&self) -> Model {
        let images: Vec<Vector> =
            self.shape.corners.iter().map(|&c| sum(times(&self.linear, c), self.translation)).collect();
        let is_mirrored = determinant(&self.linear) < 0;
        Model::new(self.mesh(&images, self.steps[0] + self.steps[1], is_mirrored))
    }

    /// The same with vertices in another order.
    fn renumbered(&self, random: &mut Random) -> Part {
        let mut order: Vec<u32> = (0..self.shape.corners.len() as u32).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i as u64 + 1) as usize);
        }
        let mut part = self.clone();
        for (old, &new) in order.iter().enumerate() {
            part.shape.corners[new as usize] = self.shape.corners[old];
        }
        part.shape.faces.iter_mut().flatten().for_each(|vertex| *vertex = order[*vertex as usize]);
        part
    }

    /// Moved in the world.
    fn moved(&self, by: Vector) -> Part {
        Part { translation: sum(self.translation, by), ..self.clone() }
    }
}

/// Two shapes of one lattice under one map, the second perhaps by another matrix and other coordinates: each of them, and
/// what is known of them.
fn parts(random: &mut Random) -> ([Part; 2], Option<Verdict>) {
    let ([first, second], verdict) = pair(random);
    let (matrix, steps) = (linear(random), [random.below(12) as i32 - 6, random.below(20) as i32 - 10]);
    let origin: Vector = std::array::from_fn(|_| random.below(200) as i64 - 100);
    let part = |shape: Shape, [turn, back]: [Matrix; 2], shift: Vector| {
        // `matrix · (c + shift) = (matrix · back) · (turn · c) + matrix · shift`.
        let corners = shape.corners.iter().map(|&c| times(&turn, std::array::from_fn(|i| c[i] - shift[i])));
        Part {
            shape: Shape { corners: corners.collect(), faces: turned(&shape.faces, determinant(&turn) < 0) },
            linear: product(&matrix, &back),
            translation: sum(origin, times(&matrix, shift)),
            steps,
        }
    };
    let mut shift = || std::array::from_fn(|_| random.below(9) as i64 - 4);
    let shifts = [shift(), shift()];
    // Half of the pairs have the same linear part.
    let turn = if random.below(2) == 0 { [ONE; 2] } else { unimodular(random) };
    ([part(first, [ONE; 2], shifts[0]), part(second, turn, shifts[1])], verdict)
}

fn turned(faces: &[Vec<u32>], reverse: bool) -> Vec<Vec<u32>> {
    let mut faces = faces.to_vec();
    if reverse {
        faces.iter_mut().for_each(|face| face[1..].reverse());
    }
    faces
}

const ASK: IntersectOptions =
    IntersectOptions::new().pairs(true).surface_only(false).engine(query::Engine::Bvh);

fn answer(a: &Placed<'_>, b: &Placed<'_>, engine: Engine, memory: &mut Memory) -> (Verdict, Vec<FacePair>) {
    let trees = [&Trees::new(a.model()), &Trees::new(b.model())];
    let answer = engine_set::intersect(engine, [a, b], trees, ASK, memory);
    let met = engine_set::intersects(engine, [a, b], trees, ASK, memory);
    assert_eq!(met, answer.verdict != Verdict::Clear, "{engine:?}");
    (answer.verdict, answer.pairs)
}

fn verdict(a: &Placed<'_>, b: &Placed<'_>, engine: Engine) -> Verdict {
    let trees = [&Trees::new(a.model()), &Trees::new(b.model())];
    engine_set::intersect(engine, [a, b], trees, ASK, &mut Memory::default()).verdict
}

#[test]
fn placed_models_are_what_their_baked_images_are() {
    let mut memory = Memory::default();
    let mut seen = [0; 5];
    for case in 0..all_cases() {
        let mut random = Random(case << 8 | 0xe1);
        let (parts, known) = parts(&mut random);
        let models = [0, 1].map(|i| parts[i].model());
        let [a, b] = [0, 1].map(|i| models[i].at(parts[i].placement()));
        let baked = [0, 1].map(|i| parts[i].baked());
        let [baked_a, baked_b] = [0, 1].map(|i| baked[i].at(Placement::IDENTITY));
        let truth = baked_a.intersect_with(&baked_b, ASK.engine(query::Engine::Brute));
        let expected = (truth.verdict, truth.pairs);
        if let Some(known) = known {
            assert_eq!(expected.0, known, "case {case}, baked");
        }
        seen[match expected.0 {
            Verdict::Clear => 0,
            Verdict::Touching => 1,
            Verdict::Overlapping => 2,
            Verdict::Inside(Contained::A) => 3,
            Verdict::Inside(Contained::B) => 4,
        }] += 1;
        for engine in ALL {
            assert_eq!(answer(&a, &b, engine, &mut memory), expected, "case {case}, {engine:?}");
        }

        let mut back = answer(&b, &a, ALWAYS[0], &mut memory);
        back.1.iter_mut().for_each(|pair| std::mem::swap(&mut pair.face_a, &mut pair.face_b));
        back.1.sort_unstable();
        assert_eq!((back.0.flipped(), back.1), expected, "case {case}, exchanged");

        let by = std::array::from_fn(|_| (random.below(1 << 41) as i64 - (1 << 40)) << random.below(8));
        let [c, d] = [0, 1].map(|i| models[i].at(parts[i].moved(by).placement()));
        assert_eq!(answer(&c, &d, ALWAYS[0], &mut memory), expected, "case {case}, moved by {by:?}");

        let renumbered = [0, 1].map(|i| parts[i].renumbered(&mut random).model());
        let [c, d] = [0, 1].map(|i| renumbered[i].at(parts[i].placement()));
        assert_eq!(answer(&c, &d, ALWAYS[0], &mut memory), expected, "case {case}, renumbered");

        if case % 4 != 0 {
            let (there, back) = (a.distance(&b).distance, b.distance(&a).distance);
            assert_eq!((there == 0.0, back), (expected.0 != Verdict::Clear, there), "case {case}");
            continue;
        }
        let distances = [
            a.distance(&b),
            b.distance(&a),
            a.distance_with(&b, DistanceOptions::new().engine(query::Engine::Brute)).unwrap(),
        ];
        for found in distances {
            assert_eq!(found.distance == 0.0, expected.0 != Verdict::Clear, "case {case}: {found:?}");
        }
        let true_distance = baked_a.distance(&baked_b).distance;
        let extent = baked.iter().map(Model::reach).fold(0.0, f64::max);
        let off = (distances[0].distance - true_distance).abs();
        assert!(off <= 1e-12 * (extent + true_distance), "case {case}: {off}");
        assert_eq!(a.contact_surface(&b), baked_a.contact_surface(&baked_b), "case {case}");
        let [curve, true_curve] =
            [a.intersection_curve(&b), baked_a.intersection_curve(&baked_b)].map(|curve| {
                let length: f64 = curve.polylines.iter().map(impinge::query::CurvePolyline::length).sum();
                (curve.polylines.len(), length, curve.faces_a, curve.faces_b)
            });
        assert_eq!(
            (curve.0, &curve.2, &curve.3),
            (true_curve.0, &true_curve.2, &true_curve.3),
            "case {case}"
        );
        assert!((curve.1 - true_curve.1).abs() <= 1e-9 * true_curve.1, "case {case}");
    }
    assert!(seen.iter().all(|&count| count > all_cases() / 60), "{seen:?}");
}

fn matrix(rows: Matrix) -> DMat3 {
    DMat3::from_cols_array_2d(&rows.map(|row| row.map(|c| c as f64))).transpose()
}

fn at(matrix3: DMat3, translation: DVec3) -> Placement {
    Placement::try_from(DAffine3 { matrix3, translation }).unwrap()
}

/// Of determinant 5.
const SHEAR: Matrix = [[3, 1, 0], [1, 2, 0], [0, 1, 1]];

#[test]
fn flush_cubes_under_a_matrix_of_determinant_5_touch() {
    let (shear, cube) = (matrix(SHEAR), Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap()));
    for direction in 1..27_u32 {
        let step = [0, 1, 2].map(|k| f64::from(direction / 3_u32.pow(k) % 3) - 1.0);
        let step = DVec3::from_array(step);
        if step == DVec3::ZERO {
            continue;
        }
        let places = if cfg!(debug_assertions) { 2 } else { 4 };
        for far in [1e9, 0.0, 7.0, -3e12].into_iter().take(places) {
            let here = DVec3::new(far, 2.0 * far, -far);
            let (a, b) = (cube.at(at(shear, here)), cube.at(at(shear, here + shear * step)));
            for engine in ALL {
                assert_eq!(verdict(&a, &b, engine), Verdict::Touching, "{step} {far} {engine:?}");
            }
            assert_eq!(a.distance(&b).distance, 0.0);
        }
    }
}

/// Coordinates of all digits, which the matrix rounds: but the relative translation is a whole one, and is found.
#[test]
fn relative_translations_are_exact_where_they_can_be() {
    let mut random = Random(0xe2);
    let rounded = |random: &mut Random| 0.5 + 0.4 * random.vector();
    for case in 0..all_cases() / 10 {
        let (size, other) = (rounded(&mut random), rounded(&mut random));
        let step = DVec3::X * (1 + random.below(9)) as f64;
        let a = Model::new(shapes::cuboid(DVec3::ZERO, size.with_x(step.x)).unwrap());
        let b = Model::new(shapes::cuboid((-0.5 * other).with_x(0.0), other).unwrap());
        let linear = matrix(linear(&mut random)) * [1.0, 0.25, 3.0][random.below(3) as usize];
        let here = random.lattice(100);
        let placed = (a.at(at(linear, here)), b.at(at(linear, here + linear * step)));
        assert_eq!(placed.0.verdict(&placed.1), Verdict::Touching, "case {case}");
    }
    // A tenth is rounded, and so are two tenths; but one is twice the other.
    let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3]).unwrap());
    for scale in [0.1, 0.3, 0.7, 1e-3, 1e7 / 3.0] {
        let linear = DMat3::from_diagonal(DVec3::splat(scale));
        let (a, b) = (
            cube.at(Placement::try_from(linear_map(linear)).unwrap()),
            cube.at(at(linear, DVec3::Y * (2.0 * scale))),
        );
        assert_eq!(a.verdict(&b), Verdict::Touching, "{scale}");
    }
}

fn linear_map(matrix3: DMat3) -> DAffine3 {
    DAffine3 { matrix3, translation: DVec3::ZERO }
}

/// Each image is exact in the world, but the difference of the translations is not a number.
#[test]
fn a_speck_touches_a_corner_at_the_origin() {
    let (shear, speck) = (matrix(SHEAR), (-60_f64).exp2());
    let large = Model::new(shapes::cuboid([1.0; 3], [2.0; 3]).unwrap());
    let small = Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap());
    let a = large.at(at(shear, -(shear * DVec3::ONE)));
    let b = small.at(at(shear * speck, -(shear * DVec3::ONE) * speck));
    let apart = small.at(at(shear * speck, -(shear * DVec3::new(1.0, 1.0, 2.0)) * speck));
    let within = small.at(at(shear * speck, DVec3::ZERO));
    for engine in ALL {
        let verdict = |b: &Placed<'_>| verdict(&a, b, engine);
        assert_eq!(
            [verdict(&b), verdict(&apart), verdict(&within)],
            [Verdict::Touching, Verdict::Clear, Verdict::Inside(Contained::B)],
            "{engine:?}"
        );
    }
}

/// What is remembered of a pair, and a deformable whose vertices leave the grid and return to it.
#[test]
fn caches_and_deformables_keep_up() {
    let (shear, scratch) = (matrix(SHEAR), &mut Scratch::default());
    let cube = Model::new(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap());
    let mut soft = Deformable::new(Mesh::from(shapes::cuboid([0.0; 3], [1.0; 3]).unwrap()));
    let places = |step: DVec3| [at(shear, DVec3::ONE), at(shear, DVec3::ONE + shear * step)];
    let mut pair = PairCache::new(&cube, &cube);
    let corners: Vec<DVec3> = cube.mesh().vertices().collect();
    for i in 0..40_u32 {
        let step = DVec3::new(1.0, f64::from(i % 4) * 0.5, f64::from(i % 7) / 8.0);
        // Half of the steps by numbers that are not exact, across another matrix.
        let nudge = if i % 2 == 0 { 0.0 } else { 1e-9 / 3.0 };
        let mut places = places(step);
        if nudge != 0.0 {
            let map = places[1].world_from_model();
            places[1] = at(map.matrix3, map.translation + shear * DVec3::X * nudge);
        }
        let expected = nudge == 0.0 && step.y <= 1.0;
        assert_eq!(pair.intersects(places, IntersectOptions::default(), scratch), expected, "step {i}");
        let by = DVec3::X * -nudge;
        let moved: Vec<DVec3> = corners.iter().map(|corner| *corner + by).collect();
        soft.set_vertices(&moved).unwrap();
        let whole = [at(shear, DVec3::ONE), at(shear, DVec3::ONE + shear * step)];
        let verdict = soft.at(whole[1]).verdict(&cube.at(whole[0]));
        let touching = if step.y <= 1.0 { Verdict::Touching } else { Verdict::Clear };
        if nudge == 0.0 {
            assert_eq!(verdict, touching, "step {i}");
        } else if step.y < 1.0 {
            assert_eq!(verdict, Verdict::Overlapping, "step {i}");
        }
    }
}
