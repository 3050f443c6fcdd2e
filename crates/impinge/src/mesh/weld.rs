//! Vertex welding: vertices at equal positions are always one, those within a tolerance of each other on demand.
//!
//! Files such as STL repeat a position for each face that uses it, and renderers split vertices along texture seams.
//! Equal positions are found for every model; welding moves vertices, so only the user can ask for it.

use super::{Mesh, Vertices};
use impinge_core::math::DVec3;

/// The reason why a mesh could not be welded.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WeldError {
    /// The tolerance is negative, infinite or NaN.
    #[error("the welding tolerance is {0}, but must be finite and not below zero")]
    Tolerance(f64),
}

impl Mesh {
    /// Welds the mesh: vertices that are within `tolerance` of each other move to one position. Cracks narrower
    /// than the tolerance close, and edges become shared.
    ///
    /// Nearness carries over: where `a` is near `b` and `b` near `c`, all three come together, however far `a` is from
    /// `c`. So a tolerance above the length of the mesh's edges collapses it. All vertices of such a cluster move to
    /// where its vertex of least number stands. Distances are compared as `f64` computes them.
    ///
    /// Vertices and faces keep their numbers, faces their labels and groups, and faces that lose their area stay. A
    /// terrain keeps its grid of faces and its holes, but its heights become a list of positions.
    ///
    /// ```
    /// use impinge::Mesh;
    ///
    /// let cracked = Mesh::soup([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1e-9, 0.], [1., 1., 0.], [0., 1., 0.]])?;
    /// let welded = cracked.welded(1e-6)?;
    /// assert_eq!(welded.vertex(3), welded.vertex(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "merge_vertices")]
    pub fn welded(&self, tolerance: f64) -> Result<Mesh, WeldError> {
        if !(tolerance.is_finite() && tolerance >= 0.0) {
            return Err(WeldError::Tolerance(tolerance));
        }
        let points: Vec<DVec3> = self.vertices().collect();
        let mut clusters = Clusters { parent: equal_positions(&points) };
        if tolerance > 0.0 {
            clusters.link_near(&points, tolerance);
        }
        let snapped = (0..points.len() as u32).map(|vertex| points[clusters.root(vertex) as usize]).collect();
        Ok(Mesh { vertices: Vertices::Listed(snapped), ..self.clone() })
    }
}

/// Finds for each point the least point at the same position, in time linear in their number. Minus zero equals zero.
pub(crate) fn equal_positions(points: &[DVec3]) -> Vec<u32> {
    let mut table = NumberTable::for_count(points.len());
    let same = |i: u32, j: u32| points[i as usize] == points[j as usize];
    // The first point at a position is entered, so it is the least.
    let find = |(i, &point): (usize, &DVec3)| {
        table.find_or_enter(position_hash(point), i as u32, |j| same(i as u32, j))
    };
    points.iter().enumerate().map(find).collect()
}

/// Spreads the bits of a number so that each bit of the result depends on all of them.
#[inline]
pub(crate) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

pub(crate) fn position_hash(point: DVec3) -> u64 {
    // Adding zero turns minus zero into zero and leaves every other number as it is. The constant keeps the origin
    // from hashing to zero, which `mix` leaves alone.
    let [x, y, z] = point.to_array().map(|coordinate| (coordinate + 0.0).to_bits());
    mix(mix(mix(x.wrapping_add(0x9E37_79B9_7F4A_7C15)).wrapping_add(y)).wrapping_add(z))
}

/// A hash table of numbers whose keys are kept elsewhere: sized once, never grown, nothing removed.
struct NumberTable {
    /// The number in the lower half; in the upper half some bits of the hash, which spare most looks at the keys.
    slots: Vec<u64>,
}

impl NumberTable {
    const FREE: u64 = u64::MAX;

    fn for_count(count: usize) -> NumberTable {
        NumberTable { slots: vec![Self::FREE; (count * 2).next_power_of_two().max(2)] }
    }

    /// The number entered under an equal key, or the slot where it would stand.
    #[inline]
    fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == Self::FREE {
                return Err(slot);
            }
            if entry >> 32 == hash >> 32 && same(entry as u32) {
                return Ok(entry as u32);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn find_or_enter(&mut self, hash: u64, number: u32, same: impl Fn(u32) -> bool) -> u32 {
        match self.find(hash, same) {
            Ok(found) => found,
            Err(slot) => {
                self.slots[slot] = (hash >> 32) << 32 | u64::from(number);
                number
            }
        }
    }
}

/// Clusters of points as a forest in which a root is the least of its tree.
struct Clusters {
    parent: Vec<u32>,
}

impl Clusters {
    fn root(&mut self, mut point: u32) -> u32 {
        while self.parent[point as usize] != point {
            let above = self.parent[self.parent[point as usize] as usize];
            self.parent[point as usize] = above;
            point = above;
        }
        point
    }

    fn link(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// Links every two points within the tolerance, which is above zero.
    ///
    /// Points are sorted into cubic cells whose diagonal is a little shorter than the tolerance. So all points of a cell
    /// are near its first, and a crowd in one cell costs one comparison a point; and two cells are compared only until
    /// a near pair is found.
    fn link_near(&mut self, points: &[DVec3], tolerance: f64) {
        // Scaled by a power of two, so that neither tiny nor huge differences lose themselves in their squares, and
        // a distance that is exactly the tolerance stays so.
        let scale = libm::ldexp(1.0, -libm::ilogb(tolerance).clamp(-1000, 1000));
        let limit = (tolerance * scale) * (tolerance * scale);
        let near = |&a: &u32, &b: &u32| {
            ((points[a as usize] - points[b as usize]) * scale).length_squared() <= limit
        };
        let cells = Cells::sort(points, &self.parent, tolerance);
        let mut all_near = vec![true; cells.keys.len()];
        for (cell, all_near) in all_near.iter_mut().enumerate() {
            let members = cells.members(cell);
            for member in &members[1..] {
                if near(&members[0], member) {
                    self.link(members[0], *member);
                } else {
                    *all_near = false;
                }
            }
        }
        // Cells side by side first: those further on are then mostly known to belong together.
        for side_by_side in [true, false] {
            for cell in 0..cells.keys.len() {
                let members = cells.members(cell);
                if side_by_side && !all_near[cell] {
                    self.link_pairs(members, members, near);
                }
                cells.for_each_beyond(cell, side_by_side, |other| {
                    let others = cells.members(other);
                    if !(all_near[cell] && all_near[other]) {
                        self.link_pairs(members, others, near);
                    } else if self.root(members[0]) != self.root(others[0])
                        && members.iter().any(|a| others.iter().any(|b| near(a, b)))
                    {
                        self.link(members[0], others[0]);
                    }
                });
            }
        }
    }

    fn link_pairs(&mut self, some: &[u32], others: &[u32], near: impl Fn(&u32, &u32) -> bool) {
        for a in some {
            for b in others.iter().filter(|b| near(a, b)) {
                self.link(*a, *b);
            }
        }
    }
}

/// Points by the cell of a grid that they lie in.
struct Cells {
    /// The place of each cell, in cells from the origin.
    keys: Vec<DVec3>,
    table: NumberTable,
    members: Vec<u32>,
    starts: Vec<u32>,
}

impl Cells {
    /// The side of a cell in tolerances: the diagonal is 0.97, and a tolerance reaches over 1.78 cells.
    const SIDE: f64 = 0.5625;

    /// From here on a key's rounding exceeds 1/16, and could carry a neighbor beyond two cells.
    const COARSE: f64 = (1_u64 << 49) as f64;

    /// From here on different coordinates are further apart than the tolerance.
    const SPARSE: f64 = (1_u64 << 54) as f64;

    /// Sorts the points that are their own representatives; the others stand where those stand.
    fn sort(points: &[DVec3], representative: &[u32], tolerance: f64) -> Cells {
        let side = Self::SIDE * tolerance;
        let own = || (0..points.len() as u32).filter(|&i| representative[i as usize] == i);
        let mut cells = Cells {
            keys: Vec::new(),
            table: NumberTable::for_count(own().count()),
            members: Vec::new(),
            starts: vec![0],
        };
        let mut cell_of = Vec::new();
        for i in own() {
            let key = DVec3::from_array(points[i as usize].to_array().map(|coordinate| {
                let key = (coordinate / side).floor();
                // The coordinate itself, where keys would be infinite and a crowd would share one.
                if key.abs() < Self::SPARSE { key } else { coordinate }
            }));
            let next = cells.keys.len() as u32;
            let cell = cells
                .table
                .find_or_enter(position_hash(key), next, |other| cells.keys[other as usize] == key);
            if cell == next {
                cells.keys.push(key);
                cells.starts.push(0);
            }
            cells.starts[cell as usize + 1] += 1;
            cell_of.push(cell);
        }
        for cell in 1..cells.starts.len() {
            cells.starts[cell] += cells.starts[cell - 1];
        }
        let mut next = cells.starts.clone();
        cells.members = vec![0; cell_of.len()];
        for (i, cell) in own().zip(cell_of) {
            cells.members[next[cell as usize] as usize] = i;
            next[cell as usize] += 1;
        }
        cells
    }

    fn members(&self, cell: usize) -> &[u32] {
        &self.members[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// Calls `visit` with the cells within reach that come after this one in the order of (x, y, z), either those that
    /// touch it or the others. So of each two cells in reach of each other one visits the other.
    fn for_each_beyond(&self, cell: usize, side_by_side: bool, mut visit: impl FnMut(usize)) {
        let key = self.keys[cell];
        let [rx, ry, rz] = key.to_array().map(|key| match key.abs() {
            key if key < Self::COARSE => 2,
            key if key < Self::SPARSE => 4,
            _ => 0,
        });
        for x in 0_i32..=rx {
            for y in if x == 0 { 0 } else { -ry }..=ry {
                for z in if x == 0 && y == 0 { 1 } else { -rz }..=rz {
                    if (x.max(y.abs()).max(z.abs()) == 1) != side_by_side {
                        continue;
                    }
                    let beyond = key + DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                    let same = |other: u32| self.keys[other as usize] == beyond;
                    if let Ok(other) = self.table.find(position_hash(beyond), same) {
                        visit(other as usize);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
