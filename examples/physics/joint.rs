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
    pub fn hinge(bodies: &[Body<'_>], pair: [usize; 2], point_in_world: DVec3, axis_in_world: DVec3) -> Joint {
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
