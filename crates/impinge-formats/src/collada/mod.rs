//! COLLADA 1.4 and 1.5: geometries of triangles and polygons, and the nodes of the scene that place them.
//!
//! Coordinates stay in the unit and with the axes of the file, which are said. Skins and morphs, splines and boundary representations are left
//! out and counted; lines are no faces.

mod geometry;
mod nodes;

use std::collections::HashMap;

use roxmltree::Node;

use crate::error::{Fault, Place};
use crate::limits::Limits;
use crate::note::Tally;
use crate::scene::{Scene, SceneMesh};
use crate::tree::Tree;
use crate::{Format, xml};

/// Elements by their ids.
type Ids<'a, 'i> = HashMap<&'a str, Node<'a, 'i>>;

/// Whether a file is COLLADA by its first bytes.
pub(crate) fn has_root(start: &[u8]) -> bool {
    start.starts_with(b"<") && start.windows(8).any(|word| word == b"<COLLADA")
}

pub(crate) fn read(bytes: &[u8], limits: Limits) -> Result<Scene, Fault> {
    if bytes.is_empty() {
        return Err(Fault::no_faces());
    }
    let text = xml::text(bytes)?;
    let document = xml::parse(&text)?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        let what = format!("the root is <{}> instead of <COLLADA>", root.tag_name().name());
        return Err(Fault::malformed(xml::place(root), what));
    }
    let version = xml::attribute(root, "version")?;
    if !(version.starts_with("1.4") || version.starts_with("1.5")) {
        let what = format!("the version is {version}; 1.4 and 1.5 are supported");
        return Err(Fault::unsupported(xml::place(root), what));
    }
    let elements = root.descendants().filter_map(|node| Some((node.attribute("id")?, node)));
    let mut reader = Reader {
        ids: elements.collect(),
        shared: HashMap::new(),
        meshes: Vec::new(),
        tree: Tree::new(limits.shared(bytes.len() as u64)),
        controllers: Tally::default(),
        other_geometries: Tally::default(),
        holes: Tally::default(),
    };
    reader.scene(root)?;
    let notes = [
        reader.controllers.left_out("skins and morphs"),
        reader.other_geometries.left_out("geometries that are no meshes"),
        reader.holes.left_out("polygons with holes"),
    ];
    let notes: Vec<_> = notes.into_iter().flatten().collect();
    let (nodes, common) = reader.tree.instances(&reader.meshes);
    if nodes.is_empty() {
        return Err(match notes.into_iter().next() {
            Some(note) => {
                Fault::unsupported(note.place.clone(), format!("there is no face to read: {}", note.kind))
            }
            None => Fault::no_faces(),
        });
    }
    let asset = xml::child(root, "asset");
    let up = asset.and_then(|asset| xml::child(asset, "up_axis")).and_then(|up| up.text());
    Ok(Scene {
        format: Format::Collada,
        unit: asset.and_then(unit),
        common,
        z_up: up.is_some_and(|up| up.trim() == "Z_UP"),
        meshes: reader.meshes,
        nodes,
        animations: Vec::new(),
        notes,
        files: Vec::new(),
    })
}

/// What a length of 1 is called; meters where nothing is said.
fn unit(asset: Node<'_, '_>) -> Option<String> {
    let Some(unit) = xml::child(asset, "unit") else { return Some("m".to_owned()) };
    let meters = unit.attribute("meter").and_then(|meters| meters.trim().parse::<f64>().ok()).unwrap_or(1.0);
    let known = [
        (1.0, "m"),
        (0.1, "dm"),
        (0.01, "cm"),
        (0.001, "mm"),
        (1e-6, "µm"),
        (0.0254, "in"),
        (0.3048, "ft"),
        (1000.0, "km"),
    ];
    let known = known.iter().find(|(length, _)| (meters / length - 1.0).abs() < 1e-6).map(|(_, name)| *name);
    known.or_else(|| unit.attribute("name")).map(str::to_owned)
}

struct Reader<'a, 'i> {
    ids: Ids<'a, 'i>,
    /// The mesh of each geometry that was asked for, if it has faces.
    shared: HashMap<&'a str, Option<usize>>,
    meshes: Vec<SceneMesh>,
    tree: Tree,
    controllers: Tally,
    other_geometries: Tally,
    holes: Tally,
}

impl<'a, 'i> Reader<'a, 'i> {
    /// The element that a node refers to by an attribute.
    fn target(&self, node: Node<'a, 'i>, attribute: &str, expected: &str) -> Result<Node<'a, 'i>, Fault> {
        let url = xml::attribute(node, attribute)?;
        let Some(id) = url.strip_prefix('#') else {
            let what = format!("`{url}` is in another file, which is not read");
            return Err(Fault::unsupported(xml::place(node), what));
        };
        let found = self.ids.get(id).copied().filter(|found| found.tag_name().name() == expected);
        found.ok_or_else(|| {
            Fault::malformed(xml::place(node), format!("there is no <{expected}> with the id `{id}`"))
        })
    }

    /// The mesh of a geometry, read when it is first asked for.
    fn geometry(&mut self, instance: Node<'a, 'i>) -> Result<Option<usize>, Fault> {
        let node = self.target(instance, "url", "geometry")?;
        let id = node.attribute("id").unwrap_or_default();
        if let Some(&known) = self.shared.get(id) {
            return Ok(known);
        }
        let read = match xml::child(node, "mesh") {
            None => {
                self.other_geometries.add(xml::place(node));
                None
            }
            Some(mesh) => geometry::read(&self.ids, mesh, &mut self.holes)?,
        };
        let number = read.map(|(mesh, rounding, notes)| {
            let name = node.attribute("name").unwrap_or(id).to_owned();
            self.meshes.push(SceneMesh::new(name, mesh, rounding, notes));
            self.meshes.len() - 1
        });
        self.shared.insert(id, number);
        Ok(number)
    }
}

/// A fault for something nested too deeply.
fn too_deep(place: Place, most: usize) -> Fault {
    Fault::unsupported(place, format!("nodes are nested deeper than {most} levels"))
}
