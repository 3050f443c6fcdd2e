//! Verdicts of solids with slanted faces at whole coordinates, against exact samples of space and of the surfaces.
//!
//! A sample proves that a combination occurs: a point inside both, a point inside one only, a place of a surface that
//! is buried or exposed. The models are small, so that cells are not: what thousands of samples do not find is not there.

use crate::effort::share;
use crate::oracle::cases::Random;
use impinge::mesh::Group;
use impinge::query::{Contained, Engine, IntersectOptions};
use impinge::{Mesh, Model, Trs, Verdict};
use impinge_core::narrow::tri_tri::Kind;

fn all_cases() -> u64 {
    share(100, 2_000)
}

/// Sampled points are whole multiples of 1/D; a prime, so that they avoid the planes of small whole numbers.
const D: i64 = 10_007;

type Point = [i64; 3];

struct Body {
    /// Corners in multiples of 1; closed parts have weight 1.
    triangles: Vec<([Point; 3], i64)>,
    model: Model,
    size: i64,
}

fn det(a: Point, b: Point, c: Point, p: Point) -> i64 {
    let d = |q: Point, k: usize| q[k] - a[k];
    let minor = |i, j| d(b, i) * d(c, j) - d(b, j) * d(c, i);
    minor(1, 2) * d(p, 0) + minor(2, 0) * d(p, 1) + minor(0, 1) * d(p, 2)
}

fn turn(a: Point, b: Point, p: Point) -> i64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// The point as seen along (97, 41, 1009): a direction in which no plane through points of a small lattice lies.
fn seen_along_ray([x, y, z]: Point) -> Point {
    [1009 * x - 97 * z, 1009 * y - 41 * z, 0]
}

fn has_area([a, b, c]: &[Point; 3]) -> bool {
    (0..3).any(|k| {
        let drop = |p: &Point| [p[(k + 1) % 3], p[(k + 2) % 3], 0];
        turn(drop(a), drop(b), drop(c)) != 0
    })
}

impl Body {
    /// The winding numbers just above and just below a point in multiples of 1/D, by a ray almost upright; none where
    /// the ray meets an edge.
    fn windings(&self, p: Point) -> Option<[i64; 2]> {
        let mut numbers = [0; 2];
        for (t, weight) in &self.triangles {
            let [a, b, c] = t.map(|q| q.map(|x| x * D));
            let [u, v, w, o] = [a, b, c, p].map(seen_along_ray);
            let turns = [turn(u, v, o), turn(v, w, o), turn(w, u, o)].map(i64::signum);
            if turns.contains(&1) && turns.contains(&-1) {
                continue;
            }
            let side = det(a, b, c, p).signum();
            if turns == [0; 3] {
                // Edge-on: only one whose plane holds the point is in doubt; one without area counts for nothing.
                if side == 0 && has_area(t) {
                    return None;
                }
                continue;
            }
            // Seen counter-clockwise from above, the ray leaves through it.
            let up = turns.into_iter().find(|&turn| turn != 0).unwrap();
            if side == up {
                continue;
            }
            if turns.contains(&0) {
                return None;
            }
            numbers[1] += weight * up;
            if side != 0 {
                numbers[0] += weight * up;
            }
        }
        Some(numbers)
    }

    /// The winding number at a point that lies on no face.
    fn winding(&self, p: Point) -> Option<i64> {
        self.windings(p).and_then(|[above, below]| (above == below).then_some(above))
    }
}

/// Closed shapes with few corners: a list of faces over whole points.
fn shape(random: &mut Random, size: i64) -> Vec<Vec<Point>> {
    let point =
        |random: &mut Random| -> Point { std::array::from_fn(|_| random.below(size as u64 + 1) as i64) };
    let sum = |a: Point, b: Point| -> Point { std::array::from_fn(|k| a[k] + b[k]) };
    match random.below(6) {
        0 => {
            let [a, b, c, d] = std::array::from_fn(|_| point(random));
            vec![vec![a, c, b], vec![a, b, d], vec![b, c, d], vec![a, d, c]]
        }
        1 => {
            // A prism or a slanted box: an outline, moved.
            let [a, b, c] = std::array::from_fn(|_| point(random));
            let by: Point = std::array::from_fn(|_| random.below(5) as i64 - 2);
            let base = if random.below(2) == 0 { vec![a, b, c] } else { vec![a, b, sum(b, minus(c, a)), c] };
            prism(&base, by)
        }
        2 => {
            // A double pyramid over a square, the loop of whose edges lies in a plane of the lattice.
            let [c, k] = [point(random), [random.below(3) as i64, 0, 0]];
            let axis = k[0] as usize;
            let side = |s: i64, t: i64| {
                let mut p = c;
                p[(axis + 1) % 3] += s;
                p[(axis + 2) % 3] += t;
                p
            };
            let ring = [side(1, 0), side(0, 1), side(-1, 0), side(0, -1)];
            let tip = |h: i64| {
                let mut p = c;
                p[axis] += h;
                p
            };
            let (up, down) = (tip(1 + random.below(2) as i64), tip(-(random.below(3) as i64)));
            (0..4)
                .flat_map(|i| {
                    let (p, q) = (ring[i], ring[(i + 1) % 4]);
                    [vec![p, q, up], vec![q, p, down]]
                })
                .collect()
        }
        3 => {
            // A slab under everything.
            let z = random.below(size as u64) as i64;
            prism(&[[-1, -1, z], [size + 1, -1, z], [size + 1, size + 1, z], [-1, size + 1, z]], [0, 0, 1])
        }
        4 => {
            // A box, axis-aligned.
            let [a, b] = std::array::from_fn(|_| point(random));
            let (low, high): (Point, Point) =
                (std::array::from_fn(|k| a[k].min(b[k])), std::array::from_fn(|k| a[k].max(b[k]) + 1));
            let base =
                [low, [high[0], low[1], low[2]], [high[0], high[1], low[2]], [low[0], high[1], low[2]]];
            prism(&base, [0, 0, high[2] - low[2]])
        }
        _ => {
            // An open triangle.
            vec![vec![point(random), point(random), point(random)]]
        }
    }
}

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|k| a[k] - b[k])
}

fn prism(base: &[Point], by: Point) -> Vec<Vec<Point>> {
    let top: Vec<Point> = base.iter().map(|p| std::array::from_fn(|k| p[k] + by[k])).collect();
    let n = base.len();
    let mut faces = vec![base.iter().rev().copied().collect(), top.clone()];
    for i in 0..n {
        let j = (i + 1) % n;
        faces.push(vec![base[i], base[j], top[j], top[i]]);
    }
    faces
}

fn body(random: &mut Random, size: i64) -> Body {
    let (mut points, mut faces, mut groups) = (Vec::new(), Vec::<Vec<u32>>::new(), Vec::new());
    let mut own = Vec::new();
    for _ in 0..1 + random.below(3) {
        groups.push(Group { name: String::new(), first_face: faces.len() as u32 });
        let mut shape = loop {
            let shape = shape(random, size);
            // Parts without any area have tests of their own.
            if shape
                .iter()
                .any(|face| (1..face.len() - 1).any(|k| has_area(&[face[0], face[k], face[k + 1]])))
            {
                break shape;
            }
        };
        if random.below(5) == 0 {
            shape.iter_mut().for_each(|face| face.reverse());
        }
        for mut face in shape {
            let turn = random.below(face.len() as u64) as usize;
            face.rotate_left(turn);
            for k in 1..face.len() - 1 {
                own.push((faces.len() as u32, [face[0], face[k], face[k + 1]]));
            }
            faces.push((0..face.len() as u32).map(|i| i + points.len() as u32).collect());
            points.extend(face.iter().map(|p| p.map(|x| x as f64)));
        }
    }
    let model = Model::new(Mesh::polygons(points, faces).unwrap().with_groups(groups).unwrap());
    let triangles = own.into_iter().map(|(face, t)| (t, i64::from(model.is_closed_face(face)))).collect();
    Body { triangles, model, size }
}

/// What samples prove.
#[derive(Default)]
struct Seen {
    common: bool,
    sticks_out: [bool; 2],
}

impl Seen {
    fn sample(&mut self, bodies: [&Body; 2], count: u64, random: &mut Random) {
        let size = bodies[0].size;
        for _ in 0..count {
            let p: Point = std::array::from_fn(|_| random.below((D * (size + 4)) as u64) as i64 - 2 * D);
            let (Some(a), Some(b)) = (bodies[0].winding(p), bodies[1].winding(p)) else { continue };
            self.common |= a > 0 && b > 0;
            self.sticks_out[0] |= a > 0 && b <= 0;
            self.sticks_out[1] |= b > 0 && a <= 0;
        }
        for side in 0..2 {
            let each = 1 + count / 40;
            for (t, _) in &bodies[side].triangles {
                for _ in 0..each {
                    // Somewhere on the triangle.
                    let (i, j) = (random.below(D as u64 + 1) as i64, random.below(D as u64 + 1) as i64);
                    let (i, j) = if i + j > D { (D - i, D - j) } else { (i, j) };
                    let p = std::array::from_fn(|k| t[0][k] * (D - i - j) + t[1][k] * i + t[2][k] * j);
                    let Some(numbers) = bodies[1 - side].windings(p) else { continue };
                    self.common |= numbers.iter().all(|&number| number > 0);
                    self.sticks_out[side] |= numbers.iter().all(|&number| number <= 0);
                }
            }
        }
    }

    /// Whether the verdict is what has been seen, as far as interiors go.
    fn agrees(&self, verdict: Verdict) -> bool {
        let expected = match (self.common, self.sticks_out) {
            (false, _) => return matches!(verdict, Verdict::Touching | Verdict::Clear),
            (true, [false, true]) => Verdict::Inside(Contained::A),
            (true, [true, false]) => Verdict::Inside(Contained::B),
            (true, _) => Verdict::Overlapping,
        };
        verdict == expected
    }
}

#[test]
fn slanted_solids_agree_with_samples() {
    let mut counts = [0u64; 5];
    for case in 0..all_cases() {
        let mut random = Random(case << 8 | 0x50);
        let size = 1 + (case % 3) as i64;
        let (a, b) = (body(&mut random, size), body(&mut random, size));
        let (here, there) = (a.model.at(Trs::IDENTITY), b.model.at(Trs::IDENTITY));
        let answer = here.intersect_with(
            &there,
            IntersectOptions::new().pairs(true).surface_only(false).engine(Engine::Brute),
        );
        assert_eq!(there.verdict(&here), answer.verdict.flipped(), "case {case}, exchanged");
        let crosses = answer.pairs.iter().any(|pair| pair.kind == Kind::Crossing);
        counts[match answer.verdict {
            Verdict::Clear => 0,
            Verdict::Touching => 1,
            Verdict::Overlapping if crosses => 2,
            Verdict::Overlapping => 3,
            Verdict::Inside(_) => 4,
        }] += 1;
        assert_eq!(answer.pairs.is_empty(), !crosses && answer.pairs.is_empty());
        if crosses {
            assert_eq!(answer.verdict, Verdict::Overlapping, "case {case}");
            continue;
        }
        let mut seen = Seen::default();
        // What has been seen stays true; so take more samples only where something seems to be missing.
        for count in [100, 2_000, 60_000] {
            seen.sample([&a, &b], count, &mut random);
            if seen.agrees(answer.verdict) {
                break;
            }
        }
        assert!(
            seen.agrees(answer.verdict),
            "case {case}: {:?}, but common {}, sticking out {:?}",
            answer.verdict,
            seen.common,
            seen.sticks_out
        );
    }
    println!("clear, touching, crossing, overlapping without crossing, inside: {counts:?}");
    assert!(counts.iter().all(|&count| count * 200 >= all_cases()), "{counts:?}");
}
