//! What a coarse look has found for sure.

use std::collections::BTreeMap;

use impinge::glam::DVec3;
use impinge::{Mesh, Model};

use crate::find::{Found, Question};
use crate::scene::Vertices;

/// Trees over the solids of shapes, made where they are needed; none for shapes whose vertices only a device knows.
#[derive(Default)]
pub(crate) struct Solids {
    by_shape: BTreeMap<usize, Option<Model>>,
}

impl Solids {
    fn of(&mut self, question: &Question<'_>, object: u32) -> Option<&Model> {
        let number = question.scene.objects[object as usize].shape;
        let solid = self.by_shape.entry(number).or_insert_with(|| {
            let shape = question.shape_of(object);
            let Vertices::Here(vertices) = &shape.vertices else { return None };
            let mesh = Mesh::triangles(vertices.iter().copied(), shape.surface.triangles.clone());
            mesh.ok().map(Model::new)
        });
        solid.as_ref()
    }

    /// Marks what a look that was precise to `near` has found for sure: places inside that are farther than `near` from all faces of what they are
    /// inside of. The edge is no farther than that from such a place, so its nearest point is inside as well, and
    /// becomes the place.
    pub(crate) fn settle(&mut self, question: &Question<'_>, near: f64, found: &mut Found) {
        for (&(penetrating, penetrated), sightings) in &mut found.by_pair {
            let shape = question.shape_of(penetrating);
            let Vertices::Here(vertices) = &shape.vertices else { continue };
            let Some(solid) = self.of(question, penetrated) else { continue };
            let solid = solid.at(question.scene.objects[penetrated as usize].placement);
            let world_from_edges = &question.scene.objects[penetrating as usize].placement;
            let open: Vec<usize> = (0..sightings.len()).filter(|number| !sightings[*number].sure).collect();
            let points: Vec<DVec3> = open.iter().map(|number| sightings[*number].point).collect();
            // The first builds the tree, before many threads ask for it.
            let _ = points.first().map(|point| solid.closest_point(*point));
            for (number, closest) in open.into_iter().zip(solid.closest_points(&points)) {
                // Distances are rounded; farther by less than that does not count.
                if closest.is_none_or(|closest| closest.distance <= near * (1.0 + 1e-9)) {
                    continue;
                }
                let sighting = &mut sightings[number];
                let ends = shape.edges()[sighting.edge as usize];
                let [from, to] =
                    ends.map(|vertex| world_from_edges.point_to_world(vertices[vertex as usize]));
                sighting.point = nearest_of_segment(from, to, sighting.point);
                sighting.sure = true;
            }
        }
    }
}

fn nearest_of_segment(from: DVec3, to: DVec3, point: DVec3) -> DVec3 {
    let way = to - from;
    let share = (point - from).dot(way) / way.length_squared();
    if share.is_nan() { from } else { from.lerp(to, share.clamp(0.0, 1.0)) }
}
