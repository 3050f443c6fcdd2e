//! How deep solids reach into each other: the interval holds the truth, is as narrow as promised, and costs what meets.

use crate::effort::share;
use crate::oracle::cases::Random;
use impinge::math::{DQuat, DVec3};
use impinge::query::{Penetration, PenetrationOptions};
use impinge::shapes::{self, Shape};
use impinge::{Mesh, Model, Placed, Trs};

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Model {
    Model::new(shapes::cuboid(min, max).unwrap())
}

/// The interval holds a known depth and is narrow.
fn holds(found: &Penetration, depth: f64, what: &str) {
    let slack = 1e-9 * (1.0 + depth);
    assert!(found.at_least <= depth + slack && depth - slack <= found.at_most, "{what}: {depth} {found:?}");
    assert!(found.is_narrow && found.at_most <= found.at_least * 1.0101 + 1e-6, "{what}: {found:?}");
}

#[test]
fn slabs_of_any_width() {
    for width in [10.0, 100.0, 10_000.0] {
        for depth in [0.5, 1e-3, 1e-6] {
            let slab = cuboid([0.0; 3], [width, width, 2.0]);
            let above = slab.at(Trs::translation([0.3 * width, 0.2 * width, 2.0 - depth]).unwrap());
            let found = slab.at(Trs::IDENTITY).penetration(&above).unwrap();
            holds(&found, depth, &format!("width {width}, depth {depth}"));
            assert!(!found.limited_by_thickness && found.questions < 400, "{width} {depth}: {found:?}");
        }
    }
}

/// A plate of `count` × `count` squares on either side, closed.
fn plate(count: u32, height: f64) -> Model {
    let at = |k: u32, i: u32, j: u32| k * (count + 1) * (count + 1) + i * (count + 1) + j;
    let number = |k: u32| f64::from(k) / f64::from(count);
    let points = (0..2).flat_map(|k| {
        (0..=count).flat_map(move |i| {
            (0..=count).map(move |j| DVec3::new(number(i), number(j), f64::from(k) * height))
        })
    });
    let mut faces = Vec::new();
    for i in 0..count {
        for j in 0..count {
            faces.push([at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1), at(1, i, j + 1)]);
            faces.push([at(0, i, j), at(0, i, j + 1), at(0, i + 1, j + 1), at(0, i + 1, j)]);
        }
        faces.push([at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0)]);
        faces.push([at(0, i + 1, count), at(0, i, count), at(1, i, count), at(1, i + 1, count)]);
        faces.push([at(0, 0, i + 1), at(0, 0, i), at(1, 0, i), at(1, 0, i + 1)]);
        faces.push([at(0, count, i), at(0, count, i + 1), at(1, count, i + 1), at(1, count, i)]);
    }
    Model::new(Mesh::polygons(points.collect::<Vec<_>>(), faces).unwrap())
}

/// What lies flush has no depth, and costs in proportion to the faces that meet.
#[test]
fn flush_contact() {
    for count in [1, 4, 16, 32] {
        let plate = plate(count, 0.25);
        assert!(plate.is_closed());
        let below = plate.at(Trs::IDENTITY);
        for by in [[0.0, 0.0, 0.25], [0.3, 0.2, 0.25], [1.0, 0.25, 0.125], [0.0; 3]] {
            let options = PenetrationOptions::new().width(1e-9);
            let found = below.penetration_with(&plate.at(Trs::translation(by).unwrap()), options).unwrap();
            assert!(
                found.at_least < 1e-12 && found.at_most < 1.1e-9 && found.is_narrow,
                "{count} {by:?}: {found:?}"
            );
            let triangles = 4 * u64::from(count * count + 2 * count);
            assert!(
                found.questions < 40 + 12 * triangles,
                "{count} {by:?}: {} for {triangles}",
                found.questions
            );
        }
        for depth in [1e-7, 1e-4] {
            let sunk = plate.at(Trs::translation([0.31, 0.17, 0.25 - depth]).unwrap());
            holds(&below.penetration(&sunk).unwrap(), depth, &format!("{count} sunk by {depth}"));
        }
    }
}

/// Points of a surface, no farther apart than `spacing` from any point of it.
fn samples(placed: &Placed<'_>, spacing: f64, mut visit: impl FnMut(DVec3)) {
    let mesh = placed.model().mesh();
    for face in 0..mesh.face_count() as u32 {
        for corners in mesh.fan(face) {
            let [a, b, c] = corners.map(|vertex| placed.placement().point_to_world(mesh.vertex(vertex)));
            let longest = (b - a).length().max((c - b).length()).max((a - c).length());
            let steps = ((longest / spacing).ceil() as u32).max(1);
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let [s, t] = [i, j].map(|k| f64::from(k) / f64::from(steps));
                    visit(a + (b - a) * s + (c - a) * t);
                }
            }
        }
    }
}

/// The greatest depth of sampled points of either inside of the other.
fn sampled(a: &Placed<'_>, b: &Placed<'_>, spacing: f64) -> f64 {
    let mut deepest = 0.0_f64;
    for (of, within) in [(a, b), (b, a)] {
        samples(of, spacing, |point| {
            let Some(closest) = within.closest_point(point).filter(|closest| closest.distance > deepest)
            else {
                return;
            };
            if within.signed_distance(point).is_some_and(|signed| signed.is_inside) {
                deepest = closest.distance;
            }
        });
    }
    deepest
}

/// Rigid, scaled, mirrored and crooked placements, near and far from the origin.
fn placement(random: &mut Random, reach: f64, far: DVec3) -> Trs {
    let axis = random.vector() + DVec3::new(0.0, 0.0, 1.5);
    let turn = DQuat::from_axis_angle(axis.normalize(), random.unit() * 3.0);
    let scale = match random.below(4) {
        0 => DVec3::new(0.8, -0.8, 0.8),
        1 => DVec3::new(0.5, 1.0, 0.75),
        _ => DVec3::ONE,
    };
    Trs::new(random.vector() * reach + far, turn, scale).unwrap()
}

#[test]
fn intervals_hold_what_samples_find() {
    let shapes = [
        (Shape::Box, 12),
        (Shape::Torus, 40),
        (Shape::Icosphere, 80),
        (Shape::Cylinder, 30),
        (Shape::Stairs, 28),
        (Shape::Star, 60),
        (Shape::Bumpy, 60),
        (Shape::Tetrahedron, 4),
    ];
    let models: Vec<Model> =
        shapes.iter().map(|&(shape, count)| Model::new(shape.generate(count, 7))).collect();
    let (mut deep, mut thick) = (0, 0);
    let cases = share(10, 600);
    for case in 0..cases {
        let mut random = Random(case << 8 | 0x9e);
        let [i, j] = [0, 1].map(|_| random.below(models.len() as u64) as usize);
        let far = if random.below(4) == 0 { DVec3::new(4e5, -3e5, 2e5) } else { DVec3::ZERO };
        let places = [0, 1].map(|_| placement(&mut random, 0.7, far));
        let (a, b) = (models[i].at(places[0]), models[j].at(places[1]));
        let found = a.penetration(&b).unwrap();
        let what = format!("case {case}: models {i} and {j}: {found:?}");
        let rounding = 1e-12 * (1.0 + far.length());
        assert!(found.is_narrow && found.at_least <= found.at_most, "{what}");
        assert!(found.at_most <= found.at_least * 1.0101 + 1e-12 + rounding, "{what}");
        // From the other side: the same, with the names exchanged.
        let back = b.penetration(&a).unwrap();
        let mut flipped = back;
        flipped.of_second = found.of_second;
        assert_eq!(flipped, found, "{what}");
        assert!(found.point_in_world.is_none() || back.of_second != found.of_second, "{what}");
        let spacing = 0.05;
        let deepest = sampled(&a, &b, spacing);
        assert!(deepest <= found.at_most + rounding, "{what}: {deepest} was sampled");
        // No point of the surface is farther from a sample than their spacing.
        assert!(found.at_least <= deepest + spacing, "{what}: only {deepest} was sampled");
        if let (Some(point), Some(nearest)) = (found.point_in_world, found.nearest_in_world) {
            let (of, within) = if found.of_second { (&b, &a) } else { (&a, &b) };
            let of = of.closest_point(point).unwrap().distance;
            let signed = within.signed_distance(point).unwrap();
            assert!(of <= rounding, "{what}: {of} off its surface");
            let depth = signed.closest.distance;
            assert!((depth - found.at_least).abs() <= rounding + 1e-12, "{what}: {depth}");
            assert!((nearest.distance(point) - depth).abs() <= rounding + 1e-12, "{what}");
            assert!(signed.is_inside || depth <= rounding, "{what}");
            deep += 1;
            thick += u64::from(found.limited_by_thickness);
        }
    }
    println!("{cases} cases, {deep} deep, {thick} limited by thickness");
    assert!(3 * deep > cases && thick > 0, "{deep} {thick}");
}

#[test]
fn a_limit_of_work_widens_the_interval() {
    let model = Model::new(Shape::Bumpy.generate(2_000, 3));
    let (a, b) = (model.at(Trs::IDENTITY), model.at(Trs::translation([0.4, 0.3, 0.2]).unwrap()));
    let narrow = a.penetration(&b).unwrap();
    for most in [1, 30, 100] {
        let wide = a.penetration_with(&b, PenetrationOptions::new().most(most)).unwrap();
        assert!(
            wide.at_least <= narrow.at_most && narrow.at_least <= wide.at_most,
            "{most}: {wide:?} {narrow:?}"
        );
        assert!(!wide.is_narrow, "{most}: {wide:?}");
    }
    let finer = a.penetration_with(&b, PenetrationOptions::new().share(1e-4)).unwrap();
    assert!(finer.at_most <= finer.at_least * 1.000_101 && finer.is_narrow, "{finer:?}");
    assert!(finer.at_least <= narrow.at_most && narrow.at_least <= finer.at_most, "{finer:?} {narrow:?}");
}

/// A pipe along z with walls of the given thickness.
fn pipe(outer: f64, wall: f64, length: f64, sides: u32) -> Model {
    let at = |ring: u32, end: u32, i: u32| (ring * 2 + end) * sides + i % sides;
    let mut points = Vec::new();
    for radius in [outer - wall, outer] {
        for z in [-0.5 * length, 0.5 * length] {
            points.extend((0..sides).map(|i| {
                let angle = f64::from(i) * std::f64::consts::TAU / f64::from(sides);
                DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
            }));
        }
    }
    let mut faces = Vec::new();
    for i in 0..sides {
        faces.push([at(1, 0, i), at(1, 0, i + 1), at(1, 1, i + 1), at(1, 1, i)]);
        faces.push([at(0, 0, i), at(0, 1, i), at(0, 1, i + 1), at(0, 0, i + 1)]);
        faces.push([at(0, 1, i), at(1, 1, i), at(1, 1, i + 1), at(0, 1, i + 1)]);
        faces.push([at(0, 0, i), at(0, 0, i + 1), at(1, 0, i + 1), at(1, 0, i)]);
    }
    Model::new(Mesh::polygons(points, faces).unwrap())
}

#[test]
fn thickness_limits_the_depth() {
    let sheet = cuboid([0.0; 3], [100.0, 100.0, 1.0]);
    let upright = cuboid([50.0, 0.0, -50.0], [51.0, 100.0, 50.0]);
    let crossing = sheet.at(Trs::IDENTITY).penetration(&upright.at(Trs::IDENTITY)).unwrap();
    holds(&crossing, 0.5, "crossing sheets");
    assert!(crossing.limited_by_thickness);
    let shifted = sheet.at(Trs::translation([0.0, 0.0, 0.5]).unwrap());
    let shifted = sheet.at(Trs::IDENTITY).penetration(&shifted).unwrap();
    holds(&shifted, 0.5, "sheets that are half shifted");
    assert!(shifted.limited_by_thickness);
    let pipe = pipe(10.0, 1.0, 100.0, 32);
    assert!(pipe.is_closed());
    let across = pipe.at(Trs::rotation_about_axis([1.0, 0.0, 0.0], 90.0).unwrap());
    let pipes = pipe.at(Trs::IDENTITY).penetration(&across).unwrap();
    assert!(pipes.at_most < 0.52 && pipes.at_least > 0.48 && pipes.limited_by_thickness, "{pipes:?}");
    // Two walls of a corner are a right angle apart, and limit nothing.
    let (block, bar) = (cuboid([0.0; 3], [10.0; 3]), cuboid([9.0, 9.0, -1.0], [20.0, 20.0, 11.0]));
    let corner = block.at(Trs::IDENTITY).penetration(&bar.at(Trs::IDENTITY)).unwrap();
    holds(&corner, 1.0, "a corner");
    assert!(!corner.limited_by_thickness, "{corner:?}");
}

/// The tessellations of a shaft and its bearing cross by no more than what is cut off a circle by a side.
#[test]
fn a_shaft_in_its_bearing() {
    for sides in [24, 60] {
        let shaft = Model::new(shapes::cylinder(9.0, 100.0, sides, 1).unwrap());
        let bearing = pipe(12.0, 3.0, 20.0, sides + 7);
        let found = shaft.at(Trs::IDENTITY).penetration(&bearing.at(Trs::IDENTITY)).unwrap();
        let cut = 9.0 * (1.0 - (std::f64::consts::PI / f64::from(sides)).cos());
        assert!(
            found.is_narrow && found.at_most < 1.02 * cut && found.at_least > 0.3 * cut,
            "{sides}: {cut} {found:?}"
        );
        assert!(!found.limited_by_thickness, "{found:?}");
    }
}

#[test]
fn surfaces_and_nested_solids() {
    let (large, small) = (cuboid([0.0; 3], [10.0; 3]), cuboid([4.0, 4.0, 1.0], [6.0, 6.0, 3.0]));
    // The top of the small one is 3 below the sides of the large one, and its middle 4.
    let nested = large.at(Trs::IDENTITY).penetration(&small.at(Trs::IDENTITY)).unwrap();
    holds(&nested, 3.0, "a cube inside of another");
    assert!(nested.of_second);
    let sheet = Model::new(
        Mesh::polygon([[1.0, 1.0, 2.0], [30.0, 1.0, 2.0], [30.0, 9.0, 2.0], [1.0, 9.0, 2.0]]).unwrap(),
    );
    let found = sheet.at(Trs::IDENTITY).penetration(&large.at(Trs::IDENTITY)).unwrap();
    holds(&found, 2.0, "a sheet in a cube");
    assert!(!found.of_second && sheet.at(Trs::IDENTITY).penetration(&sheet.at(Trs::IDENTITY)).is_none());
    let apart = large.at(Trs::translation([20.0, 0.0, 0.0]).unwrap());
    let none = large.at(Trs::IDENTITY).penetration(&apart).unwrap();
    assert!(none.at_least == 0.0 && none.at_most < 1e-9 && none.point_in_world.is_none(), "{none:?}");
}

/// Sizes out of the ordinary have a wide interval that holds the depth, and say so.
#[test]
fn sizes_out_of_the_ordinary() {
    for size in [1e-90, 1e-3, 1e90] {
        let cube = cuboid([0.0; 3], [size; 3]);
        let beside = cube.at(Trs::translation([0.75 * size, 0.0, 0.0]).unwrap());
        let found = cube.at(Trs::IDENTITY).penetration(&beside).unwrap();
        let depth = 0.25 * size;
        assert!(found.at_least <= depth * 1.001 && depth <= found.at_most * 1.001, "{size}: {found:?}");
        assert_eq!(found.is_narrow, size == 1e-3, "{size}: {found:?}");
    }
}

/// A body that crosses itself is inside where its winding number is above 0, and its inner faces are surface, too.
#[test]
fn bodies_that_cross_themselves() {
    let both = |first: Mesh, second: Mesh| {
        let shift = first.vertex_count() as u32;
        let points: Vec<DVec3> = first.vertices().chain(second.vertices()).collect();
        let triangles =
            |mesh: &Mesh| (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect::<Vec<_>>();
        let faces = triangles(&first)
            .into_iter()
            .chain(triangles(&second).into_iter().map(|face| face.map(|corner| corner + shift)));
        Model::new(Mesh::triangles(points, faces.collect::<Vec<_>>()).unwrap())
    };
    let mesh = |min, max| Mesh::from(shapes::cuboid(min, max).unwrap());
    // Two bars that cross, and a block that is there twice.
    let cross = both(mesh([0.0, 4.0, 0.0], [10.0, 6.0, 2.0]), mesh([4.0, 0.0, 0.0], [6.0, 10.0, 2.0]));
    let twice = both(mesh([0.0; 3], [10.0; 3]), mesh([0.0; 3], [10.0; 3]));
    let plate = cuboid([-5.0, -5.0, -1.0], [15.0, 15.0, 0.25]);
    for model in [&cross, &twice] {
        let (a, b) = (model.at(Trs::IDENTITY), plate.at(Trs::IDENTITY));
        let found = a.penetration(&b).unwrap();
        holds(&found, 0.25, "a plate below");
        let deepest = sampled(&a, &b, 0.1);
        assert!(deepest <= found.at_most + 1e-9 && found.at_least <= deepest + 0.1, "{deepest} {found:?}");
    }
}
