//! Speedboxes (Blow 1997, "Filling In the Gaps"): a body that moves too quickly is replaced by the box around all of its way.

use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge::{Motion, Placed};

/// A motion of a body, with a bound of how far its points go.
pub(super) struct Way<'w> {
    start: Placed<'w>,
    motion: &'w Motion,
    /// The middle of a sphere around the body at the start, its radius, and the arm of the turn: how far points are from the axis at most.
    center: DVec3,
    radius: f64,
    arm: f64,
    radians: f64,
}

impl<'w> Way<'w> {
    pub(super) fn new(start: Placed<'w>, motion: &'w Motion) -> Way<'w> {
        let (center, radius) = start.sphere_in_world();
        // Where the turn comes after the translation, the body is farther from the axis by that.
        let away = if motion.is_together() { 0.0 } else { motion.by().length() };
        let arm = motion
            .turn()
            .map_or(0.0, |turn| (center - turn.center).cross(turn.axis).length() + radius + away);
        let radians = motion.turn().map_or(0.0, |turn| turn.degrees.abs().to_radians());
        Way { start, motion, center, radius, arm, radians }
    }

    /// How far any point of the body goes in a part of the time, at most. A translation before a turn takes half of the time, and so does
    /// the turn: both are twice as fast.
    pub(super) fn length(&self, from: f64, to: f64) -> f64 {
        let hurry = if self.motion.turn().is_some() && !self.motion.is_together() { 2.0 } else { 1.0 };
        hurry * (to - from) * (self.motion.by().length() + self.arm * self.radians)
    }

    /// The speedbox: a box with sides along the axes around the body on its whole way from one time to another.
    ///
    /// A point that turns by an angle a at a distance ρ from the axis is accelerated by ρ a² over the time, and leaves the even way between
    /// both ends by an eighth of that at most. Where a turn follows a translation, all points stay within what they go from the start.
    pub(super) fn speedbox(&self, from: f64, to: f64) -> Aabb {
        let pose = |time: f64| self.motion.carry(self.start.placement().world_from_model(), time);
        let at = |time: f64| self.start.model().bounds().image(&pose(time));
        let is_smooth = self.motion.turn().is_none() || self.motion.is_together();
        let angle = (to - from) * self.radians;
        let bounds = if is_smooth && angle <= std::f64::consts::FRAC_PI_2 {
            grown(at(from).merge(at(to)), self.arm * angle * angle / 8.0)
        } else {
            grown(at(from), self.length(from, to))
        };
        // More than rounding can do, and more than nothing for what is flat.
        let size = bounds.min.abs().max(bounds.max.abs()).max_element() + self.center.abs().max_element();
        grown(bounds, 1e-12 * (size + self.radius) + 1e-9 * self.radius)
    }
}

fn grown(bounds: Aabb, by: f64) -> Aabb {
    Aabb { min: bounds.min - DVec3::splat(by), max: bounds.max + DVec3::splat(by) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::shapes::{self, Random};
    use impinge::{Model, Trs};

    #[test]
    fn a_speedbox_holds_the_body_all_along_and_its_length_bounds_every_point() {
        let model = Model::new(shapes::cuboid([-1.0, -0.5, -0.1], [1.0, 0.5, 0.1]).unwrap());
        let mut random = Random::new(5);
        for case in 0..300 {
            let far = if case % 10 == 0 { 1e5 } else { 3.0 };
            let turn = Trs::rotation_about_axis(random.direction(), 360.0 * random.unit()).unwrap();
            let start = Trs::rigid(random.in_cube() * far, turn.orientation()).unwrap();
            let (by, axis, degrees) =
                (random.in_cube() * 9.0, random.direction(), 500.0 * (random.unit() - 0.5));
            let center = start.position() + random.in_cube() * 4.0;
            let motion = match case % 4 {
                0 => Motion::translation(by).unwrap(),
                1 => Motion::rigid(by, center, axis, degrees.clamp(-170.0, 170.0)).unwrap(),
                2 => Motion::rotation(center, axis, degrees).unwrap(),
                _ => Motion::translation(by).unwrap().then_rotation(center, axis, degrees).unwrap(),
            };
            let placed = model.at(start);
            let way = Way::new(placed, &motion);
            let from = random.unit();
            let to = from + (1.0 - from) * random.unit();
            let (speedbox, length) = (way.speedbox(from, to), way.length(from, to));
            let pose = |time: f64| motion.carry(placed.placement().world_from_model(), time);
            for step in 0..=40 {
                let time = from + (to - from) * f64::from(step) / 40.0;
                for vertex in model.mesh().vertices() {
                    let point = pose(time).transform_point3(vertex);
                    assert!(speedbox.contains(point), "case {case}: {point} at {time} of {speedbox:?}");
                    let went = point.distance(pose(from).transform_point3(vertex));
                    assert!(went <= length * (1.0 + 1e-9) + 1e-9, "case {case}: {went} of {length}");
                }
            }
        }
    }
}
