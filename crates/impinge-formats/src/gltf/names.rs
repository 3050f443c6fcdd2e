//! What nodes are called, with the nodes above them.

use super::json::Document;
use super::nodes::Nodes;
use crate::unique_names::{Named, Taken};

/// The names of a document's nodes, and the paths that are taken.
pub(super) struct Names<'a> {
    document: &'a Document,
    /// The nearest node above each node that has a name.
    named_above: Vec<Option<usize>>,
    /// How long the path in front of each node is, with its slash.
    lengths: Vec<u64>,
    taken: Taken,
}

impl<'a> Names<'a> {
    pub(super) fn new(document: &'a Document, nodes: &Nodes) -> Names<'a> {
        let mut named_above = vec![None; document.nodes.len()];
        let mut lengths = vec![0; document.nodes.len()];
        for &node in &nodes.order {
            let Some(parent) = nodes.parents[node] else { continue };
            (named_above[node], lengths[node]) = match own_name(document, parent) {
                Some(name) => (Some(parent), lengths[parent] + name.len() as u64 + 1),
                None => (named_above[parent], lengths[parent]),
            };
        }
        Names { document, named_above, lengths, taken: Taken::default() }
    }

    /// The bytes that the names of an instance of a node take, as long as nobody else has them.
    pub(super) fn bytes(&self, node: usize) -> u64 {
        let name = self.of_node(node).len() as u64;
        // Name and path, and the path once more in the table of those that are taken.
        2 * self.lengths[node] + 3 * name
    }

    /// The node's name, or its mesh's, or its number.
    fn of_node(&self, index: usize) -> String {
        let of_mesh = || {
            let mesh = self.document.meshes.get(self.document.nodes[index].mesh?)?;
            mesh.name.as_deref().filter(|name| !name.is_empty())
        };
        let name = own_name(self.document, index).or_else(of_mesh);
        name.map_or_else(|| format!("node {index}"), str::to_owned)
    }

    /// Names an instance of a node, or one of its copies, by its number.
    pub(super) fn name(&mut self, node: usize, copy: Option<usize>) -> Named {
        let mut name = self.of_node(node);
        if let Some(copy) = copy {
            name.push_str(&format!("#{copy}"));
        }
        let mut above = Vec::new();
        let mut next = self.named_above[node];
        while let Some(ancestor) = next {
            above.extend(own_name(self.document, ancestor));
            next = self.named_above[ancestor];
        }
        let mut path = String::new();
        for ancestor in above.into_iter().rev() {
            path.push_str(ancestor);
            path.push('/');
        }
        path.push_str(&name);
        self.taken.name(name, path)
    }
}

fn own_name(document: &Document, index: usize) -> Option<&str> {
    document.nodes[index].name.as_deref().filter(|name| !name.is_empty())
}
