//! Looking again, in tiles, where the first image was too coarse.
//!
//! After a look that is precise to a length P, what is still unknown is no deeper than P inside: it lies within P of a face of
//! the other object. So only tiles where an edge of one object comes so near to a face of another need a second look, and
//! only for pairs that were not found yet.

use std::collections::BTreeMap;

use impinge::bounds::Aabb;
use impinge::glam::DVec3;

use crate::find::{Found, Question};
use crate::look::{Detail, Draw, instances};
use crate::precision::{self, PIXELS_OF_THREE};
use crate::scene::Vertices;
use crate::view::{Frame, View, common};
use crate::{Device, ImageError};

/// Edges and faces of two objects, as boxes in the frame.
struct Features {
    pair: [u32; 2],
    /// For each of the two: its edges, and the faces of the other.
    sides: [[Vec<Aabb>; 2]; 2],
}

/// Looks again until the image is as precise as `asked`, or there would be too many tiles.
pub(crate) fn refine(
    device: &mut Device,
    question: &Question<'_>,
    asked: f64,
    found: &mut Found,
) -> Result<(), ImageError> {
    let before = found.answer.precision;
    let frames = question.frames.clone();
    let stages: Vec<_> = frames.iter().map(|frame| question.stage(frame, 0.0)).collect();
    let rounding = stages.iter().map(|stage| stage.reach * question.rounding.0).fold(0.0, f64::max);
    // What does not get better with smaller pixels is a bound on what can be asked for.
    let mut pixel = ((asked - rounding) / PIXELS_OF_THREE).max(rounding / PIXELS_OF_THREE);
    if !before.is_finite() || !precision::has_three_square(question) {
        return Ok(());
    }
    let side = question.options.resolution;
    let unknown = |pair: &&[u32; 2]| {
        !found.by_pair.contains_key(&(pair[0], pair[1])) && !found.by_pair.contains_key(&(pair[1], pair[0]))
    };
    let unknown: Vec<[u32; 2]> = question.pairs.iter().filter(unknown).copied().collect();
    let tiles = loop {
        let width = pixel * f64::from(side - 4);
        let budget = question.options.most_tiles as usize;
        let tiles = frames
            .iter()
            .map(|frame| suspicious(question, frame, &unknown, before, width, budget))
            .collect::<Option<Vec<_>>>();
        match tiles {
            Some(tiles) if tiles.iter().map(BTreeMap::len).sum::<usize>() <= budget => break tiles,
            _ if pixel * PIXELS_OF_THREE + rounding >= before => return Ok(()),
            _ => pixel *= 2.0,
        }
    };
    for (number, tiles) in tiles.iter().enumerate() {
        let others = question.others(number);
        for (region, objects) in tiles.values() {
            let drawn = instances(question.scene, objects.iter().copied());
            let boxes = objects.iter().map(|object| question.bounds_in(&frames[number], *object));
            let all = boxes.fold(*region, Aabb::merge);
            let projection = question.options.projection;
            let view = View::fit(frames[number], *region, [all.min.z, all.max.z], side, projection);
            let seen = device.look(&Draw {
                shapes: &question.scene.shapes,
                view: view.clone(),
                edges: &drawn,
                faces: &drawn,
                others: &others,
                own: question.options.own,
                layers: question.options.layers,
                detail: question.options.detail,
                pictures: false,
            })?;
            found.take(&view, &seen);
            found.answer.work.tiles += 1;
            if question.options.detail == Detail::Any && seen.any {
                found.answer.complete = false;
                return Ok(());
            }
        }
    }
    found.answer.precision = pixel * PIXELS_OF_THREE + rounding;
    Ok(())
}

type Tiles = BTreeMap<[i64; 2], (Aabb, Vec<u32>)>;

/// The tiles where an edge is within `near` of a face of another object, with a box around what is there and the objects. None
/// if there are more than `budget`.
fn suspicious(
    question: &Question<'_>,
    frame: &Frame,
    pairs: &[[u32; 2]],
    near: f64,
    width: f64,
    budget: usize,
) -> Option<Tiles> {
    let mut tiles = Tiles::new();
    for pair in pairs {
        let features = features(question, frame, *pair, near);
        for side in &features.sides {
            let all = side[0].iter().fold(Aabb::EMPTY, |all, edge| all.merge(*edge));
            if all.is_empty() {
                continue;
            }
            let cell = |place: f64| (place / width).floor().clamp(-1e15, 1e15) as i64;
            let cells = [[cell(all.min.x), cell(all.min.y)], [cell(all.max.x) + 1, cell(all.max.y) + 1]];
            split(features.pair, [&side[0], &side[1]], cells, width, &mut tiles);
            if tiles.len() > budget {
                return None;
            }
        }
    }
    Some(tiles)
}

fn features(question: &Question<'_>, frame: &Frame, pair: [u32; 2], near: f64) -> Features {
    let edges = pair.map(|object| boxes(question, frame, object, 0.0, true));
    let faces = pair.map(|object| boxes(question, frame, object, near, false));
    let [edges_a, edges_b] = edges;
    let [faces_a, faces_b] = faces;
    Features { pair, sides: [[edges_a, faces_b], [edges_b, faces_a]] }
}

/// The boxes of an object's edges or faces in the frame, larger by `more`.
fn boxes(question: &Question<'_>, frame: &Frame, object: u32, more: f64, edges: bool) -> Vec<Aabb> {
    let shape = question.shape_of(object);
    let grown = |bounds: Aabb| Aabb { min: bounds.min - more, max: bounds.max + more };
    let Vertices::Here(vertices) = &shape.vertices else {
        return vec![grown(question.bounds_in(frame, object))];
    };
    let placement = &question.scene.objects[object as usize].placement;
    let turn = frame.frame_from_world();
    let places: Vec<_> = vertices.iter().map(|vertex| turn * placement.point_to_world(*vertex)).collect();
    let around = |list: &[u32]| grown(Aabb::around(list.iter().map(|vertex| places[*vertex as usize])));
    if edges {
        shape.surface.edges.iter().map(|ends| around(ends)).collect()
    } else {
        shape.surface.triangles.iter().map(|corners| around(corners)).collect()
    }
}

/// Cells of a grid of squares: from, up to but not including.
type Cells = [[i64; 2]; 2];

/// The box over some cells: open along the view.
fn over(cells: &Cells, width: f64) -> Aabb {
    let [from, to] = cells.map(|[x, y]| [x as f64 * width, y as f64 * width]);
    Aabb {
        min: DVec3::new(from[0], from[1], f64::NEG_INFINITY),
        max: DVec3::new(to[0], to[1], f64::INFINITY),
    }
}

/// Halves cells until one is left, following only what is there.
fn split(pair: [u32; 2], [edges, faces]: [&[Aabb]; 2], cells: Cells, width: f64, tiles: &mut Tiles) {
    let region = over(&cells, width);
    let meets =
        |list: &[Aabb]| -> Vec<Aabb> { list.iter().filter(|one| one.overlaps(&region)).copied().collect() };
    let (edges, faces) = (meets(edges), meets(faces));
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
        split(pair, [&edges, &faces], low, width, tiles);
        split(pair, [&edges, &faces], high, width, tiles);
        return;
    }
    let met = edges.iter().filter(|edge| faces.iter().any(|face| face.overlaps(edge)));
    let all = met.fold(Aabb::EMPTY, |all, edge| all.merge(*edge));
    if all.is_empty() {
        return;
    }
    let (known, objects) = tiles.entry(from).or_insert((Aabb::EMPTY, Vec::new()));
    *known = known.merge(common(&region, &all));
    for object in pair {
        if let Err(at) = objects.binary_search(&object) {
            objects.insert(at, object);
        }
    }
}
