//! Small shapes to move, and the random numbers to make them with.

use std::cell::Cell;

use impinge::Mesh;
use impinge::math::{DQuat, DVec3};

/// A small generator with a fixed sequence for every seed.
pub struct Random(Cell<u64>);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(Cell::new(seed))
    }

    pub fn bits(&self) -> u64 {
        let mut z = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(z);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&self, n: u64) -> u64 {
        self.bits() % n
    }

    pub fn one_in(&self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// In [-1, 1).
    pub fn unit(&self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn between(&self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.unit() + 1.0) * 0.5
    }

    /// 10 to a power in a range, evenly over the powers.
    pub fn power(&self, low: f64, high: f64) -> f64 {
        10f64.powf(self.between(low, high))
    }

    pub fn sign(&self) -> f64 {
        if self.one_in(2) { 1.0 } else { -1.0 }
    }

    pub fn pick<T: Copy>(&self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    pub fn vector(&self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit())
    }

    pub fn direction(&self) -> DVec3 {
        loop {
            let v = self.vector();
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    /// Whole coordinates from `-size` to `size`.
    pub fn lattice(&self, size: u64) -> DVec3 {
        let c = || self.below(2 * size + 1) as f64 - size as f64;
        DVec3::new(c(), c(), c())
    }

    pub fn turn(&self) -> DQuat {
        let axis = self.direction();
        DQuat::from_axis_angle(axis, self.between(0.0, 6.0))
    }
}

/// Points and faces.
#[derive(Clone, Debug)]
pub struct Shape {
    pub points: Vec<DVec3>,
    pub faces: Vec<Vec<u32>>,
}

impl Shape {
    fn of(points: Vec<DVec3>, triangles: &[[u32; 3]]) -> Shape {
        Shape { points, faces: triangles.iter().map(|t| t.to_vec()).collect() }
    }

    pub fn mesh(&self) -> Mesh {
        Mesh::polygons(self.points.iter().copied(), &self.faces).expect("shapes are valid")
    }

    #[must_use]
    pub fn map(mut self, f: impl Fn(DVec3) -> DVec3) -> Shape {
        self.points.iter_mut().for_each(|p| *p = f(*p));
        self
    }

    #[must_use]
    pub fn moved(self, by: DVec3) -> Shape {
        self.map(|p| p + by)
    }

    #[must_use]
    pub fn turned(self, by: DQuat) -> Shape {
        self.map(|p| by * p)
    }

    #[must_use]
    pub fn scaled(self, by: DVec3) -> Shape {
        self.map(|p| p * by)
    }

    #[must_use]
    pub fn with(mut self, other: Shape) -> Shape {
        let first = self.points.len() as u32;
        self.points.extend(other.points);
        self.faces
            .extend(other.faces.into_iter().map(|f| f.into_iter().map(|v| v + first).collect::<Vec<_>>()));
        self
    }

    /// A corner.
    pub fn corner(&self, random: &Random) -> DVec3 {
        self.points[random.below(self.points.len() as u64) as usize]
    }

    /// A point of a face.
    pub fn point(&self, random: &Random) -> DVec3 {
        let face = &self.faces[random.below(self.faces.len() as u64) as usize];
        let corner = |k: usize| self.points[face[k.min(face.len() - 1)] as usize];
        let (mut s, mut t) = (random.between(0.0, 1.0), random.between(0.0, 1.0));
        if s + t > 1.0 {
            (s, t) = (1.0 - s, 1.0 - t);
        }
        corner(0) + (corner(1) - corner(0)) * s + (corner(2) - corner(0)) * t
    }

    /// A corner of a face and the next.
    pub fn edge(&self, random: &Random) -> (DVec3, DVec3) {
        let face = &self.faces[random.below(self.faces.len() as u64) as usize];
        let k = random.below(face.len() as u64) as usize;
        (self.points[face[k] as usize], self.points[face[(k + 1) % face.len()] as usize])
    }

    pub fn normal(&self, face: usize) -> DVec3 {
        let face = &self.faces[face];
        let corner = |k: usize| self.points[face[k.min(face.len() - 1)] as usize];
        (corner(1) - corner(0)).cross(corner(2) - corner(0))
    }

    pub fn middle(&self) -> DVec3 {
        self.points.iter().sum::<DVec3>() / self.points.len() as f64
    }
}

pub fn cuboid(low: DVec3, high: DVec3) -> Shape {
    let corner = |k: u32| {
        let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    };
    const SIDES: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[u32; 3]> = SIDES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape::of((0..8).map(corner).collect(), &triangles)
}

/// The same, with quadrilaterals.
pub fn cuboid_of_quads(low: DVec3, high: DVec3) -> Shape {
    let mut shape = cuboid(low, high);
    shape.faces = shape.faces.chunks(2).map(|two| vec![two[0][0], two[0][1], two[0][2], two[1][2]]).collect();
    shape
}

/// Around four points, outward.
pub fn tetrahedron(p: [DVec3; 4]) -> Shape {
    let inward = (p[1] - p[0]).cross(p[2] - p[0]).dot(p[3] - p[0]) > 0.0;
    let sides = if inward {
        [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
    } else {
        [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
    };
    Shape::of(p.to_vec(), &sides)
}

/// An outline in the plane of x and y, drawn out along z; counter-clockwise, and its fan must cover it.
pub fn prism(outline: &[[f64; 2]], height: f64) -> Shape {
    let n = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |&[x, y]| DVec3::new(x, y, z));
    let mut triangles = Vec::new();
    for k in 1..n - 1 {
        triangles.extend([[0, k + 1, k], [n, n + k, n + k + 1]]);
    }
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, next, n + next], [k, n + next, n + k]]);
    }
    Shape::of(at(0.0).chain(at(height)).collect(), &triangles)
}

pub fn regular_prism(sides: u32, radius: f64, height: f64) -> Shape {
    let corner = |k: u32| {
        let (s, c) = (std::f64::consts::TAU * f64::from(k) / f64::from(sides)).sin_cos();
        [c * radius, s * radius]
    };
    prism(&(0..sides).map(corner).collect::<Vec<_>>(), height)
}

/// Concave; whole coordinates. The fan starts at the inner corner, from which all can be seen.
pub fn l_shape() -> Shape {
    prism(&[[1., 1.], [1., 2.], [0., 2.], [0., 0.], [2., 0.], [2., 1.]], 1.0)
}

pub fn torus(major: f64, minor: f64, segments: u32, sides: u32) -> Shape {
    let mut points = Vec::new();
    for i in 0..segments {
        let (s, c) = (std::f64::consts::TAU * f64::from(i) / f64::from(segments)).sin_cos();
        for j in 0..sides {
            let (v, u) = (std::f64::consts::TAU * (f64::from(j) + 0.5) / f64::from(sides)).sin_cos();
            points.push(DVec3::new((major + minor * u) * c, (major + minor * u) * s, minor * v));
        }
    }
    let at = |i: u32, j: u32| i % segments * sides + j % sides;
    let triangles: Vec<[u32; 3]> = (0..segments)
        .flat_map(|i| (0..sides).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    Shape::of(points, &triangles)
}

/// A needle with its tip at the origin, pointing down.
pub fn spike(angle: f64, length: f64) -> Shape {
    let r = length * (angle * 0.5).tan();
    let base = |x: f64, y: f64| DVec3::new(x * r, y * r, length);
    tetrahedron([DVec3::ZERO, base(1.0, 0.0), base(-0.5, 0.75), base(-0.5, -0.75)])
}

/// One polygon.
pub fn polygon(points: Vec<DVec3>) -> Shape {
    let face = (0..points.len() as u32).collect();
    Shape { points, faces: vec![face] }
}

/// Two triangles of the plane z = 0, facing up.
pub fn sheet(half: f64) -> Shape {
    let at = |x: f64, y: f64| DVec3::new(x * half, y * half, 0.0);
    Shape::of(vec![at(-1., -1.), at(1., -1.), at(1., 1.), at(-1., 1.)], &[[0, 1, 2], [0, 2, 3]])
}

pub fn soup(random: &Random, triangles: u64, size: f64) -> Shape {
    let mut points = Vec::new();
    for _ in 0..triangles {
        let middle = random.vector();
        points.extend((0..3).map(|_| middle + random.vector() * size));
    }
    let faces = (0..triangles as u32).map(|k| vec![3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Shape { points, faces }
}

/// A closed shape of about unit size.
pub fn solid(random: &Random) -> Shape {
    match random.below(7) {
        0 => cuboid(DVec3::splat(-0.5), DVec3::splat(0.5)),
        1 => cuboid_of_quads(DVec3::splat(-0.5), DVec3::new(0.5, random.between(-0.4, 1.0), 0.5)),
        2 => tetrahedron(std::array::from_fn(|_| random.vector())),
        3 => {
            let sides = 3 + random.below(5) as u32;
            regular_prism(sides, random.between(0.2, 0.8), random.between(0.1, 1.5))
        }
        4 => l_shape().moved(DVec3::new(-1.0, -1.0, -0.5)).scaled(DVec3::splat(0.5)),
        5 => torus(0.7, 0.25, 4, 3),
        _ => spike(random.between(0.1, 1.0), 1.0),
    }
}

/// Closed or open, down to a single point.
pub fn anything(random: &Random) -> Shape {
    match random.below(12) {
        0 => {
            let count = 1 + random.below(6);
            soup(random, count, 0.6)
        }
        1 => polygon((0..3).map(|_| random.vector()).collect()),
        2 => polygon((0..2).map(|_| random.vector()).collect()),
        3 => polygon(vec![random.vector() * 0.5]),
        4 => sheet(0.5),
        _ => solid(random),
    }
}
