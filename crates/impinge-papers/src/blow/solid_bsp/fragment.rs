//! Polygons and what cuts leave of them, in the tree's units.

use super::{BSP_PLANE, Entry, Plane};
use impinge::math::DVec3;

/// A convex piece of a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment {
    pub(super) polygon: u32,
    /// The piece of the polygon that it was cut from, which knows its plane.
    piece: u32,
    first: u32,
    count: u32,
}

/// The sides of a plane that a fragment reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Behind,
    InFront,
    Within,
    Cut,
}

/// The corners of all fragments, and the planes of the pieces that they were cut from.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    corners: Vec<DVec3>,
    planes: Vec<Option<Plane>>,
}

impl Pieces {
    /// A polygon as one piece where it is flat and convex, and else as the triangles of its fan.
    pub(super) fn add(&mut self, polygon: u32, corners: &[DVec3], fragments: &mut Vec<Fragment>) {
        let Some(last) = corners.len().checked_sub(1) else { return };
        let plane = supporting_plane(corners);
        if last <= 2 || plane.is_some_and(|plane| is_convex(corners, plane.normal)) {
            return fragments.push(self.piece(polygon, corners, plane));
        }
        for k in 1..last {
            let triangle = [corners[0], corners[k], corners[k + 1]];
            fragments.push(self.piece(polygon, &triangle, supporting_plane(&triangle)));
        }
    }

    fn piece(&mut self, polygon: u32, corners: &[DVec3], plane: Option<Plane>) -> Fragment {
        let (piece, first) = (self.planes.len() as u32, self.corners.len() as u32);
        self.planes.push(plane);
        self.corners.extend_from_slice(corners);
        Fragment { polygon, piece, first, count: corners.len() as u32 }
    }

    /// The plane of the piece that a fragment was cut from; none where it has hardly any area.
    pub(super) fn plane(&self, fragment: &Fragment) -> Option<Plane> {
        self.planes[fragment.piece as usize]
    }

    #[inline(always)]
    fn corners(&self, fragment: &Fragment) -> &[DVec3] {
        &self.corners[fragment.first as usize..(fragment.first + fragment.count) as usize]
    }

    /// The sides of a plane that a fragment reaches. Corners nearer to the plane than its thickness are on no side.
    #[inline(always)]
    pub(super) fn side(&self, fragment: &Fragment, plane: &Plane) -> Side {
        let (mut behind, mut in_front) = (false, false);
        for &corner in self.corners(fragment) {
            let side = plane.side(corner);
            behind |= side < -BSP_PLANE;
            in_front |= side > BSP_PLANE;
        }
        match (behind, in_front) {
            (false, false) => Side::Within,
            (true, false) => Side::Behind,
            (false, true) => Side::InFront,
            (true, true) => Side::Cut,
        }
    }

    /// The parts of a fragment behind and in front of a plane that cuts it. Both get the same points on the cut, so
    /// nothing is lost between them.
    pub(super) fn cut(&mut self, fragment: &Fragment, plane: &Plane) -> [Fragment; 2] {
        [-1.0, 1.0].map(|way| {
            let first = self.corners.len() as u32;
            let mut from = self.corners[(fragment.first + fragment.count - 1) as usize];
            let mut side_from = plane.side(from);
            for i in fragment.first..fragment.first + fragment.count {
                let to = self.corners[i as usize];
                let side_to = plane.side(to);
                let parted = side_from < -BSP_PLANE && side_to > BSP_PLANE
                    || side_to < -BSP_PLANE && side_from > BSP_PLANE;
                if parted {
                    self.corners.push(from + (to - from) * (side_from / (side_from - side_to)));
                }
                if side_to * way >= -BSP_PLANE {
                    self.corners.push(to);
                }
                (from, side_from) = (to, side_to);
            }
            Fragment { first, count: self.corners.len() as u32 - first, ..*fragment }
        })
    }

    pub(super) fn entry(&self, fragment: &Fragment) -> Entry {
        let corners = self.corners(fragment);
        let least = corners.iter().fold(DVec3::INFINITY, |least, corner| least.min(*corner));
        let most = corners.iter().fold(DVec3::NEG_INFINITY, |most, corner| most.max(*corner));
        let center = (least + most) * 0.5;
        let squared = corners.iter().map(|corner| corner.distance_squared(center)).fold(0.0, f64::max);
        Entry { center, radius: squared.sqrt() + BSP_PLANE, polygon: fragment.polygon }
    }

    /// The middle of a fragment, roughly.
    pub(super) fn middle(&self, fragment: &Fragment, axis: usize) -> f64 {
        let corners = self.corners(fragment);
        corners.iter().map(|corner| corner[axis]).sum::<f64>() / corners.len() as f64
    }
}

/// The plane that all corners lie in to a quarter of its thickness, if there is one.
fn supporting_plane(corners: &[DVec3]) -> Option<Plane> {
    let normal = fan_normal(corners)?;
    let plane = Plane { normal, offset: -normal.dot(corners[0]) };
    corners.iter().all(|&corner| plane.side(corner).abs() <= 0.25 * BSP_PLANE).then_some(plane)
}

/// The unit normal of a polygon; `None` where it has no area.
pub(super) fn fan_normal(corners: &[DVec3]) -> Option<DVec3> {
    let first = *corners.first()?;
    let fan = corners.windows(2).skip(1).map(|pair| (pair[0] - first).cross(pair[1] - first));
    let sum: DVec3 = fan.sum();
    // Squares of very small ones would have lost their digits.
    let largest = sum.abs().max_element();
    (largest > f64::MIN_POSITIVE).then(|| (sum / largest).normalize())
}

/// Whether a flat polygon turns one way only, and once.
fn is_convex(corners: &[DVec3], normal: DVec3) -> bool {
    let count = corners.len();
    let turns_left = |a: DVec3, b: DVec3, c: DVec3| (b - a).cross(c - b).dot(normal) >= 0.0;
    (0..count).all(|i| turns_left(corners[i], corners[(i + 1) % count], corners[(i + 2) % count]))
        && (1..count - 1).all(|i| turns_left(corners[0], corners[i], corners[i + 1]))
}
