//! Parts of machines that fit into each other, and how deep they reach into each other.

use std::f64::consts::TAU;

use crate::shared_volume_exact::{Triangles, triangles};
use crate::voxels::Voxels;
use impinge::math::{DVec2, DVec3};
use impinge::shapes::{self, Random};
use impinge::{Mesh, Model};

/// Two parts as they were meant, before their coordinates are rounded.
pub(crate) struct Fit {
    pub(crate) name: String,
    pub(crate) parts: [Triangles; 2],
    /// The depth is no less than the first, and no more than the second. 0 where they do not reach into each other.
    pub(crate) depth: [f64; 2],
    /// The volume that they share, where a formula has it.
    pub(crate) volume: Option<f64>,
    /// The kind of the clash once the tolerance is above the depth is that of one solid twice.
    pub(crate) is_twice: bool,
}

impl Fit {
    fn new(name: String, parts: [Triangles; 2], depth: f64, volume: Option<f64>) -> Fit {
        Fit { name, parts, depth: [depth; 2], volume, is_twice: false }
    }
}

/// A regular polygon, counter-clockwise.
fn polygon(radius: f64, sides: u32, phase: f64) -> Vec<DVec2> {
    let angle = |i: u32| phase + f64::from(i) * TAU / f64::from(sides);
    (0..sides).map(|i| DVec2::from_angle(angle(i)) * radius).collect()
}

/// The area of a regular polygon.
fn area(radius: f64, sides: u32) -> f64 {
    0.5 * f64::from(sides) * radius * radius * (TAU / f64::from(sides)).sin()
}

/// A surface of quadrilaterals between rings of equally many points, and a last one to the first.
fn rings(rings: &[Vec<DVec3>], is_around: bool) -> Triangles {
    let mut faces = Vec::new();
    let count = rings.len();
    for i in 0..if is_around { count } else { count - 1 } {
        let (low, high) = (&rings[i], &rings[(i + 1) % count]);
        for j in 0..low.len() {
            let k = (j + 1) % low.len();
            faces.extend([[low[j], low[k], high[k]], [low[j], high[k], high[j]]]);
        }
    }
    faces
}

fn at_height(polygon: &[DVec2], z: f64) -> Vec<DVec3> {
    polygon.iter().map(|p| p.extend(z)).collect()
}

/// A prism over a convex polygon.
fn prism(polygon: &[DVec2], [low, high]: [f64; 2]) -> Triangles {
    let [below, above] = [low, high].map(|z| at_height(polygon, z));
    let mut faces = rings(&[below.clone(), above.clone()], false);
    for i in 1..polygon.len() - 1 {
        faces.push([below[0], below[i + 1], below[i]]);
        faces.push([above[0], above[i], above[i + 1]]);
    }
    faces
}

/// A tube with a polygon as its bore and a larger one around it, corner beside corner.
fn tube(bore: &[DVec2], outer: f64, [low, high]: [f64; 2]) -> Triangles {
    let around: Vec<DVec2> = bore.iter().map(|p| p.normalize() * outer).collect();
    let ring = |polygon: &[DVec2], z| at_height(polygon, z);
    rings(&[ring(bore, low), ring(&around, low), ring(&around, high), ring(bore, high)], true)
}

/// The signed distance of a point from the lines along a convex polygon's sides: above 0 inside.
fn inside_by(polygon: &[DVec2], point: DVec2) -> f64 {
    let sides = (0..polygon.len()).map(|i| (polygon[i], polygon[(i + 1) % polygon.len()]));
    sides.map(|(p, q)| (q - p).normalize().perp_dot(point - p)).fold(f64::INFINITY, f64::min)
}

/// The distance of a point outside of a convex polygon.
fn outside_by(polygon: &[DVec2], point: DVec2) -> f64 {
    if inside_by(polygon, point) >= 0.0 {
        return 0.0;
    }
    let sides = (0..polygon.len()).map(|i| (polygon[i], polygon[(i + 1) % polygon.len()]));
    let to_side = |(p, q): (DVec2, DVec2)| {
        let t = (point - p).dot(q - p) / (q - p).length_squared();
        point.distance(p.lerp(q, t.clamp(0.0, 1.0)))
    };
    sides.map(to_side).fold(f64::INFINITY, f64::min)
}

/// How deep a long prism and the wall around a bore reach into each other. The distance from the bore is convex, so that the prism is deepest at a corner;
/// the distance within the prism is concave along each side of the bore.
fn depth_in_bore(shaft: &[DVec2], bore: &[DVec2]) -> f64 {
    let of_shaft = shaft.iter().map(|p| outside_by(bore, *p)).fold(0.0, f64::max);
    let along = |i: usize| {
        let (p, q) = (bore[i], bore[(i + 1) % bore.len()]);
        let value = |t: f64| inside_by(shaft, p.lerp(q, t));
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let (third, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if value(third) < value(other) { low = third } else { high = other }
        }
        value(low)
    };
    (0..bore.len()).map(along).fold(of_shaft, f64::max)
}

/// A shaft, or a sleeve with a bore of its own, in a bearing: polygons of any counts, turned by any angle.
fn shaft(name: &str, shaft: (f64, u32, f64), bore: (f64, u32, f64), is_sleeve: bool) -> Fit {
    let [inner, wall] = [shaft, bore].map(|(radius, sides, phase)| polygon(radius, sides, phase));
    let part = if is_sleeve {
        let within: Vec<DVec2> = inner.iter().map(|p| *p * 0.6).collect();
        tube(&within, shaft.0, [-5.0, 4.0])
    } else {
        prism(&inner, [-5.0, 4.0])
    };
    let bearing = tube(&wall, bore.0 + 3.0, [-1.5, 2.0]);
    // Where corners are beside corners and the shaft is larger, the difference of the areas is shared.
    let is_press = shaft.1 == bore.1 && shaft.2 == bore.2 && shaft.0 > bore.0;
    let volume = is_press.then(|| 3.5 * (area(shaft.0, shaft.1) - area(bore.0, bore.1)));
    Fit::new(format!("{name} {shaft:?} {bore:?}"), [part, bearing], depth_in_bore(&inner, &wall), volume)
}

/// A screw in a nut with the same thread, which is narrower by `by` all around.
fn thread(by: f64) -> Fit {
    let (around, per_pitch, pitch, height) = (12, 6, 1.5, 0.6);
    let radius = |i: u32, j: u32| {
        let phase = (f64::from(j) / f64::from(per_pitch) - f64::from(i) / f64::from(around)).rem_euclid(1.0);
        3.0 + height * (1.0 - (2.0 * phase - 1.0).abs())
    };
    let ring = |j: u32, less: f64| -> Vec<DVec3> {
        let z = f64::from(j) * pitch / f64::from(per_pitch);
        let angle = |i: u32| f64::from(i) * TAU / f64::from(around);
        (0..around).map(|i| (DVec2::from_angle(angle(i)) * (radius(i, j) - less)).extend(z)).collect()
    };
    let screw = {
        let list: Vec<_> = (0..=2 * per_pitch).map(|j| ring(j, 0.0)).collect();
        let mut faces = rings(&list, false);
        let (low, high) = (&list[0], &list[list.len() - 1]);
        for i in 0..around as usize {
            let j = (i + 1) % around as usize;
            faces.push([DVec3::new(0.0, 0.0, low[0].z), low[j], low[i]]);
            faces.push([DVec3::new(0.0, 0.0, high[0].z), high[i], high[j]]);
        }
        faces
    };
    let bore: Vec<_> = (4..=9).map(|j| ring(j, by)).collect();
    let outer = |list: &[DVec3]| -> Vec<DVec3> {
        list.iter().map(|p| (p.truncate().normalize() * 5.0).extend(p.z)).collect()
    };
    let mut list = bore.clone();
    list.extend([outer(&bore[bore.len() - 1]), outer(&bore[0])]);
    let nut = rings(&list, true).into_iter().map(|[a, b, c]| [a, c, b]).collect();
    // Points move by no more than `by`, and flanks are less steep than one in one.
    let depth = [0.5 * by, by * (1.0 + 1e-9)].map(|depth| depth.max(0.0));
    Fit { depth, ..Fit::new(format!("a thread, {by} too narrow"), [screw, nut], 0.0, None) }
}

fn cuboid(min: impl Into<DVec3>, max: impl Into<DVec3>) -> Triangles {
    triangles(&Mesh::from(shapes::cuboid(min, max).unwrap()))
}

/// A block with a pocket, and a plug in it that is larger by `by` at the sides and the bottom.
fn pocket(by: f64) -> Fit {
    let mut block = Voxels::random(&mut Random::new(1), 1, 2.0);
    block.planes = [vec![0.0, 2.0, 4.0, 6.0], vec![0.0, 2.0, 4.0, 6.0], vec![0.0, 3.0, 6.0]];
    block.cells = (0..18).map(|k| [k / 6, k / 2 % 3, k % 2]).filter(|cell| *cell != [1, 1, 1]).collect();
    let block = triangles(block.model(&mut Random::new(2)).mesh());
    let plug = cuboid([2.0 - by, 2.0 - by, 3.0 - by], [4.0 + by, 4.0 + by, 7.0]);
    let volume = (2.0 + 2.0 * by).powi(2) * (3.0 + by) - 12.0;
    Fit::new(
        format!("a plug, {by} too large"),
        [block, plug],
        3.0_f64.sqrt() * by.max(0.0),
        Some(volume.max(0.0)),
    )
}

/// A hollow block and another one in its cavity, larger by `by` all around.
fn liner(by: f64) -> Fit {
    let hollow = |low: f64, high: f64, wall: f64| -> Triangles {
        let cavity = cuboid([low + wall; 3], [high - wall; 3]);
        cuboid([low; 3], [high; 3]).into_iter().chain(cavity.into_iter().map(|[a, b, c]| [a, c, b])).collect()
    };
    let parts = [hollow(0.0, 6.0, 1.0), hollow(1.0 - by, 5.0 + by, 0.5)];
    let volume = ((4.0 + 2.0 * by).powi(3) - 64.0).max(0.0);
    Fit::new(format!("a liner, {by} too large"), parts, 3.0_f64.sqrt() * by.max(0.0), Some(volume))
}

/// Sheets of a thousandth: across each other, and one sunk into the other.
fn sheets() -> [Fit; 3] {
    let thick = 1e-3;
    let flat = || cuboid([-5.0, -5.0, 0.0], [5.0, 5.0, thick]);
    let upright = cuboid([1.0, -4.0, -4.0], [1.0 + thick, 4.0, 4.0]);
    let sunk = |by: f64| cuboid([-3.0, -2.0, thick - by], [6.0, 7.0, 2.0 * thick - by]);
    [
        Fit::new("crossing sheets".to_owned(), [flat(), upright], 0.5 * thick, Some(8.0 * thick * thick)),
        Fit::new(
            "half a sheet".to_owned(),
            [flat(), sunk(0.5 * thick)],
            0.5 * thick,
            Some(56.0 * 0.5 * thick),
        ),
        Fit::new(
            "a fifth of a sheet".to_owned(),
            [flat(), sunk(0.2 * thick)],
            0.2 * thick,
            Some(56.0 * 0.2 * thick),
        ),
    ]
}

/// The same solid with other triangles, moved by a trifle.
fn near_duplicate(by: f64) -> Fit {
    let fine = Mesh::from(shapes::cuboid_grid([by, 0.0, 0.0], [3.0 + by, 2.0, 1.0], [2, 3, 2]).unwrap());
    let parts = [cuboid([0.0; 3], [3.0, 2.0, 1.0]), triangles(&fine)];
    let volume = Some(2.0 * (3.0 - by));
    Fit { is_twice: true, ..Fit::new(format!("twice, {by} apart"), parts, by, volume) }
}

/// Pipes with thin walls through one another, half a side turned; a wall of 0.4 is no deeper than half of it anywhere.
fn pipes() -> Fit {
    let pipe = tube(&polygon(2.0, 14, 0.1), 2.4, [-6.0, 6.0]);
    let across = tube(&polygon(1.5, 11, 0.0), 1.9, [-6.0, 6.0]);
    let across = across.into_iter().map(|face| face.map(|p| DVec3::new(p.z, p.x, p.y))).collect();
    Fit { depth: [0.15, 0.2], ..Fit::new("pipes across".to_owned(), [pipe, across], 0.0, None) }
}

/// All fits.
pub(crate) fn all() -> Vec<Fit> {
    let mut fits = vec![
        shaft("shaft", (9.0, 24, 0.0), (9.0, 31, 0.1), false),
        shaft("shaft", (9.0, 16, 0.0), (9.0, 16, TAU / 32.0), false),
        shaft("free shaft", (9.0, 12, 0.3), (9.5, 17, 0.0), false),
        shaft("sleeve", (5.0, 20, 0.0), (4.99, 18, 0.2), true),
        pipes(),
    ];
    fits.extend([0.05, 1e-3, 1e-6].map(|by| shaft("press fit", (4.0 + by, 12, 0.2), (4.0, 12, 0.2), false)));
    fits.extend([0.05, 1e-4, -0.05].map(thread));
    fits.extend([0.0, 1e-7, 1e-2, -1e-3].map(pocket));
    fits.extend([0.0, 1e-7, 1e-2, -1e-3].map(liner));
    fits.extend([1e-7, 1e-3].map(near_duplicate));
    fits.extend(sheets());
    fits
}

/// The parts as models.
pub(crate) fn models(parts: [&Triangles; 2]) -> [Model; 2] {
    parts.map(|part| crate::shared_volume_exact::model(part))
}
