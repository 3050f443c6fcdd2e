//! What nodes are called, and the copies that they make of their meshes.

use std::collections::HashMap;

use super::json::Document;

/// The node's name, or its mesh's, or its number.
pub(super) fn of_node(document: &Document, index: usize) -> String {
    let node = &document.nodes[index];
    let of_mesh = || document.meshes.get(node.mesh?)?.name.clone();
    node.name.clone().or_else(of_mesh).unwrap_or_else(|| format!("node {index}"))
}

/// How often nodes have a name, or one that starts with it as the names of copies do.
pub(super) struct Names(HashMap<String, usize>);

impl Names {
    /// The names of a document's nodes. They are looked at only where there are copies to name.
    pub(super) fn new(document: &Document) -> Names {
        let mut names = HashMap::new();
        if document.nodes.iter().any(|node| node.extensions.instancing.is_some()) {
            for index in 0..document.nodes.len() {
                let name = of_node(document, index);
                if let Some((start, _)) = name.rsplit_once('#') {
                    *names.entry(start.to_owned()).or_insert(0) += 1;
                }
                *names.entry(name).or_insert(0) += 1;
            }
        }
        Names(names)
    }

    /// What the names of a node's copies start with: its name, with its number where other nodes are called like it.
    pub(super) fn of_copies(&self, name: String, index: usize) -> String {
        if self.0.get(&name).is_some_and(|count| *count > 1) {
            format!("{name} (node {index})")
        } else {
            name
        }
    }
}
