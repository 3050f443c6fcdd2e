//! 3MF: objects of triangles or of other objects, and the items that are to be built, in one ZIP archive.
//!
//! Read are the core specification and paths of the production extension. Coordinates stay in the unit of the file, which is said.

use std::collections::HashMap;

use impinge::Mesh;
use impinge::math::{DAffine3, DVec3};
use roxmltree::Node;

use crate::archive::{folder_of, join};
use crate::beside::Files;
use crate::error::{Fault, Place, ReadErrorKind};
use crate::limits::Limits;
use crate::map_rounding::MapRounding;
use crate::memory;
use crate::note::Note;
use crate::rounding::{self, Digits};
use crate::scene::{Scene, SceneMesh};
use crate::tree::Tree;
use crate::{Format, xml};

/// Components within components, at most.
const MOST_LEVELS: usize = 64;
/// The relationship of a package to its model ends so.
const MODEL: &str = "/3dmodel";

/// The model of a package, where an archive is one.
pub(crate) fn model_of(archive: &dyn Files) -> Result<Option<String>, Fault> {
    const RELATIONSHIPS: &str = "_rels/.rels";
    const USUAL: &str = "3D/3dmodel.model";
    if archive.has(RELATIONSHIPS) {
        let bytes = archive.read(RELATIONSHIPS)?;
        let text = xml::text(&bytes).map_err(|fault| fault.in_entry(RELATIONSHIPS))?;
        let document = xml::parse(&text).map_err(|fault| fault.in_entry(RELATIONSHIPS))?;
        let is_model = |node: &Node<'_, '_>| node.attribute("Type").is_some_and(|kind| kind.ends_with(MODEL));
        let model = xml::children(document.root_element(), "Relationship").find(is_model);
        if let Some(target) = model.and_then(|model| model.attribute("Target")) {
            return Ok(join("", target));
        }
    }
    Ok(archive.has(USUAL).then(|| USUAL.to_owned()))
}

/// An object of a model part.
enum Object {
    Mesh(usize),
    Components(Vec<Component>),
}

/// An object that stands somewhere in another, or is to be built.
struct Component {
    part: String,
    id: String,
    place: (DAffine3, MapRounding),
    line: Place,
}

struct Described {
    name: Option<String>,
    object: Object,
}

struct Reader<'a> {
    archive: &'a dyn Files,
    /// Objects by the part of the package that they are in, and their ids.
    objects: HashMap<(String, String), Described>,
    meshes: Vec<SceneMesh>,
    /// Parts that were read.
    parts: Vec<String>,
}

pub(crate) fn read(archive: &dyn Files, model: &str, bytes: u64, limits: Limits) -> Result<Scene, Fault> {
    let mut reader = Reader { archive, objects: HashMap::new(), meshes: Vec::new(), parts: Vec::new() };
    let (items, unit) = reader.part(model)?;
    // Parts that components of others name, which may name more.
    while let Some(part) = reader.unread(&items) {
        reader.part(&part)?;
    }
    let mut tree = Tree::new(limits.shared(bytes));
    for item in &items {
        reader.place(item, model, None, &mut tree, &mut Vec::new())?;
    }
    let (nodes, common) = tree.instances(&reader.meshes);
    if nodes.is_empty() {
        return Err(Fault::no_faces());
    }
    Ok(Scene {
        format: Format::ThreeMf,
        unit: Some(unit.to_owned()),
        common,
        z_up: true,
        meshes: reader.meshes,
        nodes,
        animations: Vec::new(),
        notes: Vec::new(),
        files: Vec::new(),
    })
}

impl Reader<'_> {
    /// The next part that something refers to and that was not read yet.
    fn unread(&self, items: &[Component]) -> Option<String> {
        let of_objects = self.objects.values().flat_map(|described| match &described.object {
            Object::Components(list) => list.as_slice(),
            Object::Mesh(_) => &[],
        });
        let mut wanted: Vec<&String> = items
            .iter()
            .chain(of_objects)
            .map(|component| &component.part)
            .filter(|part| !self.parts.contains(part))
            .collect();
        wanted.sort();
        wanted.first().map(|part| (*part).clone())
    }

    /// Reads a part of the package: its objects, the items to be built, and its unit.
    fn part(&mut self, part: &str) -> Result<(Vec<Component>, &'static str), Fault> {
        self.parts.push(part.to_owned());
        let bytes = self.archive.read(part)?;
        let text = xml::text(&bytes).map_err(|fault| fault.in_entry(part))?;
        let document = xml::parse(&text).map_err(|fault| fault.in_entry(part))?;
        self.model(part, document.root_element()).map_err(|fault| fault.in_entry(part))
    }

    fn model(&mut self, part: &str, root: Node<'_, '_>) -> Result<(Vec<Component>, &'static str), Fault> {
        if root.tag_name().name() != "model" {
            let what = format!("the root is <{}> instead of <model>", root.tag_name().name());
            return Err(Fault::malformed(xml::place(root), what));
        }
        let unit = match root.attribute("unit").unwrap_or("millimeter") {
            "micron" => "µm",
            "millimeter" => "mm",
            "centimeter" => "cm",
            "inch" => "in",
            "foot" => "ft",
            "meter" => "m",
            other => {
                return Err(Fault::malformed(
                    xml::place(root),
                    format!("the unit `{other}` is none of 3MF's"),
                ));
            }
        };
        let resources = xml::child(root, "resources");
        for object in resources.into_iter().flat_map(|resources| xml::children(resources, "object")) {
            let id = xml::attribute(object, "id")?;
            let described = self.object(part, object)?;
            if self.objects.insert((part.to_owned(), id.to_owned()), described).is_some() {
                return Err(Fault::malformed(
                    xml::place(object),
                    format!("there are two objects with the id {id}"),
                ));
            }
        }
        let build = xml::child(root, "build");
        let items = build.into_iter().flat_map(|build| xml::children(build, "item"));
        Ok((items.map(|item| component(part, item)).collect::<Result<_, _>>()?, unit))
    }

    fn object(&mut self, part: &str, object: Node<'_, '_>) -> Result<Described, Fault> {
        let name = object.attribute("name").map(str::to_owned);
        let described = match (xml::child(object, "mesh"), xml::child(object, "components")) {
            (Some(node), _) => {
                let (mesh, rounding) = mesh(node)?;
                let name = match &name {
                    Some(name) => name.clone(),
                    None => format!("object {}", xml::attribute(object, "id")?),
                };
                let beams =
                    beams(node).map(|(place, count)| Note::left_out(place, "beams of a lattice", count));
                self.meshes.push(SceneMesh::new(name, mesh, rounding, beams.into_iter().collect()));
                Object::Mesh(self.meshes.len() - 1)
            }
            (None, Some(components)) => {
                let list = xml::children(components, "component").map(|node| component(part, node));
                Object::Components(list.collect::<Result<_, _>>()?)
            }
            (None, None) => {
                return Err(Fault::unsupported(
                    xml::place(object),
                    "the object has neither a mesh nor components",
                ));
            }
        };
        Ok(Described { name, object: described })
    }

    /// Adds what a component stands for to the tree. The objects above it are given, so that none is within itself.
    fn place<'s>(
        &'s self,
        component: &'s Component,
        from: &str,
        parent: Option<usize>,
        tree: &mut Tree,
        above: &mut Vec<(&'s str, &'s str)>,
    ) -> Result<(), Fault> {
        let in_part = |fault: Fault| fault.in_entry(from);
        let key = (component.part.clone(), component.id.clone());
        let Some(described) = self.objects.get(&key) else {
            let what = format!("there is no object with the id {}", component.id);
            return Err(in_part(Fault::malformed(component.line.clone(), what)));
        };
        if above.contains(&(&component.part, &component.id)) {
            let what = format!("the object {} is among its own components", component.id);
            return Err(in_part(Fault::malformed(component.line.clone(), what)));
        }
        if above.len() >= MOST_LEVELS {
            let what = format!("components are nested deeper than {MOST_LEVELS} levels");
            return Err(in_part(Fault::unsupported(component.line.clone(), what)));
        }
        let node = tree
            .push(parent, described.name.as_deref(), component.place, &component.line)
            .map_err(in_part)?;
        match &described.object {
            Object::Mesh(mesh) => tree.place(node, *mesh),
            Object::Components(list) => {
                above.push((&component.part, &component.id));
                for inner in list {
                    self.place(inner, &component.part, Some(node), tree, above)?;
                }
                above.pop();
            }
        }
        Ok(())
    }
}

fn component(part: &str, node: Node<'_, '_>) -> Result<Component, Fault> {
    // The production extension's attribute is called `path` in whatever namespace.
    let path =
        node.attributes().find(|attribute| attribute.name() == "path" && attribute.namespace().is_some());
    let part = match path {
        None => part.to_owned(),
        Some(path) => join(folder_of(part), path.value()).ok_or_else(|| {
            Fault::malformed(
                xml::place(node),
                format!("the path `{}` leads out of the package", path.value()),
            )
        })?,
    };
    let place = match node.attribute("transform") {
        None => (DAffine3::IDENTITY, MapRounding::default()),
        Some(text) => {
            // Four rows of three: points are rows, and multiplied from the left.
            let n = xml::numbers::<12>(text, node)?;
            xml::affine([[n[0], n[1], n[2]], [n[3], n[4], n[5]], [n[6], n[7], n[8]], [n[9], n[10], n[11]]])
        }
    };
    Ok(Component { part, id: xml::attribute(node, "objectid")?.to_owned(), place, line: xml::place(node) })
}

/// Where the first beam of a mesh is, and how many there are. They are bodies as well, of the beam lattice extension.
fn beams(mesh: Node<'_, '_>) -> Option<(Place, usize)> {
    let lists = || xml::children(mesh, "beamlattice").flat_map(|lattice| xml::children(lattice, "beams"));
    let first = lists().flat_map(|list| xml::children(list, "beam")).next()?;
    Some((xml::place(first), lists().flat_map(|list| xml::children(list, "beam")).count()))
}

/// The mesh of an object, and how far its coordinates may be off.
fn mesh(node: Node<'_, '_>) -> Result<(Mesh, f64), Fault> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let mut digits = Digits::default();
    let list = |name| xml::child(node, name);
    for vertex in list("vertices").into_iter().flat_map(|list| xml::children(list, "vertex")) {
        let mut coordinate = |name: &str| {
            let word = xml::attribute(vertex, name)?;
            let value = xml::number(word, name, vertex)?;
            digits.see(word.trim().as_bytes());
            Ok::<f64, Fault>(value)
        };
        memory::push(&mut vertices, DVec3::new(coordinate("x")?, coordinate("y")?, coordinate("z")?))?;
    }
    for triangle in list("triangles").into_iter().flat_map(|list| xml::children(list, "triangle")) {
        let corner = |name: &str| {
            let index = xml::index(xml::attribute(triangle, name)?, name, triangle)?;
            if index >= vertices.len() {
                let (index, count) = (i64::try_from(index).unwrap_or(i64::MAX), vertices.len());
                let kind = ReadErrorKind::IndexOutOfRange { what: "vertex", index, count };
                return Err(Fault::new(xml::place(triangle), kind));
            }
            Ok(index as u32)
        };
        memory::push(&mut triangles, [corner("v1")?, corner("v2")?, corner("v3")?])?;
    }
    if let Some((place, _)) = beams(node).filter(|_| triangles.is_empty()) {
        return Err(Fault::unsupported(place, "a mesh of beams alone, a lattice, is not supported"));
    }
    if triangles.is_empty() {
        return Err(Fault::malformed(xml::place(node), "the mesh has no triangles"));
    }
    let rounding = digits.rounding(rounding::largest(vertices.iter().copied()));
    let mesh = Mesh::triangles(vertices, triangles);
    Ok((mesh.map_err(|error| Fault { place: xml::place(node), ..Fault::from(error) })?, rounding))
}
