//! The emergency routine (Blow 1997, "Accuracy is a Virtue"): a body that interpenetrates others is put to a free place close by.

use impinge::Placement;
use impinge::math::{DAffine3, DVec3};

use super::Scene;
use super::chain::{Shape, Work};

/// Distances grow by this factor from try to try.
const GROWTH: f64 = 1.5;
const TRIES: u32 = 40;

impl Scene {
    /// The first free place, of those at growing distances in 26 directions, up first; where the body is, if that is free.
    pub(super) fn free_place(&self, index: u32, at_most: f64, work: &mut Work) -> Option<Placement> {
        let body = self.bodies.get(&index)?;
        let start = body.shape();
        if self.collisions(index, &start, work).is_empty() {
            return Some(body.placement);
        }
        let mut distance = start.placed.bounds().size().length() / 256.0;
        for _ in 0..TRIES {
            let reach = distance.min(at_most);
            for direction in directions() {
                let map = *body.placement.world_from_model();
                let translation = map.translation + direction * reach;
                let Ok(place) = Placement::try_from(DAffine3 { translation, ..map }) else { continue };
                let shape = Shape { placed: body.model.at(place), ..start };
                if self.collisions(index, &shape, work).is_empty() {
                    return Some(place);
                }
            }
            if distance >= at_most {
                break;
            }
            distance *= GROWTH;
        }
        None
    }
}

/// Directions to the neighbors of a cell among 27, those that lead up first.
fn directions() -> impl Iterator<Item = DVec3> {
    let steps = [0.0, 1.0, -1.0];
    let all = [1.0, 0.0, -1.0].into_iter().flat_map(move |z| {
        steps.into_iter().flat_map(move |x| steps.into_iter().map(move |y| DVec3::new(x, y, z)))
    });
    all.filter(|direction| *direction != DVec3::ZERO).map(DVec3::normalize)
}
