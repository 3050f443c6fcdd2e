//! Which face a ray hits first, found in a plain way that shares nothing with the library's: a tree halved at medians, edge
//! functions in `f64` where they are far from zero, and whole numbers everywhere else.

use std::cmp::Ordering;

use dashu_int::IBig;
use impinge::math::DVec3;

/// What is said about a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Miss,
    /// The face; the lowest of several at the same time.
    Face(u32),
    /// A face lies in one plane with the ray, or has no area: the oracle does not say.
    InPlane,
}

struct Node {
    low: DVec3,
    high: DVec3,
    /// The second child of an inner node, the first being next; or the first triangle of a leaf.
    first: u32,
    /// Triangles of a leaf; 0 for an inner node.
    count: u32,
}

/// Triangles with a tree over them.
pub(super) struct Oracle {
    nodes: Vec<Node>,
    triangles: Vec<(u32, [DVec3; 3])>,
    /// More than what rounding does to places.
    margin: f64,
    /// How often whole numbers had to decide.
    pub(super) closely: u64,
}

const LEAF: usize = 4;

/// More than what rounding does to an edge function, in multiples of the sizes of its terms.
const ROUNDING: f64 = 1e-13;

/// Times that differ by less than this part of themselves are compared in whole numbers.
const CLOSE: f64 = 1e-7;

impl Oracle {
    pub(super) fn new(triangles: impl Iterator<Item = [DVec3; 3]>) -> Oracle {
        let mut triangles: Vec<_> = triangles.enumerate().map(|(face, at)| (face as u32, at)).collect();
        let mut nodes = Vec::new();
        grow(&mut nodes, &mut triangles, 0);
        let far = nodes[0].low.abs().max(nodes[0].high.abs()).max_element();
        Oracle { nodes, triangles, margin: 1e-9 * far, closely: 0 }
    }

    /// The first face among those whose boxes the ray passes through.
    pub(super) fn first(&mut self, origin: DVec3, direction: DVec3) -> Verdict {
        let (mut nearest, mut waiting) = (Nearest::default(), vec![0]);
        let margin = self.margin + 1e-9 * origin.abs().max_element();
        while let Some(index) = waiting.pop() {
            let node = &self.nodes[index as usize];
            let (low, high) = (node.low - margin, node.high + margin);
            let (mut enter, mut leave) = (0.0_f64, nearest.t * (1.0 + CLOSE));
            for k in 0..3 {
                if direction[k] == 0.0 {
                    leave = if origin[k] < low[k] || origin[k] > high[k] { -1.0 } else { leave };
                    continue;
                }
                let (a, b) = ((low[k] - origin[k]) / direction[k], (high[k] - origin[k]) / direction[k]);
                (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
            }
            if enter > leave * (1.0 + 1e-9) {
                continue;
            }
            if node.count == 0 {
                waiting.extend([node.first, index + 1]);
                continue;
            }
            for i in node.first..node.first + node.count {
                self.closely += nearest.meet(origin, direction, &self.triangles[i as usize]);
            }
        }
        nearest.verdict()
    }

    /// The first face among all.
    pub(super) fn first_of_all(&mut self, origin: DVec3, direction: DVec3) -> Verdict {
        let mut nearest = Nearest::default();
        for triangle in &self.triangles {
            nearest.meet(origin, direction, triangle);
        }
        nearest.verdict()
    }
}

fn grow(nodes: &mut Vec<Node>, triangles: &mut [(u32, [DVec3; 3])], first: u32) {
    let corners = || triangles.iter().flat_map(|(_, corners)| corners);
    let low = corners().fold(DVec3::INFINITY, |low, &corner| low.min(corner));
    let high = corners().fold(DVec3::NEG_INFINITY, |high, &corner| high.max(corner));
    let index = nodes.len();
    nodes.push(Node { low, high, first, count: triangles.len() as u32 });
    if triangles.len() <= LEAF {
        return;
    }
    let size = high - low;
    let axis = (0..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best });
    let center = |(_, at): &(u32, [DVec3; 3])| at[0][axis] + at[1][axis] + at[2][axis];
    let middle = triangles.len() / 2;
    triangles.select_nth_unstable_by(middle, |a, b| center(a).total_cmp(&center(b)));
    let (one, other) = triangles.split_at_mut(middle);
    grow(nodes, one, first);
    (nodes[index].first, nodes[index].count) = (nodes.len() as u32, 0);
    grow(nodes, other, first + middle as u32);
}

/// The nearest of the triangles that were met.
struct Nearest {
    t: f64,
    face: Option<(u32, [DVec3; 3])>,
    in_plane: bool,
}

impl Default for Nearest {
    fn default() -> Nearest {
        Nearest { t: f64::INFINITY, face: None, in_plane: false }
    }
}

impl Nearest {
    /// Keeps a triangle if it is met first. Returns how often whole numbers decided.
    fn meet(&mut self, origin: DVec3, direction: DVec3, (face, corners): &(u32, [DVec3; 3])) -> u64 {
        let [a, b, c] = corners.map(|corner| corner - origin);
        let (mut signs, mut closely) = ([0; 3], 0);
        for (sign, (p, q)) in signs.iter_mut().zip([(b, c), (c, a), (a, b)]) {
            let edge = direction.dot(p.cross(q));
            let (p, q, d) = (p.abs(), q.abs(), direction.abs());
            let size =
                d.x * (p.y * q.z + p.z * q.y) + d.y * (p.z * q.x + p.x * q.z) + d.z * (p.x * q.y + p.y * q.x);
            *sign = if edge.abs() > ROUNDING * size { edge.signum() as i32 } else { 2 };
        }
        // Opposite signs that are certain: missed.
        if signs.contains(&1) && signs.contains(&-1) {
            return 0;
        }
        let normal = (b - a).cross(c - a);
        let t = normal.dot(a) / normal.dot(direction);
        let is_clear = !signs.contains(&2) && t > CLOSE && t.is_finite();
        if !is_clear {
            closely = 1;
            match exactly(origin, direction, corners) {
                Met::Hit(_) => {}
                Met::Miss => return closely,
                Met::InPlane => {
                    self.in_plane = true;
                    return closely;
                }
            }
        }
        let order = match &self.face {
            None => Ordering::Less,
            Some(_) if t < self.t * (1.0 - CLOSE) => Ordering::Less,
            Some(_) if t > self.t * (1.0 + CLOSE) => Ordering::Greater,
            Some((other, at)) => {
                closely += 1;
                let times = [exactly(origin, direction, corners), exactly(origin, direction, at)];
                match times {
                    // Denominators are above zero.
                    [Met::Hit([p, q]), Met::Hit([r, s])] => (p * s).cmp(&(r * q)).then(face.cmp(other)),
                    _ => Ordering::Greater,
                }
            }
        };
        if order == Ordering::Less {
            (self.t, self.face) = (t.max(0.0), Some((*face, *corners)));
        }
        closely
    }

    fn verdict(&self) -> Verdict {
        match self.face {
            _ if self.in_plane => Verdict::InPlane,
            Some((face, _)) => Verdict::Face(face),
            None => Verdict::Miss,
        }
    }
}

enum Met {
    Miss,
    /// The time as a fraction, with a denominator above zero.
    Hit([IBig; 2]),
    InPlane,
}

/// A ray against a triangle in whole numbers.
fn exactly(origin: DVec3, direction: DVec3, corners: &[DVec3; 3]) -> Met {
    let (o, d) = (whole(origin), whole(direction));
    let at = corners.map(|corner| minus(&whole(corner), &o));
    let edges = [(1, 2), (2, 0), (0, 1)].map(|(p, q)| dot(&d, &cross(&at[p], &at[q])));
    let zero = IBig::ZERO;
    if edges.iter().any(|edge| *edge > zero) && edges.iter().any(|edge| *edge < zero) {
        return Met::Miss;
    }
    let normal = cross(&minus(&at[1], &at[0]), &minus(&at[2], &at[0]));
    let (mut numerator, mut denominator) = (dot(&normal, &at[0]), dot(&normal, &d));
    if denominator == zero {
        return Met::InPlane;
    }
    if denominator < zero {
        (numerator, denominator) = (-numerator, -denominator);
    }
    if numerator < zero { Met::Miss } else { Met::Hit([numerator, denominator]) }
}

/// The coordinates times a large power of two.
fn whole(vector: DVec3) -> [IBig; 3] {
    vector.to_array().map(|x| {
        let (bits, is_negative) = (x.abs().to_bits(), x < 0.0);
        let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
        let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        let size = IBig::from(mantissa) << (exponent.max(1) as usize - 1);
        if is_negative { -size } else { size }
    })
}

fn minus(a: &[IBig; 3], b: &[IBig; 3]) -> [IBig; 3] {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}

fn cross(a: &[IBig; 3], b: &[IBig; 3]) -> [IBig; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &a[i] * &b[j] - &a[j] * &b[i])
}

fn dot(a: &[IBig; 3], b: &[IBig; 3]) -> IBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}
