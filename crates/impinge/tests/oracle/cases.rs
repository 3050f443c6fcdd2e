//! Triangles and polygons that are likely to touch, to be coplanar, to be slivers, or to differ by one unit in the
//! last place.

use impinge::math::DVec3;

/// A small generator with a fixed sequence for every seed.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// In [-1, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit())
    }

    pub fn lattice(&mut self, size: u64) -> DVec3 {
        let mut c = || self.below(2 * size + 1) as f64 - size as f64;
        DVec3::new(c(), c(), c())
    }
}

fn ulps(value: f64, steps: i64) -> f64 {
    (0..steps.abs()).fold(value, |v, _| if steps > 0 { v.next_up() } else { v.next_down() })
}

pub const FAMILIES: [&str; 10] = [
    "lattice",
    "fine lattice",
    "uniform",
    "sliver",
    "mixed scales",
    "one ulp off",
    "coplanar, tilted",
    "shared corner or edge",
    "no area",
    "extreme exponents",
];

/// A pair of triangles of a family.
pub fn pair(family: usize, random: &mut Random) -> [[DVec3; 3]; 2] {
    let six: [DVec3; 6] = match family {
        0 => std::array::from_fn(|_| random.lattice(2)),
        1 => {
            let scale = (random.below(80) as f64 - 40.0).exp2();
            let shift = random.lattice(1000) * scale;
            std::array::from_fn(|_| random.lattice(4) * scale + shift)
        }
        2 => std::array::from_fn(|_| random.vector()),
        3 => {
            // Corners almost on one line, the other triangle near it.
            let (p, q) = (random.vector(), random.vector());
            let width = 10f64.powi(-(random.below(17) as i32));
            std::array::from_fn(|_| p + (q - p) * random.unit() + random.vector() * width)
        }
        4 => std::array::from_fn(|_| random.vector() * 10f64.powi(random.below(25) as i32 - 12)),
        5 => {
            let mut six: [DVec3; 6] = std::array::from_fn(|_| random.lattice(2) * 0.1);
            for _ in 0..1 + random.below(4) {
                let (i, axis) = (random.below(6) as usize, random.below(3) as usize);
                six[i][axis] = ulps(six[i][axis], random.below(5) as i64 - 2);
            }
            six
        }
        6 => {
            // Points of a plane with exact coordinates: origin + i·u + j·v in small whole numbers.
            let (o, u, v) = (random.lattice(9), random.lattice(5), random.lattice(5));
            let scale = (random.below(60) as f64 - 30.0).exp2();
            let mut six: [DVec3; 6] =
                std::array::from_fn(|_| (o + u * random.lattice(3).x + v * random.lattice(3).y) * scale);
            if random.below(4) == 0 {
                let (i, axis) = (random.below(6) as usize, random.below(3) as usize);
                six[i][axis] = ulps(six[i][axis], 1 - 2 * random.below(2) as i64);
            }
            six
        }
        7 => {
            let mut six: [DVec3; 6] = std::array::from_fn(|_| random.vector());
            for i in 0..1 + random.below(3) as usize {
                six[3 + i] = if random.below(3) == 0 { (six[i] + six[(i + 1) % 3]) * 0.5 } else { six[i] };
            }
            six
        }
        8 => {
            let mut six: [DVec3; 6] = std::array::from_fn(|_| random.lattice(3));
            for first in [0, 3] {
                match random.below(4) {
                    0 => six[first + 1] = six[first],
                    1 => six[first + 2] = (six[first] + six[first + 1]) * 0.5,
                    2 => (six[first + 1], six[first + 2]) = (six[first], six[first]),
                    _ => {}
                }
            }
            six
        }
        _ => {
            let power = [-1070, -1000, -900, -400, 0, 400, 900, 1020];
            let scale = (power[random.below(8) as usize] as f64).exp2();
            let other = (power[random.below(8) as usize] as f64).exp2();
            std::array::from_fn(|_| random.lattice(2) * if random.below(8) == 0 { other } else { scale })
        }
    };
    [[six[0], six[1], six[2]], [six[3], six[4], six[5]]]
}

/// A convex planar polygon of 3 to 8 corners with exact coordinates: lattice points of a random plane, some of the
/// corners collinear, starting anywhere.
pub fn convex_polygon(random: &mut Random, plane: Option<(DVec3, DVec3, DVec3)>) -> Vec<DVec3> {
    const OUTLINES: [&[[f64; 2]]; 7] = [
        &[[0., 0.], [4., 0.], [0., 4.]],
        &[[0., 0.], [4., 0.], [4., 4.], [0., 4.]],
        &[[0., 0.], [2., 0.], [4., 0.], [4., 4.], [0., 4.]],
        &[[1., 0.], [3., 0.], [4., 2.], [3., 4.], [1., 4.], [0., 2.]],
        &[[1., 0.], [3., 0.], [4., 1.], [4., 3.], [3., 4.], [1., 4.], [0., 3.], [0., 1.]],
        &[[0., 0.], [1., 0.], [2., 0.], [3., 1.], [2., 2.], [0., 2.], [0., 1.]],
        &[[0., 0.], [4., 0.], [4., 1.], [0., 1.]],
    ];
    let (o, u, v) = plane.unwrap_or_else(|| frame(random));
    let outline = OUTLINES[random.below(OUTLINES.len() as u64) as usize];
    let [dx, dy] = [random.below(7) as f64 - 3.0, random.below(7) as f64 - 3.0];
    let first = random.below(outline.len() as u64) as usize;
    let mut corners: Vec<DVec3> = (0..outline.len())
        .map(|i| outline[(i + first) % outline.len()])
        .map(|[x, y]| o + u * (x + dx) + v * (y + dy))
        .collect();
    if random.below(2) == 0 {
        corners.reverse();
    }
    corners
}

/// Three small whole vectors, the last two not parallel.
pub fn frame(random: &mut Random) -> (DVec3, DVec3, DVec3) {
    loop {
        let (o, u, v) = (random.lattice(2), random.lattice(2), random.lattice(2));
        if u.cross(v) != DVec3::ZERO {
            return (o, u, v);
        }
    }
}
