//! How far one model must be moved so that the two no longer overlap: an upper bound, because only some directions are tried.
//!
//! The depth of an overlap is the length of the shortest translation that ends it. For models that are not convex it is hard to
//! compute; what others call penetration depth is often the depth of one pair of triangles, which separates nothing. Here
//! every stated move has been made: at its end the exact test finds the two clear of each other or touching.

use std::collections::BTreeMap;

use super::verdict::Verdict;
use crate::math::{DAffine3, DVec3};
use crate::model::Placed;
use crate::transform::Placement;

/// How often a distance is halved to come closer to where the overlap ends.
const HALVINGS: u32 = 14;
/// Distances below this share of the one that surely separates are not tried.
const SMALLEST_SHARE: f64 = 1.0 / (1_u64 << 40) as f64;
/// Directions that are spread evenly, besides those that the models suggest.
const SPREAD: usize = 18;
/// Directions that the models suggest: as many different normals of meeting faces are looked at.
const MOST_NORMALS: usize = 12;
/// Of these, so many are summed by twos and threes.
const MOST_SUMMED: usize = 6;

/// A move of the first model after which the two do not overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Separation {
    /// Where to, a unit vector.
    pub direction: DVec3,
    /// How far: no less than the depth of the overlap.
    pub distance: f64,
    /// The first model's placement after the move, which was tested.
    pub placement: Placement,
}

impl Placed<'_> {
    /// A short move of this model after which the two do not overlap and neither contains the other; they may touch. The shortest of
    /// those that were tried, so its length is an upper bound on the depth of the overlap. `None` if none of them is as short
    /// as `at_most`. Where the two do not overlap to begin with, the move is of no length.
    ///
    /// ```
    /// use impinge::{Mesh, Model, Trs};
    ///
    /// let cube = Model::new(Mesh::cuboid([0.0; 3], [1.0; 3])?);
    /// let deep = cube.at(Trs::translation([0.9, 0.2, 0.3])?);
    /// let found = cube.at(Trs::IDENTITY).separation(&deep, f64::INFINITY).expect("there is always one");
    /// assert!(found.distance >= 0.1 && found.distance < 0.1001);
    /// assert_eq!(found.direction, [-1.0, 0.0, 0.0].into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "penetration")]
    #[doc(alias = "penetration_depth")]
    #[doc(alias = "minimum_translation")]
    pub fn separation(&self, other: &Placed<'_>, at_most: f64) -> Option<Separation> {
        let start = *self.placement();
        if !overlap(self, other) {
            return Some(Separation { direction: DVec3::Z, distance: 0.0, placement: start });
        }
        let is_free = |by: DVec3| {
            moved(&start, by).is_some_and(|placement| !overlap(&self.model().at(placement), other))
        };
        let mut best: Option<(f64, DVec3)> = None;
        for direction in suggested(self, other) {
            // So far, and the one lies wholly beyond the other.
            let sure = beyond(self, other, direction);
            let limit = best.map_or(at_most, |(distance, _)| distance).min(sure);
            if let Some(distance) = nearest_along(direction, sure * SMALLEST_SHARE, limit, is_free) {
                best = Some((distance, direction));
            }
        }
        let (distance, direction) = best.filter(|(distance, _)| *distance <= at_most)?;
        Some(Separation { direction, distance, placement: moved(&start, direction * distance)? })
    }
}

fn overlap(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    matches!(a.verdict(b), Verdict::Overlapping | Verdict::Inside(_))
}

/// The least of the distances that are tried along a direction where `is_free` says yes: `limit`, halves of it as long as they
/// do and are not below `smallest`, and what lies between the last two. None where even `limit` does not do.
pub(crate) fn nearest_along(
    direction: DVec3,
    smallest: f64,
    limit: f64,
    mut is_free: impl FnMut(DVec3) -> bool,
) -> Option<f64> {
    if !is_free(direction * limit) {
        return None;
    }
    let (mut taken, mut free) = (limit / 2.0, limit);
    while taken >= smallest && is_free(direction * taken) {
        (taken, free) = (taken / 2.0, taken);
    }
    for _ in 0..HALVINGS {
        let middle = taken + (free - taken) / 2.0;
        if is_free(direction * middle) {
            free = middle;
        } else {
            taken = middle;
        }
    }
    Some(free)
}

/// Directions spread evenly over the sphere.
pub(crate) fn spread(count: usize) -> impl Iterator<Item = DVec3> {
    let golden = std::f64::consts::PI * (3.0 - 5_f64.sqrt());
    (0..count).map(move |i| {
        let z = 1.0 - (2 * i + 1) as f64 / count as f64;
        let radius = (1.0 - z * z).sqrt();
        let angle = golden * i as f64;
        DVec3::new(radius * libm::cos(angle), radius * libm::sin(angle), z)
    })
}

/// A placement moved in the world.
pub(crate) fn moved(start: &Placement, by: DVec3) -> Option<Placement> {
    let map = start.world_from_model();
    Placement::try_from(DAffine3 { translation: map.translation + by, ..*map }).ok()
}

/// Away from the faces that meet, along the axes, away from each other's middle, and all around.
fn suggested(a: &Placed<'_>, b: &Placed<'_>) -> Vec<DVec3> {
    let pairs = a.face_pairs(b);
    let normals_a = normals(a, pairs.iter().map(|pair| pair.face_a));
    let normals_b = normals(b, pairs.iter().map(|pair| pair.face_b));
    let mut normals: Vec<DVec3> = Vec::new();
    for pair in pairs {
        let outwards =
            [normals_b.get(&pair.face_b).copied(), normals_a.get(&pair.face_a).map(|normal| -*normal)];
        for normal in outwards.into_iter().flatten() {
            let is_new = normals.iter().all(|known| known.dot(normal) < 0.9999);
            if normal != DVec3::ZERO && is_new && normals.len() < MOST_NORMALS {
                normals.push(normal);
            }
        }
    }
    let mut all = normals.clone();
    // Out of a corner one gets only along the sum of its walls' normals.
    normals.truncate(MOST_SUMMED);
    for (i, first) in normals.iter().enumerate() {
        for (j, second) in normals.iter().enumerate().skip(i + 1) {
            all.extend((*first + *second).try_normalize());
            all.extend(
                normals[j + 1..].iter().filter_map(|third| (*first + *second + *third).try_normalize()),
            );
        }
    }
    all.extend([DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z]);
    all.extend((a.bounds().centre() - b.bounds().centre()).try_normalize());
    all.extend(spread(SPREAD));
    all
}

/// The outward unit normals of faces, by label; where a label has several faces, their mean.
fn normals(placed: &Placed<'_>, labels: impl Iterator<Item = u32>) -> BTreeMap<u32, DVec3> {
    let mesh = placed.model().mesh();
    let corner = |vertex: u32| placed.placement().point_to_world(mesh.vertex(vertex));
    let flip = if placed.placement().is_mirrored() { -1.0 } else { 1.0 };
    let normal = |faces: Vec<u32>| {
        let fans = faces.into_iter().flat_map(|face| mesh.fan(face));
        let sum = fans.map(|fan| {
            let [p, q, r] = fan.map(corner);
            (q - p).cross(r - p)
        });
        sum.fold(DVec3::ZERO, |sum, normal| sum + normal).normalize_or_zero() * flip
    };
    mesh.faces_by_label(labels).into_iter().map(|(label, faces)| (label, normal(faces))).collect()
}

/// How far `a` must be moved along a direction to be wholly beyond `b`, rounded up.
fn beyond(a: &Placed<'_>, b: &Placed<'_>, direction: DVec3) -> f64 {
    let along = |placed: &Placed<'_>| {
        let (placement, mesh) = (*placed.placement(), placed.model().mesh());
        let places = mesh.vertices().map(move |vertex| placement.point_to_world(vertex).dot(direction));
        places.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], at| [least.min(at), most.max(at)])
    };
    let ([least, _], [_, most]) = (along(a), along(b));
    let size = least.abs().max(most.abs());
    (most - least) * (1.0 + 1e-12) + size * 1e-12 + f64::MIN_POSITIVE
}
