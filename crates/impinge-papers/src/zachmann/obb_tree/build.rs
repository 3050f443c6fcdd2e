//! The construction: top-down, at the mean along the longest axis.

use impinge::Mesh;
use impinge::math::DVec3;

use super::fit::Spread;
use super::{LEAF, ObbFrame, ObbNode, ObbTree, OrientedBox};

/// The faces of a mesh with their corners in tree coordinates.
struct Faces {
    corners: Vec<DVec3>,
    /// Where the corners of each face begin, and where the last ones end.
    starts: Vec<u32>,
    centers: Vec<DVec3>,
}

impl Faces {
    fn of(mesh: &Mesh, frame: ObbFrame) -> Faces {
        let mut faces = Faces { corners: Vec::new(), starts: vec![0], centers: Vec::new() };
        for face in 0..mesh.face_count() as u32 {
            let start = faces.corners.len();
            faces.corners.extend(mesh.corners(face).map(|vertex| frame.to_tree(mesh.vertex(vertex))));
            faces.starts.push(faces.corners.len() as u32);
            let corners = &faces.corners[start..];
            faces.centers.push(corners.iter().sum::<DVec3>() / corners.len() as f64);
        }
        faces
    }

    fn corners(&self, face: u32) -> &[DVec3] {
        &self.corners[self.starts[face as usize] as usize..self.starts[face as usize + 1] as usize]
    }
}

impl ObbTree {
    /// The tree over the faces of a mesh.
    pub fn build(mesh: &Mesh) -> ObbTree {
        let frame = ObbFrame::around(mesh.bounds());
        let faces = Faces::of(mesh, frame);
        assert!(mesh.face_count() < LEAF as usize, "more faces than a tree can name");
        let mut order: Vec<u32> =
            (0..mesh.face_count() as u32).filter(|&face| !faces.corners(face).is_empty()).collect();
        let count = order.len();
        // Splits at the mean may cut off one face at a time; from here on they are at the median.
        let deepest = 2 * count.next_power_of_two().trailing_zeros();
        let mut nodes: Vec<ObbNode> = Vec::with_capacity((2 * count).saturating_sub(1));
        let mut open = Vec::new();
        if count > 0 {
            let (root, spread) = faces.node(&order);
            nodes.push(root);
            open.push((0, 0, count, 0, spread));
        }
        while let Some((node, from, to, depth, spread)) = open.pop() {
            if to - from < 2 {
                continue;
            }
            let is_deep = depth >= deepest;
            let middle = from + faces.split(&mut order[from..to], &nodes[node].bounds, &spread, is_deep);
            let first = nodes.len();
            nodes[node].below = first as u32;
            for (place, (from, to)) in [(first, (from, middle)), (first + 1, (middle, to))] {
                let (child, spread) = faces.node(&order[from..to]);
                nodes.push(child);
                open.push((place, from, to, depth + 1, spread));
            }
        }
        ObbTree { nodes, frame }
    }
}

impl Faces {
    /// The box around some faces, as a leaf.
    fn node(&self, faces: &[u32]) -> (ObbNode, Spread) {
        let spread = Spread::of(faces.iter().map(|&face| self.corners(face)));
        let corners = faces.iter().flat_map(|&face| self.corners(face)).copied();
        (ObbNode { bounds: OrientedBox::around(spread.axes, corners), below: faces[0] | LEAF }, spread)
    }

    /// Splits at the mean along the longest axis that divides the centers; at the median of the longest where none does.
    fn split(&self, faces: &mut [u32], bounds: &OrientedBox, spread: &Spread, is_deep: bool) -> usize {
        let half = bounds.half;
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| half[b].total_cmp(&half[a]));
        for axis in axes.into_iter().filter(|_| !is_deep) {
            let direction = bounds.axes.col(axis);
            let mean = direction.dot(spread.mean);
            let is_first = |face: u32| direction.dot(self.centers[face as usize]) <= mean;
            let mut middle = 0;
            for i in 0..faces.len() {
                if is_first(faces[i]) {
                    faces.swap(i, middle);
                    middle += 1;
                }
            }
            if 0 < middle && middle < faces.len() {
                return middle;
            }
        }
        let direction = bounds.axes.col(axes[0]);
        let along = |face: u32| direction.dot(self.centers[face as usize]);
        let middle = faces.len() / 2;
        faces.select_nth_unstable_by(middle, |&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
        middle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::shapes;

    #[test]
    fn every_face_is_in_one_leaf_and_within_all_boxes_above() {
        let line: Vec<[f64; 3]> = (0..300).map(|i| [2_f64.powi(-i), 0.0, 0.0]).collect();
        let points: Vec<[u32; 3]> = (0..300).map(|i| [i; 3]).collect();
        let meshes = [
            Mesh::from(shapes::torus(1.0, 0.3, 24, 12).expect("a torus")),
            Mesh::from(shapes::cuboid_of_quads([0.0; 3], [1.0, 2.0, 3.0]).expect("a box")),
            Mesh::triangles(line, points).expect("points"),
            Mesh::triangles([[1e9, 0.0, 0.0], [1e9, 1.0, 0.0], [1e9, 0.0, 1.0]], vec![[0, 1, 2]; 100])
                .expect("duplicates"),
        ];
        for mesh in meshes {
            let tree = ObbTree::build(&mesh);
            assert_eq!(tree.leaves(), mesh.face_count());
            let faces = Faces::of(&mesh, tree.frame);
            let mut seen = vec![0; mesh.face_count()];
            // A node with those above it.
            let mut open = vec![vec![0_u32]];
            while let Some(path) = open.pop() {
                let node = tree.nodes[path[path.len() - 1] as usize];
                let Some(face) = node.face() else {
                    open.extend(node.children().map(|child| [&path[..], &[child]].concat()));
                    continue;
                };
                seen[face as usize] += 1;
                let log = mesh.face_count().next_power_of_two().trailing_zeros();
                assert!(path.len() as u32 <= 3 * log + 2, "{} levels", path.len());
                for above in path {
                    let OrientedBox { axes, center, half } = tree.nodes[above as usize].bounds;
                    for &corner in faces.corners(face) {
                        let along = axes.transpose() * (corner - center);
                        assert!(along.abs().cmple(half).all(), "{along} {half}");
                    }
                }
            }
            assert!(seen.into_iter().all(|times| times == 1));
        }
    }
}
