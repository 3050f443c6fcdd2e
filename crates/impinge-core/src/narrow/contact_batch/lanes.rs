//! Features of a few triangles against one feature of another, four at a time: which of them may be in contact.
//!
//! A contact is a perpendicular that stands on both features (`docs/math/contacts.md`). Most pairs of features within the
//! distance have none. The tests here are those of [`contact`](crate::narrow::contact) without roots and divisions, and leave out only what
//! those certainly leave out, however either is rounded.

use crate::math::DVec3;
use crate::simd::Lanes;

/// The greatest number of triangles of a batch.
pub const BATCH_TRIANGLES: usize = 8;

/// The greatest number of vertices, and of edges, of a batch.
pub const BATCH_FEATURES: usize = 3 * BATCH_TRIANGLES;

/// Numbers, four side by side.
type Column<const GROUPS: usize> = [[f64; 4]; GROUPS];

/// Vectors, coordinate by coordinate.
type Columns<const GROUPS: usize> = [Column<GROUPS>; 3];

/// Four vectors.
type Vector<L> = [<L as Lanes>::F64x4; 3];

/// The groups of four that hold the triangles, and those that hold the features.
const OF_TRIANGLES: usize = BATCH_TRIANGLES / 4;
const OF_FEATURES: usize = BATCH_FEATURES / 4;

/// Below this square of the sine, two edges are too nearly parallel to be told apart without care.
const SKEW: f64 = 1e-6;

/// The cosine, above a half, from which on a face certainly leads towards the other body, squared: it is sheltered then.
const SHELTERED_SQUARED: f64 = 0.2501;

/// The limits of a search among features of two batches.
#[derive(Clone, Copy, Debug)]
pub struct ContactLimits {
    /// The largest distance, with what rounding may add.
    reach: f64,
    reach_squared: f64,
    /// That of a distance which is the difference of two squares.
    foot_squared: f64,
    /// The error bound of a coordinate, with what the tests may be off by.
    error: f64,
    /// The error bound of where a face leads.
    direction_error: f64,
}

impl ContactLimits {
    /// The limits for coordinates up to `size`: contacts within `reach`, of points that may be off by `touch`.
    #[inline(always)]
    pub fn new(reach: f64, touch: f64, size: f64) -> ContactLimits {
        let direction_error = 4.0 * touch + 1e-10 * size;
        // An infinite one would make a number that is none.
        let reach = (reach * (1.0 + 1e-9) + direction_error).min(1e150);
        let reach_squared = reach * reach;
        ContactLimits {
            reach,
            reach_squared,
            foot_squared: reach_squared + 1e-14 * size * size,
            error: 4.0 * touch + 1e-12 * size,
            direction_error,
        }
    }
}

/// A vertex, seen from the origin of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchVertex {
    /// The position.
    pub point: DVec3,
    /// Directions of length 1 in which edges lead away from it, or zero: some of all.
    pub around: [DVec3; 3],
}

/// An edge, seen from the origin of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchEdge {
    /// The start of the edge.
    pub start: DVec3,
    /// The direction of the edge, of length 1.
    pub along: DVec3,
    /// The length of the edge.
    pub length: f64,
    /// Directions of length 1 in which its faces lead away from it, or zero: some of all.
    pub inward: [DVec3; 2],
}

/// A triangle, seen from the origin of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchTriangle {
    /// The corners.
    pub corners: [DVec3; 3],
    /// The unit normal of the front; zero where the triangle has no plane.
    pub normal: DVec3,
    /// Directions of length 1 from each edge to the inside; zero where there is none.
    pub inward: [DVec3; 3],
    /// Whether nothing can touch its back.
    pub is_one_sided: bool,
}

/// Vertices of a few triangles, in columns.
#[derive(Clone, Debug, Default)]
pub struct VertexBatch {
    count: usize,
    point: Columns<OF_FEATURES>,
    around: [Columns<OF_FEATURES>; 3],
}

/// Edges of a few triangles, in columns.
#[derive(Clone, Debug, Default)]
pub struct EdgeBatch {
    count: usize,
    start: Columns<OF_FEATURES>,
    along: Columns<OF_FEATURES>,
    length: Column<OF_FEATURES>,
    inward: [Columns<OF_FEATURES>; 2],
}

/// A few triangles, in columns.
#[derive(Clone, Debug, Default)]
pub struct TriangleBatch {
    count: usize,
    normal: Columns<OF_TRIANGLES>,
    /// The height of the plane.
    height: Column<OF_TRIANGLES>,
    /// 1 for what can be touched from behind, else 0.
    back: Column<OF_TRIANGLES>,
    inward: [Columns<OF_TRIANGLES>; 3],
    /// The products of the edges' points with the directions inward.
    inset: [Column<OF_TRIANGLES>; 3],
}

/// Writes a vector into columns.
#[inline(always)]
fn put<const GROUPS: usize>(columns: &mut Columns<GROUPS>, place: usize, vector: DVec3) {
    for axis in 0..3 {
        columns[axis][place / 4][place % 4] = vector[axis];
    }
}

#[inline(always)]
fn load<L: Lanes, const GROUPS: usize>(columns: &Columns<GROUPS>, group: usize) -> Vector<L> {
    [L::f64x4_load(&columns[0][group]), L::f64x4_load(&columns[1][group]), L::f64x4_load(&columns[2][group])]
}

#[inline(always)]
fn splat<L: Lanes>(vector: DVec3) -> Vector<L> {
    [L::f64x4_splat(vector.x), L::f64x4_splat(vector.y), L::f64x4_splat(vector.z)]
}

#[inline(always)]
fn sub<L: Lanes>(a: &Vector<L>, b: &Vector<L>) -> Vector<L> {
    [L::f64x4_sub(a[0], b[0]), L::f64x4_sub(a[1], b[1]), L::f64x4_sub(a[2], b[2])]
}

#[inline(always)]
fn dot<L: Lanes>(a: &Vector<L>, b: &Vector<L>) -> L::F64x4 {
    let sum = L::f64x4_add(L::f64x4_mul(a[0], b[0]), L::f64x4_mul(a[1], b[1]));
    L::f64x4_add(sum, L::f64x4_mul(a[2], b[2]))
}

#[inline(always)]
fn cross<L: Lanes>(a: &Vector<L>, b: &Vector<L>) -> Vector<L> {
    [
        L::f64x4_sub(L::f64x4_mul(a[1], b[2]), L::f64x4_mul(a[2], b[1])),
        L::f64x4_sub(L::f64x4_mul(a[2], b[0]), L::f64x4_mul(a[0], b[2])),
        L::f64x4_sub(L::f64x4_mul(a[0], b[1]), L::f64x4_mul(a[1], b[0])),
    ]
}

#[inline(always)]
fn get<const GROUPS: usize>(columns: &Columns<GROUPS>, place: usize) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| columns[axis][place / 4][place % 4]))
}

/// The bits of the first `count` of all lanes, one after the other; those of others are of no meaning.
#[inline(always)]
fn first_lanes(bits: u32, count: usize) -> u32 {
    bits & !(u32::MAX << count)
}

impl VertexBatch {
    /// Empties the batch.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a vertex; there must be room.
    pub fn push(&mut self, vertex: &BatchVertex) {
        put(&mut self.point, self.count, vertex.point);
        for (columns, direction) in self.around.iter_mut().zip(vertex.around) {
            put(columns, self.count, direction);
        }
        self.count += 1;
    }

    /// The position of the vertex at a place.
    #[inline(always)]
    pub fn point(&self, place: usize) -> DVec3 {
        get(&self.point, place)
    }

    /// The vertex at a place.
    #[inline(always)]
    pub fn get(&self, place: usize) -> BatchVertex {
        let around = [0, 1, 2].map(|i| get(&self.around[i], place));
        BatchVertex { point: get(&self.point, place), around }
    }

    /// The vertices that may be in contact with another one: near enough, and one of the two is where the other's surface is nearest to it.
    #[inline(always)]
    pub fn near<L: Lanes>(&self, vertex: &BatchVertex, limits: &ContactLimits) -> u32 {
        let other = splat::<L>(vertex.point);
        let reach = L::f64x4_splat(limits.reach_squared);
        let error = L::f64x4_splat(limits.direction_error);
        // No closures: they would not be compiled for the lanes.
        let (mut found, mut group) = (0, 0);
        while 4 * group < self.count {
            let towards = sub::<L>(&other, &load::<L, OF_FEATURES>(&self.point, group));
            let near = L::f64x4_greater(dot::<L>(&towards, &towards), reach) ^ 0b1111;
            if near == 0 {
                group += 1;
                continue;
            }
            let zero = L::f64x4_splat(0.0);
            let (mut own, mut others) = (zero, zero);
            let mut i = 0;
            while i < 3 {
                own = L::f64x4_max(own, dot::<L>(&load::<L, OF_FEATURES>(&self.around[i], group), &towards));
                let back = L::f64x4_sub(zero, dot::<L>(&splat::<L>(vertex.around[i]), &towards));
                others = L::f64x4_max(others, back);
                i += 1;
            }
            let lanes = near & (L::f64x4_greater(L::f64x4_min(own, others), error) ^ 0b1111);
            found |= lanes << (4 * group);
            group += 1;
        }
        first_lanes(found, self.count)
    }
}

impl EdgeBatch {
    /// Empties the batch.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds an edge; there must be room.
    pub fn push(&mut self, edge: &BatchEdge) {
        put(&mut self.start, self.count, edge.start);
        put(&mut self.along, self.count, edge.along);
        self.length[self.count / 4][self.count % 4] = edge.length;
        for (columns, direction) in self.inward.iter_mut().zip(edge.inward) {
            put(columns, self.count, direction);
        }
        self.count += 1;
    }

    /// The edge at a place.
    #[inline(always)]
    pub fn get(&self, place: usize) -> BatchEdge {
        BatchEdge {
            start: get(&self.start, place),
            along: get(&self.along, place),
            length: self.length[place / 4][place % 4],
            inward: [0, 1].map(|i| get(&self.inward[i], place)),
        }
    }

    /// The edges that a point may be beside: its foot is inside of the edge, near enough, and nothing of the faces is nearer.
    #[inline(always)]
    pub fn beside<L: Lanes>(&self, point: DVec3, limits: &ContactLimits) -> u32 {
        let point = splat::<L>(point);
        let error = L::f64x4_splat(limits.error);
        let direction_error = L::f64x4_splat(limits.direction_error);
        let reach = L::f64x4_splat(limits.foot_squared);
        // No closures: they would not be compiled for the lanes.
        let (mut found, mut group) = (0, 0);
        while 4 * group < self.count {
            let from = sub::<L>(&point, &load::<L, OF_FEATURES>(&self.start, group));
            let foot = dot::<L>(&from, &load::<L, OF_FEATURES>(&self.along, group));
            let beyond = L::f64x4_sub(foot, L::f64x4_load(&self.length[group]));
            let outside = L::f64x4_max(L::f64x4_sub(L::f64x4_splat(0.0), foot), beyond);
            let squared = L::f64x4_sub(dot::<L>(&from, &from), L::f64x4_mul(foot, foot));
            let first = dot::<L>(&from, &load::<L, OF_FEATURES>(&self.inward[0], group));
            let second = dot::<L>(&from, &load::<L, OF_FEATURES>(&self.inward[1], group));
            let left_out = L::f64x4_greater(outside, error)
                | L::f64x4_greater(squared, reach)
                | L::f64x4_greater(L::f64x4_max(first, second), direction_error);
            let lanes = left_out ^ 0b1111;
            found |= lanes << (4 * group);
            group += 1;
        }
        first_lanes(found, self.count)
    }

    /// Those of the first `count` edges that may cross another one: both feet are inside, near enough, and no face leads towards the other edge.
    #[inline(always)]
    pub fn crossing<L: Lanes>(&self, count: usize, edge: &BatchEdge, limits: &ContactLimits) -> u32 {
        let (start, v) = (splat::<L>(edge.start), splat::<L>(edge.along));
        let zero = L::f64x4_splat(0.0);
        let error = L::f64x4_splat(limits.direction_error);
        // No closures: they would not be compiled for the lanes.
        let (mut found, mut group) = (0, 0);
        while 4 * group < count {
            let u = load::<L, OF_FEATURES>(&self.along, group);
            let w = sub::<L>(&load::<L, OF_FEATURES>(&self.start, group), &start);
            let (b, c, f) = (dot::<L>(&u, &v), dot::<L>(&u, &w), dot::<L>(&v, &w));
            let determinant = L::f64x4_sub(L::f64x4_splat(1.0), L::f64x4_mul(b, b));
            // How far along either edge the feet are, times the determinant.
            let s = L::f64x4_sub(L::f64x4_mul(b, f), c);
            let t = L::f64x4_sub(f, L::f64x4_mul(b, c));
            let beyond_s = L::f64x4_sub(s, L::f64x4_mul(determinant, L::f64x4_load(&self.length[group])));
            let beyond_t = L::f64x4_sub(t, L::f64x4_mul(determinant, L::f64x4_splat(edge.length)));
            let before = L::f64x4_max(L::f64x4_sub(zero, s), L::f64x4_sub(zero, t));
            let outside = L::f64x4_max(before, L::f64x4_max(beyond_s, beyond_t));
            let skew = L::f64x4_greater(determinant, L::f64x4_splat(SKEW)) ^ 0b1111;
            let crossing = L::f64x4_greater(outside, error) ^ 0b1111;
            if crossing | skew == 0 {
                group += 1;
                continue;
            }
            let normal = cross::<L>(&u, &v);
            let height = dot::<L>(&w, &normal);
            let squared = L::f64x4_mul(height, height);
            let far =
                L::f64x4_greater(squared, L::f64x4_mul(determinant, L::f64x4_splat(limits.reach_squared)));
            // Where they do not nearly touch, the way from the first to the second is against the height.
            let least = L::f64x4_mul(error, error);
            let apart = L::f64x4_greater(squared, L::f64x4_mul(determinant, least));
            let mut leading = zero;
            let mut i = 0;
            while i < 2 {
                let own = dot::<L>(&load::<L, OF_FEATURES>(&self.inward[i], group), &normal);
                let other = dot::<L>(&splat::<L>(edge.inward[i]), &normal);
                leading =
                    L::f64x4_max(leading, L::f64x4_where_greater(height, zero, L::f64x4_sub(zero, own), own));
                leading = L::f64x4_max(
                    leading,
                    L::f64x4_where_greater(height, zero, other, L::f64x4_sub(zero, other)),
                );
                i += 1;
            }
            let most = L::f64x4_mul(determinant, L::f64x4_splat(SHELTERED_SQUARED));
            let sheltered = apart & L::f64x4_greater(L::f64x4_mul(leading, leading), most);
            let lanes = (crossing & !far & !sheltered) | skew;
            found |= lanes << (4 * group);
            group += 1;
        }
        first_lanes(found, count)
    }
}

impl TriangleBatch {
    /// Empties the batch.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a triangle; there must be room.
    pub fn push(&mut self, triangle: &BatchTriangle) {
        let place = self.count;
        put(&mut self.normal, place, triangle.normal);
        self.height[place / 4][place % 4] = triangle.normal.dot(triangle.corners[0]);
        self.back[place / 4][place % 4] = if triangle.is_one_sided { 0.0 } else { 1.0 };
        for (edge, &direction) in triangle.inward.iter().enumerate() {
            put(&mut self.inward[edge], place, direction);
            self.inset[edge][place / 4][place % 4] = direction.dot(triangle.corners[edge]);
        }
        self.count += 1;
    }

    /// The triangles that a point may be over, near enough, and not behind those that are one-sided.
    #[inline(always)]
    pub fn under<L: Lanes>(&self, point: DVec3, limits: &ContactLimits) -> u32 {
        let point = splat::<L>(point);
        let error = L::f64x4_splat(limits.error);
        // No closures: they would not be compiled for the lanes.
        let (mut found, mut group) = (0, 0);
        while 4 * group < self.count {
            let height = dot::<L>(&point, &load::<L, OF_TRIANGLES>(&self.normal, group));
            let height = L::f64x4_sub(height, L::f64x4_load(&self.height[group]));
            let below = L::f64x4_sub(L::f64x4_splat(0.0), height);
            let most_below = L::f64x4_mul(L::f64x4_load(&self.back[group]), L::f64x4_splat(limits.reach));
            let mut outside = L::f64x4_sub(height, L::f64x4_splat(limits.reach));
            outside = L::f64x4_max(outside, L::f64x4_sub(below, most_below));
            let mut edge = 0;
            while edge < 3 {
                let inside = dot::<L>(&point, &load::<L, OF_TRIANGLES>(&self.inward[edge], group));
                outside =
                    L::f64x4_max(outside, L::f64x4_sub(L::f64x4_load(&self.inset[edge][group]), inside));
                edge += 1;
            }
            let lanes = L::f64x4_greater(outside, error) ^ 0b1111;
            found |= lanes << (4 * group);
            group += 1;
        }
        first_lanes(found, self.count)
    }
}
