//! Looking again, in tiles, where the first image was too coarse.
//!
//! After a look that is precise to a length P, what is still unknown is no deeper than P inside, and what was found may be outside by no
//! more than P: both lie within P of a face of the other object. So only tiles where an edge of one object comes so near to a
//! face of another need a second look, and only for pairs of which nothing farther from the faces was found; what else was found
//! of these is forgotten.

use std::collections::BTreeMap;

use impinge::bounds::Aabb;
use impinge::glam::DVec3;
use impinge::narrow::closest::point_triangle;

use crate::find::{Found, Question};
use crate::look::{Detail, Draw, instances};
use crate::precision::{self, PIXELS_OF_THREE};
use crate::scene::Vertices;
use crate::tiles;
use crate::view::View;
use crate::{Device, ImageError};

/// How much more precise than before a set of tiles is. With every set what is near a face is less, so several sets of few tiles
/// lead on where one would need very many.
pub(crate) const STEP: f64 = 16.0;

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
    let known = |pair: &[u32; 2]| {
        [(pair[0], pair[1]), (pair[1], pair[0])].map(|way| is_sure(question, found, way, before))
    };
    let mut unknown = question.pairs.clone();
    unknown.retain(|pair| !known(pair).contains(&true));
    let tiles = loop {
        let width = pixel * f64::from(side - 4);
        let budget = question.options.most_tiles as usize;
        let tiles = frames
            .iter()
            .enumerate()
            .map(|(number, _)| tiles::suspicious(question, number, &unknown, before, width, budget))
            .collect::<Option<Vec<_>>>();
        match tiles {
            Some(tiles) if tiles.iter().map(BTreeMap::len).sum::<usize>() <= budget => break tiles,
            _ if pixel * PIXELS_OF_THREE + rounding >= before => return Ok(()),
            _ => pixel *= 2.0,
        }
    };
    for pair in &unknown {
        found.by_pair.remove(&(pair[0], pair[1]));
        found.by_pair.remove(&(pair[1], pair[0]));
    }
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
                detail: Detail::Pairs,
                pictures: false,
            })?;
            found.take(&view, &seen);
            found.answer.work.tiles += 1;
        }
    }
    found.answer.precision = pixel * PIXELS_OF_THREE + rounding;
    Ok(())
}

/// How many of the found places are looked at.
const TRIED: usize = 64;

/// Whether some place that was found inside is farther than `near` from all faces of what it is inside of. Then so is the
/// edge's own point, which is no farther than that from the place.
fn is_sure(question: &Question<'_>, found: &Found, way: (u32, u32), near: f64) -> bool {
    let Some((_, points)) = found.by_pair.get(&way) else { return false };
    let shape = question.shape_of(way.1);
    let Vertices::Here(vertices) = &shape.vertices else { return false };
    let placement = &question.scene.objects[way.1 as usize].placement;
    let places: Vec<DVec3> = vertices.iter().map(|vertex| placement.point_to_world(*vertex)).collect();
    let is_far = |point: &DVec3| {
        shape.surface.triangles.iter().all(|corners| {
            let corners = corners.map(|vertex| places[vertex as usize]);
            point_triangle(*point, &corners).squared > near * near
        })
    };
    points.iter().step_by(points.len().div_ceil(TRIED).max(1)).any(is_far)
}
