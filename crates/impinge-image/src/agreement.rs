//! The graphics device against the processor, pixel by pixel: where they differ, the center of the pixel is within sub-pixel
//! precision of the boundary of something that is drawn there.

use std::collections::BTreeSet;
use std::ops::Range;

use impinge::glam::{DVec2, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Model, Placement, Trs};

use crate::find::Question;
use crate::gpu::Gpu;
use crate::look::{Draw, Layer, Sample, Seen};
use crate::precision::Rounding;
use crate::scene::Vertices;
use crate::view::project;
use crate::{Options, Scene, Views, cpu};

/// Two steps of the grid that corners are rounded to.
const NEAR: f64 = 2.0 / 256.0;
/// Depths in `f32`, and on planes through rounded corners.
const NEAR_IN_DEPTH: f64 = 1.0 / (1 << 19) as f64;

#[test]
fn the_device_and_the_processor_differ_only_at_boundaries() {
    let mut gpu = Gpu::open().unwrap_or_else(|refusal| panic!("{refusal}"));
    println!("adapter: {}", gpu.name());
    // A share of the cases, in percent, where the environment asks for less than all.
    let share =
        std::env::var("IMPINGE_SHARE").ok().and_then(|percent| percent.parse().ok()).unwrap_or(100_usize);
    let cases: usize = if cfg!(debug_assertions) { 12 } else { (120 * share).div_ceil(100) };
    let mut random = Random::new(11);
    let (mut compared, mut different) = (0_u64, 0_u64);
    let (mut tried, mut explained) = (0_u64, 0_u64);
    for case in 0..cases {
        let scene = scene(&mut random, 2 + case % 3);
        let options = Options {
            resolution: [64, 100, 256][case % 3],
            views: Views::Count(1 + (case % 4) as u32),
            ..Options::default()
        };
        let question = Question::new(&scene, &options, Rounding::SINGLE).expect("options");
        let drawn = question.instances();
        for (number, (view, _)) in question.views(0.0).into_iter().enumerate() {
            let others = question.others(number);
            let draw = Draw {
                shapes: &scene.shapes,
                view,
                edges: &drawn,
                faces: &drawn,
                others: &others,
                own: options.own,
                layers: u32::MAX,
                detail: options.detail,
                pictures: true,
            };
            let ours = gpu.look(&draw).expect("a look").pictures;
            let theirs = cpu::look(&draw).expect("a look").pictures;
            let together = Draw { pictures: false, ..draw.clone() };
            let listed = sampled(&gpu.look(&together).expect("a look"));
            let mut odd: Vec<[u32; 2]> = listed
                .symmetric_difference(&sampled(&cpu::look(&together).expect("a look")))
                .map(|(pixel, ..)| *pixel)
                .collect();
            odd.dedup();
            for pixel in odd {
                assert!(is_explained(&draw, pixel), "case {case}, view {number}, pixel {pixel:?} in lists");
            }
            let side = draw.view.side;
            for place in 0..side * side {
                compared += u64::from(shown(theirs.first(), place).is_some());
                let layers = ours.len().max(theirs.len());
                let same =
                    (0..layers).all(|layer| shown(ours.get(layer), place) == shown(theirs.get(layer), place));
                let pixel = [place % side, place / side];
                if same && place % 997 == 0 && shown(theirs.first(), place).is_some() {
                    tried += 1;
                    explained += u64::from(is_explained(&draw, pixel));
                }
                if !same {
                    different += 1;
                    assert!(is_explained(&draw, pixel), "case {case}, view {number}, pixel {pixel:?}");
                }
            }
        }
    }
    println!(
        "{different} of {compared} pixels with edges differ, each at a boundary; {explained} of {tried} others are"
    );
    // Otherwise being at a boundary would explain nothing.
    assert!(explained * 2 < tried, "{explained} of {tried}");
    assert!(compared > 10_000 && different * 500 < compared, "{different} of {compared}");
}

/// What was seen inside of what: pixel, object and edge, solids around.
fn sampled(seen: &Seen) -> BTreeSet<([u32; 2], [u32; 2], Vec<u32>)> {
    let inside = |sample: &Sample| {
        let mut list = seen.inside[sample.inside.clone()].to_vec();
        list.sort_unstable();
        list
    };
    seen.samples.iter().map(|sample| (sample.pixel, [sample.object, sample.edge], inside(sample))).collect()
}

type Shown = Option<(u32, u32, i32)>;

fn shown(layer: Option<&Layer>, place: u32) -> Shown {
    let layer = layer?;
    let (object, edge) = layer.edges[place as usize]?;
    Some((object, edge, layer.counts[place as usize]))
}

fn scene(random: &mut Random, objects: usize) -> Scene {
    let shapes = [
        shapes::cuboid([-0.5, -0.4, -0.3], [0.5, 0.4, 0.3]),
        shapes::icosphere(0.5, 3),
        shapes::knot(0.5, 0.08, 48, 6),
        shapes::star(0.8, 0.3, 2),
    ];
    let mut scene = Scene::new();
    for _ in 0..objects {
        let mesh = shapes[random.below(4) as usize].clone().expect("a shape");
        let shape = scene.add_shape(&Model::new(mesh));
        let turn = impinge::glam::DQuat::from_axis_angle(random.direction(), random.between(0.0, 6.0));
        let flip = if random.below(3) == 0 { -1.0 } else { 1.0 };
        let scale = DVec3::new(flip, random.between(0.6, 1.4), 1.0);
        let place: Placement = Trs::new(random.in_cube() * 0.5, turn, scale).expect("a placement").into();
        scene.add(shape, place);
    }
    scene
}

/// Whether the center of a pixel is so near to the side of a strip or a triangle, or two depths there are so near to each other, that
/// rounding may decide.
fn is_explained(draw: &Draw<'_>, [x, y]: [u32; 2]) -> bool {
    let center = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
    let mut depths: Vec<f64> = draw.view.edge_depths.to_vec();
    for instance in draw.edges {
        let places = places(draw, instance.shape, &instance.placement);
        for ends in draw.shapes[instance.shape].edges() {
            let ends = ends.map(|vertex| places[vertex as usize]);
            match strip_at(ends, center) {
                Some(Cover::Unsure) => return true,
                Some(Cover::Sure(depth)) => depths.push(depth),
                None => {}
            }
        }
    }
    let near = |a: f64, b: f64, slope: f64| (a - b).abs() <= NEAR_IN_DEPTH + slope * NEAR;
    let first = 2;
    if (first..depths.len()).any(|i| (0..i).any(|j| near(depths[i], depths[j], 0.0))) {
        return true;
    }
    for instance in draw.faces {
        let places = places(draw, instance.shape, &instance.placement);
        for corners in &draw.shapes[instance.shape].surface.triangles {
            let corners = corners.map(|vertex| places[vertex as usize]);
            let Some((inside, depth, slope)) = plane_at(corners, center) else { return true };
            if inside.abs() <= NEAR {
                return true;
            }
            if inside > 0.0 && depths.iter().any(|edge| near(depth, *edge, slope)) {
                return true;
            }
        }
    }
    false
}

fn places(draw: &Draw<'_>, shape: usize, placement: &Placement) -> Vec<DVec3> {
    let image = draw.view.image_from(placement.world_from_model());
    let Vertices::Here(vertices) = &draw.shapes[shape].vertices else { panic!("here") };
    vertices.iter().map(|vertex| project(&image, *vertex)).collect()
}

enum Cover {
    Sure(f64),
    Unsure,
}

/// Whether the strip of an edge covers a place: surely, perhaps or not. Written anew, in real numbers.
fn strip_at([from, to]: [DVec3; 2], place: DVec2) -> Option<Cover> {
    let way = to - from;
    // Which axis is the longer one may be decided by rounding: then both strips are looked at.
    let undecided = (way.x.abs() - way.y.abs()).abs() <= NEAR;
    let axes: Range<usize> = if undecided {
        0..2
    } else if way.x.abs() >= way.y.abs() {
        0..1
    } else {
        1..2
    };
    for long in axes {
        let short = 1 - long;
        let (first, last) = if way[long] >= 0.0 { (from, to) } else { (to, from) };
        let run = last[long] - first[long];
        let slope = if run > 0.0 { (last[short] - first[short]) / run } else { 0.0 };
        let ends = (place[long] - (first[long] - 0.5)).min(last[long] + 0.5 - place[long]);
        let line = first[short] + slope * (place[long] - first[long]);
        let inside = ends.min(0.5 - (place[short] - line).abs());
        if inside.abs() <= NEAR || (undecided && inside > 0.0) || (run < NEAR && inside > 0.0) {
            return Some(Cover::Unsure);
        }
        if inside > 0.0 {
            let share = if run > 0.0 { ((place[long] - first[long]) / run).clamp(0.0, 1.0) } else { 0.5 };
            return Some(Cover::Sure(first.z + (last.z - first.z) * share));
        }
    }
    None
}

/// How far a place is inside of a triangle, its depth there, and how much that changes from pixel to pixel. None where the
/// triangle is seen so flat that its depth means nothing, and the place is on it.
fn plane_at([a, b, c]: [DVec3; 3], place: DVec2) -> Option<(f64, f64, f64)> {
    let ([p, q, r], at) = ([a, b, c].map(DVec3::truncate), place);
    let area = (q - p).perp_dot(r - p);
    let sides = [(p, q), (q, r), (r, p)];
    let inside = sides
        .map(|(from, to)| {
            let way = to - from;
            let length = way.length().max(1e-300);
            way.perp_dot(at - from) * area.signum() / length
        })
        .into_iter()
        .fold(f64::INFINITY, f64::min);
    let normal = (b - a).cross(c - a);
    if normal.z.abs() < 1e-12 {
        return if inside.abs() <= NEAR { None } else { Some((-1.0, 0.0, 0.0)) };
    }
    let tilt = DVec2::new(normal.x, normal.y) / normal.z;
    Some((inside, a.z - tilt.dot(at - p), tilt.length()))
}
