//! The bodies of Blow 1997's game: a hovertank, the cargo box that it drops, and the repair pad that it lands on. Convex
//! polygons, as many as the paper counts before BSP cuts, and every coordinate a multiple of 1/128: all are exactly flat.

use crate::{Faces, Polyhedron, ShapeError};
use glam::DVec3;

/// A body under construction.
#[derive(Default)]
struct Body {
    vertices: Vec<DVec3>,
    polygons: Vec<Vec<u32>>,
}

/// A rectangle with its corners cut off, around a center: eight edges, of which the first looks along the first axis. Edges
/// with one number are parallel in all octagons, so quads between two octagons are flat.
#[derive(Clone, Copy)]
struct Octagon {
    center: [f64; 2],
    half: [f64; 2],
    cut: f64,
}

impl Octagon {
    fn corners(&self) -> [[f64; 2]; 8] {
        let ([x, y], cut) = (self.half, self.cut);
        let (x_in, y_in) = (x - cut, y - cut);
        let around =
            [[x, -y_in], [x, y_in], [x_in, y], [-x_in, y], [-x, y_in], [-x, -y_in], [-x_in, -y], [x_in, -y]];
        around.map(|[u, v]| [u + self.center[0], v + self.center[1]])
    }
}

/// The edges of an octagon that look along the first axis and against it.
const FRONT: usize = 0;
const REAR: usize = 4;

impl Body {
    fn ring(&mut self, points: impl IntoIterator<Item = DVec3>) -> Vec<u32> {
        let first = self.vertices.len() as u32;
        self.vertices.extend(points);
        (first..self.vertices.len() as u32).collect()
    }

    /// An octagon in x and y, counter-clockwise seen from above.
    fn level(&mut self, z: f64, octagon: Octagon) -> Vec<u32> {
        self.ring(octagon.corners().map(|[x, y]| DVec3::new(x, y, z)))
    }

    /// An octagon in y and z, counter-clockwise seen from the front.
    fn upright(&mut self, x: f64, octagon: Octagon) -> Vec<u32> {
        self.ring(octagon.corners().map(|[y, z]| DVec3::new(x, y, z)))
    }

    /// Quads from one ring to the next. Returns where they begin.
    fn band(&mut self, from: &[u32], to: &[u32]) -> usize {
        let (first, count) = (self.polygons.len(), from.len());
        let next = |i: usize| (i + 1) % count;
        self.polygons.extend((0..count).map(|i| vec![from[i], from[next(i)], to[next(i)], to[i]]));
        first
    }

    /// Quads through all rings. Returns where each band begins.
    fn loft(&mut self, rings: &[Vec<u32>]) -> Vec<usize> {
        rings.windows(2).map(|pair| self.band(&pair[0], &pair[1])).collect()
    }

    /// Moves a quad on to a smaller one: half as large about its middle, and then away by `offset`.
    fn extrude(&mut self, polygon: usize, offset: DVec3) {
        let base = self.polygons[polygon].clone();
        let corners: Vec<DVec3> = base.iter().map(|&vertex| self.vertices[vertex as usize]).collect();
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let top = self.ring(corners.iter().map(|&corner| (corner + middle) * 0.5 + offset));
        self.band(&base, &top);
        self.polygons[polygon] = top;
    }

    /// Puts a roof on a quad; its ridge is parallel to the quad's first edge.
    fn roof(&mut self, polygon: usize, ridge: [DVec3; 2]) {
        let ridge = self.ring(ridge);
        let (quad, [start, end]) = (self.polygons[polygon].clone(), [ridge[0], ridge[1]]);
        self.polygons[polygon] = vec![quad[0], quad[1], end, start];
        self.polygons.push(vec![quad[1], quad[2], end]);
        self.polygons.push(vec![quad[2], quad[3], start, end]);
        self.polygons.push(vec![quad[3], quad[0], start]);
    }

    /// Makes an octagonal hole in a quad that looks to the front.
    fn pierce(&mut self, polygon: usize, hole: &[u32]) {
        let quad = self.polygons.remove(polygon);
        for side in 0..4 {
            let (from, to) = (quad[(side + 1) % 4], quad[(side + 2) % 4]);
            let [a, b, c] = [2 * side, 2 * side + 1, (2 * side + 2) % 8].map(|i| hole[i]);
            self.polygons.push(vec![from, to, b, a]);
            self.polygons.push(vec![to, c, b]);
        }
    }

    fn close_below(&mut self, ring: &[u32]) {
        self.polygons.push(ring.iter().rev().copied().collect());
    }

    fn close_above(&mut self, ring: &[u32]) {
        self.polygons.push(ring.to_vec());
    }

    fn polyhedron(self) -> Result<Polyhedron, ShapeError> {
        Polyhedron::new(self.vertices, Faces::Polygons(self.polygons))
    }
}

/// 97 polygons: a hull with an exhaust behind and a spoiler on its deck, a turret on the deck, and a barrel with a bore.
pub(crate) fn hovertank() -> Result<Polyhedron, ShapeError> {
    let mut body = Body::default();
    let hull = |x: f64, y: f64, cut: f64| Octagon { center: [-0.125, 0.0], half: [x, y], cut };
    let turret = |x: f64, y: f64| Octagon { center: [-0.1875, 0.0], half: [x, y], cut: 0.125 };
    let levels = [
        body.level(-0.3125, hull(0.625, 0.375, 0.125)),
        body.level(-0.125, hull(0.75, 0.5, 0.1875)),
        body.level(0.0625, hull(0.6875, 0.4375, 0.1875)),
        body.level(0.0625, turret(0.34375, 0.28125)),
        body.level(0.25, turret(0.34375, 0.28125)),
        body.level(0.3125, turret(0.28125, 0.21875)),
    ];
    body.close_below(&levels[0]);
    let bands = body.loft(&levels);
    body.close_above(&levels[5]);
    let barrel = |half: f64| Octagon { center: [0.0, 0.15625], half: [half; 2], cut: 0.5 * half };
    let rings = [
        (0.15625, 0.0625),
        (0.6875, 0.046875),
        (0.71875, 0.078125),
        (1.0, 0.078125),
        (1.0, 0.03125),
        (0.8125, 0.03125),
    ]
    .map(|(x, half)| body.upright(x, barrel(half)));
    body.loft(&rings);
    body.close_above(&rings[5]);
    body.extrude(bands[1] + REAR, DVec3::new(-0.140625, 0.0, 0.0));
    body.roof(bands[2] + REAR, [DVec3::new(-0.71875, 0.1875, 0.1875), DVec3::new(-0.71875, -0.1875, 0.1875)]);
    body.pierce(bands[3] + FRONT, &rings[0]);
    body.polyhedron()
}

/// 12 polygons: a crate with bevels around its lid and along two edges of its bottom.
pub(crate) fn cargo_box() -> Result<Polyhedron, ShapeError> {
    let mut body = Body::default();
    let (x, y, z, bevel) = (1.0, 0.75, 0.625, 0.125);
    let rectangle =
        |x: f64, y: f64, z: f64| [[-x, -y], [x, -y], [x, y], [-x, y]].map(|[x, y]| DVec3::new(x, y, z));
    let bottom = body.ring(rectangle(x - bevel, y, -z));
    let low = body.ring(rectangle(x, y, bevel - z));
    let high = body.ring(rectangle(x, y, z - bevel));
    let lid = body.ring(rectangle(x - bevel, y - bevel, z));
    body.close_below(&bottom);
    body.band(&high, &lid);
    body.close_above(&lid);
    for [from, to] in [[0, 1], [2, 3]] {
        let side = [bottom[from], bottom[to], low[to], high[to], high[from], low[from]];
        body.polygons.push(side.to_vec());
        let (front, back) = (to, (to + 1) % 4);
        body.polygons.push(vec![bottom[front], bottom[back], low[back], low[front]]);
        body.polygons.push(vec![low[front], low[back], high[back], high[front]]);
    }
    body.polyhedron()
}

/// 69 polygons: a pad with a rim around its floor, a plate in the middle, four pylons on the rim, and a ramp in front.
pub(crate) fn repair_pad() -> Result<Polyhedron, ShapeError> {
    let mut body = Body::default();
    let octagon = |half: f64, cut: f64| Octagon { center: [0.0; 2], half: [half; 2], cut };
    let levels = [
        body.level(-0.1875, octagon(1.0, 0.375)),
        body.level(-0.0625, octagon(1.0, 0.375)),
        body.level(0.125, octagon(0.9375, 0.375)),
        body.level(0.125, octagon(0.8125, 0.3125)),
        body.level(-0.0625, octagon(0.75, 0.3125)),
        body.level(-0.0625, octagon(0.25, 0.125)),
        body.level(-0.03125, octagon(0.1875, 0.09375)),
    ];
    body.close_below(&levels[0]);
    let bands = body.loft(&levels);
    body.close_above(&levels[6]);
    for corner in [1, 3, 5, 7] {
        body.extrude(bands[2] + corner, DVec3::new(0.0, 0.0, 0.1875));
    }
    body.roof(bands[0] + FRONT, [DVec3::new(1.1875, -0.5, -0.171875), DVec3::new(1.1875, 0.5, -0.171875)]);
    body.polyhedron()
}
