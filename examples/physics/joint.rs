//! Joints: what two bodies have in common however they move, as equations and as rows of a Jacobian.

use impinge::math::{DAffine3, DVec3};

use super::Body;

/// Two bodies that share a point, and with a hinge an axis as well.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// The two.
    pub bodies: [usize; 2],
    /// The shared point, in each model.
    points: [DVec3; 2],
    /// The shared axis, in each model; the joint is a ball without one.
    axes: Option<[DVec3; 2]>,
}

/// One equation `C = 0` of a joint, and how fast C grows: `along · (v₀ - v₁) + about₀ · ω₀ + about₁ · ω₁`, with the velocities v and
/// the spins ω of the two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) bodies: [usize; 2],
    pub(super) along: DVec3,
    pub(super) about: [DVec3; 2],
}

impl Joint {
    /// The two bodies, as they stand now, share a point of the world from now on.
    pub fn ball(bodies: &[Body<'_>], pair: [usize; 2], point_in_world: DVec3) -> Joint {
        let points = pair.map(|number| pose(&bodies[number]).inverse().transform_point3(point_in_world));
        Joint { bodies: pair, points, axes: None }
    }

    /// The two bodies turn against each other about one axis only.
    pub fn hinge(
        bodies: &[Body<'_>],
        pair: [usize; 2],
        point_in_world: DVec3,
        axis_in_world: DVec3,
    ) -> Joint {
        let axes = pair.map(|number| pose(&bodies[number]).inverse().transform_vector3(axis_in_world));
        Joint { axes: Some(axes.map(DVec3::normalize)), ..Joint::ball(bodies, pair, point_in_world) }
    }

    /// How far apart the two points are that should be one.
    pub fn drift(&self, bodies: &[Body<'_>]) -> f64 {
        self.gap(self.bodies.map(|number| pose(&bodies[number]))).length()
    }

    /// By how much each equation is wrong where the bodies stand so: the point's three, then the axis' two.
    pub(super) fn errors(&self, poses: [DAffine3; 2], errors: &mut Vec<f64>) {
        errors.extend(self.gap(poses).to_array());
        if let Some([first, second]) = self.axes_in_world(poses) {
            // Where body 0 turns by a small angle δ, the product changes by the part of δ that is square to the axis.
            let tilt = second.cross(first);
            errors.extend(across(first).map(|direction| tilt.dot(direction)));
        }
    }

    /// The equations' rows, in the order of the errors.
    pub(super) fn rows(&self, bodies: &[Body<'_>], rows: &mut Vec<Row>) {
        let poses = self.bodies.map(|number| pose(&bodies[number]));
        let arms = [0, 1].map(|side| poses[side].transform_vector3(self.points[side]));
        for along in DVec3::AXES {
            let about = [arms[0].cross(along), -arms[1].cross(along)];
            rows.push(Row { bodies: self.bodies, along, about });
        }
        if let Some([axis, _]) = self.axes_in_world(poses) {
            for about in across(axis) {
                rows.push(Row { bodies: self.bodies, along: DVec3::ZERO, about: [about, -about] });
            }
        }
    }

    fn gap(&self, poses: [DAffine3; 2]) -> DVec3 {
        poses[0].transform_point3(self.points[0]) - poses[1].transform_point3(self.points[1])
    }

    fn axes_in_world(&self, poses: [DAffine3; 2]) -> Option<[DVec3; 2]> {
        self.axes.map(|axes| [0, 1].map(|side| poses[side].transform_vector3(axes[side])))
    }
}

/// Two directions square to an axis and to each other.
fn across(axis: DVec3) -> [DVec3; 2] {
    let (first, second) = axis.any_orthonormal_pair();
    [first, second]
}

fn pose(body: &Body<'_>) -> DAffine3 {
    *body.placed.placement().world_from_model()
}

#[cfg(test)]
mod tests {
    use impinge::math::DQuat;
    use impinge::{Model, Placement, shapes};

    use super::*;
    use crate::physics::Mass;

    /// Where something is that moves and turns for so long.
    fn moved(pose: DAffine3, velocity: DVec3, spin: DVec3, seconds: f64) -> DAffine3 {
        let turn = DQuat::from_scaled_axis(spin * seconds) * DQuat::from_mat3(&pose.matrix3);
        DAffine3::from_rotation_translation(turn, pose.translation + velocity * seconds)
    }

    #[test]
    fn rows_are_how_fast_errors_grow() {
        let cube = Model::new(shapes::cuboid([-1.0; 3], [1.0; 3]).expect("a cube"));
        let body = |turn: DVec3, place: DVec3| {
            let pose = DAffine3::from_rotation_translation(DQuat::from_scaled_axis(turn), place);
            Body::new(&cube, Mass::solid(cube.mesh(), 1.0), Placement::try_from(pose).expect("rigid"))
        };
        let bodies = [
            body(DVec3::new(0.3, -1.1, 0.7), DVec3::new(2.0, 0.5, -1.0)),
            body(DVec3::new(-0.9, 0.2, 1.9), DVec3::new(-1.0, 2.0, 0.25)),
        ];
        let axis = DVec3::new(1.0, 2.0, -2.0);
        let joint = Joint::hinge(&bodies, [0, 1], DVec3::new(0.5, 1.0, 0.5), axis);
        let velocities = [DVec3::new(0.4, -0.3, 1.2), DVec3::new(-0.7, 0.9, 0.1)];
        let spins = [DVec3::new(1.5, 0.4, -0.8), DVec3::new(-0.2, 1.1, 0.6)];
        let errors = |seconds: f64| {
            let mut errors = Vec::new();
            let at = |side: usize| moved(pose(&bodies[side]), velocities[side], spins[side], seconds);
            joint.errors([at(0), at(1)], &mut errors);
            errors
        };
        let mut rows = Vec::new();
        joint.rows(&bodies, &mut rows);
        assert_eq!((rows.len(), errors(0.0).len()), (5, 5));
        // The middle difference is off by the square of the time, times third derivatives of some 10.
        let seconds = 1e-4;
        for (row, (after, before)) in rows.iter().zip(errors(seconds).into_iter().zip(errors(-seconds))) {
            let rate = row.along.dot(velocities[0] - velocities[1])
                + row.about[0].dot(spins[0])
                + row.about[1].dot(spins[1]);
            let grows = (after - before) / (2.0 * seconds);
            assert!((rate - grows).abs() < 1e-6, "{rate} {grows}");
        }
        assert!(errors(0.0).iter().all(|error| error.abs() < 1e-12));
    }
}
