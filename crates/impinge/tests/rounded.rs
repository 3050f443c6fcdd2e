//! Rounded models: verdicts and distances of balls, capsules and rounded meshes, against rational arithmetic.

use dashu_ratio::RBig;
use impinge::math::DVec3;
use impinge::model::RoundError;
use impinge::query::{Contained, Engine, IntersectOptions, PairCache, Scratch};
use impinge::{Mesh, Model, Placement, Trs, Verdict, shapes};

use crate::effort::share;
use crate::oracle::metric::{Exact, between, exact};

/// Numbers that look random, the same every time.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn whole(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % below
    }

    pub(crate) fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.whole(1 << 30)) / f64::from(1 << 30)
    }

    pub(crate) fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.real(-size, size), self.real(-size, size), self.real(-size, size))
    }

    /// On a coarse grid, where much is degenerate and touches.
    fn grid(&mut self) -> DVec3 {
        let mut number = || f64::from(self.whole(9)) - 4.0;
        DVec3::new(number(), number(), number())
    }
}

/// A core of few triangles: points, segments, triangles, quadrilaterals and soups.
fn core(numbers: &mut Numbers, on_grid: bool) -> Mesh {
    let corners = [1, 1, 2, 2, 3, 4, 6][numbers.whole(7) as usize];
    let points: Vec<DVec3> =
        (0..corners).map(|_| if on_grid { numbers.grid() } else { numbers.vector(4.0) }).collect();
    if corners == 6 { Mesh::soup(points).unwrap() } else { Mesh::polygon(points).unwrap() }
}

fn facets(mesh: &Mesh, shift: DVec3) -> Vec<[Exact; 3]> {
    let fans = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
    fans.map(|triangle| triangle.map(|vertex| exact(mesh.vertex(vertex) + shift))).collect()
}

/// The square of the distance of two cores, and whether their triangles cross.
fn squared(a: &Mesh, b: &Mesh, shift: DVec3) -> RBig {
    let cross = Model::new(a.clone())
        .at(Trs::IDENTITY)
        .intersects(&Model::new(b.clone()).at(Trs::translation(shift).unwrap()));
    if cross {
        return RBig::ZERO;
    }
    let (first, second) = (facets(a, DVec3::ZERO), facets(b, shift));
    first.iter().flat_map(|a| second.iter().map(move |b| between(a, b))).min().unwrap()
}

#[test]
fn verdicts_are_those_of_rational_arithmetic() {
    let numbers = &mut Numbers(1);
    let mut seen = [0_u32; 3];
    for case in 0..share(60, 3_000) {
        let on_grid = case % 4 != 0;
        // On the grid, distances that are numbers come up now and then: looked for, because they can be touched exactly.
        let mut tries = 0;
        let (a, b, shift, exact_square) = loop {
            let [a, b] = [core(numbers, on_grid), core(numbers, on_grid)];
            let shift = if on_grid { numbers.grid() } else { DVec3::ZERO };
            let square = squared(&a, &b, shift);
            let root = RBig::try_from(square.to_f64().value().sqrt()).unwrap();
            tries += 1;
            if !on_grid || tries > 6 || (&root * &root == square && square > RBig::ZERO) {
                break (a, b, shift, square);
            }
        };
        let near = exact_square.to_f64().value().sqrt();
        // Often exactly the distance, or next to it.
        let mut sum =
            [near, near, near, near, near.next_up(), near.next_down(), 3.0, 1.5][numbers.whole(8) as usize];
        if sum <= 0.0 || sum.is_nan() {
            sum = 1.0;
        }
        let first = [0.0, sum, sum / 2.0, sum / 4.0][numbers.whole(4) as usize];
        let radii = [first, sum - first];
        let exact_sum = RBig::try_from(radii[0]).unwrap() + RBig::try_from(radii[1]).unwrap();
        let order = exact_square.cmp(&(&exact_sum * &exact_sum));
        let models = [Model::new(a).rounded(radii[0]).unwrap(), Model::new(b).rounded(radii[1]).unwrap()];
        let placed = [models[0].at(Trs::IDENTITY), models[1].at(Trs::translation(shift).unwrap())];
        for engine in [Engine::Bvh, Engine::Brute] {
            let options = IntersectOptions::new().engine(engine);
            let answer = placed[0].intersect_with(&placed[1], options);
            let is_right = match answer.verdict {
                Verdict::Clear => order.is_gt(),
                Verdict::Touching => order.is_eq(),
                Verdict::Overlapping | Verdict::Inside(_) => order.is_lt(),
            };
            assert!(is_right, "{case}: {order:?} {answer:?} {models:?} {shift}");
            assert_eq!(answer.witness.is_some(), order.is_le());
            if let Some(witness) = answer.witness {
                for placed in &placed {
                    let core = Model::new(placed.model().mesh().clone());
                    let off = core.at(*placed.placement()).closest_point(witness.point_in_world).unwrap();
                    assert!(off.distance <= placed.radius() + 1e-12, "{case}: {off:?}");
                }
            }
            let swapped = placed[1].intersect_with(&placed[0], options);
            assert_eq!(swapped.verdict.flipped(), answer.verdict);
            assert_eq!(placed[0].intersects_with(&placed[1], options), order.is_le());
            assert_eq!(placed[1].face_pairs(&placed[0]).is_empty(), order.is_gt());
        }
        let mut cache = PairCache::new(&models[0], &models[1]);
        let options = IntersectOptions::default();
        let poses = placed.map(|placed| *placed.placement());
        assert_eq!(cache.intersects(poses, options, &mut Scratch::default()), order.is_le());
        seen[(order as i8 + 1) as usize] += 1;
    }
    assert!(cfg!(debug_assertions) || seen.iter().all(|&count| count >= 5), "{seen:?}");
}

#[test]
fn pythagorean_balls_touch_exactly() {
    for (x, y, z, sum) in
        [(3.0, 4.0, 0.0, 5.0), (2.0, 3.0, 6.0, 7.0), (8.0, 9.0, 12.0, 17.0), (20.0, 0.0, 21.0, 29.0)]
    {
        for unit in [1.0, 1e-7, 1e9, f64::exp2(-200.0), f64::exp2(200.0), f64::exp2(-490.0)] {
            // Decimal units are rounded, and touch no more.
            let is_exact = unit.to_bits() << 12 == 0 || unit == 1e9;
            let at = Trs::translation([x * unit, y * unit, z * unit]).unwrap();
            for part in [0.25, 0.5, 1.0] {
                let [first, second] = [sum * unit * part, sum * unit * (1.0 - part)];
                let balls = [first, second].map(|radius| Model::ball(radius).unwrap());
                let verdict = |a: &Model, b: &Model| a.at(Trs::IDENTITY).verdict(&b.at(at));
                if is_exact {
                    assert_eq!(verdict(&balls[0], &balls[1]), Verdict::Touching, "{x} {unit} {part}");
                    let larger = Model::ball(first.next_up()).unwrap();
                    let inside =
                        if part == 1.0 { Verdict::Inside(Contained::B) } else { Verdict::Overlapping };
                    assert_eq!(verdict(&larger, &balls[1]), inside);
                    let smaller = Model::ball(first.next_down()).unwrap();
                    assert_eq!(verdict(&smaller, &balls[1]), Verdict::Clear);
                }
            }
        }
    }
}

#[test]
fn one_ball_lies_in_another() {
    let [small, large] = [1.0, 3.0].map(|radius| Model::ball(radius).unwrap());
    let verdict =
        |x: f64| large.at(Trs::IDENTITY).verdict(&small.at(Trs::translation([x, 0.0, 0.0]).unwrap()));
    assert_eq!(verdict(0.0), Verdict::Inside(Contained::B));
    // Touching from inside.
    assert_eq!(verdict(2.0), Verdict::Inside(Contained::B));
    assert_eq!(verdict(2.0_f64.next_up()), Verdict::Overlapping);
    assert_eq!(verdict(4.0), Verdict::Touching);
    // Equal bodies lie in neither.
    assert_eq!(large.at(Trs::IDENTITY).verdict(&large.at(Trs::IDENTITY)), Verdict::Overlapping);
    let capsule = Model::capsule([-5.0, 0.0, 0.0], [5.0, 0.0, 0.0], 2.0).unwrap();
    let rod = Model::new(shapes::cuboid([-5.0, -1.0, -1.0], [5.0, 1.0, 1.0]).unwrap()).rounded(0.5).unwrap();
    assert_eq!(rod.at(Trs::IDENTITY).verdict(&capsule.at(Trs::IDENTITY)), Verdict::Inside(Contained::A));
}

#[test]
fn a_ball_inside_of_a_solid_is_inside_until_it_touches_the_walls() {
    let hall = Model::new(shapes::cuboid([0.0; 3], [10.0; 3]).unwrap());
    let ball = Model::ball(1.0).unwrap();
    for engine in [Engine::Bvh, Engine::Brute] {
        let verdict = |x: f64, options: IntersectOptions| {
            let at = ball.at(Trs::translation([x, 5.0, 5.0]).unwrap());
            at.intersect_with(&hall.at(Trs::IDENTITY), options.engine(engine)).verdict
        };
        let solid = |x: f64| verdict(x, IntersectOptions::new());
        assert_eq!(solid(5.0), Verdict::Inside(Contained::A));
        assert_eq!(solid(1.0), Verdict::Inside(Contained::A));
        assert_eq!(solid(0.5), Verdict::Overlapping);
        assert_eq!(solid(-0.5), Verdict::Overlapping);
        assert_eq!(solid(-1.0), Verdict::Touching);
        assert_eq!(solid(-1.5), Verdict::Clear);
        let surface = |x: f64| verdict(x, IntersectOptions::new().surface_only(true));
        assert_eq!([5.0, 1.0, 0.5].map(surface), [Verdict::Clear, Verdict::Touching, Verdict::Overlapping]);
    }
}

#[test]
fn the_radius_is_a_length_of_the_world() {
    let ball = Model::ball(1.0).unwrap();
    let wall = Model::new(shapes::cuboid([2.0, -1.0, -1.0], [3.0, 1.0, 1.0]).unwrap());
    for scale in [0.5, 1.0, 7.0] {
        let placed = ball.at(Trs::new([1.0, 0.0, 0.0], Default::default(), [scale; 3]).unwrap());
        assert_eq!(placed.verdict(&wall.at(Trs::IDENTITY)), Verdict::Touching);
        assert_eq!(placed.radius(), 1.0);
    }
    // Sheared cores keep their balls, too.
    let sheared = impinge::math::DMat4::from_cols_array(&[
        1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ]);
    let capsule = Model::capsule([0.0; 3], [4.0, 0.0, 0.0], 2.0).unwrap();
    let other = Model::ball(3.0).unwrap();
    let there = Trs::translation([4.0, 4.0, 5.0]).unwrap();
    assert_eq!(capsule.try_at(sheared).unwrap().verdict(&other.at(there)), Verdict::Touching);
}

#[test]
fn radius_0_is_no_radius() {
    let plain = Model::new(shapes::torus(2.0, 0.5, 12, 8).unwrap());
    let rounded = plain.clone().rounded(-0.0).unwrap();
    assert_eq!(rounded.radius().to_bits(), 0);
    let numbers = &mut Numbers(3);
    for _ in 0..20 {
        let at = Trs::new(numbers.vector(3.0), impinge::math::DQuat::from_rotation_y(1.0), [1.0; 3]).unwrap();
        let [a, b] = [&plain, &rounded].map(|model| model.at(Trs::IDENTITY).intersect(&model.at(at)));
        assert_eq!(a, b);
        let [a, b] = [&plain, &rounded].map(|model| model.at(Trs::IDENTITY).distance(&model.at(at)));
        assert_eq!(a, b);
    }
}

#[test]
fn radii_that_are_none_are_errors() {
    for radius in [-1.0, f64::NAN, f64::INFINITY, 1e200] {
        assert!(matches!(Model::ball(radius), Err(RoundError::Radius { .. })), "{radius}");
    }
    assert!(matches!(Model::capsule([f64::NAN, 0.0, 0.0], [0.0; 3], 1.0), Err(RoundError::Core(_))));
}

#[test]
fn boxes_are_around_the_balls() {
    let capsule = Model::capsule([0.0; 3], [0.0, 0.0, 2.0], 0.25).unwrap();
    let placed = capsule.at(Trs::translation([10.0, 0.0, 0.0]).unwrap());
    let bounds = placed.bounds();
    assert!(bounds.min.cmple(DVec3::new(9.75, -0.25, -0.25)).all());
    assert!(bounds.max.cmpge(DVec3::new(10.25, 0.25, 2.25)).all());
    assert!((bounds.size() - DVec3::new(0.5, 0.5, 2.5)).abs().max_element() < 1e-12);
}

#[test]
fn distances_are_those_of_the_cores_less_the_radii() {
    let numbers = &mut Numbers(5);
    for case in 0..share(40, 1_500) {
        let [a, b] = [core(numbers, case % 2 == 0), core(numbers, case % 2 == 0)];
        let radii = [numbers.real(0.0, 1.0), numbers.real(0.01, 1.0)];
        let shift = numbers.vector(6.0);
        let expected = squared(&a, &b, shift).to_f64().value().sqrt() - radii[0] - radii[1];
        let models = [Model::new(a).rounded(radii[0]).unwrap(), Model::new(b).rounded(radii[1]).unwrap()];
        let placed = [models[0].at(Trs::IDENTITY), models[1].at(Trs::translation(shift).unwrap())];
        let found = placed[0].distance(&placed[1]);
        assert!((found.distance - expected.max(0.0)).abs() < 1e-13, "{case}: {expected} {found:?}");
        let apart = found.point_on_b - found.point_on_a;
        assert!((apart.length() - found.distance).abs() < 1e-13, "{case}: {found:?}");
        assert_eq!(placed[1].distance(&placed[0]), found.flipped());
        for limit in [0.5 * found.distance, found.distance * (1.0 + 1e-12) + 1e-12] {
            assert_eq!(placed[0].is_within(&placed[1], limit), expected <= limit.max(0.0), "{case}");
        }
    }
}

#[test]
fn far_from_the_origin_nothing_changes() {
    let ball = Model::ball(2.0).unwrap();
    let floor = Model::new(shapes::cuboid([-50.0, -50.0, -1.0], [50.0, 50.0, 0.0]).unwrap());
    for far in [0.0, 1e6, f64::exp2(40.0)] {
        let floor = floor.at(Trs::translation([far; 3]).unwrap());
        for (height, verdict) in
            [(2.0, Verdict::Touching), (1.5, Verdict::Overlapping), (2.5, Verdict::Clear)]
        {
            let at = ball.at(Trs::translation([far + 0.5, far, far + height]).unwrap());
            assert_eq!(at.verdict(&floor), verdict, "{far} {height}");
            assert_eq!(floor.verdict(&at), verdict);
        }
    }
}

#[test]
fn huge_and_tiny_sizes_are_decided() {
    for unit in [f64::exp2(-400.0), f64::exp2(-100.0), f64::exp2(100.0), f64::exp2(400.0)] {
        let cube = Model::new(shapes::cuboid([0.0; 3], [unit; 3]).unwrap());
        let ball = Model::ball(unit / 2.0).unwrap();
        for engine in [Engine::Bvh, Engine::Brute] {
            let options = IntersectOptions::new().engine(engine);
            let verdict = |x: f64| {
                let at =
                    ball.at(Placement::from(Trs::translation([x * unit, 0.5 * unit, 0.5 * unit]).unwrap()));
                at.intersect_with(&cube.at(Trs::IDENTITY), options).verdict
            };
            assert_eq!([-0.5, 1.5].map(verdict), [Verdict::Touching; 2], "{unit}");
            assert_eq!([-0.75, 1.75].map(verdict), [Verdict::Clear; 2], "{unit}");
            assert_eq!(verdict(0.5), Verdict::Inside(Contained::A), "{unit}");
        }
    }
}
