//! Penetration depth: a separating translation of one model, and so an upper bound, because only some directions are tried.
//!
//! The depth of an overlap is the length of the shortest translation that ends it. For models that are not convex it is hard to
//! compute; what others call penetration depth is often the depth of one pair of triangles, which separates nothing. Here
//! every stated move has been made: at its end the exact test finds the two clear of each other or touching.

use super::extremes::Extremes;
use super::patience::Patience;
use super::verdict::FacePair;
use crate::model::Placed;
use impinge_core::math::{DAffine3, DVec3};
use impinge_core::transform::Placement;

/// How often the interval that the end of an overlap lies in is halved, along the shortest way that was found.
const HALVINGS: u32 = 14;
/// The halvings along every direction that is tried: enough to tell which is the shortest.
const FIRST_HALVINGS: u32 = 7;
/// A way is tried only for so much of the best one: what would gain less is not worth the search.
const WORTHWHILE: f64 = 0.995;
/// Directions whose cosine is above this are the same.
const SAME_DIRECTION: f64 = 0.9999;
/// Distances below this share of the one that surely separates are not tried.
const SMALLEST_SHARE: f64 = 1.0 / (1_u64 << 40) as f64;
/// Directions that are spread evenly, besides those that the models suggest.
const SPREAD: usize = 18;
/// Directions that the models suggest: as many different normals of intersecting faces are looked at.
const MOST_NORMALS: usize = 12;
/// Of these, so many are summed by twos and threes.
const MOST_SUMMED: usize = 6;

/// A limit that is negative or not a number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{at_most} is no limit of a length: it must be 0 or more")]
#[non_exhaustive]
pub struct LimitError {
    /// The limit that was given.
    pub at_most: f64,
}

/// A move of the first model after which the two do not overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct SeparatingTranslation {
    /// The direction of the move, a unit vector.
    pub direction: DVec3,
    /// The length of the move: no less than the penetration depth.
    pub distance: f64,
    /// The first model's placement after the move, which was tested.
    pub placement: Placement,
}

impl Placed<'_> {
    /// A short translation of this model after which the two do not overlap and neither contains the other; they may touch.
    /// It is the shortest of those that were tried, so its length is an upper bound on the penetration depth.
    /// `None` if none of them is as short as `at_most`, which may be infinite, but not negative.
    /// Where the two do not overlap to begin with, the move is of no length.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    ///
    /// let cube = Model::new(shapes::cuboid([0.0; 3], [1.0; 3])?);
    /// let deep = cube.at(Trs::translation([0.9, 0.2, 0.3])?);
    /// let found = cube.at(Trs::IDENTITY).separating_translation(&deep, f64::INFINITY)?.expect("there is always one");
    /// assert!(found.distance >= 0.1 && found.distance < 0.1001);
    /// assert_eq!(found.direction, [-1.0, 0.0, 0.0].into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "penetration")]
    #[doc(alias = "penetration_depth")]
    #[doc(alias = "minimum_translation")]
    #[doc(alias = "mtv")]
    #[doc(alias = "minimum translation vector")]
    pub fn separating_translation(
        &self,
        other: &Placed<'_>,
        at_most: f64,
    ) -> Result<Option<SeparatingTranslation>, LimitError> {
        if at_most >= 0.0 { Ok(self.separation_within(other, at_most)) } else { Err(LimitError { at_most }) }
    }

    /// [`separating_translation`](Self::separating_translation) with a limit that is known to be valid.
    pub(crate) fn separation_within(
        &self,
        other: &Placed<'_>,
        at_most: f64,
    ) -> Option<SeparatingTranslation> {
        if !self.overlaps(other) {
            return Some(SeparatingTranslation {
                direction: DVec3::Z,
                distance: 0.0,
                placement: *self.placement(),
            });
        }
        self.separation_of_meeting(other, &self.face_pairs(other), at_most, &Patience::endless())
    }

    /// [`separating_translation`](Self::separating_translation) of two that are known to overlap, with the faces that intersect. `None` also where patience is over.
    pub(crate) fn separation_of_meeting(
        &self,
        other: &Placed<'_>,
        pairs: &[FacePair],
        at_most: f64,
        patience: &Patience<'_>,
    ) -> Option<SeparatingTranslation> {
        // Also where it is no number.
        if patience.gave_up() || at_most.is_nan() || at_most < 0.0 {
            return None;
        }
        let start = *self.placement();
        // Each step is a test of its own, which takes far longer than to ask.
        let is_given_up = || patience.is_over_now();
        let is_free = |by: DVec3| {
            moved(&start, by)
                .is_some_and(|placement| !is_given_up() && !self.model().at(placement).overlaps(other))
        };
        let mut best: Option<(DVec3, Bracket)> = None;
        for (sure, direction) in ways(self, other, pairs) {
            if is_given_up() {
                return None;
            }
            let limit = best.as_ref().map_or(at_most, |(_, known)| known.free * WORTHWHILE).min(sure);
            if let Some(bracket) = Bracket::of_end(direction, sure * SMALLEST_SHARE, limit, is_free) {
                best = Some((direction, bracket.halved(FIRST_HALVINGS, direction, is_free)));
            }
        }
        let (direction, bracket) = best?;
        let distance = bracket.halved(HALVINGS - FIRST_HALVINGS, direction, is_free).free;
        if patience.gave_up() {
            return None;
        }
        Some(SeparatingTranslation { direction, distance, placement: moved(&start, direction * distance)? })
    }
}

/// Two distances along a direction: at the shorter one there is an overlap, or it is so short that it is not tried; at the longer
/// one there is none.
#[derive(Clone, Copy)]
struct Bracket {
    taken: f64,
    free: f64,
}

impl Bracket {
    /// The last two of `limit` and halves of it as long as `is_free` says yes and they are not below `smallest`. None where
    /// even `limit` does not do.
    fn of_end(
        direction: DVec3,
        smallest: f64,
        limit: f64,
        is_free: impl Fn(DVec3) -> bool,
    ) -> Option<Bracket> {
        if !is_free(direction * limit) {
            return None;
        }
        let (mut taken, mut free) = (limit / 2.0, limit);
        while taken >= smallest && is_free(direction * taken) {
            (taken, free) = (taken / 2.0, taken);
        }
        Some(Bracket { taken, free })
    }

    fn halved(mut self, times: u32, direction: DVec3, is_free: impl Fn(DVec3) -> bool) -> Bracket {
        for _ in 0..times {
            let middle = self.taken + (self.free - self.taken) / 2.0;
            *(if is_free(direction * middle) { &mut self.free } else { &mut self.taken }) = middle;
        }
        self
    }
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

/// Directions to try, each with how far `a` must be moved along it to be wholly beyond `b`: the least first.
fn ways(a: &Placed<'_>, b: &Placed<'_>, pairs: &[FacePair]) -> Vec<(f64, DVec3)> {
    let (in_world_a, in_world_b) = (Extremes::of(a), Extremes::of(b));
    let radii = (a.radius() + b.radius()) * (1.0 + 1e-12);
    let mut ways: Vec<(f64, DVec3)> = Vec::new();
    for direction in suggested(a, b, pairs) {
        if ways.iter().all(|(_, known)| known.dot(direction) <= SAME_DIRECTION) {
            ways.push((beyond(&in_world_a, &in_world_b, direction) + radii, direction));
        }
    }
    // Stable, so that of equals the one that was suggested first stays first.
    ways.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    ways
}

/// Away from the faces that intersect, along the axes, away from each other's middle, and all around.
fn suggested(a: &Placed<'_>, b: &Placed<'_>, pairs: &[FacePair]) -> Vec<DVec3> {
    let normals_a = normals(a, pairs.iter().map(|pair| pair.face_a));
    let normals_b = normals(b, pairs.iter().map(|pair| pair.face_b));
    let mut normals: Vec<DVec3> = Vec::new();
    let normal_of = |normals: &[(u32, DVec3)], label: u32| {
        normals.binary_search_by_key(&label, |(label, _)| *label).map_or(DVec3::ZERO, |at| normals[at].1)
    };
    for pair in pairs {
        for normal in [normal_of(&normals_b, pair.face_b), -normal_of(&normals_a, pair.face_a)] {
            let is_new = normals.iter().all(|known| known.dot(normal) <= SAME_DIRECTION);
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
    all.extend((a.bounds().center() - b.bounds().center()).try_normalize());
    all.extend(spread(SPREAD));
    all
}

/// The outward unit normals of faces, each after its label, sorted; where a label has several faces, their mean.
fn normals(placed: &Placed<'_>, labels: impl Iterator<Item = u32>) -> Vec<(u32, DVec3)> {
    let mesh = placed.model().mesh();
    let corner = |vertex: u32| placed.placement().point_to_world(mesh.vertex(vertex));
    let flip = if placed.placement().is_mirrored() { -1.0 } else { 1.0 };
    let normal = |faces: &[(u32, u32)]| {
        let fans = faces.iter().flat_map(|(_, face)| mesh.fan(*face));
        let sum = fans.map(|fan| {
            let [p, q, r] = fan.map(corner);
            (q - p).cross(r - p)
        });
        (faces[0].0, sum.fold(DVec3::ZERO, |sum, normal| sum + normal).normalize_or_zero() * flip)
    };
    mesh.faces_by_label(labels).chunk_by(|face, next| face.0 == next.0).map(normal).collect()
}

/// How far `a` must be moved along a direction to be wholly beyond `b`, rounded up.
fn beyond(a: &Extremes, b: &Extremes, direction: DVec3) -> f64 {
    let (least, most) = (a.least(direction), b.most(direction));
    let size = least.abs().max(most.abs());
    (most - least) * (1.0 + 1e-12) + size * 1e-12 + f64::MIN_POSITIVE
}
