//! Eight rays that go the same way, walked together: one lane each.
//!
//! They share the order in which they pass the sides of boxes and the axis that they follow most; a node is opened once
//! for all of them. The bounds are those of [`TreeRay`](super::ray::TreeRay).

use super::ray::{DEEPEST, ROOM, ROUNDING, SLACK, STEEP, TOO_FAR};
use super::triangles::LeafTriangles;
use super::{Child, DopTree, Leaf};
use crate::simd::Lanes;

/// Rays in a packet.
pub(crate) const PACKET: usize = 8;

/// One number for each ray.
type Each<T> = [T; PACKET];

/// Eight rays in the coordinates of a tree.
pub(crate) struct Packet {
    /// For each axis the number of the direction whose offset is passed first, and of the other.
    near: [[u8; 2]; 3],
    /// The axes in a right-handed order, the one that the rays follow most last.
    pub(crate) axes: [usize; 3],
    /// What is subtracted from the offsets that are passed first and from the others, and what the differences are
    /// multiplied with.
    from: [[Each<f32>; 2]; 3],
    per_step: [[Each<f32>; 2]; 3],
    start: [Each<f32>; 3],
    shear: [Each<f32>; 2],
    slack: f32,
    room: f64,
    per_time: Each<f64>,
    entry: Each<f64>,
    /// The distances up to which boxes count; negative for rays that miss the tree.
    limits: Each<f32>,
}

/// Children that wait in a walk; used again by the next.
pub(crate) struct PacketStack {
    keys: [u32; DEEPEST],
    waiting: [u32; DEEPEST],
}

impl PacketStack {
    pub(crate) const NEW: PacketStack = PacketStack { keys: [0; DEEPEST], waiting: [0; DEEPEST] };
}

/// What a walk does with leaves.
pub(crate) trait PacketVisitor {
    /// Looks at a triangle, by its place in the order of the leaves, that some of the rays may meet: one bit each. Returns
    /// the rays that have new limits.
    fn meet(&mut self, place: usize, rays: u32) -> u32;
    /// The time up to which leaves count for a ray.
    fn limit(&self, ray: usize) -> f64;
}

impl Packet {
    /// None where the rays do not go the same way, or numbers are too large for lanes.
    #[inline(always)]
    pub(crate) fn new(
        tree: &DopTree<6>,
        origins: &[Each<f64>; 3],
        directions: &[Each<f64>; 3],
        limits: &Each<f64>,
    ) -> Option<Packet> {
        let first = [directions[0][0].abs(), directions[1][0].abs(), directions[2][0].abs()];
        let last = if first[0] >= first[1] && first[0] >= first[2] {
            0
        } else if first[1] >= first[2] {
            1
        } else {
            2
        };
        let axes = [(last + 1) % 3, (last + 2) % 3, last];
        let forward = [directions[0][0] > 0.0, directions[1][0] > 0.0, directions[2][0] > 0.0];
        let (along_last, other, another) = (&directions[last], &directions[axes[0]], &directions[axes[1]]);
        let (mut alike, mut far) = (true, 0.0);
        for i in 0..PACKET {
            let size = along_last[i].abs();
            alike &= size >= other[i].abs() && size >= another[i].abs() && size > 1e-60 && size < 1e60;
        }
        for k in 0..3 {
            far = greater(far, tree.origin[k].abs());
            for i in 0..PACKET {
                alike &= (directions[k][i] > 0.0) == forward[k];
                far = greater(far, origins[k][i].abs());
            }
        }
        let room = ROOM + 48.0 * f64::EPSILON * far * tree.scale;
        if !(alike && room < TOO_FAR && tree.scale > 1e-200 && tree.scale < 1e200) {
            return None;
        }
        let mut packet = Packet {
            near: [[0; 2]; 3],
            axes,
            from: [[[0.0; PACKET]; 2]; 3],
            per_step: [[[0.0; PACKET]; 2]; 3],
            start: [[0.0; PACKET]; 3],
            shear: [[0.0; PACKET]; 2],
            slack: (SLACK + 2.0 * room) as f32,
            room,
            per_time: [0.0; PACKET],
            entry: [0.0; PACKET],
            limits: [0.0; PACKET],
        };
        let (mut inverse, mut start, mut along) =
            ([[0.0; PACKET]; 3], [[0.0; PACKET]; 3], [[0.0; PACKET]; 3]);
        let (mut exit, mut per_size) = ([0.0; PACKET], [0.0; PACKET]);
        for i in 0..PACKET {
            packet.per_time[i] = along_last[i].abs() * tree.scale;
            per_size[i] = 1.0 / along_last[i].abs();
            exit[i] = limits[i] * packet.per_time[i];
        }
        for k in 0..3 {
            let (low, high) = (-f64::from(tree.bounds[k + 3]) - room, f64::from(tree.bounds[k]) + room);
            let steep = if forward[k] { STEEP } else { -STEEP };
            for i in 0..PACKET {
                start[k][i] = (origins[k][i] - tree.origin[k]) * tree.scale;
                along[k][i] = directions[k][i] * per_size[i];
                let plain = along_last[i].abs() / directions[k][i];
                inverse[k][i] = if plain.abs() < STEEP { plain } else { steep };
                let (a, b) = ((low - start[k][i]) * inverse[k][i], (high - start[k][i]) * inverse[k][i]);
                let (near, far) = if forward[k] { (a, b) } else { (b, a) };
                packet.entry[i] = greater(packet.entry[i], near);
                exit[i] = if far < exit[i] { far } else { exit[i] };
            }
        }
        for k in 0..3 {
            packet.near[k] = if forward[k] { [k as u8 + 3, k as u8] } else { [k as u8, k as u8 + 3] };
            let sign = if forward[k] { -1.0 } else { 1.0 };
            for i in 0..PACKET {
                start[k][i] += along[k][i] * packet.entry[i];
                let place = sign * start[k][i];
                let steepness = inverse[k][i].abs();
                packet.from[k][0][i] = (place - room) as f32;
                packet.from[k][1][i] = (-place - room) as f32;
                packet.per_step[k][0][i] = (-steepness * (1.0 - ROUNDING)) as f32;
                packet.per_step[k][1][i] = (steepness * (1.0 + ROUNDING)) as f32;
            }
        }
        for i in 0..PACKET {
            packet.shear[0][i] = (along[axes[0]][i] * inverse[last][i]) as f32;
            packet.shear[1][i] = (along[axes[1]][i] * inverse[last][i]) as f32;
            let misses = packet.entry[i] > exit[i] + room;
            packet.limits[i] = if misses { -1.0 } else { packet.distance(i, limits[i]) };
            for k in 0..3 {
                packet.start[k][i] = start[axes[k]][i] as f32;
            }
        }
        Some(packet)
    }

    /// A distance that is not less than that of a time.
    #[inline(always)]
    fn distance(&self, ray: usize, t: f64) -> f32 {
        let distance = (t * self.per_time[ray] - self.entry[ray]) * (1.0 + ROUNDING) + self.room;
        if distance <= 0.0 { 0.0 } else { (distance as f32).min(f32::MAX) }
    }

    /// Shows the visitor the triangles along the rays.
    #[inline(always)]
    pub(crate) fn walk<L: Lanes>(
        &mut self,
        tree: &DopTree<6>,
        triangles: &LeafTriangles,
        stack: &mut PacketStack,
        visitor: &mut impl PacketVisitor,
    ) {
        let PacketStack { keys, waiting } = stack;
        (keys[0], waiting[0]) = (0, tree.root.0);
        let mut count = usize::from(!tree.is_empty());
        let mut limits = L::load(&self.limits);
        let mut farthest = largest(&self.limits);
        while count > 0 {
            count -= 1;
            if f32::from_bits(keys[count % DEEPEST]) > farthest {
                continue;
            }
            let child = Child(waiting[count % DEEPEST]);
            if child.is_leaf() {
                let leaf = Leaf { first: child.index(), count: child.count() };
                let mut changed = 0;
                let mut i = 0;
                while i < leaf.count as usize {
                    let place = leaf.first as usize + i;
                    let met = self.perhaps_met::<L>(triangles.numbers_of(place));
                    if met != 0 {
                        changed |= visitor.meet(place, met);
                    }
                    i += 1;
                }
                if changed != 0 {
                    while changed != 0 {
                        let ray = changed.trailing_zeros() as usize % PACKET;
                        changed &= changed - 1;
                        self.limits[ray] = self.distance(ray, visitor.limit(ray));
                    }
                    limits = L::load(&self.limits);
                    farthest = largest(&self.limits);
                }
                continue;
            }
            let node = &tree.nodes[child.index() as usize];
            let mut planes = [[0.0; 8]; 3];
            let mut k = 0;
            while k < 3 {
                let [near, far] = self.near[k];
                L::both_store(
                    L::rows_by_turns(&node.offsets[near as usize], &node.offsets[far as usize]),
                    &mut planes[k],
                );
                k += 1;
            }
            let first = count;
            let mut lane = 0;
            while lane < child.count() as usize && count + 1 < DEEPEST {
                let mut enter = L::both_splat(0.0);
                let mut leave = limits;
                let mut k = 0;
                while k < 3 {
                    let near = L::both_splat(planes[k][2 * lane % 8]);
                    let far = L::both_splat(planes[k][(2 * lane + 1) % 8]);
                    let near = L::mul(L::sub(near, L::load(&self.from[k][0])), L::load(&self.per_step[k][0]));
                    let far = L::mul(L::sub(far, L::load(&self.from[k][1])), L::load(&self.per_step[k][1]));
                    enter = L::both_max(enter, near);
                    leave = L::both_min(leave, far);
                    k += 1;
                }
                let missed = L::both_greater(enter, leave);
                if missed != 0xff {
                    // Rays that miss count too: that may change the order, and nothing else.
                    let key = L::both_least(enter).to_bits();
                    let mut place = count;
                    while place > first && keys[(place - 1) % DEEPEST] < key {
                        keys[place % DEEPEST] = keys[(place - 1) % DEEPEST];
                        waiting[place % DEEPEST] = waiting[(place - 1) % DEEPEST];
                        place -= 1;
                    }
                    keys[place % DEEPEST] = key;
                    waiting[place % DEEPEST] = node.children[lane % 4].0;
                    count += 1;
                }
                lane += 1;
            }
        }
    }

    /// One bit for each ray that may meet a triangle.
    #[inline(always)]
    fn perhaps_met<L: Lanes>(&self, numbers: &[f32; 9]) -> u32 {
        let zero = L::both_splat(0.0);
        let (mut x, mut y) = ([zero; 3], [zero; 3]);
        let mut corner = 0;
        while corner < 3 {
            let at = [3 * self.axes[0] + corner, 3 * self.axes[1] + corner, 3 * self.axes[2] + corner];
            let z = L::sub(L::both_splat(numbers[at[2] % 9]), L::load(&self.start[2]));
            let from_x = L::sub(L::both_splat(numbers[at[0] % 9]), L::load(&self.start[0]));
            let from_y = L::sub(L::both_splat(numbers[at[1] % 9]), L::load(&self.start[1]));
            x[corner] = L::sub(from_x, L::mul(z, L::load(&self.shear[0])));
            y[corner] = L::sub(from_y, L::mul(z, L::load(&self.shear[1])));
            corner += 1;
        }
        let (mut left, mut right) = (0, 0);
        let mut corner = 0;
        while corner < 3 {
            let next = (corner + 1) % 3;
            let edge = L::sub(L::mul(x[corner], y[next]), L::mul(y[corner], x[next]));
            let size = L::add(
                L::add(L::abs(x[corner]), L::abs(y[corner])),
                L::add(L::abs(x[next]), L::abs(y[next])),
            );
            let bound =
                L::add(L::mul(size, L::both_splat(self.slack)), L::both_splat(self.slack * self.slack * 2.0));
            left |= L::both_greater(edge, bound);
            right |= L::both_greater(L::sub(zero, edge), bound);
            corner += 1;
        }
        let gone = L::both_greater(zero, L::load(&self.limits));
        !(left & right) & !gone & 0xff
    }
}

#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn largest(values: &Each<f32>) -> f32 {
    let mut largest = values[0];
    for &value in values {
        largest = if value > largest { value } else { largest };
    }
    largest
}
