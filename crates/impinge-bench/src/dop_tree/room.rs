//! How much room K-DOPs leave around faces: what a tree of them cannot decide, by geometry alone.
//!
//! Two DOPs that are compared interval by interval pass the test exactly while their relative position lies in the DOP
//! whose offsets are the sums of theirs. Its volume is the room of positions that stay undecided; the mean over pairs of
//! faces and rotations is in proportion to the tests that such bounds let through.

use impinge::bounds::{Dop, directions};
use impinge::math::{DMat3, DVec3};
use impinge::{Mesh, Trs};
use serde::Serialize;

/// Mean volumes over a sample of an object's faces, in the unit of the object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Room {
    /// Of the DOP around a face.
    pub volume: f64,
    /// Of the least DOP that encloses the turned DOP of a face.
    pub enclosed: f64,
    /// Of the DOP that alignment encloses it in, with one correspondence for all DOPs (paper 002 §4.1).
    pub aligned: f64,
    /// Of the positions in which the DOPs of two faces, one of them turned, are not told apart.
    pub undecided: f64,
}

/// Faces that are looked at.
const SAMPLE: usize = 160;
/// Rotations about z; no divisor of a quarter turn.
const ROTATIONS: usize = 13;

/// The room that K-DOPs leave around the faces of a mesh.
pub(super) fn room<const K: usize>(mesh: &Mesh) -> Room {
    let count = mesh.face_count().min(SAMPLE);
    let polytope = |i: usize| {
        let face = (i * mesh.face_count() / count.max(1)) as u32;
        let dop = Dop::<K>::around(mesh.corners(face).map(|vertex| mesh.vertex(vertex)));
        Polytope::of(dop.offsets)
    };
    let polytopes: Vec<Polytope<K>> = (0..count).map(polytope).collect();
    let turns: Vec<DMat3> = (0..ROTATIONS)
        .filter_map(|i| {
            let degrees = 360.0 * (i as f64 + 0.5) / ROTATIONS as f64;
            Trs::rotation_about_axis([0.0, 0.0, 1.0], degrees).ok()
        })
        .map(|turn| turn.rotation_matrix())
        .collect();
    let turns: Vec<(DMat3, Correspondence<K>)> =
        turns.into_iter().map(|turn| (turn, correspondence(&turn))).collect();
    let share = 1.0 / turns.len().max(1) as f64;
    let mut sum = Room { volume: 0.0, enclosed: 0.0, aligned: 0.0, undecided: 0.0 };
    for (i, own) in polytopes.iter().enumerate() {
        // A partner from elsewhere on the object.
        let partner = &polytopes[(7 * i + count / 2) % count];
        sum.volume += own.volume();
        for (turn, correspondence) in &turns {
            let aligned = partner.aligned(correspondence);
            sum.enclosed += share * partner.turned(turn).volume();
            sum.aligned += share * aligned.volume();
            let between = |i: usize| own.offsets[i] + aligned.offsets[(i + K / 2) % K];
            sum.undecided += share * Polytope::<K>::of(std::array::from_fn(between)).volume();
        }
    }
    let mean = |value: f64| value / count.max(1) as f64;
    Room {
        volume: mean(sum.volume),
        enclosed: mean(sum.enclosed),
        aligned: mean(sum.aligned),
        undecided: mean(sum.undecided),
    }
}

/// For each direction the three directions of the turned object, with factors, that bound it.
type Correspondence<const K: usize> = [([usize; 3], [f64; 3]); K];

/// For each direction the cone with the least sum of factors, as the trees choose it.
fn correspondence<const K: usize>(turn: &DMat3) -> Correspondence<K> {
    let normal = Polytope::<K>::normal;
    std::array::from_fn(|direction| {
        let seen = turn.transpose() * normal(direction);
        let mut best = (f64::INFINITY, ([0; 3], [0.0; 3]));
        for i in 0..K {
            for j in i + 1..K {
                for l in j + 1..K {
                    let matrix = DMat3::from_cols(normal(i), normal(j), normal(l));
                    if matrix.determinant() == 0.0 {
                        continue;
                    }
                    let factors = matrix.inverse() * seen;
                    if factors.min_element() >= -1e-12 && factors.element_sum() < best.0 - 1e-12 {
                        best = (factors.element_sum(), ([i, j, l], factors.to_array()));
                    }
                }
            }
        }
        best.1
    })
}

/// A DOP with its corners.
struct Polytope<const K: usize> {
    offsets: [f64; K],
    corners: Vec<DVec3>,
    /// Below this, lengths are rounding.
    grain: f64,
}

impl<const K: usize> Polytope<K> {
    const NORMALS: [[f64; 3]; K] = directions::<K>();

    fn normal(i: usize) -> DVec3 {
        DVec3::from_array(Self::NORMALS[i])
    }

    /// Every point where three planes meet and no other plane cuts off.
    fn of(offsets: [f64; K]) -> Polytope<K> {
        let grain = 1e-12 * offsets.iter().fold(1e-9, |most: f64, offset| most.max(offset.abs()));
        let mut corners = Vec::new();
        for i in 0..K {
            for j in i + 1..K {
                for l in j + 1..K {
                    let matrix =
                        DMat3::from_cols(Self::normal(i), Self::normal(j), Self::normal(l)).transpose();
                    // Of whole numbers, so exact.
                    if matrix.determinant() == 0.0 {
                        continue;
                    }
                    let corner = matrix.inverse() * DVec3::new(offsets[i], offsets[j], offsets[l]);
                    if (0..K).all(|m| Self::normal(m).dot(corner) <= offsets[m] + grain) {
                        corners.push(corner);
                    }
                }
            }
        }
        Polytope { offsets, corners, grain }
    }

    /// The least DOP around this one when it is turned (paper 002 §3.1).
    fn turned(&self, turn: &DMat3) -> Polytope<K> {
        Polytope::of(Dop::<K>::around(self.corners.iter().map(|corner| *turn * *corner)).offsets)
    }

    /// The DOP that alignment encloses this one in when it is turned.
    fn aligned(&self, correspondence: &Correspondence<K>) -> Polytope<K> {
        Polytope::of(correspondence.map(|(picks, factors)| {
            picks.iter().zip(factors).map(|(&pick, factor)| self.offsets[pick] * factor).sum()
        }))
    }

    /// Pyramids from the middle to every side.
    fn volume(&self) -> f64 {
        let middle = self.corners.iter().sum::<DVec3>() / self.corners.len().max(1) as f64;
        (0..K)
            .map(|i| {
                let normal = Self::normal(i);
                let height = (self.offsets[i] - normal.dot(middle)) / normal.length();
                height.max(0.0) * self.side_area(i) / 3.0
            })
            .sum()
    }

    fn side_area(&self, i: usize) -> f64 {
        let normal = Self::normal(i).normalize();
        let on_side = |corner: &&DVec3| Self::normal(i).dot(**corner) >= self.offsets[i] - 4.0 * self.grain;
        let corners: Vec<DVec3> = self.corners.iter().filter(on_side).copied().collect();
        let middle = corners.iter().sum::<DVec3>() / corners.len().max(1) as f64;
        let (u, v) = normal.any_orthonormal_pair();
        let mut flat: Vec<(f64, f64, f64)> = corners
            .iter()
            .map(|corner| {
                let (x, y) = (u.dot(*corner - middle), v.dot(*corner - middle));
                (y.atan2(x), x, y)
            })
            .collect();
        flat.sort_by(|a, b| a.0.total_cmp(&b.0));
        let next = flat.iter().cycle().skip(1);
        flat.iter().zip(next).map(|(a, b)| a.1 * b.2 - a.2 * b.1).sum::<f64>().abs() / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_of_known_bodies() {
        // A cube of edge 2, an octahedron with corners at distance 1, and the cube with its corners cut to the middles
        // of its edges.
        for (volume, known) in [
            (Polytope::<6>::of([1.0; 6]).volume(), 8.0),
            (Polytope::<8>::of([1.0; 8]).volume(), 4.0 / 3.0),
            (Polytope::<14>::of([1.0; 14]).volume(), 4.0 / 3.0),
            (
                Polytope::<14>::of(std::array::from_fn(|i| if i % 7 < 3 { 1.0 } else { 2.0 })).volume(),
                20.0 / 3.0,
            ),
            (Polytope::<6>::of([1.0, 1.0, 0.0, 1.0, 1.0, 0.0]).volume(), 0.0),
        ] {
            assert!((volume - known).abs() < 1e-9, "{volume} {known}");
        }
    }

    #[test]
    fn one_correspondence_is_tight_for_boxes_only() {
        let turn = Trs::rotation_about_axis([0.0, 0.0, 1.0], 20.0).expect("an axis").rotation_matrix();
        fn slack<const K: usize>(turn: &DMat3) -> f64 {
            // A flat face.
            let corners = [[0.3, 0.1, 0.2], [0.9, 0.2, 0.2], [0.4, 0.8, 0.2]].map(DVec3::from_array);
            let dop = Polytope::<K>::of(Dop::<K>::around(corners.map(|c| c + DVec3::Z * c.x)).offsets);
            dop.aligned(&correspondence(turn)).volume() / dop.turned(turn).volume()
        }
        assert!((slack::<6>(&turn) - 1.0).abs() < 1e-9);
        assert!(slack::<8>(&turn) > 1.01, "{}", slack::<8>(&turn));
        assert!(slack::<14>(&turn) > 1.01, "{}", slack::<14>(&turn));
    }

    #[test]
    fn an_octahedron_grows_more_when_it_is_turned() {
        let turn = Trs::rotation_about_axis([0.0, 0.0, 1.0], 45.0).expect("an axis").rotation_matrix();
        let growth = |before: f64, after: f64| after / before;
        let cube = Polytope::<6>::of([1.0; 6]);
        assert!((growth(cube.volume(), cube.turned(&turn).volume()) - 2.0).abs() < 1e-9);
        let octahedron = Polytope::<8>::of([1.0; 8]);
        let cubed = 2_f64.sqrt().powi(3);
        assert!((growth(octahedron.volume(), octahedron.turned(&turn).volume()) - cubed).abs() < 1e-9);
    }
}
