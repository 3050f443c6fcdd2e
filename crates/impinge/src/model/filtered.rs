//! Models without the faces of some materials, made when they are first asked for and kept.

use super::{Feature, Model, Placed};
use crate::mesh::{MaterialSet, Mesh};
use impinge_core::parallel::Lazy;

/// A list that only grows, so that what is in it can be lent out while others ask: each link is made once.
#[derive(Clone, Debug, Default)]
pub(super) struct Filtered(Lazy<Box<Link>>);

#[derive(Clone, Debug)]
struct Link {
    ignored: MaterialSet,
    model: Model,
    next: Filtered,
}

/// The materials of a mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Materials {
    /// Those that sets can name.
    named: MaterialSet,
    /// Whether a face has another.
    has_others: bool,
}

impl Materials {
    fn of(mesh: &Mesh) -> Materials {
        let faces = (0..mesh.face_count() as u32).filter(|face| mesh.corner_count(*face) > 0);
        let mut all = Materials { named: MaterialSet::NONE, has_others: false };
        for material in faces.map(|face| mesh.material(face)) {
            match MaterialSet::of([material]) {
                Ok(one) => all.named = all.named | one,
                Err(_) => all.has_others = true,
            }
        }
        all
    }
}

impl Model {
    /// The model without the faces of some materials; `None` where no face is left. It is what [`Model::new`] makes of the mesh without them: their edges are
    /// open, and what they closed is no solid. Answers name vertices, faces and edges by the numbers of the whole.
    ///
    /// It is made when a set is first asked for, and kept as long as this model. Sets that leave the same faces share one.
    pub fn without_materials(&self, ignored: MaterialSet) -> Option<&Model> {
        if ignored.is_empty() {
            return Some(self);
        }
        let materials = self.materials.get_or_make(|| Materials::of(&self.mesh));
        let ignored = MaterialSet::from_bits(ignored.bits() & materials.named.bits());
        if ignored.is_empty() {
            return Some(self);
        }
        if ignored == materials.named && !materials.has_others {
            return None;
        }
        let mut list = &self.filtered;
        loop {
            let link = list.0.get_or_make(|| {
                let mesh = self.mesh.without_materials(ignored).expect("another material is left");
                let model = Model { radius: self.radius, ..Model::new(mesh) };
                Box::new(Link { ignored, model, next: Filtered::default() })
            });
            if link.ignored == ignored {
                return Some(&link.model);
            }
            list = &link.next;
        }
    }

    /// The material at a feature that an answer names: that of the face, of the face along the edge, or of the least face at the vertex. `None` where there is no such
    /// feature. Of pieces that share a [label](Mesh::label), it is that of the first.
    pub fn material_of(&self, feature: Feature) -> Option<u32> {
        let face = match feature {
            Feature::Vertex(vertex) if (vertex as usize) < self.mesh.vertex_count() => {
                self.corners_at(vertex).first()?.face
            }
            Feature::Vertex(_) => return None,
            Feature::Face(label) | Feature::Edge { face: label, .. } => {
                self.mesh.faces_by_label([label]).first()?.1
            }
        };
        Some(self.mesh.material(face))
    }
}

impl<'m> Placed<'m> {
    /// The placed model without the faces of some materials, as if they were not there; `None` where no face is left. Every query takes it. See
    /// [`Model::without_materials`].
    ///
    /// ```
    /// use impinge::mesh::MaterialSet;
    /// use impinge::{Mesh, Model, Placed, Trs};
    ///
    /// // A pane of glass in front of a wall.
    /// let square = |x: f64| [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 1.0, 1.0], [x, 0.0, 1.0]];
    /// let corners = square(1.0).into_iter().chain(square(2.0));
    /// let house = Mesh::polygons(corners, [[0, 1, 2, 3], [4, 5, 6, 7]])?.with_materials(vec![3, 1])?;
    /// let house = Model::new(house);
    /// let whole = house.at(Trs::IDENTITY);
    ///
    /// let glass = MaterialSet::of([3])?;
    /// let walls = whole.without_materials(glass).expect("there is a wall");
    /// let distance = |placed: &Placed<'_>| placed.closest_point([0.0, 0.5, 0.5]).map(|closest| closest.distance);
    /// assert_eq!((distance(&whole), distance(&walls)), (Some(1.0), Some(2.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_materials(&self, ignored: MaterialSet) -> Option<Placed<'m>> {
        Some(self.model().without_materials(ignored)?.at(*self.placement()))
    }
}
