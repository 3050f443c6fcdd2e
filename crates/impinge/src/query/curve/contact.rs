//! The contact surface (Maia et al. 2006): the faces that intersect the other model, and those that lie inside of it.

use super::meeting_faces;
use crate::model::Placed;
use crate::pair::frame::Frame;
use crate::pair::surface::{FaceSource, FacetList, FramedFacet};
use crate::query::solid::at_first_good_ray;
use impinge_core::narrow::winding::{ExactPoint, ray_crossing};

/// The contact surface of two models: faces by the user's indices, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct ContactSurface {
    /// The faces of the first model that intersect a face of the second.
    pub faces_a: Vec<u32>,
    /// The faces of the second model that intersect a face of the first.
    pub faces_b: Vec<u32>,
    /// The faces of the first model that lie inside the second, off its surface; none where nothing of it is closed.
    pub inside_a: Vec<u32>,
    /// The faces of the second model that lie inside the first, off its surface.
    pub inside_b: Vec<u32>,
}

impl Placed<'_> {
    /// The contact surface: faces of both models that intersect, and those that lie wholly inside the other. Exact.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let (block, pin) = (Model::new(shapes::cuboid([-1.; 3], [1.; 3])?), Model::new(shapes::cuboid([0.; 3], [0.5, 0.5, 3.])?));
    /// let contact = block.at(Trs::IDENTITY).contact_surface(&pin.at(Trs::IDENTITY));
    /// assert_eq!(contact.inside_a, []);
    /// assert_eq!(contact.inside_b.len(), 2, "the pin's lower end");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contact_surface(&self, other: &Placed<'_>) -> ContactSurface {
        let frame = Frame::of(self, other);
        let placed = [self, other];
        let pairs = meeting_faces(&frame, placed);
        let surfaces = [0, 1].map(|side| FacetList::new(FaceSource::new(&frame, side, placed[side])));
        let [(faces_a, inside_a), (faces_b, inside_b)] = [0, 1].map(|side| {
            let mesh = placed[side].model().mesh();
            let mut meets = vec![false; mesh.face_count()];
            pairs.iter().for_each(|pair| meets[pair[side ^ frame.host] as usize] = true);
            let regions = regions(placed[side], &meets);
            let labels = |faces: &mut dyn Iterator<Item = u32>| {
                let mut labels: Vec<u32> = faces.map(|face| mesh.label(face)).collect();
                labels.sort_unstable();
                labels.dedup();
                labels
            };
            let faces = labels(&mut (0..meets.len() as u32).filter(|&face| meets[face as usize]));
            let inside = inside(&surfaces[side], &surfaces[1 - side], &regions);
            let mut inside = labels(&mut inside.into_iter());
            // A polygon that a reader split may meet the other with one piece only.
            inside.retain(|label| faces.binary_search(label).is_err());
            (faces, inside)
        });
        ContactSurface { faces_a, faces_b, inside_a, inside_b }
    }
}

/// The faces that do not intersect the other model, in regions that hang together by their edges. A region does not pass
/// through the other's surface, so it lies inside of it as a whole or not at all.
fn regions(placed: &Placed<'_>, meets: &[bool]) -> Vec<Vec<u32>> {
    let (model, mesh) = (placed.model(), placed.model().mesh());
    let mut seen = meets.to_vec();
    let mut regions = Vec::new();
    for start in 0..meets.len() as u32 {
        if mesh.corner_count(start) == 0 || std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        let (mut region, mut next) = (vec![start], 0);
        while let Some(&face) = region.get(next) {
            next += 1;
            let edges = (0..mesh.corner_count(face)).filter_map(|corner| model.edge_at(face, corner));
            for neighbor in edges.flat_map(|edge| model.edge_faces(edge)) {
                if !std::mem::replace(&mut seen[neighbor.face as usize], true) {
                    region.push(neighbor.face);
                }
            }
        }
        regions.push(region);
    }
    regions
}

/// The faces of those regions that lie inside of the other model, each decided by one of its corners.
fn inside(own: &FacetList<'_>, other: &FacetList<'_>, regions: &[Vec<u32>]) -> Vec<u32> {
    if !other.source.model.has_solid() {
        return Vec::new();
    }
    let mesh = own.source.mesh();
    let is_inside = |region: &&Vec<u32>| {
        let corner = own.source.place(mesh.vertex(mesh.corner(region[0], 0)));
        other.bounds.contains(corner) && winding(other, &ExactPoint::from(corner)) > 0
    };
    regions.iter().filter(is_inside).flatten().copied().collect()
}

/// The winding number of a surface around a point that does not lie on it.
fn winding(surface: &FacetList<'_>, point: &ExactPoint) -> i32 {
    at_first_good_ray(|ray| {
        let mut number = 0;
        for FramedFacet { facet, weight, .. } in surface.facets.iter().filter(|facet| facet.weight != 0) {
            number += weight * ray_crossing(point, ray, facet.corners)?;
        }
        Some(number)
    })
}
