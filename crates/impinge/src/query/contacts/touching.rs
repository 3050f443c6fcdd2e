//! The normal between two features that touch: their points do not tell it, the faces around them do.

use super::side::{Side, Spot};
use impinge_core::math::DVec3;

/// The normal from a feature of the first model to one of the second that it touches.
///
/// A direction that has all of the first's surface behind it and all of the second's before it, where there is one: the mean
/// of the outward directions, else a face's normal, the one that is most along the mean. Where there is none the two
/// overlap, and the mean is given.
pub(super) fn normal_between(sides: [&Side<'_>; 2], spots: [Spot; 2]) -> DVec3 {
    let apart = sides[0].outward(spots[0]) - sides[1].outward(spots[1]);
    let mean = square_to_edges(sides, spots, apart).try_normalize();
    let separates =
        |normal: DVec3| sides[0].is_behind(spots[0], normal) && sides[1].is_behind(spots[1], -normal);
    if let Some(mean) = mean.filter(|&mean| separates(mean)) {
        return mean;
    }
    let mut best: Option<(f64, DVec3)> = None;
    let mut first = None;
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        sides[side].for_each_normal(spots[side], |normal, _, one_sided| {
            let normal = normal * sign;
            first = first.or(Some(normal));
            for normal in [Some(normal), (!one_sided).then_some(-normal)].into_iter().flatten() {
                let score = normal.dot(apart);
                if best.is_none_or(|(most, _)| score > most) && separates(normal) {
                    best = Some((score, normal));
                }
            }
        });
    }
    // Points have no sides: any direction is as good as any other.
    best.map(|(_, normal)| normal).or(mean).or(first).unwrap_or(DVec3::Z)
}

/// The part of a direction that is perpendicular to the edges among two features.
fn square_to_edges(sides: [&Side<'_>; 2], spots: [Spot; 2], mut direction: DVec3) -> DVec3 {
    for (side, spot) in sides.into_iter().zip(spots) {
        if let Spot::Edge(edge) = spot {
            let [start, end] = side.ends(edge);
            if let Some(along) = (end - start).try_normalize() {
                direction -= along * along.dot(direction);
            }
        }
    }
    direction
}
