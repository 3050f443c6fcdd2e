//! Slides along what a body hits, and steps up what is low: how players move.

use super::{Call, Handle, SlideOptions, World, WorldError};
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::transform::{Motion, Placement};

/// The result of a slide.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Slide {
    /// The placement of the body after the slide.
    pub placement: Placement,
    /// The translation that was made.
    pub moved: DVec3,
    /// The bodies that were hit, each once, in order, with the normal from the moving body to the other.
    pub met: Vec<(Handle, DVec3)>,
    /// Whether the body took a step up.
    pub stepped: bool,
}

impl World {
    /// Moves a body along a line, and slides it along everything that it hits, as far as that leads on.
    #[doc(alias = "character controller")]
    #[doc(alias = "move_and_slide")]
    pub fn slide(
        &mut self,
        handle: Handle,
        by: impl IntoPoint,
        options: &SlideOptions,
    ) -> Result<Slide, WorldError> {
        let by = by.into_point();
        self.note(|| Call::Slide(handle, by, *options));
        self.index_of_moving(handle)?;
        let start = self.get(handle)?.placement;
        let mut met = Vec::new();
        self.slide_along(handle, by, options.planes, &mut met)?;
        let along_ground = self.get(handle)?.placement;
        let is_hindered = !met.is_empty();
        let mut stepped = false;
        if is_hindered && options.step_up > 0.0 {
            // Once more from a step higher, then down again as far.
            self.return_to(handle, start)?;
            let mut above = Vec::new();
            self.translate(handle, options.up * options.step_up, &mut Vec::new())?;
            self.slide_along(handle, by, options.planes, &mut above)?;
            let height = (position(&self.get(handle)?.placement) - position(&start)).dot(options.up);
            let mut below = Vec::new();
            self.translate(handle, -options.up * height.max(0.0), &mut below)?;
            let landed = self.get(handle)?.placement;
            let gain = |place: &Placement| (position(place) - position(&start)).dot(by);
            let is_on_floor = below.iter().all(|(_, normal)| -normal.dot(options.up) > options.floor);
            stepped = is_on_floor && gain(&landed) > gain(&along_ground) + 1e-9 * by.length_squared();
            if stepped {
                met = above;
                met.extend(below);
            } else {
                self.return_to(handle, along_ground)?;
            }
        }
        let placement = self.get(handle)?.placement;
        let moved = position(&placement) - position(&start);
        Ok(Slide { placement, moved, met, stepped })
    }

    /// Goes on along every plane that it hits.
    fn slide_along(
        &mut self,
        handle: Handle,
        by: DVec3,
        most: usize,
        met: &mut Vec<(Handle, DVec3)>,
    ) -> Result<(), WorldError> {
        let mut left = by;
        let mut planes: Vec<DVec3> = Vec::new();
        while planes.len() < most && left.length_squared() > 1e-18 * by.length_squared() {
            let before = position(&self.get(handle)?.placement);
            let mut stopping = Vec::new();
            self.translate(handle, left, &mut stopping)?;
            left -= position(&self.get(handle)?.placement) - before;
            if stopping.is_empty() {
                break;
            }
            planes.extend(stopping.iter().map(|(_, normal)| *normal));
            for (other, normal) in stopping {
                if met.iter().all(|(known, _)| *known != other) {
                    met.push((other, normal));
                }
            }
            left = along(&planes, left);
            if left.dot(by) <= 0.0 {
                break;
            }
        }
        Ok(())
    }

    /// Moves a body along a line; `met` gets what stops it.
    fn translate(
        &mut self,
        handle: Handle,
        by: DVec3,
        met: &mut Vec<(Handle, DVec3)>,
    ) -> Result<(), WorldError> {
        let made = self.move_quietly(handle, &Motion::translation(by)?)?;
        let normal = |hit: &super::Hit| hit.hit.map_or(by.normalize_or(DVec3::Z), |hit| hit.normal);
        met.extend(made.hits.iter().map(|hit| (hit.other, normal(hit))));
        Ok(())
    }

    /// Back to a place that was free a moment ago.
    fn return_to(&mut self, handle: Handle, place: Placement) -> Result<(), WorldError> {
        self.put(handle.index, place)
    }
}

fn position(placement: &Placement) -> DVec3 {
    placement.world_from_model().translation
}

/// The part of a move that does not lead into any of the planes: along one, along the line where two intersect, or nothing.
fn along(planes: &[DVec3], way: DVec3) -> DVec3 {
    let is_free = |way: DVec3| planes.iter().all(|plane| way.dot(*plane) <= 1e-9 * way.length());
    let on_one = planes.iter().map(|plane| way - *plane * way.dot(*plane));
    if let Some(way) = on_one.into_iter().find(|way| is_free(*way)) {
        return way;
    }
    for (i, first) in planes.iter().enumerate() {
        for second in &planes[..i] {
            if let Some(line) = first.cross(*second).try_normalize() {
                let way = line * way.dot(line);
                if is_free(way) {
                    return way;
                }
            }
        }
    }
    DVec3::ZERO
}
