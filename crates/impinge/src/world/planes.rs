//! Planes that deflect a body, and the velocity that they leave it.

use impinge_core::math::DVec3;

/// A plane that deflects a body: the normal away from the body, and the greatest velocity along it.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Plane {
    pub(super) normal: DVec3,
    pub(super) limit: f64,
}

/// Adds a plane that is not known yet: a body that comes upon a floor of many others has one of each.
pub(super) fn add(planes: &mut Vec<Plane>, plane: Plane) {
    if !planes.contains(&plane) {
        planes.push(plane);
    }
}

/// A velocity that leads into none of the planes faster than they allow: deflected by one, or along the line where two intersect; none where there is
/// none that is no faster.
pub(super) fn along(planes: &[Plane], velocity: DVec3) -> Option<DVec3> {
    // Where it is pushed, faster by as much.
    let pushed = planes.iter().map(|plane| (-plane.limit).max(0.0)).sum::<f64>();
    let fastest = velocity.length() + pushed;
    let least = 1e-9 * fastest;
    let is_free = |way: DVec3| {
        way.length_squared() <= fastest * fastest * (1.0 + 1e-9)
            && planes.iter().all(|plane| way.dot(plane.normal) <= plane.limit + least)
    };
    let excess = |way: DVec3, plane: &Plane| way.dot(plane.normal) - plane.limit;
    let on_one = planes.iter().map(|plane| velocity - plane.normal * excess(velocity, plane));
    if let Some(way) = on_one.into_iter().find(|way| is_free(*way)) {
        return Some(way);
    }
    for (i, first) in planes.iter().enumerate() {
        for second in &planes[..i] {
            let across = first.normal.dot(second.normal);
            let area = 1.0 - across * across;
            if area < 1e-12 {
                continue;
            }
            let (one, other) = (excess(velocity, first), excess(velocity, second));
            let [p, q] = [(one - across * other) / area, (other - across * one) / area];
            let way = velocity - first.normal * p - second.normal * q;
            if is_free(way) {
                return Some(way);
            }
        }
    }
    None
}
