//! How much room K-DOPs leave around faces: what a tree of them cannot decide, by geometry alone.
//!
//! Two DOPs that are compared interval by interval pass the test exactly while their relative position lies in the DOP
//! whose offsets are the sums of theirs. Its volume is the room of positions that stay undecided; the mean over pairs of
//! faces and rotations is in proportion to the tests that such bounds let through.

use impinge::math::DAffine3;
use impinge::{Mesh, Trs};
use impinge_core::bounds::Dop;
use serde::Serialize;

/// Mean volumes over a sample of an object's faces, in the unit of the object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Room {
    /// Of the DOP around a face.
    pub volume: f64,
    /// Of the least DOP that encloses the turned DOP of a face.
    pub enclosed: f64,
    /// Of the DOP that alignment encloses it in, with one correspondence for all DOPs (Zachmann 1998, §4.1).
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
    let around_face = |i: usize| {
        let face = (i * mesh.face_count() / count.max(1)) as u32;
        Dop::<K>::around(mesh.corners(face).map(|vertex| mesh.vertex(vertex)))
    };
    let dops: Vec<Dop<K>> = (0..count).map(around_face).collect();
    let turns: Vec<DAffine3> = (0..ROTATIONS)
        .filter_map(|i| {
            let degrees = 360.0 * (i as f64 + 0.5) / ROTATIONS as f64;
            Trs::rotation_about_axis([0.0, 0.0, 1.0], degrees).ok()
        })
        .map(|turn| turn.matrix())
        .collect();
    let share = 1.0 / turns.len().max(1) as f64;
    let mut sum = Room { volume: 0.0, enclosed: 0.0, aligned: 0.0, undecided: 0.0 };
    for (i, own) in dops.iter().enumerate() {
        // A partner from elsewhere on the object.
        let partner = &dops[(7 * i + count / 2) % count];
        sum.volume += own.volume();
        for turn in &turns {
            let aligned = partner.image(turn);
            sum.enclosed += share * least_image(partner, turn).volume();
            sum.aligned += share * aligned.volume();
            let between = |i: usize| own.offsets[i] + aligned.offsets[(i + K / 2) % K];
            sum.undecided += share * Dop::<K> { offsets: std::array::from_fn(between) }.volume();
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

/// The least DOP around the image of another: no walk has the time to find it.
pub(super) fn least_image<const K: usize>(dop: &Dop<K>, map: &DAffine3) -> Dop<K> {
    Dop::around(dop.sides().into_iter().flatten().map(|corner| map.transform_point3(corner)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::math::DVec3;

    fn turn_about_z(degrees: f64) -> DAffine3 {
        Trs::rotation_about_axis([0.0, 0.0, 1.0], degrees).expect("an axis").matrix()
    }

    #[test]
    fn alignment_is_tight_for_every_number_of_directions() {
        fn slack<const K: usize>(turn: &DAffine3) -> f64 {
            let corners = [[0.3, 0.1, 0.2], [0.9, 0.2, 0.2], [0.4, 0.8, 0.2]].map(DVec3::from_array);
            let dop = Dop::<K>::around(corners.map(|c| c + DVec3::Z * c.x));
            dop.image(turn).volume() / least_image(&dop, turn).volume()
        }
        for degrees in [20.0, 45.0, 100.0] {
            let turn = turn_about_z(degrees);
            // Rounded outward, by some steps of 2^-15 of its size.
            for slack in [slack::<6>(&turn), slack::<8>(&turn), slack::<14>(&turn), slack::<26>(&turn)] {
                assert!((slack - 1.0).abs() < 1e-2, "{degrees}: {slack}");
            }
        }
    }

    #[test]
    fn an_octahedron_grows_more_when_it_is_turned() {
        let turn = turn_about_z(45.0);
        let growth = |before: f64, after: f64| after / before;
        let cube = Dop::<6> { offsets: [1.0; 6] };
        assert!((growth(cube.volume(), least_image(&cube, &turn).volume()) - 2.0).abs() < 1e-9);
        let octahedron = Dop::<8> { offsets: [1.0; 8] };
        let cubed = 2_f64.sqrt().powi(3);
        assert!((growth(octahedron.volume(), least_image(&octahedron, &turn).volume()) - cubed).abs() < 1e-9);
    }
}
