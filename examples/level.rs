//! A level to walk through, and which places of it can be reached.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use impinge::bounds::Aabb;
use impinge::broad_phase::{BroadPhase, BroadPhaseError};
use impinge::math::DVec3;
use impinge::mesh::{Group, MeshError};
use impinge::query::Ray;
use impinge::shapes::Random;
use impinge::world::{Body, World, WorldError, WorldOptions};
use impinge::{Mesh, Model, Motion, TransformError, Trs};

use crate::walker::STEP_UP;

/// The distance of places on the grid; lengths are those of the maps of old games, some 40 to the meter.
const CELL: f64 = 32.0;
/// Of places one above the other: less than a walker steps up.
const FLOOR: f64 = 16.0;
/// A walker that stands on a floor at a height of the grid is a little above it.
const LIFT: f64 = 0.25;
/// How many starts are tried for the largest reach, and how many places for them.
const STARTS: u32 = 6;
const MOST_TRIES: u32 = 2000;

/// A level as its solids, with a tree over their boxes: a walker is near few of them.
pub struct Level {
    solids: Vec<Arc<Model>>,
    broad: BroadPhase,
}

impl Level {
    /// Every group of the mesh is a solid.
    pub fn new(mesh: &Mesh) -> Result<Level, LevelError> {
        let mut level = Level { solids: Vec::new(), broad: BroadPhase::new() };
        for faces in solids(mesh) {
            let solid = part(mesh, &faces.collect::<Vec<u32>>())?;
            level.broad.insert(level.solids.len() as u32, solid.bounds())?;
            level.solids.push(Arc::new(Model::new(solid)));
        }
        level.broad.step();
        Ok(level)
    }

    /// The box around everything.
    pub fn bounds(&self) -> Aabb {
        self.solids.iter().fold(Aabb::EMPTY, |bounds, solid| bounds.merge(solid.bounds()))
    }

    /// Whether a walker meets nothing, by the exact test.
    pub fn is_free(&self, walker: &Model, place: DVec3) -> Result<bool, TransformError> {
        let placed = walker.at(Trs::translation(place)?);
        let mut near = Vec::new();
        self.broad.overlapping(&placed.bounds(), &mut near);
        Ok(!near.iter().any(|&id| placed.intersects(&self.solids[id as usize].at(Trs::IDENTITY))))
    }

    /// A world with all of it, for somebody to walk in.
    pub fn world(&self) -> Result<World, WorldError> {
        let mut world = World::with_options(WorldOptions::new().parallel(false));
        for solid in &self.solids {
            world.insert(Body::fixed(solid.clone(), Trs::IDENTITY))?;
        }
        // Takes in all the boxes.
        world.step(&[])?;
        Ok(world)
    }

    /// Whether anything stops a walker on a straight way.
    fn has_end(&self, walker: &Model, start: DVec3, by: DVec3) -> Result<bool, TransformError> {
        Ok(self.walls(walker, start, by)?.next().is_some())
    }

    /// The normals, away from the walker, of all that stops it on a straight way.
    pub fn walls<'l>(
        &'l self,
        walker: &'l Model,
        start: DVec3,
        by: DVec3,
    ) -> Result<impl Iterator<Item = DVec3> + 'l, TransformError> {
        let motion = Motion::translation(by)?;
        let placed = walker.at(Trs::translation(start)?);
        let Aabb { min, max } = placed.bounds();
        // A little more, for the room that sweeps leave.
        let room = DVec3::splat(1e-3);
        let path = Aabb { min: min.min(min + by) - room, max: max.max(max + by) + room };
        let mut near = Vec::new();
        self.broad.overlapping(&path, &mut near);
        let hit = move |id: u32| placed.sweep(&motion, &self.solids[id as usize].at(Trs::IDENTITY)).hit;
        Ok(near.into_iter().filter_map(hit).map(|hit| hit.normal))
    }
}

/// Every solid of a level with the faces that are seen from within, so that a camera can look in through roofs and walls: those that face
/// something. Without a roof, also those that look up and are not at the top.
pub fn seen_from_within(mesh: &Mesh, has_roof: bool) -> Result<Vec<Mesh>, MeshError> {
    let (model, top) = (Model::new(mesh.clone()), mesh.bounds().max.z);
    let placed = model.at(Trs::IDENTITY);
    let is_seen = |face: &u32| {
        let corners: Vec<DVec3> = mesh.corners(*face).map(|corner| mesh.vertex(corner)).collect();
        let center = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let fan = corners.windows(2).map(|pair| (pair[0] - center).cross(pair[1] - center));
        let normal = fan.sum::<DVec3>().normalize_or_zero();
        let is_floor = !has_roof && normal.z > 0.0 && center.z < top;
        is_floor || Ray::new(center + normal * LIFT, normal).is_ok_and(|ray| placed.hits_ray(&ray))
    };
    let seen = |faces: Range<u32>| faces.filter(is_seen).collect::<Vec<u32>>();
    solids(mesh).map(seen).filter(|faces| !faces.is_empty()).map(|faces| part(mesh, &faces)).collect()
}

/// The faces of each group.
fn solids(mesh: &Mesh) -> impl Iterator<Item = Range<u32>> {
    let firsts = mesh.groups().iter().map(|group| group.first_face);
    let ends = firsts.clone().skip(1).chain([mesh.face_count() as u32]);
    firsts.zip(ends).map(|(first, end)| first..end).filter(|faces| !faces.is_empty())
}

/// A mesh of some faces of another.
fn part(mesh: &Mesh, faces: &[u32]) -> Result<Mesh, MeshError> {
    let mut vertices: Vec<u32> = faces.iter().flat_map(|&face| mesh.corners(face)).collect();
    vertices.sort_unstable();
    vertices.dedup();
    let number = |vertex| vertices.binary_search(&vertex).map_or(0, |number| number as u32);
    let corners: Vec<Vec<u32>> = faces.iter().map(|&face| mesh.corners(face).map(number).collect()).collect();
    Mesh::polygons(vertices.iter().map(|&vertex| mesh.vertex(vertex)), corners)
}

/// Why there is no level.
#[derive(Debug, thiserror::Error)]
pub enum LevelError {
    /// A solid is none.
    #[error("a solid of the level: {0}")]
    Solid(#[from] MeshError),
    /// A box is out of all bounds.
    #[error("a solid of the level: {0}")]
    Find(#[from] BroadPhaseError),
}

/// A level with steps, a slope, oblique corners, pillars and a corridor that the walker just fits in.
pub fn generated() -> Result<Mesh, MeshError> {
    let mut brushes = Brushes::default();
    // The ground, and walls around it.
    brushes.cuboid([-16.0, -16.0, -16.0], [976.0, 720.0, 0.0]);
    brushes.cuboid([-16.0, -16.0, 0.0], [0.0, 720.0, 192.0]);
    brushes.cuboid([960.0, -16.0, 0.0], [976.0, 720.0, 192.0]);
    brushes.cuboid([0.0, -16.0, 0.0], [960.0, 0.0, 192.0]);
    brushes.cuboid([0.0, 704.0, 0.0], [960.0, 720.0, 192.0]);
    // Stairs to a terrace, and a slope down from it.
    for step in 0..6 {
        let [x, height] = [64.0 + 32.0 * f64::from(step), 16.0 * f64::from(step + 1)];
        brushes.cuboid([x, 480.0, 0.0], [x + 32.0, 704.0, height]);
    }
    brushes.cuboid([256.0, 480.0, 0.0], [512.0, 704.0, 96.0]);
    brushes.slope([512.0, 480.0, 0.0], [736.0, 704.0, 96.0]);
    // A corridor with a corner in it.
    brushes.cuboid([128.0, 64.0, 0.0], [448.0, 96.0, 96.0]);
    brushes.cuboid([128.0, 144.0, 0.0], [400.0, 176.0, 96.0]);
    brushes.cuboid([448.0, 64.0, 0.0], [480.0, 288.0, 96.0]);
    brushes.cuboid([400.0, 144.0, 0.0], [416.0, 288.0, 96.0]);
    // Pillars across, and one to step upon.
    brushes.pillar([640.0, 160.0], 56.0, 128.0);
    brushes.pillar([800.0, 320.0], 72.0, 128.0);
    brushes.pillar([256.0, 340.0], 48.0, STEP_UP - 2.0);
    brushes.mesh()
}

/// Convex solids, each a part of its own.
#[derive(Default)]
struct Brushes {
    vertices: Vec<[f64; 3]>,
    faces: Vec<Vec<u32>>,
    groups: Vec<Group>,
}

impl Brushes {
    fn cuboid(&mut self, [x, y, z]: [f64; 3], [to_x, to_y, to_z]: [f64; 3]) {
        self.prism(&[[x, y], [to_x, y], [to_x, to_y], [x, to_y]], z, to_z);
    }

    /// A square that stands on its corner.
    fn pillar(&mut self, [x, y]: [f64; 2], reach: f64, height: f64) {
        self.prism(&[[x, y - reach], [x + reach, y], [x, y + reach], [x - reach, y]], 0.0, height);
    }

    /// A polygon, counter-clockwise seen from above, drawn upwards.
    fn prism(&mut self, outline: &[[f64; 2]], low: f64, high: f64) {
        let (first, count) = (self.vertices.len() as u32, outline.len() as u32);
        for z in [low, high] {
            self.vertices.extend(outline.iter().map(|[x, y]| [*x, *y, z]));
        }
        self.begin();
        let sides = (0..count).map(|i| {
            let next = (i + 1) % count;
            vec![first + i, first + next, first + count + next, first + count + i]
        });
        self.faces.extend(sides);
        self.faces.push((0..count).rev().map(|i| first + i).collect());
        self.faces.push((0..count).map(|i| first + count + i).collect());
    }

    /// Falls from full height at the least x to nothing at the greatest.
    fn slope(&mut self, [x, y, z]: [f64; 3], [to_x, to_y, to_z]: [f64; 3]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend([
            [x, y, z],
            [to_x, y, z],
            [x, y, to_z],
            [x, to_y, z],
            [to_x, to_y, z],
            [x, to_y, to_z],
        ]);
        self.begin();
        for face in [&[0, 1, 2][..], &[3, 5, 4], &[0, 3, 4, 1], &[1, 4, 5, 2], &[0, 2, 5, 3]] {
            self.faces.push(face.iter().map(|corner| first + corner).collect());
        }
    }

    /// The faces that follow are another solid.
    fn begin(&mut self) {
        self.groups.push(Group { name: String::new(), first_face: self.faces.len() as u32 });
    }

    fn mesh(self) -> Result<Mesh, MeshError> {
        Mesh::polygons(self.vertices, self.faces)?.with_groups(self.groups)
    }
}

/// The places of a grid where a walker can stand and that it can get to from where it starts.
pub struct Reach {
    places: BTreeSet<[i32; 3]>,
    visited: BTreeSet<[i32; 3]>,
    /// All that the flood came to, free or not.
    seen: BTreeSet<[i32; 3]>,
}

impl Reach {
    /// Floods the grid from a start: sideways to free places, up by a step, down by any fall. Free is what the exact test says.
    pub fn flood(walker: &Model, level: &Level, start: [f64; 3]) -> Result<Reach, TransformError> {
        let is_free = |place: [i32; 3]| -> Result<bool, TransformError> {
            level.is_free(walker, position(place).into())
        };
        let bottom = (level.bounds().min.z / FLOOR).floor() as i32 - 1;
        let mut standing = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![cell(start)];
        while let Some(place) = open.pop() {
            let [x, y, z] = place;
            if z <= bottom || !seen.insert(place) || !is_free(place)? {
                continue;
            }
            if is_free([x, y, z - 1])? {
                open.push([x, y, z - 1]);
                continue;
            }
            standing.insert(place);
            for [dx, dy] in [[1, 0], [-1, 0], [0, 1], [0, -1]] {
                let ahead = [x + dx, y + dy, z];
                if is_free(ahead)? {
                    open.push(ahead);
                } else if is_free([x, y, z + 1])? {
                    open.push([x + dx, y + dy, z + 1]);
                }
            }
        }
        Ok(Reach { places: standing, visited: BTreeSet::new(), seen })
    }

    /// The largest that starts at one of some random places under a roof; levels are walked in, not upon.
    pub fn largest(walker: &Model, level: &Level, seed: u64) -> Result<Option<Reach>, TransformError> {
        let (mut random, bounds) = (Random::new(seed), level.bounds());
        let mut best: Option<Reach> = None;
        let mut tries = 0;
        for _ in 0..MOST_TRIES {
            let place = [0, 1, 2].map(|axis| random.between(bounds.min[axis], bounds.max[axis]));
            let start = position(cell(place));
            let is_between = |up: DVec3| -> Result<bool, TransformError> {
                Ok(level.has_end(walker, start.into(), up)? && level.has_end(walker, start.into(), -up)?)
            };
            if !level.is_free(walker, start.into())? || !is_between(DVec3::Z * 1e4)? {
                continue;
            }
            if best.as_ref().is_some_and(|best| best.seen.contains(&cell(start))) {
                continue;
            }
            let reach = Reach::flood(walker, level, start)?;
            if best.as_ref().is_none_or(|best| best.places.len() < reach.places.len()) {
                best = Some(reach);
            }
            tries += 1;
            if tries == STARTS {
                break;
            }
        }
        Ok(best)
    }

    /// Notes that a walker is here.
    pub fn visit(&mut self, place: [f64; 3]) {
        let [x, y, z] = cell(place);
        // On slopes it is between two heights of the grid.
        for height in [z, z + 1] {
            if self.places.contains(&[x, y, height]) {
                self.visited.insert([x, y, height]);
            }
        }
    }

    /// How many places can be reached, and how many were.
    pub fn counts(&self) -> [usize; 2] {
        [self.places.len(), self.visited.len()]
    }

    /// A place where nobody was yet, of those the one with this number, counted round.
    pub fn unvisited(&self, number: usize) -> Option<[f64; 3]> {
        let left = self.places.len() - self.visited.len();
        let number = number.checked_rem(left)?;
        self.places.difference(&self.visited).nth(number).map(|place| position(*place))
    }

    /// Any place, counted round.
    pub fn place(&self, number: usize) -> Option<[f64; 3]> {
        let number = number.checked_rem(self.places.len())?;
        self.places.iter().nth(number).map(|place| position(*place))
    }
}

fn cell([x, y, z]: [f64; 3]) -> [i32; 3] {
    [(x / CELL).floor() as i32, (y / CELL).floor() as i32, ((z - LIFT / 2.0) / FLOOR).ceil() as i32]
}

fn position([x, y, z]: [i32; 3]) -> [f64; 3] {
    [(f64::from(x) + 0.5) * CELL, (f64::from(y) + 0.5) * CELL, f64::from(z) * FLOOR + LIFT]
}
