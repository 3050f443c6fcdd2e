//! Copies that a node makes of its mesh (`EXT_mesh_gpu_instancing`): where each stands in the node.

use impinge::math::{DAffine3, DQuat, DVec3};

use super::accessor::{Accessors, FLOAT};
use super::json::Instancing;
use super::nodes;
use super::place_rounding;
use crate::error::{Fault, Place};
use crate::map_rounding::MapRounding;
use crate::memory;
use crate::rounding::of_number;

/// The name of the extension.
pub(super) const NAME: &str = "EXT_mesh_gpu_instancing";

const I8: u64 = 5120;
const I16: u64 = 5122;

/// Where the copies stand in their node, whose place is given, and how far that may be off.
pub(super) fn read(
    accessors: &Accessors<'_>,
    described: &Instancing,
    node: &Place,
) -> Result<Vec<(DAffine3, MapRounding)>, Fault> {
    let place = Place::json(format!("{node}/extensions/{NAME}/attributes"));
    let mut first: Option<(&str, usize)> = None;
    // Attributes of the application's own must be as many, too.
    for (name, &accessor) in &described.attributes {
        let count = accessors.count(accessor, &place)?;
        match first {
            Some((other, known)) if known != count => {
                let what = format!("{other} has {known} elements, but {name} has {count}");
                return Err(Fault::malformed(place, what));
            }
            _ => first = Some((name, count)),
        }
    }
    let Some((_, count @ 1..)) = first else {
        return Err(Fault::malformed(place, "there is no instance: no attribute has an element"));
    };
    accessors.buffers.will_take(count, size_of::<(DAffine3, MapRounding)>() as u64, &place)?;
    let attribute = |name: &str| described.attributes.get(name).copied();
    let vectors = |name: &str| {
        let Some(accessor) = attribute(name) else { return Ok(None) };
        let (component, _) = accessors.component(accessor, &place)?;
        if component != FLOAT {
            return Err(wrong_type(&place, name, component, "5126 (floats)"));
        }
        accessors.read::<3>(accessor, "VEC3", &place).map(Some)
    };
    let (translations, scales) = (vectors("TRANSLATION")?, vectors("SCALE")?);
    let rotations = match attribute("ROTATION") {
        None => None,
        Some(accessor) => {
            let (component, is_normalized) = accessors.component(accessor, &place)?;
            if component != FLOAT && !(is_normalized && matches!(component, I8 | I16)) {
                let needed = "5126 (floats), or normalized 5120 or 5122";
                return Err(wrong_type(&place, "ROTATION", component, needed));
            }
            Some(accessors.read::<4>(accessor, "VEC4", &place)?)
        }
    };
    let rotation_step = match attribute("ROTATION") {
        None => None,
        Some(accessor) => accessors.step(accessor, &place)?,
    };
    let mut copies = memory::with_capacity(count)?;
    for copy in 0..count {
        let vector = |list: &Option<Vec<[f64; 3]>>, without: DVec3| {
            list.as_ref().and_then(|list| list.get(copy)).map_or(without, |value| DVec3::from_array(*value))
        };
        let written = rotations.as_ref().and_then(|list| list.get(copy)).copied();
        let rotation = match written {
            None => DQuat::IDENTITY,
            Some(rotation) => nodes::unit_rotation(rotation)
                .map_err(|what| Fault::malformed(place.clone(), format!("of instance {copy}, {what}")))?,
        };
        let (scale, translation) = (vector(&scales, DVec3::ONE), vector(&translations, DVec3::ZERO));
        let rotation_rounding = written.map_or([0.0; 4], |rotation| match rotation_step {
            Some(step) => [0.5 * step; 4],
            None => rotation.map(of_number),
        });
        let rounding = place_rounding::of_trs(
            translation,
            written.unwrap_or([0.0, 0.0, 0.0, 1.0]),
            rotation_rounding,
            scale,
        );
        copies.push((DAffine3::from_scale_rotation_translation(scale, rotation, translation), rounding));
    }
    Ok(copies)
}

fn wrong_type(place: &Place, attribute: &str, found: u64, needed: &str) -> Fault {
    Fault::malformed(place.clone(), format!("the component type of {attribute} is {found}, not {needed}"))
}
