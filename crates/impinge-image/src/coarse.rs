//! A coarse look first (paper §8): real edges against boxes around the other objects.
//!
//! An edge that is inside of an object is inside of its box, and deeper than the image is precise when the box is larger
//! than the object by that much on all sides. So a pair that shows no edge of either in the box of the other is clear.

use std::collections::BTreeSet;

use impinge::Placement;
use impinge::glam::{DAffine3, DQuat, DVec3};

use crate::find::{Found, Question};
use crate::look::{Detail, Draw, Instance};
use crate::precision;
use crate::{Device, ImageError, Own};

/// Leaves out the pairs that are clear.
pub(crate) fn reject(
    device: &mut Device,
    question: &mut Question<'_>,
    found: &mut Found,
) -> Result<(), ImageError> {
    let Some(shape) = device.unit_box() else { return Ok(()) };
    let options = question.options;
    // How precise the images would be without the boxes' growth; with it they are a little coarser, so it is doubled.
    let growth = 2.0 * precision::reached(question, &question.views(0.0));
    let views = question.views(growth);
    if !growth.is_finite() || precision::reached(question, &views) > growth {
        return Ok(());
    }
    let mut shapes = question.scene.shapes.clone();
    shapes.push(shape);
    let boxed = |object: u32| {
        let known = &question.scene.objects[object as usize];
        let bounds = question.scene.shapes[known.shape].bounds;
        // A length of the world is at least this long in the model, whatever its direction.
        let more = growth * least_shrink(&known.placement);
        let half = 0.5 * bounds.size() + more;
        let model_from_box =
            DAffine3::from_scale_rotation_translation(half, DQuat::IDENTITY, bounds.center());
        let world_from_box = *known.placement.world_from_model() * model_from_box;
        let placement = Placement::try_from(world_from_box).ok()?;
        Some(Instance { object, shape: shapes.len() - 1, placement })
    };
    let solid = |object: &u32| !question.shape_of(*object).surface.triangles.is_empty();
    let faces: Option<Vec<Instance>> = question.objects().into_iter().filter(solid).map(boxed).collect();
    let Some(faces) = faces else { return Ok(()) };
    let edges = question.instances();
    let mut met: BTreeSet<[u32; 2]> = BTreeSet::new();
    for (number, (view, _)) in views.iter().enumerate() {
        let others = question.others(number);
        let seen = device.look(&Draw {
            shapes: &shapes,
            view: view.clone(),
            edges: &edges,
            faces: &faces,
            others: &others,
            own: Own::Ignored,
            layers: options.layers,
            detail: Detail::Pairs,
            pictures: false,
        })?;
        if !seen.complete {
            return Ok(());
        }
        found.answer.work.looks += 1;
        found.answer.work.layers += seen.layers;
        found.answer.work.passes += seen.passes;
        found.answer.work.bytes_read += seen.bytes_read;
        for sample in &seen.samples {
            for inside in &seen.inside[sample.inside.clone()] {
                met.insert([sample.object.min(*inside), sample.object.max(*inside)]);
            }
        }
    }
    let before = question.pairs.len();
    question.pairs.retain(|pair| met.contains(pair));
    found.answer.work.rejected = (before - question.pairs.len()) as u32;
    Ok(())
}

/// The most that the way from world to model stretches along any axis of the model.
fn least_shrink(placement: &Placement) -> DVec3 {
    let inverse = placement.model_from_world_linear();
    DVec3::new(inverse.row(0).length(), inverse.row(1).length(), inverse.row(2).length())
}
