//! Scenes in which van Waveren's engine and impinge's answer the same sweeps.

use std::rc::Rc;

use impinge::math::DVec3;
use impinge::mesh::MeshError;
use impinge::query::SweepStatus;
use impinge::shapes::{self, Polyhedron as Generated, Random, Shape};
use impinge::{Mesh, Model, Motion, Placement, Trs};

use super::level;
use crate::van_waveren::brushes::{self, Brush};
use crate::van_waveren::polyhedron::Polyhedron;
use crate::zachmann::dop_tree::fitted;

/// A body as both engines take it.
pub(super) struct Body {
    pub(super) model: Model,
    pub(super) polyhedron: Polyhedron,
}

/// One sweep: bodies by their numbers, the start, and the motion.
#[derive(Clone)]
pub(super) struct Task {
    pub(super) mover: usize,
    pub(super) target: usize,
    pub(super) start: Placement,
    pub(super) motion: Motion,
    /// No point moves farther.
    pub(super) length: f64,
}

/// Sweeps of one kind.
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) motion: &'static str,
    pub(super) movers: Rc<Vec<Body>>,
    pub(super) targets: Rc<Vec<Body>>,
    pub(super) tasks: Vec<Task>,
    /// The diameter of the movers.
    pub(super) size: f64,
}

impl Body {
    fn new(mesh: Mesh) -> Result<Body, Failure> {
        let polyhedron = Polyhedron::of(&mesh).map_err(|error| Failure(error.to_string()))?;
        Ok(Body { model: Model::new(mesh), polyhedron })
    }
}

/// What cannot be measured, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub(super) String);

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Failure {
        Failure(error.to_string())
    }
}

impl From<brushes::BrushError> for Failure {
    fn from(error: brushes::BrushError) -> Failure {
        Failure(error.to_string())
    }
}

fn pool(shapes: Vec<Generated>) -> Result<Rc<Vec<Body>>, Failure> {
    let bodies = shapes.into_iter().map(|shape| Body::new(fitted(&Mesh::from(shape))));
    Ok(Rc::new(bodies.collect::<Result<Vec<Body>, Failure>>()?))
}

/// The box and the knot that move through levels.
pub(super) fn level_movers() -> Result<[Rc<Vec<Body>>; 2], Failure> {
    let cube = shapes::cuboid([-1.0; 3], [1.0; 3]).expect("a cube");
    Ok([pool(vec![cube])?, pool(vec![Shape::Knot.generate(500, 0)])?])
}

/// All scenes, with so many sweeps each.
pub(super) fn all(cells: u32, count: usize) -> Result<Vec<Scene>, Failure> {
    let made = "sizes are in range";
    let convex = pool(vec![
        shapes::cuboid([-1.0; 3], [1.0, 0.6, 0.3]).expect(made),
        shapes::tetrahedron(1.0).expect(made),
        shapes::octahedron(1.0).expect(made),
        shapes::icosphere(1.0, 2).expect(made),
        shapes::cylinder(0.5, 1.5, 8, 1).expect(made),
        shapes::cone(0.7, 1.0, 7, 1).expect(made),
    ])?;
    let concave = pool(vec![
        shapes::torus(1.0, 0.3, 12, 8).expect(made),
        shapes::star(1.0, 0.4, 1).expect(made),
        shapes::stairs([2.0, 1.0, 1.0], 5, 1).expect(made),
        shapes::knot(1.0, 0.2, 24, 6).expect(made),
    ])?;
    let mut scenes = Vec::new();
    for (name, bodies) in [("convex", &convex), ("concave", &concave)] {
        for (place, is_near) in [("far", false), ("near", true)] {
            for (motion, turns) in [("translation", false), ("rotation", true)] {
                scenes.push(pairs(format!("{name}, {place}"), motion, bodies, count, is_near, turns));
            }
        }
    }
    let ground = Rc::new(vec![Body::new(level(cells, 1)?)?]);
    for (name, movers) in ["box in a level", "knot in a level"].iter().zip(level_movers()?) {
        scenes.extend(in_level(name, &movers, &ground, 0.4, count));
    }
    Ok(scenes)
}

/// Two bodies of one pool, the second at the origin. A near start is where another motion has just not arrived.
fn pairs(
    name: String,
    motion: &'static str,
    bodies: &Rc<Vec<Body>>,
    count: usize,
    is_near: bool,
    turns: bool,
) -> Scene {
    let mut random = Random::new(11);
    let mut tasks = Vec::with_capacity(count);
    while tasks.len() < count {
        let [mover, target] = [0, 1].map(|_| random.below(bodies.len() as u32) as usize);
        let at = random.direction() * random.between(2.5, 4.0);
        let turn = Trs::rotation_about_axis(random.direction(), random.between(0.0, 360.0)).expect("an axis");
        let start: Placement = Trs::rigid(at, turn.orientation()).expect("a place").into();
        let standing = bodies[target].model.at(Trs::IDENTITY);
        let moving = bodies[mover].model.at(start);
        if moving.intersects(&standing) {
            continue;
        }
        let aimed = Motion::translation(1.5 * (0.4 * random.in_cube() - at)).expect("finite");
        let start = if is_near {
            let sweep = moving.sweep(&aimed, &standing);
            if sweep.status != SweepStatus::Hit {
                continue;
            }
            let gap = 10_f64.powf(random.between(-6.0, -2.0));
            let pose = aimed.carry(start.world_from_model(), (sweep.fraction - gap).max(0.0));
            Placement::try_from(pose).expect("a rigid pose")
        } else {
            start
        };
        let at = start.world_from_model().translation;
        let motion = match (turns, is_near) {
            (false, false) => Ok(aimed),
            (false, true) => Motion::translation(random.direction()),
            (true, _) => {
                // Half of the axes go through the body, the others beside it.
                let center = if random.below(2) == 0 { at } else { at + 2.0 * random.in_cube() };
                Motion::rotation(center, random.direction(), random.between(20.0, 340.0))
            }
        };
        let motion = motion.expect("finite");
        let length = length_of(&bodies[mover].model, &start, &motion);
        tasks.push(Task { mover, target, start, motion, length });
    }
    Scene { name, motion, movers: Rc::clone(bodies), targets: Rc::clone(bodies), tasks, size: 2.0 }
}

/// Translations and rotations of a body in the space over a level, from where it is free.
pub(super) fn in_level(
    name: &str,
    movers: &Rc<Vec<Body>>,
    ground: &Rc<Vec<Body>>,
    size: f64,
    count: usize,
) -> Vec<Scene> {
    let model = &ground[0].model;
    let bounds = model.bounds();
    let standing = model.at(Trs::IDENTITY);
    let scene = |motion: &'static str| {
        let turns = motion == "rotation";
        let mut random = Random::new(7);
        let mut tasks = Vec::with_capacity(count);
        // A level may have no free place at all.
        for _ in 0..1000 * count {
            if tasks.len() == count {
                break;
            }
            let mut anywhere = || {
                // Clear of the rim: below an open level there is its back.
                let share = 0.5 + 0.42 * random.in_cube();
                let [low, size] = [bounds.min, bounds.size()];
                DVec3::new(
                    low.x + size.x * share.x,
                    low.y + size.y * share.y,
                    low.z + size.z * (share.z * 0.6 + 0.4),
                )
            };
            let [at, to] = [anywhere(), anywhere()];
            let turn =
                Trs::rotation_about_axis(random.direction(), random.between(0.0, 360.0)).expect("an axis");
            let start = Trs::new(at, turn.orientation(), DVec3::splat(0.5 * size)).expect("a place");
            let moving = movers[0].model.at(start);
            if moving.intersects(&standing) || is_below(at, model) {
                continue;
            }
            let motion = if turns {
                Motion::rotation(
                    at + size * random.in_cube(),
                    random.direction(),
                    random.between(20.0, 340.0),
                )
            } else {
                Motion::translation(to - at)
            }
            .expect("finite");
            let start = Placement::from(start);
            let length = length_of(&movers[0].model, &start, &motion);
            tasks.push(Task { mover: 0, target: 0, start, motion, length });
        }
        Scene {
            name: name.to_owned(),
            motion,
            movers: Rc::clone(movers),
            targets: Rc::clone(ground),
            tasks,
            size,
        }
    };
    vec![scene("translation"), scene("rotation")]
}

/// Whether an open level has its surface above a point: the point is behind it.
fn is_below(point: DVec3, model: &Model) -> bool {
    if model.is_closed() {
        return false;
    }
    let up = impinge::query::Ray::new(point, DVec3::Z);
    up.is_ok_and(|up| model.at(Trs::IDENTITY).cast_ray(&up).is_some())
}

/// No point of a body moves farther than this.
fn length_of(model: &Model, start: &Placement, motion: &Motion) -> f64 {
    let at = start.world_from_model();
    let turned = motion.turn().map_or(0.0, |turn| {
        let radius = model.mesh().vertices().map(|p| at.transform_point3(p).distance(turn.center));
        radius.fold(0.0, f64::max) * turn.radians().abs()
    });
    motion.by().length() + turned
}

/// A level of brushes as both engines take it: separate solids, and their union.
pub(super) struct BrushLevel {
    pub(super) name: &'static str,
    pub(super) brushes: Vec<Brush>,
    pub(super) separate: Rc<Vec<Body>>,
    pub(super) merged: Polyhedron,
    /// The diameter of what moves there.
    pub(super) size: f64,
}

impl BrushLevel {
    pub(super) fn new(name: &'static str, brushes: Vec<Brush>, size: f64) -> Result<BrushLevel, Failure> {
        let model = Model::new(brushes::mesh_of(&brushes)?);
        let separate = Rc::new(vec![Body { model, polyhedron: brushes::separate(&brushes)? }]);
        let merged = brushes::merge(&brushes)?;
        Ok(BrushLevel { name, brushes, separate, merged, size })
    }
}
