//! What is judged: a motion of one placed model towards another, and what a sweep says of it.

use std::fmt::Write;

use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::{Mesh, Model};

use super::families::FAMILIES;
use super::number::{Number, Twin, V};

/// How the moving model moves in the world, while the fraction goes from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// By `fraction · v`.
    Translation(DVec3),
    /// By `fraction · angle` about an axis (of any length) through a center, right-handed. In radians.
    Rotation { center: DVec3, axis: DVec3, angle: f64 },
    /// The translation in the first half of the fraction, then the rotation in the second.
    Both { translation: DVec3, center: DVec3, axis: DVec3, angle: f64 },
    /// Both at once: the axis moves along, and goes through the center at the start. A corner p is at
    /// `center + fraction · translation + R(fraction · angle)(p - center)`.
    Rigid { translation: DVec3, center: DVec3, axis: DVec3, angle: f64 },
}

/// One of the parts that a motion consists of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phase {
    Translation(DVec3),
    Rotation { center: DVec3, axis: DVec3, angle: f64 },
    Rigid { translation: DVec3, center: DVec3, axis: DVec3, angle: f64 },
}

impl Motion {
    /// The phases in order; all take the same share of the fraction.
    pub fn phases(&self) -> Vec<Phase> {
        match *self {
            Motion::Translation(v) => vec![Phase::Translation(v)],
            Motion::Rotation { center, axis, angle } => vec![Phase::Rotation { center, axis, angle }],
            Motion::Both { translation, center, axis, angle } => {
                vec![Phase::Translation(translation), Phase::Rotation { center, axis, angle }]
            }
            Motion::Rigid { translation, center, axis, angle } => {
                vec![Phase::Rigid { translation, center, axis, angle }]
            }
        }
    }

    /// The motion with its axis moved.
    pub fn moved(self, by: DVec3) -> Motion {
        match self {
            Motion::Translation(v) => Motion::Translation(v),
            Motion::Rotation { center, axis, angle } => Motion::Rotation { center: center + by, axis, angle },
            Motion::Both { translation, center, axis, angle } => {
                Motion::Both { translation, center: center + by, axis, angle }
            }
            Motion::Rigid { translation, center, axis, angle } => {
                Motion::Rigid { translation, center: center + by, axis, angle }
            }
        }
    }

    /// The motion that the stationary model makes as seen from the moving one; `None` where that is of another kind.
    pub fn reversed(&self) -> Option<Motion> {
        match *self {
            Motion::Translation(v) => Some(Motion::Translation(-v)),
            Motion::Rotation { center, axis, angle } => {
                Some(Motion::Rotation { center, axis, angle: -angle })
            }
            Motion::Both { .. } | Motion::Rigid { .. } => None,
        }
    }
}

/// A question to a sweep.
#[derive(Clone, Debug)]
pub struct Case {
    pub family: &'static str,
    /// What [`super::families::make`] made it from; 0 for cases made by hand.
    pub seed: u64,
    pub moving: Model,
    pub stationary: Model,
    /// Rigid up to rounding, as given: the exact path starts where this very matrix puts the vertices.
    pub world_from_moving: DAffine3,
    pub world_from_stationary: DAffine3,
    pub motion: Motion,
    /// Whether the back sides of open surfaces count. Always so for cases with an open surface: every touch counts here.
    pub two_sided: bool,
}

/// What a sweep found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    Clear,
    Hit,
    StartedOverlapping,
}

/// What a sweep says of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    pub outcome: Outcome,
    pub fraction: f64,
    /// The stop pose.
    pub world_from_moving: DAffine3,
    /// At a hit, the models are said to be at most so far apart at the stop.
    pub bound: f64,
    /// How the body was lifted off before it moved, where it slides from a touching start.
    pub lift: Option<DVec3>,
}

impl Case {
    /// A case made by hand, with both models where their coordinates say.
    pub fn by_hand(moving: Mesh, stationary: Mesh, motion: Motion) -> Case {
        let [moving, stationary] = [moving, stationary].map(Model::new);
        let two_sided = !(moving.is_closed() && stationary.is_closed());
        Case {
            family: "by hand",
            seed: 0,
            moving,
            stationary,
            world_from_moving: DAffine3::IDENTITY,
            world_from_stationary: DAffine3::IDENTITY,
            motion,
            two_sided,
        }
    }

    /// The matrix of the motion at a fraction, times the start, in plain `f64`.
    pub fn pose_at(&self, fraction: f64) -> DAffine3 {
        let phases = self.motion.phases();
        let mut pose = self.world_from_moving;
        for (k, phase) in phases.iter().enumerate() {
            let local = (fraction * phases.len() as f64 - k as f64).clamp(0.0, 1.0);
            if local == 0.0 {
                break;
            }
            match *phase {
                Phase::Translation(v) => pose.translation += v * local,
                Phase::Rotation { center, axis, angle } => {
                    let turn = DMat3::from_axis_angle(axis.normalize(), angle * local);
                    pose.matrix3 = turn * pose.matrix3;
                    pose.translation = center + turn * (pose.translation - center);
                }
                Phase::Rigid { translation, center, axis, angle } => {
                    let turn = DMat3::from_axis_angle(axis.normalize(), angle * local);
                    pose.matrix3 = turn * pose.matrix3;
                    pose.translation = center + translation * local + turn * (pose.translation - center);
                }
            }
        }
        pose
    }

    /// A largest coordinate of anything on the path, or a little more: what rounding is relative to.
    pub fn reach(&self) -> f64 {
        let size = |model: &Model, at: &DAffine3| {
            let vertices = model.mesh().vertices().map(|p| at.transform_point3(p).length());
            let own = model.mesh().vertices().map(DVec3::length).fold(0.0, f64::max);
            vertices.fold(own + at.translation.length(), f64::max)
        };
        let mut reach = size(&self.moving, &self.world_from_moving)
            .max(size(&self.stationary, &self.world_from_stationary));
        for phase in self.motion.phases() {
            reach += match phase {
                Phase::Translation(v) => v.length(),
                Phase::Rotation { center, .. } => 2.0 * center.length(),
                Phase::Rigid { translation, center, .. } => translation.length() + 2.0 * center.length(),
            };
        }
        reach
    }

    /// Everything needed to make the case again, as Rust.
    pub fn dump(&self) -> String {
        let family = FAMILIES.iter().position(|(name, _)| *name == self.family);
        let again = family.map_or_else(String::new, |k| format!(" families::make({k}, {:#x})", self.seed));
        let mut text = format!("// {}{again}\n", self.family);
        for (name, model) in [("moving", &self.moving), ("stationary", &self.stationary)] {
            let mesh = model.mesh();
            let vertices: Vec<[f64; 3]> = mesh.vertices().map(|p| p.to_array()).collect();
            let _ = writeln!(text, "let {name} = Mesh::polygons(\n    vec!{vertices:?} as Vec<[f64; 3]>,");
            let faces: Vec<String> = (0..mesh.face_count() as u32)
                .map(|face| format!("vec!{:?}", mesh.corners(face).collect::<Vec<_>>()))
                .collect();
            let _ = writeln!(text, "    vec![{}],\n).unwrap();", faces.join(", "));
        }
        for (name, at) in [
            ("world_from_moving", &self.world_from_moving),
            ("world_from_stationary", &self.world_from_stationary),
        ] {
            let _ = writeln!(text, "let {name} = DAffine3::from_cols_array(&{:?});", at.to_cols_array());
        }
        let v = |v: DVec3| format!("DVec3::from_array({:?})", v.to_array());
        let motion = match self.motion {
            Motion::Translation(by) => format!("Motion::Translation({})", v(by)),
            Motion::Rotation { center, axis, angle } => {
                let (center, axis) = (v(center), v(axis));
                format!("Motion::Rotation {{ center: {center}, axis: {axis}, angle: {angle:?} }}")
            }
            Motion::Both { translation, center, axis, angle }
            | Motion::Rigid { translation, center, axis, angle } => {
                let kind = if matches!(self.motion, Motion::Both { .. }) { "Both" } else { "Rigid" };
                let (by, center, axis) = (v(translation), v(center), v(axis));
                format!(
                    "Motion::{kind} {{ translation: {by}, center: {center}, axis: {axis}, angle: {angle:?} }}"
                )
            }
        };
        let _ =
            writeln!(text, "let case = Case {{ world_from_moving, world_from_stationary, two_sided: {},", {
                self.two_sided
            });
        let _ = writeln!(text, "    ..Case::by_hand(moving, stationary, {motion}) }};");
        text
    }
}

/// A model as points and triangles in the world, with 100 bits: the `f64` matrix times the `f64` vertices.
#[derive(Clone, Debug)]
pub struct Placed {
    pub points: Vec<V<Twin>>,
    pub triangles: Vec<[usize; 3]>,
}

impl Placed {
    pub fn new(model: &Model, at: &DAffine3) -> Placed {
        let mesh = model.mesh();
        let columns = [at.matrix3.x_axis, at.matrix3.y_axis, at.matrix3.z_axis].map(V::<Twin>::of);
        let points = mesh
            .vertices()
            .map(|p| {
                let [x, y, z] = p.to_array().map(Twin::of);
                columns[0].scaled(x) + columns[1].scaled(y) + columns[2].scaled(z) + V::of(at.translation)
            })
            .collect();
        let triangles = (0..mesh.face_count() as u32)
            .flat_map(|face| mesh.fan(face).map(|t| t.map(|v| v as usize)).collect::<Vec<_>>())
            .collect();
        Placed { points, triangles }
    }

    pub fn moved(&self, by: V<Twin>) -> Placed {
        Placed { points: self.points.iter().map(|&p| p + by).collect(), triangles: self.triangles.clone() }
    }
}
