//! Properties of nodes and meshes, as converters of building models write them into `extras`.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use serde_json::value::RawValue;

use super::buffers::Buffers;
use super::json::Document;
use super::nodes::Nodes;
use crate::error::{Fault, Place};
use crate::properties::Properties;

/// The names under which converters write a class, in lower case and without underscores.
const CLASS_NAMES: [&str; 3] = ["class", "ifcclass", "ifctype"];

/// What a property takes, beside its name and value.
const BYTES_PER_PROPERTY: u64 = 96;

/// The properties of a document's instances, each set of them once.
pub(super) struct Extras<'a> {
    document: &'a Document,
    /// The nearest node with properties: each node itself, or one above it.
    nearest: Vec<Option<usize>>,
    /// By the node and the mesh that they are of.
    known: HashMap<[Option<usize>; 2], Arc<Properties>>,
}

impl<'a> Extras<'a> {
    pub(super) fn new(document: &'a Document, nodes: &Nodes) -> Extras<'a> {
        let mut nearest = vec![None; document.nodes.len()];
        for &node in &nodes.order {
            let above = nodes.parents[node].and_then(|parent| nearest[parent]);
            nearest[node] =
                if is_object(document.nodes[node].extras.as_deref()) { Some(node) } else { above };
        }
        Extras { document, nearest, known: HashMap::new() }
    }

    /// The properties of an instance of a mesh in a node: those of the nearest node that has some, and those of the mesh where the node lacks them.
    pub(super) fn of(
        &mut self,
        node: usize,
        mesh: usize,
        buffers: &Buffers<'_>,
    ) -> Result<Arc<Properties>, Fault> {
        let of_mesh = self.document.meshes.get(mesh).and_then(|entry| entry.extras.as_deref());
        let sources = [self.nearest[node], is_object(of_mesh).then_some(mesh)];
        if let Some(known) = self.known.get(&sources) {
            return Ok(Arc::clone(known));
        }
        let mut properties = Properties::default();
        let of_node = sources[0]
            .map(|node| (self.document.nodes[node].extras.as_deref(), format!("/nodes/{node}/extras")));
        let of_mesh = sources[1].map(|mesh| (of_mesh, format!("/meshes/{mesh}/extras")));
        for (text, pointer) in of_node.into_iter().chain(of_mesh) {
            let Some(text) = text else { continue };
            add(text, &Place::json(pointer), buffers, &mut properties)?;
        }
        let properties = Arc::new(properties);
        self.known.insert(sources, Arc::clone(&properties));
        Ok(properties)
    }
}

/// Whether extras have names at all; they may be anything.
fn is_object(extras: Option<&RawValue>) -> bool {
    extras.is_some_and(|extras| extras.get().starts_with('{'))
}

/// Adds what is not there yet.
fn add(text: &RawValue, place: &Place, buffers: &Buffers<'_>, to: &mut Properties) -> Result<(), Fault> {
    // A number of one digit and its comma become a value of the parser.
    buffers.will_take(text.get().len(), size_of::<Value>() as u64 / 2, place)?;
    let value: Value = serde_json::from_str(text.get())
        .map_err(|error| Fault::malformed(place.clone(), format!("extras cannot be read: {error}")))?;
    // Names are repeated in front of all that is in them.
    buffers.will_take(1, bytes(&value, 0), place)?;
    let Value::Object(entries) = &value else { return Ok(()) };
    let is_class = |name: &str, key: &str| key.replace('_', "").eq_ignore_ascii_case(name);
    let class = CLASS_NAMES.iter().find_map(|name| {
        let found = entries.iter().find(|(key, value)| is_class(name, key) && value.is_string());
        found.and_then(|(_, value)| value.as_str())
    });
    to.class = to.class.take().or_else(|| class.map(str::to_owned));
    flatten(&value, "", to);
    Ok(())
}

/// The entries of an object or an array, with their names.
fn entries(value: &Value) -> Vec<(String, &Value)> {
    match value {
        Value::Object(entries) => entries.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(list) => {
            list.iter().enumerate().map(|(number, value)| (number.to_string(), value)).collect()
        }
        _ => Vec::new(),
    }
}

/// What the properties within a value take, whose name has so many bytes.
fn bytes(value: &Value, name: u64) -> u64 {
    let text = match value {
        Value::Object(_) | Value::Array(_) => {
            let within = entries(value).into_iter();
            return within
                .map(|(own, value)| bytes(value, name + 1 + own.len() as u64))
                .fold(0, u64::saturating_add);
        }
        Value::String(text) => text.len() as u64,
        _ => 32,
    };
    BYTES_PER_PROPERTY + name + text
}

fn flatten(value: &Value, name: &str, to: &mut Properties) {
    let text = match value {
        Value::Object(_) | Value::Array(_) => {
            for (own, value) in entries(value) {
                let name = if name.is_empty() { own } else { format!("{name}.{own}") };
                flatten(value, &name, to);
            }
            return;
        }
        Value::Null => return,
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    to.values.entry(name.to_owned()).or_insert(text);
}
