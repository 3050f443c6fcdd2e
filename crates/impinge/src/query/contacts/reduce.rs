//! Contact reduction: a few contacts of a manifold that stand for many, for solvers that take only so many.

use super::answer::Contact;
use impinge_core::math::DVec3;

/// The cosine of 15°: contacts whose normals are closer than this push the same way.
const SAME_WAY: f64 = 0.965_925_826_289_068_3;

/// The part of the best within which a score is as good: the least id is taken, so that rounding does not choose.
const AS_GOOD: f64 = 1.0 / 1024.0;

/// The part of a patch's size by which a contact is clearly nearer, and must be kept.
const CLEARLY_NEARER: f64 = 1.0 / 64.0;

/// Points that add no more than this part of the square of a patch's size to its area add nothing.
const NO_AREA: f64 = 1e-6;

impl Contact {
    /// Chooses contacts that hold a body as well as all of them do: for every direction in which contacts push, no more than
    /// `at_most`.
    ///
    /// Contacts with normals within 15° of each other are a patch. Of a patch with too many, those are kept that span the largest
    /// area, and the nearest, where it is clearly nearer than these. What is as good, but for a thousandth, goes by the least
    /// [id](Self::id), and the answer does not depend on the order of the input: contacts that move a little keep their
    /// representatives. Sorted by id.
    ///
    /// ```
    /// use impinge::{Model, Trs, shapes};
    /// use impinge::query::Contact;
    ///
    /// // A tower of 8 × 8 points on each face, on a plate.
    /// let tower = Model::new(shapes::cuboid_grid([0.0; 3], [1.0, 1.0, 4.0], [7, 7, 7])?);
    /// let plate = Model::new(shapes::cuboid([-1.0, -1.0, -1.0], [2.0, 2.0, 0.0])?);
    /// let contacts = tower.at(Trs::IDENTITY).contacts(&plate.at(Trs::IDENTITY), 0.001);
    /// assert!(contacts.len() > 4);
    /// assert_eq!(Contact::reduce(&contacts, 4).len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reduce(contacts: &[Contact], at_most: usize) -> Vec<Contact> {
        let mut rest = contacts.to_vec();
        rest.sort_unstable_by_key(Contact::id);
        let mut kept = Vec::new();
        while at_most > 0 && !rest.is_empty() {
            let normal = rest[0].normal;
            let (patch, others) =
                rest.into_iter().partition(|contact| contact.normal.dot(normal) >= SAME_WAY);
            kept.extend(reduce_patch(patch, at_most));
            rest = others;
        }
        kept.sort_unstable_by_key(Contact::id);
        kept
    }
}

/// Reduces contacts that push one way, by ascending id.
fn reduce_patch(patch: Vec<Contact>, at_most: usize) -> Vec<Contact> {
    if patch.len() <= at_most {
        return patch;
    }
    let normal = patch.iter().map(|contact| contact.normal).sum::<DVec3>().normalize_or_zero();
    let origin = patch[0].point_on_a;
    let flat = |contact: &Contact| {
        let between = (contact.point_on_a - origin) * 0.5 + (contact.point_on_b - origin) * 0.5;
        between - normal * normal.dot(between)
    };
    let points: Vec<DVec3> = patch.iter().map(flat).collect();
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let mut outline = vec![best(points.iter().map(|point| point.distance(middle)))];
    let first = points[outline[0]];
    let opposite = best(points.iter().map(|point| point.distance(first)));
    let size = points[opposite].distance(first);
    if at_most > 1 && size > 0.0 {
        outline.push(opposite);
    }
    while outline.len() > 1 && outline.len() < at_most {
        let gains = points.iter().map(|&point| gain(&points, &outline, normal, point));
        let next = best(gains.map(|(area, _)| area));
        let (area, place) = gain(&points, &outline, normal, points[next]);
        if area <= NO_AREA * size * size {
            break;
        }
        outline.insert(place, next);
    }
    keep_nearest(&patch, &points, &mut outline, at_most, size);
    outline.into_iter().map(|place| patch[place]).collect()
}

/// The first of those that are as good as the greatest.
fn best(scores: impl Iterator<Item = f64> + Clone) -> usize {
    let greatest = scores.clone().fold(0.0, f64::max);
    scores.into_iter().position(|score| score >= greatest * (1.0 - AS_GOOD)).unwrap_or(0)
}

/// How much area a point adds to an outline, and where in the outline it goes.
fn gain(points: &[DVec3], outline: &[usize], normal: DVec3, point: DVec3) -> (f64, usize) {
    let mut most = (f64::NEG_INFINITY, 0);
    for (i, &from) in outline.iter().enumerate() {
        let (from, to) = (points[from], points[outline[(i + 1) % outline.len()]]);
        // Counterclockwise around the normal, so what is to the right is outside.
        let area = 0.5 * (point - from).cross(to - from).dot(normal);
        if area > most.0 {
            most = (area, i + 1);
        }
    }
    most
}

/// Lets the nearest contact in, where it is clearly nearer than all that were chosen.
fn keep_nearest(patch: &[Contact], points: &[DVec3], chosen: &mut Vec<usize>, at_most: usize, size: f64) {
    let least = patch.iter().map(|contact| contact.distance).fold(f64::INFINITY, f64::min);
    let as_near = |place: usize| patch[place].distance <= least + CLEARLY_NEARER * size;
    if chosen.iter().any(|&place| as_near(place)) {
        return;
    }
    let Some(nearest) = (0..patch.len()).find(|&place| patch[place].distance == least) else { return };
    if chosen.len() < at_most {
        chosen.push(nearest);
        return;
    }
    let from_nearest = |place: &usize| points[*place].distance_squared(points[nearest]);
    let closest = chosen.iter_mut().min_by(|a, b| from_nearest(a).total_cmp(&from_nearest(b)));
    if let Some(closest) = closest {
        *closest = nearest;
    }
}
