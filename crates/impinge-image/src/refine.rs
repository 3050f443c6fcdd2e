//! Looking again, in tiles, where the first image was too coarse.
//!
//! After a look that is precise to a length P, an edge that was missed is no deeper than P inside. Of what was found, places farther
//! than P from all faces are sure; the others are forgotten, and their edges are no farther than P from them. So whatever is not known for sure
//! lies within 2 P of a face of the other object, and only tiles where an edge of one object comes so near to a face of another
//! need a second look.

use std::collections::BTreeMap;

use impinge::bounds::Aabb;

use crate::find::{Found, Question};
use crate::look::{Detail, Draw, instances};
use crate::precision;
use crate::sure::Solids;
use crate::tiles;
use crate::view::{MARGIN, View};
use crate::{Device, ImageError};

/// How much more precise than before a set of tiles is. With every set what is near a face is less, so several sets of few tiles
/// lead on where one would need very many.
pub(crate) const STEP: f64 = 16.0;

/// Looks again until the image is as precise as `asked`, or there would be too many tiles.
pub(crate) fn refine(
    device: &mut Device,
    question: &Question<'_>,
    asked: f64,
    solids: &mut Solids,
    found: &mut Found,
) -> Result<(), ImageError> {
    let before = found.answer.precision;
    let frames = question.frames.clone();
    let stages: Vec<_> = frames.iter().map(|frame| question.stage(frame, 0.0)).collect();
    let rounding = stages.iter().map(|stage| stage.reach * question.rounding.0).fold(0.0, f64::max);
    let scale = precision::pixels_of_three(question);
    // What does not get better with smaller pixels is a bound on what can be asked for.
    // A little smaller, so that what is stated in the end is not larger by rounding.
    let mut pixel = ((asked - rounding) / scale).max(rounding / scale) * (1.0 - 1e-12);
    let side = question.options.resolution;
    // What is left of a tile beside the edges that are moved out of it.
    let across = f64::from(side) - 2.0 * (MARGIN + question.options.offset());
    if !before.is_finite() || !precision::has_three_square(question) || across < 8.0 {
        return Ok(());
    }
    solids.settle(question, before, found);
    let mut again = question.pairs.clone();
    again.retain(|pair| !is_known(question, found, *pair));
    let tiles = loop {
        let width = pixel * across;
        let budget = question.options.most_tiles as usize;
        let tiles = frames
            .iter()
            .enumerate()
            .map(|(number, _)| tiles::suspicious(question, number, &again, 2.0 * before, width, budget))
            .collect::<Option<Vec<_>>>();
        match tiles {
            Some(tiles) if tiles.iter().map(BTreeMap::len).sum::<usize>() <= budget => break tiles,
            _ if pixel * scale + rounding >= before => return Ok(()),
            _ => pixel *= 2.0,
        }
    };
    found.by_pair.values_mut().for_each(|sightings| sightings.retain(|sighting| sighting.sure));
    for pair in &question.pairs {
        if again.binary_search(pair).is_err() {
            // What is deeper than this was found at a place that is sure.
            found.coarser.entry(*pair).or_insert(2.0 * before);
        }
    }
    for (number, tiles) in tiles.iter().enumerate() {
        let others = question.others(number);
        for (region, objects) in tiles.values() {
            let drawn = instances(question.scene, objects.iter().copied());
            let boxes = objects.iter().map(|object| question.bounds_in(&frames[number], *object));
            let all = boxes.fold(*region, Aabb::merge);
            let (projection, offset) = (question.options.projection, question.options.offset());
            let view = View::fit(frames[number], *region, [all.min.z, all.max.z], side, projection, offset);
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
    found.answer.precision = pixel * scale + rounding;
    Ok(())
}

/// Whether looking closer at a pair cannot change what is asked of it.
fn is_known(question: &Question<'_>, found: &Found, [a, b]: [u32; 2]) -> bool {
    let is_sure = |way| found.by_pair.get(&way).is_some_and(|list| list.iter().any(|sighting| sighting.sure));
    let ways = [is_sure((a, b)), is_sure((b, a))];
    match question.options.detail {
        Detail::Any => ways.contains(&true),
        Detail::Objects => ways == [true, true],
        // Every edge counts.
        Detail::Pairs => false,
    }
}
