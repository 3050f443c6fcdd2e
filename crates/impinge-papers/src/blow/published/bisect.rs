//! A body's update (Blow 1997, "A First Try" and "They Are Not For You"): move, test, search in time for the last free place, and hand over the
//! features that are close there.

use impinge::math::DVec3;
use impinge::{Motion, Placed, Placement, TransformError, Trs};

use super::chain::{Shape, Work};
use super::speedbox::Way;
use super::{Scene, entity};
use crate::blow::game_world::{CloseFeature, Entity, GameError, Moved, Struck};

/// How far a body gets: the last free time, the first taken one, and who takes it.
struct Stop {
    free: f64,
    taken: f64,
    met: Vec<u32>,
}

/// An update of a body.
struct Update<'u> {
    scene: &'u Scene,
    own: u32,
    start: Shape<'u>,
    motion: &'u Motion,
    way: Way<'u>,
    /// Motions longer than this are fast.
    slow: f64,
}

impl Scene {
    /// Works out how far a body gets along a motion, while all others stand still.
    pub(super) fn update(&self, mover: Entity, motion: &Motion, work: &mut Work) -> Result<Moved, GameError> {
        let body = self.bodies.get(&mover.index).ok_or(GameError::Unknown(mover))?;
        let start = body.shape();
        let least_side = body.model.bounds().size().min_element() * stretch(&start.placed);
        let slow = self.options.fast_share.map_or(f64::INFINITY, |share| share * least_side);
        let way = Way::new(start.placed, motion);
        let update = Update { scene: self, own: mover.index, start, motion, way, slow };
        let stop = update.first_collision(0.0, 1.0, work)?;
        let Some(stop) = stop else {
            let placement = update.pose(1.0)?;
            return Ok(Moved {
                entity: mover,
                started_overlapping: false,
                fraction: 1.0,
                placement,
                hits: Vec::new(),
            });
        };
        // The start was left free by the update before; only what came in by force overlaps there.
        let overlapped =
            if stop.free == 0.0 { self.collisions(mover.index, &start, work) } else { Vec::new() };
        if !overlapped.is_empty() {
            let hits =
                overlapped.into_iter().map(|other| Struck { other: entity(other), features: Vec::new() });
            return Ok(Moved {
                entity: mover,
                started_overlapping: true,
                fraction: 0.0,
                placement: body.placement,
                hits: hits.collect(),
            });
        }
        let placement = update.pose(stop.free)?;
        let placed = body.model.at(placement);
        // They meet at the taken time, so at the free one they are no farther apart than any point goes between the two.
        let within = self.options.close.max(update.way.length(stop.free, stop.taken) * (1.0 + 1e-9));
        let struck = |other: u32| {
            let features = close_features(&placed, &self.bodies[&other].shape().placed, within);
            Struck { other: entity(other), features }
        };
        let hits = stop.met.into_iter().map(struck).collect();
        Ok(Moved { entity: mover, started_overlapping: false, fraction: stop.free, placement, hits })
    }
}

impl Update<'_> {
    /// Where the body is at a time: as a rotation again, where many moves have bent it.
    fn pose(&self, time: f64) -> Result<Placement, TransformError> {
        let start = self.start.placed.placement();
        if time == 0.0 {
            return Ok(*start);
        }
        let map = self.motion.carry(start.world_from_model(), time);
        match Trs::extract_within(&map, 1e-6) {
            Ok(trs) => Ok(trs.into()),
            Err(_) => Placement::try_from(map),
        }
    }

    /// Who the true shape collides with at a time.
    fn collisions_at(&self, time: f64, work: &mut Work) -> Result<Vec<u32>, TransformError> {
        let shape = Shape { placed: self.start.placed.model().at(self.pose(time)?), ..self.start };
        Ok(self.scene.collisions(self.own, &shape, work))
    }

    /// The first collision that the search finds between two times, of which the first is free.
    fn first_collision(&self, from: f64, to: f64, work: &mut Work) -> Result<Option<Stop>, GameError> {
        if self.way.length(from, to) <= self.slow {
            let met = self.collisions_at(to, work)?;
            return if met.is_empty() { Ok(None) } else { self.bisect(from, to, met, work).map(Some) };
        }
        let speedbox = self.way.speedbox(from, to);
        let (cube, engine) = &self.scene.cube;
        let half = speedbox.size() / 2.0;
        let place = Trs::new(speedbox.center(), impinge::math::DQuat::IDENTITY, half)?;
        work.speedboxes += 1;
        let met =
            self.scene.collisions(self.own, &Shape { placed: cube.at(place), engine, is_fixed: false }, work);
        if met.is_empty() {
            return Ok(None);
        }
        if to - from <= self.scene.options.resolution.max(f64::EPSILON) {
            // Too fast for the true shape even here: nobody will see what it was.
            return Ok(Some(Stop { free: from, taken: to, met }));
        }
        let middle = from + (to - from) / 2.0;
        match self.first_collision(from, middle, work)? {
            Some(stop) => Ok(Some(stop)),
            None => self.first_collision(middle, to, work),
        }
    }

    /// Halves the time between a free place and a taken one.
    fn bisect(
        &self,
        mut free: f64,
        mut taken: f64,
        mut met: Vec<u32>,
        work: &mut Work,
    ) -> Result<Stop, GameError> {
        while taken - free > self.scene.options.resolution.max(f64::EPSILON) {
            let middle = free + (taken - free) / 2.0;
            let there = self.collisions_at(middle, work)?;
            if there.is_empty() {
                free = middle;
            } else {
                (taken, met) = (middle, there);
            }
        }
        Ok(Stop { free, taken, met })
    }
}

fn stretch(placed: &Placed<'_>) -> f64 {
    let matrix = placed.placement().world_from_model().matrix3;
    matrix.x_axis.length().min(matrix.y_axis.length()).min(matrix.z_axis.length())
}

/// Every feature of two bodies that is close, and where there is none, the closest pair.
fn close_features(placed: &Placed<'_>, other: &Placed<'_>, within: f64) -> Vec<CloseFeature> {
    let contacts = placed.contacts(other, within);
    if !contacts.is_empty() {
        let feature = |contact: &impinge::query::Contact| CloseFeature {
            point: contact.point_on_a,
            normal: contact.normal,
            distance: contact.distance,
        };
        return contacts.iter().map(feature).collect();
    }
    let closest = placed.distance(other);
    let between = closest.point_on_b - closest.point_on_a;
    let towards = other.bounds().center() - placed.bounds().center();
    let normal = between.try_normalize().or_else(|| towards.try_normalize()).unwrap_or(DVec3::NEG_Z);
    vec![CloseFeature { point: closest.point_on_a, normal, distance: closest.distance }]
}
