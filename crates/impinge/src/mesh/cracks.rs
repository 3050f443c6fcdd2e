//! Cracks: open edges that rounding made, and how they are closed.
//!
//! Files split bodies by material, each piece rounded on its own, and spheres end in a ring of sin π that is not quite a point. Only
//! vertices on open edges move, so that a surface keeps all detail elsewhere.

use std::collections::HashMap;

use super::weld::equal_positions;
use super::{Mesh, Vertices, WeldError};
use impinge_core::math::DVec3;

/// The most that welding may move vertices, as a share of the median length of edges: more would close what was made open.
const EDGE_SHARE: f64 = 0.25;

/// A mesh whose cracks were closed, all or some.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClosedCracks {
    /// The mesh with the same faces, of which some may have lost their area.
    pub mesh: Mesh,
    /// How far vertices were moved at most: the tolerance, or less where edges are short.
    pub tolerance: f64,
    /// How many vertices moved.
    pub moved: usize,
    /// How many faces lost their area.
    pub collapsed: usize,
    /// How many edges are still open.
    pub open_edges: usize,
}

impl Mesh {
    /// The number of edges at which the surface is open: those along which its faces do not run as often one way as the other. Vertices at
    /// equal positions are one, and each group has edges of its own. With none, all parts with area are closed.
    ///
    /// ```
    /// use impinge::Mesh;
    ///
    /// let triangle = Mesh::soup([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]])?;
    /// assert_eq!(triangle.open_edge_count(), 3);
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn open_edge_count(&self) -> usize {
        let points: Vec<DVec3> = self.vertices().collect();
        open_edges(self, &equal_positions(&points)).len()
    }

    /// Closes cracks no wider than `tolerance`: of vertices on open edges, each that is within the tolerance of one with a lower index moves to the
    /// lowest such. Nothing drifts: a vertex that others move to stays, and nothing moves farther than the tolerance.
    ///
    /// The tolerance is cut to a quarter of the median length of edges. `None` where no edge is open, or where fewer would not be: such a mesh is
    /// best left as it is. Faces and vertices keep their numbers, labels and groups; faces that lose their area stay.
    ///
    /// ```
    /// use impinge::Mesh;
    ///
    /// let cracked = Mesh::soup([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1e-9, 0.], [1., 1., 0.], [0., 1., 0.]])?;
    /// let closed = cracked.with_cracks_closed(1e-6)?.expect("there is a crack");
    /// assert_eq!((closed.moved, closed.open_edges), (1, 4));
    /// assert_eq!(closed.mesh.vertex(3), cracked.vertex(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_cracks_closed(&self, tolerance: f64) -> Result<Option<ClosedCracks>, WeldError> {
        if !(tolerance.is_finite() && tolerance >= 0.0) {
            return Err(WeldError::Tolerance(tolerance));
        }
        let points: Vec<DVec3> = self.vertices().collect();
        let mut position_of = equal_positions(&points);
        let open = open_edges(self, &position_of);
        if open.is_empty() {
            return Ok(None);
        }
        let tolerance = tolerance.min(EDGE_SHARE * median_edge(self, &points, &position_of));
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            return Ok(None);
        }
        let mut candidates: Vec<u32> = open.iter().flatten().copied().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let moves = snap(&points, &candidates, tolerance);
        if moves.is_empty() {
            return Ok(None);
        }
        let flat_before = faces_without_corners(self, &position_of);
        let mut moved = 0;
        for position in &mut position_of {
            if let Some(&target) = moves.get(position) {
                *position = target;
                moved += 1;
            }
        }
        let open_after = open_edges(self, &position_of).len();
        if open_after >= open.len() {
            return Ok(None);
        }
        let collapsed = faces_without_corners(self, &position_of) - flat_before;
        // Vertices that do not move keep even the sign of their zeros.
        let place = |(vertex, &position): (usize, &u32)| {
            let (own, new) = (points[vertex], points[position as usize]);
            if own == new { own } else { new }
        };
        let vertices = Vertices::Listed(position_of.iter().enumerate().map(place).collect());
        let mesh = Mesh { vertices, ..self.clone() };
        Ok(Some(ClosedCracks { mesh, tolerance, moved, collapsed, open_edges: open_after }))
    }
}

/// The edges of faces, as positions, with the group of the face.
fn directed_edges<'a>(mesh: &'a Mesh, position_of: &'a [u32]) -> impl Iterator<Item = ([u32; 2], u32)> + 'a {
    let mut groups = mesh.groups().iter().peekable();
    let mut group = 0;
    (0..mesh.face_count() as u32).flat_map(move |face| {
        while groups.next_if(|next| next.first_face <= face).is_some() {
            group += 1;
        }
        let (count, group) = (mesh.corner_count(face), group);
        let vertex = move |corner: usize| position_of[mesh.corner(face, corner) as usize];
        let edges = (0..count).map(move |corner| [vertex(corner), vertex((corner + 1) % count)]);
        edges.filter(|[from, to]| from != to).map(move |edge| (edge, group))
    })
}

/// The edges that faces of a group do not run along as often one way as the other, the lesser position first, in ascending order.
fn open_edges(mesh: &Mesh, position_of: &[u32]) -> Vec<[u32; 2]> {
    // Edges by their lesser position: first how many there are, then where each bucket ends once it is filled.
    let mut ends = vec![0_usize; position_of.len() + 1];
    for ([from, to], _) in directed_edges(mesh, position_of) {
        ends[from.min(to) as usize + 1] += 1;
    }
    for bucket in 1..ends.len() {
        ends[bucket] += ends[bucket - 1];
    }
    let mut edges = vec![(0_u32, 0_u32, false); ends[position_of.len()]];
    for ([from, to], group) in directed_edges(mesh, position_of) {
        let end = &mut ends[from.min(to) as usize];
        edges[*end] = (from.max(to), group, from < to);
        *end += 1;
    }
    let mut open = Vec::new();
    let mut start = 0;
    for (lesser, &end) in (0..).zip(&ends[..position_of.len()]) {
        let bucket = &mut edges[std::mem::replace(&mut start, end)..end];
        bucket.sort_unstable();
        for along in bucket.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let forward = along.iter().filter(|(_, _, is_forward)| *is_forward).count();
            if 2 * forward != along.len() {
                open.push([lesser, along[0].0]);
            }
        }
    }
    open
}

/// The median length of edges, each counted as often as faces run along it.
fn median_edge(mesh: &Mesh, points: &[DVec3], position_of: &[u32]) -> f64 {
    let length = |[from, to]: [u32; 2]| points[from as usize].distance(points[to as usize]);
    let mut lengths: Vec<f64> = directed_edges(mesh, position_of).map(|(edge, _)| length(edge)).collect();
    if lengths.is_empty() {
        return 0.0;
    }
    let middle = lengths.len() / 2;
    *lengths.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// For each candidate that moves, where to: the candidate of lowest index within the tolerance that stays. Candidates are in ascending order.
fn snap(points: &[DVec3], candidates: &[u32], tolerance: f64) -> HashMap<u32, u32> {
    // A power of two keeps tiny and huge differences from losing themselves in their squares.
    let scale = libm::ldexp(1.0, -libm::ilogb(tolerance).clamp(-1000, 1000));
    let limit = (tolerance * scale) * (tolerance * scale);
    let near = |a: u32, b: u32| ((points[a as usize] - points[b as usize]) * scale).length_squared() <= limit;
    let cell_of = |vertex: u32| {
        points[vertex as usize].to_array().map(|coordinate| {
            let cell = (coordinate / tolerance).floor();
            // Beyond that, different numbers are farther apart than the tolerance, and cells would overflow.
            if cell.abs() < (1_u64 << 53) as f64 { cell as i64 } else { coordinate.to_bits() as i64 }
        })
    };
    let mut staying: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut moves = HashMap::new();
    for &candidate in candidates {
        let [x, y, z] = cell_of(candidate);
        let mut target: Option<u32> = None;
        for neighbor in 0..27 {
            let step = |digit: i64| neighbor / digit % 3 - 1;
            let cell = [x.wrapping_add(step(1)), y.wrapping_add(step(3)), z.wrapping_add(step(9))];
            // Entered in ascending order, so that the first within the tolerance is the lowest of its cell.
            let mut others = staying.get(&cell).into_iter().flatten().copied();
            let found = others.find(|&other| near(candidate, other));
            target = target.into_iter().chain(found).min();
        }
        match target {
            Some(target) => {
                moves.insert(candidate, target);
            }
            None => staying.entry([x, y, z]).or_default().push(candidate),
        }
    }
    moves
}

/// How many faces of three corners or more have fewer positions than that.
fn faces_without_corners(mesh: &Mesh, position_of: &[u32]) -> usize {
    let mut positions = Vec::new();
    let is_flat = |&face: &u32| {
        if mesh.corner_count(face) < 3 {
            return false;
        }
        positions.clear();
        positions.extend(mesh.corners(face).map(|vertex| position_of[vertex as usize]));
        positions.sort_unstable();
        positions.dedup();
        positions.len() < 3
    };
    (0..mesh.face_count() as u32).filter(is_flat).count()
}
