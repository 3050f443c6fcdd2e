//! Where lattice shapes are put in the world, so that nothing is rounded: turned, tilted, made smaller, moved far away.

use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::{Mesh, Model};

use super::lattice::{IDENTITY, Matrix, Point, signed_permutation, tilt};
use super::surface::Surface;
use crate::oracle::cases::Random;

/// The world's point of a lattice point p is `offset + unit · matrix · p`.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    matrix: Matrix,
    /// What the matrix makes of a length of 1.
    norm: f64,
    /// A power of two.
    unit: f64,
    offset: DVec3,
    /// Whether the vertices of models are turned and scaled, or their placements.
    is_baked: bool,
}

impl Stage {
    pub const PLAIN: Stage =
        Stage { matrix: IDENTITY, norm: 1.0, unit: 1.0, offset: DVec3::ZERO, is_baked: true };

    /// Plain in half of the cases.
    pub fn random(random: &mut Random) -> Stage {
        let unit = [1.0, 0.5, 0.125, 16.0][random.below(4) as usize];
        let far = random.lattice(1 << 12) * 0.125 * unit;
        match random.below(8) {
            0..=3 => Stage::PLAIN,
            4 => Stage { unit, offset: far, ..Stage::PLAIN },
            5 => Stage { unit, offset: far, ..Stage::tilted(random) },
            6 => Stage { matrix: signed_permutation(random), is_baked: false, unit, ..Stage::PLAIN },
            _ => Stage {
                matrix: signed_permutation(random),
                is_baked: false,
                unit,
                offset: far,
                ..Stage::PLAIN
            },
        }
    }

    /// By the rotation of a quaternion of whole numbers, made larger so that all numbers are whole: nothing is parallel to an axis.
    pub fn tilted(random: &mut Random) -> Stage {
        let (matrix, square) = loop {
            let quaternion = [0; 4].map(|_| random.below(4) as i64);
            if quaternion.iter().filter(|x| **x != 0).count() >= 2 {
                break tilt(quaternion);
            }
        };
        Stage { matrix, norm: square as f64, ..Stage::PLAIN }
    }

    fn linear(&self) -> DMat3 {
        let rows = self.matrix.map(|row| DVec3::from_array(row.map(|x| x as f64 * self.unit)));
        DMat3::from_cols(rows[0], rows[1], rows[2]).transpose()
    }

    pub fn vector(&self, p: Point) -> DVec3 {
        self.linear() * DVec3::from_array(p.map(|x| x as f64))
    }

    /// From a vector of the lattice, which need not be whole.
    pub fn world_from_lattice(&self, vector: DVec3) -> DVec3 {
        self.linear() * vector
    }

    /// From a vector of the world to the lattice.
    pub fn lattice_from_world(&self, vector: DVec3) -> DVec3 {
        self.linear().transpose() * vector / self.length().powi(2)
    }

    /// The world's length of the lattice's 1.
    pub fn length(&self) -> f64 {
        self.norm * self.unit
    }

    /// The largest coordinate in the world of what reaches so far on the lattice.
    pub fn extent(&self, reach: i64) -> f64 {
        self.offset.abs().max_element() + 2.0 * self.length() * reach as f64
    }

    pub fn model(&self, surface: &Surface) -> Model {
        let place = |p: &Point| {
            if self.is_baked { self.vector(*p) } else { DVec3::from_array(p.map(|x| x as f64)) }
        };
        let points: Vec<DVec3> = surface.points.iter().map(place).collect();
        let mesh = if surface.faces.iter().all(|face| face.len() == 3) {
            Mesh::triangles(
                points,
                surface.faces.iter().map(|face| [face[0], face[1], face[2]]).collect::<Vec<_>>(),
            )
        } else {
            Mesh::polygons(points, &surface.faces)
        };
        let model = Model::new(mesh.unwrap());
        assert!(model.is_closed());
        model
    }

    /// The placement of a model at a translation on the lattice.
    pub fn pose(&self, x: Point) -> DAffine3 {
        DAffine3 {
            matrix3: if self.is_baked { DMat3::IDENTITY } else { self.linear() },
            translation: self.offset + self.vector(x),
        }
    }
}
