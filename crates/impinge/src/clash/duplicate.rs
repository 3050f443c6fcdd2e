//! Duplicates: two placed models with the same faces at the same places, in any order.

use std::collections::HashMap;

use crate::model::Placed;
use impinge_core::math::DVec3;

/// Whether every face of one lies on a face of the other, corner by corner, within `touch`, and the other way round. Which corner
/// comes first and which way the face turns does not matter.
pub(super) fn are_duplicates(a: &Placed<'_>, b: &Placed<'_>, touch: f64) -> bool {
    let (mesh_a, mesh_b) = (a.model().mesh(), b.model().mesh());
    if mesh_a.face_count() != mesh_b.face_count() || !have_same_bounds(a, b, touch) {
        return false;
    }
    if have_same_order(a, b, touch) {
        return true;
    }
    let Some(names) = Names::of(b, touch) else { return false };
    let mut counts: HashMap<Vec<u32>, i64> = HashMap::new();
    for face in 0..mesh_b.face_count() as u32 {
        let corners = mesh_b.corners(face).map(|vertex| names.of_vertex[vertex as usize]);
        *counts.entry(sorted(corners)).or_default() += 1;
    }
    for face in 0..mesh_a.face_count() as u32 {
        let places = mesh_a.corners(face).map(|vertex| a.placement().point_to_world(mesh_a.vertex(vertex)));
        let named: Option<Vec<u32>> = places.map(|place| names.at(place)).collect();
        let Some(count) =
            named.map(|corners| sorted(corners.into_iter())).and_then(|key| counts.get_mut(&key))
        else {
            return false;
        };
        *count -= 1;
        if *count < 0 {
            return false;
        }
    }
    true
}

fn have_same_bounds(a: &Placed<'_>, b: &Placed<'_>, touch: f64) -> bool {
    let (a, b) = (a.bounds(), b.bounds());
    let off = (a.min - b.min).abs().max((a.max - b.max).abs()).max_element();
    // Boxes are rounded outwards, each a little.
    off <= touch + a.max.abs().max(a.min.abs()).max_element() * 1e-12
}

/// Whether face is on face and corner on corner by number, as in copies that nobody has changed: quickly found out.
fn have_same_order(a: &Placed<'_>, b: &Placed<'_>, touch: f64) -> bool {
    let (mesh_a, mesh_b) = (a.model().mesh(), b.model().mesh());
    let is_same_model = std::ptr::eq(a.model(), b.model());
    let are_close = |[p, q]: [DVec3; 2]| {
        a.placement().point_to_world(p).distance(b.placement().point_to_world(q)) <= touch
    };
    mesh_a.vertex_count() == mesh_b.vertex_count()
        && mesh_a.vertices().zip(mesh_b.vertices()).all(|(p, q)| are_close([p, q]))
        && (is_same_model
            || (0..mesh_a.face_count() as u32).all(|face| mesh_a.corners(face).eq(mesh_b.corners(face))))
}

fn sorted(corners: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut corners: Vec<u32> = corners.collect();
    corners.sort_unstable();
    corners
}

/// Places of vertices, named so that those within `touch` of each other have one name.
struct Names {
    touch: f64,
    cell: f64,
    places: Vec<DVec3>,
    cells: HashMap<[i64; 3], Vec<u32>>,
    of_vertex: Vec<u32>,
}

impl Names {
    fn of(placed: &Placed<'_>, touch: f64) -> Option<Names> {
        let bounds = placed.bounds();
        let largest = bounds.min.abs().max(bounds.max.abs()).max_element();
        // Cells no finer than places are, so that their numbers are whole and fit.
        let cell = (2.0 * touch).max(largest * 1e-12).max(f64::MIN_POSITIVE);
        if !(largest / cell).is_finite() {
            return None;
        }
        let mut names =
            Names { touch, cell, places: Vec::new(), cells: HashMap::new(), of_vertex: Vec::new() };
        for vertex in placed.model().mesh().vertices() {
            let place = placed.placement().point_to_world(vertex);
            let name = names.at(place).unwrap_or_else(|| names.add(place));
            names.of_vertex.push(name);
        }
        Some(names)
    }

    fn cell_of(&self, place: DVec3) -> [i64; 3] {
        (place / self.cell).floor().to_array().map(|cell| cell as i64)
    }

    fn add(&mut self, place: DVec3) -> u32 {
        let name = self.places.len() as u32;
        self.places.push(place);
        self.cells.entry(self.cell_of(place)).or_default().push(name);
        name
    }

    /// The nearest named place within `touch`.
    fn at(&self, place: DVec3) -> Option<u32> {
        let [x, y, z] = self.cell_of(place);
        let mut best: Option<(f64, u32)> = None;
        for cell in 0..27 {
            let cell = [x + cell % 3 - 1, y + cell / 3 % 3 - 1, z + cell / 9 - 1];
            for name in self.cells.get(&cell).into_iter().flatten() {
                let distance = self.places[*name as usize].distance(place);
                if distance <= self.touch && best.is_none_or(|(nearest, _)| distance < nearest) {
                    best = Some((distance, *name));
                }
            }
        }
        best.map(|(_, name)| name)
    }
}
