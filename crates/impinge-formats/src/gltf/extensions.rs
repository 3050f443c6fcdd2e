//! Which extensions of glTF are read or do no harm, and what to do about a file that requires another.

use super::json::Document;
use super::{draco, instancing, meshopt};
use crate::error::{Fault, Place};
use crate::note::Note;

/// Extensions about looks and meanings: they never change where surfaces are.
const HARMLESS_STARTS: [&str; 6] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_", "MSFT_texture_"];
const HARMLESS: [&str; 8] = [
    "KHR_animation_pointer",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "EXT_instance_features",
    "EXT_mesh_features",
    "EXT_structural_metadata",
];
/// Extensions about shapes that are read.
const READ: [&str; 3] = [instancing::NAME, "KHR_mesh_quantization", "KHR_node_visibility"];

fn is_understood(name: &str) -> bool {
    HARMLESS_STARTS.iter().any(|start| name.starts_with(start))
        || HARMLESS.contains(&name)
        || READ.contains(&name)
        || meshopt::NAMES.contains(&name)
        || (draco::IS_READ && name == draco::NAME)
}

/// Fails where the document requires what is not understood; of what it merely uses, the notes tell.
pub(super) fn check(document: &Document) -> Result<Vec<Note>, Fault> {
    if let Some(required) = document.extensions_required.iter().find(|name| !is_understood(name)) {
        let advice = if required == draco::NAME {
            "`gltf-transform copy in.glb out.glb` writes the file without it"
        } else {
            "export the model without it from the program that made it"
        };
        let what = format!("the file requires the extension {required}, which is not read; {advice}");
        return Err(Fault::unsupported(Place::json("/extensionsRequired"), what));
    }
    let unknown = document.extensions_used.iter().filter(|name| !is_understood(name));
    let place = || Place::json("/extensionsUsed");
    Ok(unknown.map(|name| Note::skipped(place(), format!("uses of the extension {name}"), 1)).collect())
}
