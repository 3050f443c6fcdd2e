//! The meshes and scenes of a ZIP archive: one stays what it is, several stand side by side.

use std::path::Path;

use impinge::math::DAffine3;

use crate::archive::{Archive, folder_of};
use crate::beside::{Beside, Files};
use crate::error::{Fault, Place};
use crate::limits::Limits;
use crate::note::Note;
use crate::scene::Scene;
use crate::unique_names::Taken;
use crate::{Format, needs_conversion, parse, three_mf};

pub(crate) fn read(bytes: &[u8], limits: Limits) -> Result<Scene, Fault> {
    let archive = Archive::open(bytes, limits)?;
    if let Some(model) = three_mf::model_of(&archive)? {
        return three_mf::read(&archive, &model, bytes.len() as u64, limits);
    }
    let mut names: Vec<&String> = archive.names().iter().filter(|name| !is_hidden(name)).collect();
    names.sort();
    let (mut scenes, mut foreign_files) = (Vec::new(), Vec::new());
    for name in names {
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        match extension.and_then(Format::from_extension) {
            // An archive in an archive is no scene of this one.
            Some(Format::Zip | Format::ThreeMf) => foreign_files.push(name),
            Some(format) => {
                let content = archive.read(name)?;
                let beside = Beside::Archive { files: &archive, folder: folder_of(name) };
                let scene = parse(&content, format, beside, limits).map_err(|fault| fault.in_entry(name))?;
                scenes.push((name, scene));
            }
            None if needs_conversion(Path::new(name)) => {
                foreign_files.push(name);
            }
            None => {}
        }
    }
    let mut scene = match scenes.len() {
        0 => {
            let known = "OBJ, STL, PLY, OFF, glTF, GLB or COLLADA";
            return Err(Fault::malformed(Place::File, format!("there is no {known} file in the archive")));
        }
        1 => scenes.remove(0).1,
        _ => side_by_side(scenes),
    };
    for name in foreign_files {
        let place = Place::entry(name, Place::File);
        scene.notes.push(Note::left_out(place, "files in the archive that are not read", 1));
    }
    Ok(scene)
}

/// Folders, and what programs leave in archives for themselves.
fn is_hidden(name: &str) -> bool {
    name.ends_with('/') || name.split('/').any(|piece| piece.starts_with('.') || piece == "__MACOSX")
}

/// One scene of several files. Their animations have nodes of their own each, and are left out.
fn side_by_side(scenes: Vec<(&String, Scene)>) -> Scene {
    let of_first = |scene: &Scene| (scene.format, scene.unit.clone(), scene.z_up);
    let (format, unit, z_up) = of_first(&scenes[0].1);
    let all = |same: &dyn Fn(&Scene) -> bool| scenes.iter().all(|(_, scene)| same(scene));
    let mut whole = Scene {
        format: if all(&|scene| scene.format == format) { format } else { Format::Zip },
        unit: unit.clone().filter(|_| all(&|scene| scene.unit == unit)),
        common: (DAffine3::IDENTITY, 0.0),
        z_up: z_up || !all(&|scene| scene.z_up == z_up),
        meshes: Vec::new(),
        nodes: Vec::new(),
        animations: Vec::new(),
        notes: Vec::new(),
        files: Vec::new(),
    };
    // What is the same in all files moves everything alike.
    let common = scenes[0].1.common;
    let is_common = scenes.iter().all(|(_, scene)| scene.common.0 == common.0);
    if is_common {
        whole.common = common;
    }
    let mut taken = Taken::default();
    for (file, mut scene) in scenes {
        let in_file = |note: Note| Note { place: Place::entry(file, note.place), ..note };
        if !scene.animations.is_empty() {
            let count = scene.animations.len();
            whole.notes.push(Note::skipped(
                Place::entry(file, Place::File),
                "animations of one file among several",
                count,
            ));
        }
        whole.notes.extend(scene.notes.into_iter().map(in_file));
        let first = whole.meshes.len();
        for mesh in &mut scene.meshes {
            let notes = std::mem::take(&mut mesh.notes);
            mesh.notes = notes.into_iter().map(in_file).collect();
        }
        whole.meshes.append(&mut scene.meshes);
        for mut instance in scene.nodes {
            instance.mesh += first;
            if !is_common {
                instance.rounding += scene.common.1;
            }
            let (name, path) = if instance.path.is_empty() {
                let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
                (stem.unwrap_or_default(), file.clone())
            } else {
                (instance.name, format!("{file}/{}", instance.path))
            };
            let named = taken.name(name, path);
            (instance.name, instance.path) = (named.name, named.path);
            instance.number = named.number.or(instance.number);
            // Numbers of nodes and copies are those of one file.
            (instance.node, instance.copy) = (None, None);
            whole.nodes.push(instance);
        }
    }
    whole
}
