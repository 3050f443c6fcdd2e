//! Coplanar neighbors joined into convex polygons, and vertices left out where edges go straight on.

use std::collections::HashMap;

use impinge::math::DVec3;

/// Corners of a polygon as indices of vertices, counterclockwise seen from the front.
pub type Loop = Vec<u32>;

/// Twice the area of a polygon along its normal: Newell's sum, which needs no corner with area.
pub(super) fn area_vector(vertices: &[DVec3], corners: &[u32]) -> DVec3 {
    let first = vertices[corners[0] as usize];
    let arm = |k: usize| vertices[corners[k] as usize] - first;
    (2..corners.len()).fold(DVec3::ZERO, |sum, k| sum + arm(k - 1).cross(arm(k)))
}

/// How far a point may be from a plane or line and still lie in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flatness(pub(super) f64);

impl Flatness {
    /// Whether all corners lie in the plane through a point.
    pub(super) fn holds(self, vertices: &[DVec3], corners: &[u32], [point, normal]: [DVec3; 2]) -> bool {
        corners.iter().all(|&c| (vertices[c as usize] - point).dot(normal).abs() <= self.0)
    }

    /// Whether a polygon lies in one plane and is convex.
    pub(super) fn is_flat_and_convex(self, vertices: &[DVec3], corners: &[u32], normal: DVec3) -> bool {
        let plane = [vertices[corners[0] as usize], normal];
        self.holds(vertices, corners, plane) && self.is_convex(vertices, corners, normal)
    }

    /// Whether `b` lies on the line from `a` to `c`, between them.
    pub(super) fn is_straight(self, [a, b, c]: [DVec3; 3]) -> bool {
        let (line, arm) = (c - a, b - a);
        let length = line.length();
        let along = arm.dot(line);
        length > 0.0 && along > 0.0 && along < length * length && arm.cross(line).length() <= self.0 * length
    }

    /// Whether a polygon turns to the left at every corner or goes straight on, once around its normal, and visits no vertex twice.
    pub(super) fn is_convex(self, vertices: &[DVec3], corners: &[u32], normal: DVec3) -> bool {
        let count = corners.len();
        let at = |k: usize| vertices[corners[k % count] as usize];
        let mut turned = 0.0;
        for k in 0..count {
            if corners[k + 1..].contains(&corners[k]) {
                return false;
            }
            let (before, after) = (at(k + 1) - at(k), at(k + 2) - at(k + 1));
            let lengths = before.length() * after.length();
            let sine = before.cross(after).dot(normal);
            // A corner that bends to the right by less than the flatness is straight.
            if lengths == 0.0 || sine < -self.0 * before.length().max(after.length()) {
                return false;
            }
            turned += sine.atan2(before.dot(after));
        }
        count >= 3 && (turned - std::f64::consts::TAU).abs() < 1.0
    }
}

/// Joins neighbors in one plane where their union is convex, along the longest edges first: diagonals of quads are longer than their sides.
pub(super) fn join(vertices: &[DVec3], loops: Vec<Loop>, flatness: Flatness) -> Vec<Loop> {
    let mut loops: Vec<Option<Loop>> = loops.into_iter().map(Some).collect();
    let mut normals: Vec<DVec3> =
        loops.iter().flatten().map(|corners| area_vector(vertices, corners).normalize_or_zero()).collect();
    // Where a polygon went.
    let mut owner: Vec<u32> = (0..loops.len() as u32).collect();
    loop {
        let mut uses: HashMap<[u32; 2], Vec<(u32, bool)>> = HashMap::new();
        for (polygon, corners) in loops.iter().enumerate() {
            let Some(corners) = corners else { continue };
            for k in 0..corners.len() {
                let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
                uses.entry([from.min(to), from.max(to)]).or_default().push((polygon as u32, from < to));
            }
        }
        let mut shared: Vec<(f64, [u32; 2], [u32; 2])> = Vec::new();
        for (ends, uses) in &uses {
            if let [(a, forward), (b, backward)] = uses[..]
                && a != b
                && forward != backward
            {
                let [from, to] = ends.map(|v| vertices[v as usize]);
                shared.push((from.distance_squared(to), *ends, if forward { [a, b] } else { [b, a] }));
            }
        }
        // The map has no order of its own.
        shared.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut joined = false;
        for (_, [from, to], pair) in shared {
            let [a, b] = pair.map(|polygon| resolve(&mut owner, polygon));
            if a == b {
                continue;
            }
            let (Some(first), Some(second)) = (&loops[a as usize], &loops[b as usize]) else { continue };
            let normal = normals[a as usize];
            let plane = [vertices[first[0] as usize], normal];
            if normal.dot(normals[b as usize]) < 0.9 || !flatness.holds(vertices, second, plane) {
                continue;
            }
            if let Some(union) = union_of([first, second], [from, to])
                && flatness.is_convex(vertices, &union, normal)
            {
                normals[a as usize] = area_vector(vertices, &union).normalize_or_zero();
                loops[a as usize] = Some(union);
                loops[b as usize] = None;
                owner[b as usize] = a;
                joined = true;
            }
        }
        if !joined {
            return loops.into_iter().flatten().collect();
        }
    }
}

fn resolve(owner: &mut [u32], mut polygon: u32) -> u32 {
    while owner[polygon as usize] != polygon {
        owner[polygon as usize] = owner[owner[polygon as usize] as usize];
        polygon = owner[polygon as usize];
    }
    polygon
}

/// The boundary of two polygons without the edge that the first runs forward and the second backward, and without what dangles then.
fn union_of([first, second]: [&Loop; 2], [from, to]: [u32; 2]) -> Option<Loop> {
    let run = |corners: &Loop, from: u32, to: u32| {
        let count = corners.len();
        let at = (0..count).find(|&k| corners[k] == from && corners[(k + 1) % count] == to)?;
        // From the end of the edge all around to its beginning, which the other polygon brings.
        Some((1..count).map(|k| corners[(at + k) % count]).collect::<Loop>())
    };
    let mut union = run(first, from, to)?;
    union.extend(run(second, to, from)?);
    // Where more than one edge is shared, the boundary goes there and back.
    while union.len() > 2 {
        let count = union.len();
        let Some(tip) = (0..count).find(|&k| union[(k + count - 1) % count] == union[(k + 1) % count]) else {
            break;
        };
        let next = (tip + 1) % count;
        let (high, low) = (tip.max(next), tip.min(next));
        union.remove(high);
        union.remove(low);
    }
    (union.len() >= 3).then_some(union)
}

/// Leaves out vertices at which every polygon goes straight on between the same two neighbors.
pub(super) fn dissolve(vertices: &[DVec3], loops: &mut [Loop], flatness: Flatness) {
    loop {
        let mut neighbors: HashMap<u32, Option<[u32; 2]>> = HashMap::new();
        for corners in loops.iter() {
            let count = corners.len();
            for k in 0..count {
                let (before, at, after) =
                    (corners[(k + count - 1) % count], corners[k], corners[(k + 1) % count]);
                let ends = [before.min(after), before.max(after)];
                let straight =
                    count > 3 && flatness.is_straight([before, at, after].map(|v| vertices[v as usize]));
                let entry = neighbors.entry(at).or_insert(straight.then_some(ends));
                if !straight || *entry != Some(ends) {
                    *entry = None;
                }
            }
        }
        let mut dissolved = false;
        for corners in loops.iter_mut() {
            let mut k = 0;
            while k < corners.len() {
                let count = corners.len();
                let at = corners[k];
                // A neighbor that was left out just now may make this no longer its neighbor's: the next round sees it anew.
                let ends = [corners[(k + count - 1) % count], corners[(k + 1) % count]];
                let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                if neighbors.get(&at) == Some(&Some(ends)) {
                    for end in ends {
                        neighbors.insert(end, None);
                    }
                    corners.remove(k);
                    dissolved = true;
                } else {
                    k += 1;
                }
            }
        }
        if !dissolved {
            return;
        }
    }
}
