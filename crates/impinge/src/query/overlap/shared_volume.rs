//! The volume that two solids share.

use super::patches::Side;
use super::surface::Surface;
use super::{Overlap, OverlapFrame, volume};
use crate::model::Placed;
use crate::query::Patience;
use impinge_core::bounds::Aabb;
use impinge_core::parallel::hold;

/// The volume that two solids share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct SharedVolume {
    /// The volume of the points inside of both solids; where a solid is inside of itself, they count as often as it is.
    pub volume: f64,
    /// A bound on what rounding may do to the volume.
    pub error: f64,
    /// Whether a solid is inside of itself there, as bodies that cross themselves are: then points may count more than once. Found out by samples.
    pub is_estimated: bool,
    /// A box around what is shared, in the world.
    pub bounds: Aabb,
}

/// So many faces of a surface are looked at for windings other than 0 and 1.
const WINDING_SAMPLES: usize = 12;

impl Placed<'_> {
    /// The volume that two solids share; `None` where one of them is none. Of rounded models, the cores count.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let cube = Model::new(shapes::cuboid([0.0; 3], [2.0; 3])?);
    /// let beside = cube.at(Trs::translation([1.0, 1.5, 0.0])?);
    /// let shared = cube.at(Trs::IDENTITY).shared_volume(&beside).expect("both are solids");
    /// assert!((shared.volume - 1.0).abs() <= shared.error && shared.error < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "intersection volume")]
    pub fn shared_volume(&self, other: &Placed<'_>) -> Option<SharedVolume> {
        if !self.model().has_solid() || !other.model().has_solid() {
            return None;
        }
        let frame = OverlapFrame::of(self, other);
        Overlap::new(&frame, self, other, &self.face_pairs(other), 0.0, &Patience::endless()).shared_volume()
    }
}

impl Overlap<'_, '_> {
    /// The volume that both models share; `None` where one of them is no solid, or patience is over.
    pub(crate) fn shared_volume(&mut self) -> Option<SharedVolume> {
        if self.patience.gave_up() || !self.surfaces.iter().all(Surface::has_solid) {
            return None;
        }
        let metric = &self.frame.metric;
        let bounds = self.shared;
        if bounds.is_empty() || metric.is_shrunken() {
            return Some(self.unmeasured(&bounds));
        }
        let _held = hold();
        let found =
            volume::integrate(&mut self.surfaces, &self.sides, &bounds, self.rounding, self.patience)?;
        let is_estimated = (0..2).any(|side| self.has_other_windings(side));
        let unit = metric.length_to_world(1.0).powi(3);
        Some(SharedVolume {
            volume: found.value.max(0.0) * unit,
            error: found.error * unit,
            is_estimated,
            bounds: metric.bounds_to_world(&bounds),
        })
    }

    /// Whether a surface has other windings than 0 and 1 beside its faces, by some of the faces around what is shared.
    fn has_other_windings(&mut self, side: usize) -> bool {
        let surface = &mut self.surfaces[side];
        let model = surface.placed.model();
        let mesh = model.mesh();
        let shared = || {
            let faces = self.sides[side].faces.iter().filter(|(_, at)| *at != Side::Outside);
            faces.map(|(face, _)| *face).filter(|face| model.is_closed_face(*face))
        };
        let step = shared().count().div_ceil(WINDING_SAMPLES).max(1);
        let faces: Vec<u32> = shared().step_by(step).collect();
        faces.into_iter().any(|face| {
            let Some(corners) = mesh.fan(face).next() else { return false };
            let windings = surface.windings_beside(corners.map(|vertex| mesh.vertex(vertex)));
            windings.is_some_and(|pair| pair.iter().any(|winding| !matches!(winding, 0 | 1)))
        })
    }

    /// The answer for what shares nothing, and for sizes that are out of the ordinary: no more than the lesser box.
    fn unmeasured(&self, bounds: &Aabb) -> SharedVolume {
        let metric = &self.frame.metric;
        let world = metric.bounds_to_world(bounds);
        let most = if bounds.is_empty() { 0.0 } else { world.size().element_product() };
        SharedVolume { volume: 0.0, error: most, is_estimated: most > 0.0, bounds: world }
    }
}
