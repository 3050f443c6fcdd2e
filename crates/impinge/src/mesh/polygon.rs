//! The shape of a polygon, decided exactly.

use super::{Mesh, MeshError, Problem};
use impinge_core::math::{DVec3, IntoPoint};
use impinge_core::predicates::{Axis, Sign, are_collinear, orient2d, orient3d};

/// The shape of a polygon: whether the fan from its first corner covers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolygonShape {
    /// Planar and convex; corners may be collinear or repeated, and a polygon without area counts as convex.
    Convex,
    /// The corners do not lie in one plane.
    NotPlanar,
    /// Planar, but it turns both ways, winds around more than once, or runs back on itself.
    NotConvex,
}

impl PolygonShape {
    /// The shape of a polygon, exactly: one unit in the last place makes a quad not planar.
    pub fn of(corners: &[DVec3]) -> PolygonShape {
        let count = corners.len();
        let Some(&first) = corners.first() else { return PolygonShape::Convex };
        let Some(&second) = corners.iter().find(|&&corner| corner != first) else {
            return PolygonShape::Convex;
        };
        let Some(&third) = corners.iter().find(|&&corner| !are_collinear(first, second, corner)) else {
            return if count <= 3 { PolygonShape::Convex } else { collinear_shape(corners) };
        };
        if corners.iter().any(|&corner| !orient3d(first, second, third, corner).is_zero()) {
            return PolygonShape::NotPlanar;
        }
        let sees_plane =
            |axis: &&Axis| !orient2d(axis.drop(first), axis.drop(second), axis.drop(third)).is_zero();
        let Some(axis) = Axis::ALL.iter().find(sees_plane) else { return PolygonShape::NotPlanar };
        let turn = |a: DVec3, b: DVec3, c: DVec3| orient2d(axis.drop(a), axis.drop(b), axis.drop(c));

        // Repeated corners say nothing about the shape.
        let mut distinct: Vec<DVec3> = corners.to_vec();
        distinct.dedup();
        while distinct.len() > 1 && distinct.first() == distinct.last() {
            distinct.pop();
        }
        let count = distinct.len();
        if distinct[1..].contains(&first) {
            // Back at its start before its end: it goes around more than once.
            return PolygonShape::NotConvex;
        }
        let corner = |i: usize| distinct[i % count];
        // Every turn of the outline and every triangle of the fan must have one and the same sign. The outline alone
        // would accept a star that winds around twice.
        let outline = (0..count).map(|i| [corner(i), corner(i + 1), corner(i + 2)]);
        let fan = (1..count - 1).map(|i| [corner(0), corner(i), corner(i + 1)]);
        let mut common = Sign::Zero;
        for (step, [a, b, c]) in outline.chain(fan).enumerate() {
            let sign = turn(a, b, c);
            if sign.is_zero() {
                // Straight on is fine; back along the same line is not.
                if step < count && !lies_between(a, b, c) {
                    return PolygonShape::NotConvex;
                }
            } else if common.is_zero() {
                common = sign;
            } else if sign != common {
                return PolygonShape::NotConvex;
            }
        }
        PolygonShape::Convex
    }
}

/// A polygon without area is convex if it runs along its line once there and once back.
fn collinear_shape(corners: &[DVec3]) -> PolygonShape {
    let count = corners.len();
    let reversals = (0..count)
        .filter(|&i| !lies_between(corners[i], corners[(i + 1) % count], corners[(i + 2) % count]))
        .count();
    if reversals <= 2 { PolygonShape::Convex } else { PolygonShape::NotConvex }
}

/// For points on one line: whether `b` lies between `a` and `c` or at one of them.
fn lies_between(a: DVec3, b: DVec3, c: DVec3) -> bool {
    b.cmpge(a.min(c)).all() && b.cmple(a.max(c)).all()
}

impl Mesh {
    /// A mesh of polygons that must be planar and convex, exactly: every other face is an error.
    ///
    /// ```
    /// use impinge::Mesh;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1e-9]];
    /// let error = Mesh::convex_polygons(corners, [[0, 1, 2, 3]]).unwrap_err();
    /// assert_eq!(error.to_string(), "face 0: its corners do not lie in one plane");
    /// assert!(Mesh::polygons(corners, [[0, 1, 2, 3]]).is_ok());
    /// ```
    pub fn convex_polygons(
        vertices: impl IntoIterator<Item = impl IntoPoint>,
        polygons: impl IntoIterator<Item = impl AsRef<[u32]>>,
    ) -> Result<Mesh, MeshError> {
        let mesh = Mesh::polygons(vertices, polygons)?;
        let mut problems = Vec::new();
        let mut corners = Vec::new();
        for face in 0..mesh.face_count() as u32 {
            corners.clear();
            corners.extend(mesh.corners(face).map(|vertex| mesh.vertex(vertex)));
            match PolygonShape::of(&corners) {
                PolygonShape::Convex => {}
                PolygonShape::NotPlanar => problems.push(Problem::NotPlanar { face }),
                PolygonShape::NotConvex => problems.push(Problem::NotConvex { face }),
            }
        }
        MeshError::check(problems)?;
        Ok(mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(corners: &[[f64; 3]]) -> PolygonShape {
        PolygonShape::of(&corners.iter().map(|&corner| corner.into()).collect::<Vec<_>>())
    }

    #[test]
    fn shapes_are_told_exactly() {
        let [a, b, c, d] = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]];
        assert_eq!(shape(&[a, b, c, d]), PolygonShape::Convex);
        assert_eq!(shape(&[d, c, b, a]), PolygonShape::Convex);
        assert_eq!(shape(&[a, a, b, [1.0, 0.5, 0.0], c, c, d, d]), PolygonShape::Convex);
        assert_eq!(shape(&[a, b, c, [0.0, 1.0, 5e-324]]), PolygonShape::NotPlanar);
        // A dent, a bow tie, a spike, twice around, a star.
        assert_eq!(shape(&[a, b, [0.4, 0.4, 0.0], d]), PolygonShape::NotConvex);
        assert_eq!(shape(&[a, c, b, d]), PolygonShape::NotConvex);
        assert_eq!(shape(&[a, [2.0, 0.0, 0.0], b, c, d]), PolygonShape::NotConvex);
        assert_eq!(shape(&[a, b, c, d, a, b, c, d]), PolygonShape::NotConvex);
        let star = [[0., 3.], [2., -3.], [-3., 1.], [3., 1.], [-2., -3.]].map(|[x, y]| [x, y, 1.0]);
        assert_eq!(shape(&star), PolygonShape::NotConvex);
        // Without area.
        assert_eq!(shape(&[a, b, [2.0, 0.0, 0.0], b]), PolygonShape::Convex);
        assert_eq!(shape(&[a, [2.0, 0.0, 0.0], b, [3.0, 0.0, 0.0]]), PolygonShape::NotConvex);
        assert_eq!(shape(&[a]), PolygonShape::Convex);
    }
}
