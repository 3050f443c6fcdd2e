//! Many parts with clashes planted among them, as many as are wanted: what a search for clashes must find among thousands of
//! parts, and nothing else.
//!
//! Parts stand in the cells of a lattice, turned at random, each cell's within a ball of its own. The balls are farther
//! apart than [`CLEARANCE`], so only parts of one cell can clash: a cell holds one part, or two that are made to. The lattice is
//! body-centered, so that boxes of neighbors come near, or overlap, where the parts themselves do not.

use crate::scene::{Part, Planted, PlantedKind, Scene};
use crate::{Faces, Polyhedron, Random, Shape, ShapeError, bumpy_sphere};
use glam::{DAffine3, DQuat, DVec3};

/// The distance within which parts are near. The lattice's cubes have edges of length 1.
const CLEARANCE: f64 = 0.02;

/// The radius of a cell's ball: two of them and the clearance are less than half a diagonal of the lattice's cubes.
const BALL: f64 = 0.42;

/// The least and the greatest size of a part that stands alone.
const SIZES: [f64; 2] = [0.25, 0.37];

/// The number of meshes of each form where parts share them.
const SHARED: usize = 8;

/// The parameters of [`many_parts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManyParts {
    /// The number of parts: at least two for each clash.
    pub parts: usize,
    /// The number of faces that each part has, about.
    pub faces: usize,
    /// The number of planted clashes; kinds take turns.
    pub clashes: usize,
    /// Whether parts share a few meshes; otherwise each has its own.
    pub instanced: bool,
    /// The seed of all that is random.
    pub seed: u64,
}

/// The form of a part; those that contain their middle and are seen whole from there come first, of them the flat-topped ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Brick,
    Prism,
    Ball,
    Gear,
    Pipes,
    Ring,
    Stairs,
}

const FORMS: [Form; 7] =
    [Form::Brick, Form::Prism, Form::Ball, Form::Gear, Form::Pipes, Form::Ring, Form::Stairs];
const FLAT_TOPPED: usize = 2;
const SOLID: usize = 3;

/// A mesh within the ball of radius 1 around its origin.
#[derive(Clone, Copy, Debug)]
struct Piece {
    mesh: usize,
    form: Form,
    /// The radius of a ball within it; of solid forms only.
    inner: f64,
    /// Its least and greatest z.
    ends: [f64; 2],
}

/// Bricks, prisms, bumpy balls, gears, pipes, rings and stairs on a lattice, turned at random, with as many clashes as are wanted.
/// Where more are wanted than there are pairs of parts, only so many are made.
///
/// ```
/// use impinge_shapes::{ManyParts, many_parts};
///
/// let scene = many_parts(&ManyParts { parts: 100, faces: 60, clashes: 20, instanced: true, seed: 1 })?;
/// assert_eq!((scene.meshes.len(), scene.parts.len(), scene.planted.len()), (56, 100, 20));
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
pub fn many_parts(parameters: &ManyParts) -> Result<Scene, ShapeError> {
    let clashes = parameters.clashes.min(parameters.parts / 2);
    let cells = parameters.parts - clashes;
    let mut making = Making {
        parameters: *parameters,
        random: Random::new(parameters.seed),
        shared: Vec::new(),
        scene: Scene::new(CLEARANCE),
    };
    if parameters.instanced {
        for number in 0..SHARED * FORMS.len() {
            let piece = making.make(FORMS[number % FORMS.len()])?;
            making.shared.push(piece);
        }
    }
    let side = (1..).find(|side| 2 * side * side * side >= cells).unwrap_or(1);
    let mut planted = 0;
    for cell in 0..cells {
        let (at, shift) = (cell / 2, (cell % 2) as f64 * 0.5);
        let corner = [at % side, at / side % side, at / side / side].map(|index| index as f64);
        let middle = DVec3::from(corner) + shift;
        // As even as it gets, whatever the numbers.
        if planted * cells < (cell + 1) * clashes && planted < clashes {
            making.add_pair(planted, middle)?;
            planted += 1;
        } else {
            making.add_one(middle)?;
        }
    }
    making.scene.planted.sort_unstable();
    Ok(making.scene)
}

struct Making {
    parameters: ManyParts,
    random: Random,
    /// By number: the form is the remainder.
    shared: Vec<Piece>,
    scene: Scene,
}

impl Making {
    fn add_one(&mut self, middle: DVec3) -> Result<(), ShapeError> {
        let piece = self.piece(FORMS.len())?;
        let size = self.random.between(SIZES[0], SIZES[1]);
        let off = self.random.direction() * self.random.between(0.0, BALL - size);
        let turn = self.turn();
        self.put(piece, size, turn, middle + off);
        Ok(())
    }

    fn add_pair(&mut self, number: usize, middle: DVec3) -> Result<(), ShapeError> {
        let first = self.scene.parts.len();
        let kind = match number % 5 {
            0 => self.add_overlapping(middle)?,
            1 => self.add_nested(number.is_multiple_of(2), middle)?,
            2 => self.add_stacked(0.0, middle)?,
            3 => self.add_twice(middle)?,
            _ => {
                let gap = CLEARANCE * self.random.between(0.3, 0.9);
                self.add_stacked(gap, middle)?
            }
        };
        self.scene.planted.push(Planted { first, second: first + 1, kind });
        Ok(())
    }

    /// Balls within them overlap; and the far side of either's is beyond the ball around the other.
    fn add_overlapping(&mut self, middle: DVec3) -> Result<PlantedKind, ShapeError> {
        let pieces = [self.piece(SOLID)?, self.piece(SOLID)?];
        let [least, most] = [1.0 - pieces[0].inner.min(pieces[1].inner), pieces[0].inner + pieces[1].inner];
        let apart = self.random.between(least + 0.2 * (most - least), most - 0.2 * (most - least));
        let size = BALL / (1.0 + apart / 2.0);
        let way = self.random.direction() * (apart * size / 2.0);
        for (piece, at) in [(pieces[0], middle - way), (pieces[1], middle + way)] {
            let turn = self.turn();
            self.put(piece, size, turn, at);
        }
        Ok(PlantedKind::Overlapping)
    }

    /// One in the ball within the other.
    fn add_nested(&mut self, outer_first: bool, middle: DVec3) -> Result<PlantedKind, ShapeError> {
        let (outer, inner) = (self.piece(SOLID)?, self.piece(FORMS.len())?);
        let room = BALL * outer.inner;
        let off = self.random.direction() * self.random.between(0.0, 0.15 * room);
        let turns = [self.turn(), self.turn()];
        let mut both = [(outer, BALL, turns[0], middle), (inner, 0.8 * room, turns[1], middle + off)];
        if !outer_first {
            both.reverse();
        }
        both.into_iter().for_each(|(piece, size, turn, at)| self.put(piece, size, turn, at));
        Ok(if outer_first { PlantedKind::SecondInside } else { PlantedKind::FirstInside })
    }

    /// One flat end on the other, or a gap above it.
    fn add_stacked(&mut self, gap: f64, middle: DVec3) -> Result<PlantedKind, ShapeError> {
        let [lower, upper] = [self.piece(FLAT_TOPPED)?, self.piece(FLAT_TOPPED)?];
        let apart = lower.ends[1] - upper.ends[0];
        let size = (BALL - gap / 2.0) / (1.0 + apart / 2.0);
        let turn = self.turn();
        let way = turn * DVec3::new(0.0, 0.0, (apart * size + gap) / 2.0);
        self.put(lower, size, turn, middle - way);
        self.put(upper, size, turn, middle + way);
        Ok(if gap > 0.0 { PlantedKind::Near } else { PlantedKind::Touching })
    }

    fn add_twice(&mut self, middle: DVec3) -> Result<PlantedKind, ShapeError> {
        let piece = self.piece(FORMS.len())?;
        let size = self.random.between(SIZES[0], SIZES[1]);
        let turn = self.turn();
        self.put(piece, size, turn, middle);
        let mut again = piece;
        if !self.parameters.instanced {
            again.mesh = self.scene.meshes.len();
            self.scene.meshes.push(self.scene.meshes[piece.mesh].clone());
        }
        self.put(again, size, turn, middle);
        Ok(PlantedKind::Duplicate)
    }

    fn turn(&mut self) -> DQuat {
        DQuat::from_axis_angle(self.random.direction(), self.random.between(0.0, std::f64::consts::TAU))
    }

    fn put(&mut self, piece: Piece, size: f64, turn: DQuat, at: DVec3) {
        let name = format!("{:?} {}", piece.form, self.scene.parts.len() + 1).to_lowercase();
        let world_from_mesh = DAffine3::from_scale_rotation_translation(DVec3::splat(size), turn, at);
        self.scene.parts.push(Part { name, mesh: piece.mesh, world_from_mesh });
    }

    /// A piece of one of the first few forms.
    fn piece(&mut self, forms: usize) -> Result<Piece, ShapeError> {
        let form = self.random.below(forms as u32) as usize;
        if self.parameters.instanced {
            let variant = self.random.below(SHARED as u32) as usize;
            return Ok(self.shared[variant * FORMS.len() + form]);
        }
        self.make(FORMS[form])
    }

    /// A mesh of its own, stretched at random.
    fn make(&mut self, form: Form) -> Result<Piece, ShapeError> {
        let (faces, seed) = (self.parameters.faces, self.random.next_u64());
        let mesh = match form {
            Form::Brick => Shape::Box.generate(faces, seed),
            Form::Prism => Shape::Cylinder.generate(faces, seed),
            Form::Ball => {
                let segments = (1.0 + (1.0 + faces as f64).sqrt()).max(6.0) as u32;
                bumpy_sphere(1.0, 0.15, 24, segments, segments.div_ceil(2), seed)?
            }
            Form::Gear => Shape::Gear.generate(faces, seed),
            Form::Pipes => Shape::Pipes.generate(faces, seed),
            Form::Ring => Shape::Torus.generate(faces, seed),
            Form::Stairs => Shape::Stairs.generate(faces, seed),
        };
        let stretch = DVec3::from([0.0; 3].map(|_: f64| self.random.between(0.75, 1.0)));
        let reach = mesh.vertices().iter().map(|&vertex| (vertex * stretch).length()).fold(0.0, f64::max);
        // As 32 bits hold it, so that a file has the same; a little less than 1, for what rounding adds.
        let place = |vertex: DVec3| (vertex * stretch * (0.999 / reach)).as_vec3().as_dvec3();
        let vertices: Vec<DVec3> = mesh.vertices().iter().copied().map(place).collect();
        let triangles: Vec<[u32; 3]> = mesh.triangles().collect();
        let beside = |triangle: &[u32; 3]| {
            let [p, q, r] = triangle.map(|corner| vertices[corner as usize]);
            (q - p).cross(r - p).try_normalize().map_or(f64::INFINITY, |normal| normal.dot(p).abs())
        };
        let inner = triangles.iter().map(beside).fold(f64::INFINITY, f64::min);
        let ends = vertices.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], vertex| {
            [least.min(vertex.z), most.max(vertex.z)]
        });
        self.scene.meshes.push(Polyhedron::new(vertices, Faces::Triangles(triangles))?);
        Ok(Piece { mesh: self.scene.meshes.len() - 1, form, inner, ends })
    }
}
