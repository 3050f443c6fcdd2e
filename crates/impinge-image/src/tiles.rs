//! Which tiles of an image need a second look: those where an edge comes near to a face of another object.

use std::collections::BTreeMap;

use impinge::bounds::Aabb;
use impinge::glam::DVec3;
use impinge_core::narrow::distance;
use impinge_core::predicates::{Sign, orient3d};

use crate::find::Question;
use crate::look::{BEST_FLOOR, BEST_SLACK};
use crate::scene::Vertices;
use crate::view::common;

/// Tiles by their cell: a box in the frame around what is there, and the objects.
pub(crate) type Tiles = BTreeMap<[i64; 2], (Aabb, Vec<u32>)>;

/// Up to so many pairs of edge and face are measured at once; where there are more, boxes must do.
const MEASURED: usize = 1 << 14;

/// An edge or a face in the frame.
#[derive(Clone, Copy)]
struct Feature {
    /// Around the corners.
    bounds: Aabb,
    /// Of an edge, the second end twice. None where only a device knows them.
    corners: Option<[DVec3; 3]>,
}

/// Cells of a grid of squares: from, up to but not including.
type Cells = [[i64; 2]; 2];

/// What is searched for.
struct Search {
    near: f64,
    width: f64,
    budget: usize,
    tiles: Tiles,
}

/// The tiles of a view, squares of `width`, where an edge is within `near` of a face of another object. None if there are more than
/// `budget`.
pub(crate) fn suspicious(
    question: &Question<'_>,
    view: usize,
    pairs: &[[u32; 2]],
    near: f64,
    width: f64,
    budget: usize,
) -> Option<Tiles> {
    // Distances are rounded; nearer by less than that does not count.
    let mut search = Search { near: near * (1.0 + 1e-9), width, budget, tiles: Tiles::new() };
    for pair in pairs {
        for (this, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            // Where only a device knows the vertices of one, nothing that was found is sure: all that both have in common is looked at.
            let is_here = |object| matches!(question.shape_of(object).vertices, Vertices::Here(_));
            let (edges, faces) = if is_here(this) && is_here(other) {
                (features(question, view, this, true), features(question, view, other, false))
            } else {
                (whole(question, view, this), whole(question, view, other))
            };
            let all = edges.iter().fold(Aabb::EMPTY, |all, edge| all.merge(edge.bounds));
            if all.is_empty() {
                continue;
            }
            let cell = |place: f64| (place / width).floor().clamp(-1e15, 1e15) as i64;
            let cells = [[cell(all.min.x), cell(all.min.y)], [cell(all.max.x) + 1, cell(all.max.y) + 1]];
            search.split(*pair, &edges, &faces, cells);
            if search.tiles.len() > budget {
                return None;
            }
        }
    }
    Some(search.tiles)
}

/// All of an object as one.
fn whole(question: &Question<'_>, view: usize, object: u32) -> Vec<Feature> {
    vec![Feature { bounds: question.bounds_in(&question.frames[view], object), corners: None }]
}

/// The edges that are drawn in a view, or the faces, of an object.
fn features(question: &Question<'_>, view: usize, object: u32, edges: bool) -> Vec<Feature> {
    let shape = question.shape_of(object);
    let frame = &question.frames[view];
    let Vertices::Here(vertices) = &shape.vertices else { return whole(question, view, object) };
    let placement = &question.scene.objects[object as usize].placement;
    let turn = frame.frame_from_world();
    let places: Vec<DVec3> = vertices.iter().map(|vertex| turn * placement.point_to_world(*vertex)).collect();
    let feature = |corners: [u32; 3]| {
        let corners = corners.map(|vertex| places[vertex as usize]);
        Feature { bounds: Aabb::around(corners), corners: Some(corners) }
    };
    if !edges {
        return shape.surface.triangles.iter().map(|corners| feature(*corners)).collect();
    }
    let others: Vec<DVec3> = question.others(view).iter().map(|other| turn * other.forward).collect();
    // Lengths in pixels are not known yet: what is drawn for being short is looked at here whatever its length.
    let slack = BEST_FLOOR * shape.bounds.size().length() * placement.stretch();
    let is_drawn = |edge: &Feature| {
        edge.corners.is_none_or(|[from, to, _]| {
            let way = to - from;
            others.iter().all(|other| way.z.abs() <= way.dot(*other).abs() * BEST_SLACK + slack)
        })
    };
    let all = shape.edges().iter().map(|[from, to]| feature([*from, *to, *to]));
    all.filter(is_drawn).collect()
}

impl Search {
    /// Halves cells until one is left, following only edges that are near to faces.
    fn split(&mut self, pair: [u32; 2], edges: &[Feature], faces: &[Feature], cells: Cells) {
        if self.tiles.len() > self.budget {
            return;
        }
        let region = over(&cells, self.width);
        let mut edges: Vec<Feature> = edges.iter().filter_map(|edge| clipped(edge, &region)).collect();
        let around = edges.iter().fold(Aabb::EMPTY, |all, edge| all.merge(edge.bounds));
        let reach = grown(&around, self.near);
        let mut faces: Vec<Feature> = faces.to_vec();
        faces.retain(|face| face.bounds.overlaps(&reach));
        if edges.len() * faces.len() <= MEASURED {
            edges.retain(|edge| faces.iter().any(|face| self.are_near(edge, face)));
            faces.retain(|face| edges.iter().any(|edge| self.are_near(edge, face)));
        }
        if edges.is_empty() || faces.is_empty() {
            return;
        }
        let [from, to] = cells;
        let axis = if to[0] - from[0] >= to[1] - from[1] { 0 } else { 1 };
        if to[axis] - from[axis] > 1 {
            let middle = from[axis] + (to[axis] - from[axis]) / 2;
            let (mut low, mut high) = (cells, cells);
            low[1][axis] = middle;
            high[0][axis] = middle;
            self.split(pair, &edges, &faces, low);
            self.split(pair, &edges, &faces, high);
            return;
        }
        let all = edges.iter().fold(Aabb::EMPTY, |all, edge| all.merge(edge.bounds));
        let (known, objects) = self.tiles.entry(from).or_insert((Aabb::EMPTY, Vec::new()));
        *known = known.merge(common(&region, &all));
        for object in pair {
            if let Err(at) = objects.binary_search(&object) {
                objects.insert(at, object);
            }
        }
    }

    fn are_near(&self, edge: &Feature, face: &Feature) -> bool {
        if !grown(&face.bounds, self.near).overlaps(&edge.bounds) {
            return false;
        }
        match (edge.corners, face.corners) {
            (Some(edge), Some(face)) => {
                // Distances are those of what does not cross: the ends of an edge may be far from a face that it goes through.
                crosses(&edge, &face) || distance::triangles(&edge, &face).squared <= self.near * self.near
            }
            _ => true,
        }
    }
}

/// Whether an edge goes through a face.
fn crosses([from, to, _]: &[DVec3; 3], [a, b, c]: &[DVec3; 3]) -> bool {
    let sides = [*from, *to].map(|end| orient3d(*a, *b, *c, end));
    if sides[0] == sides[1] {
        return false;
    }
    let around = [(a, b), (b, c), (c, a)].map(|(start, end)| orient3d(*from, *to, *start, *end));
    let turns = |sign: Sign| around.iter().all(|side| *side == sign || *side == Sign::Zero);
    turns(Sign::Positive) || turns(Sign::Negative)
}

/// The part of an edge that is over some cells.
fn clipped(edge: &Feature, region: &Aabb) -> Option<Feature> {
    if !edge.bounds.overlaps(region) {
        return None;
    }
    let Some([from, to, _]) = edge.corners else {
        return Some(Feature { bounds: common(&edge.bounds, region), corners: None });
    };
    let (mut start, mut end) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let way = to[axis] - from[axis];
        if way != 0.0 {
            let [a, b] = [region.min, region.max].map(|side| (side[axis] - from[axis]) / way);
            start = start.max(a.min(b));
            end = end.min(a.max(b));
        }
    }
    // What only touches the region, or misses it by rounding, is kept.
    if start > end + 1e-9 {
        return None;
    }
    let [first, last] = [from.lerp(to, start), from.lerp(to, end.max(start))];
    Some(Feature { bounds: Aabb::around([first, last]), corners: Some([first, last, last]) })
}

/// The box over some cells: open along the view.
fn over(cells: &Cells, width: f64) -> Aabb {
    let [from, to] = cells.map(|[x, y]| [x as f64 * width, y as f64 * width]);
    Aabb {
        min: DVec3::new(from[0], from[1], f64::NEG_INFINITY),
        max: DVec3::new(to[0], to[1], f64::INFINITY),
    }
}

fn grown(bounds: &Aabb, more: f64) -> Aabb {
    Aabb { min: bounds.min - more, max: bounds.max + more }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ends of a long edge are far from the face that it goes through.
    #[test]
    fn an_edge_that_goes_through_a_face_is_near_to_it() {
        let corners = [DVec3::new(-9.0, -9.0, 0.0), DVec3::new(9.0, -9.0, 0.0), DVec3::new(0.0, 9.0, 0.0)];
        let face = Feature { bounds: Aabb::around(corners), corners: Some(corners) };
        let edge = |from: DVec3, to: DVec3| Feature {
            bounds: Aabb::around([from, to]),
            corners: Some([from, to, to]),
        };
        let search = Search { near: 0.1, width: 1.0, budget: 1, tiles: Tiles::new() };
        let down = DVec3::new(0.5, 0.25, -3.0);
        assert!(search.are_near(&edge(DVec3::new(0.0, 0.0, 2.0), down), &face));
        assert!(search.are_near(&edge(down, DVec3::new(0.0, 0.0, 2.0)), &face));
        assert!(search.are_near(&edge(DVec3::new(0.0, 0.0, -0.05), down), &face));
        assert!(!search.are_near(&edge(DVec3::new(0.0, 0.0, -0.2), down), &face));
        assert!(!search.are_near(&edge(DVec3::new(8.0, 8.0, 2.0), DVec3::new(8.0, 8.0, -2.0)), &face));
    }
}
