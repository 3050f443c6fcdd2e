//! The split of a set of polygons in two (Zachmann 1998, §4.2).

use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge_core::bounds::directions;
use impinge_core::bvh::Corners;

/// The rule by which polygons are split, with what it knows of each: its box and its barycenter.
///
/// The growth of a side is that of the surface of its box, for every K: flat boxes have no volume, and the volume of a polytope takes far longer.
#[derive(Clone, Debug)]
pub struct PaperSplit<const K: usize> {
    boxes: Vec<Aabb>,
    centers: Vec<DVec3>,
    /// The order along the direction, with the keys, then the second side.
    sorted: Vec<(f64, u32)>,
    second: Vec<u32>,
}

impl<const K: usize> PaperSplit<K> {
    /// The rule for polygons `0..count`, all of which lie within `bounds`.
    pub fn new(count: usize, bounds: Aabb, corners: &impl Corners) -> PaperSplit<K> {
        // Within a cube of edge 2, so that no square and no product of three leaves the range of numbers.
        let middle = bounds.min * 0.5 + bounds.max * 0.5;
        let reach = (bounds.max * 0.5 - bounds.min * 0.5).max_element();
        let scale = if reach > 1e-300 { 1.0 / reach } else { 1e300 };
        let (mut boxes, mut centers) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for polygon in 0..count as u32 {
            let (mut around, mut sum, mut number) = (Aabb::EMPTY, DVec3::ZERO, 0.0);
            corners.visit(polygon, |corner| {
                let corner = (corner - middle) * scale;
                around = around.with_point(corner);
                sum += corner;
                number += 1.0;
            });
            boxes.push(around);
            centers.push(sum / number);
        }
        PaperSplit { boxes, centers, sorted: Vec::new(), second: Vec::new() }
    }

    /// Splits two polygons or more: those of the first side come first, and the result is their number. Neither side is empty.
    pub fn split(&mut self, polygons: &mut [u32]) -> usize {
        let (first, second) = self.far_pair(polygons);
        let direction = self.most_parallel(first, second);
        self.sorted.clear();
        for &polygon in polygons.iter().filter(|&&polygon| polygon != first && polygon != second) {
            self.sorted.push((direction.dot(self.centers[polygon as usize]), polygon));
        }
        self.sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));

        let mut sides = [first, second].map(|polygon| self.boxes[polygon as usize]);
        let mut areas = sides.map(|side| half_area(&side));
        self.second.clear();
        self.second.push(second);
        polygons[0] = first;
        let mut in_first = 1;
        let (mut low, mut high) = (0, self.sorted.len());
        while low < high {
            let polygon = if (low + self.sorted.len() - high).is_multiple_of(2) {
                low += 1;
                self.sorted[low - 1].1
            } else {
                high -= 1;
                self.sorted[high].1
            };
            let with = sides.map(|side| side.merge(self.boxes[polygon as usize]));
            let area = with.map(|side| half_area(&side));
            let growth = [area[0] - areas[0], area[1] - areas[1]];
            let is_first = match growth[0].total_cmp(&growth[1]) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Greater => false,
                std::cmp::Ordering::Equal => in_first <= self.second.len(),
            };
            if is_first {
                polygons[in_first] = polygon;
                in_first += 1;
            } else {
                self.second.push(polygon);
            }
            let side = usize::from(!is_first);
            (sides[side], areas[side]) = (with[side], area[side]);
        }
        polygons[in_first..].copy_from_slice(&self.second);
        in_first
    }

    /// Two polygons whose barycenters are almost farthest apart: the farthest from any, and the farthest from that one.
    fn far_pair(&self, polygons: &[u32]) -> (u32, u32) {
        let farthest = |from: u32| {
            let others = polygons.iter().copied().filter(|&polygon| polygon != from);
            let distance =
                |polygon: u32| self.centers[polygon as usize].distance_squared(self.centers[from as usize]);
            others.fold((from, -1.0), |best, polygon| {
                let at = distance(polygon);
                if at > best.1 { (polygon, at) } else { best }
            })
        };
        let (first, _) = farthest(polygons[0]);
        (first, farthest(first).0)
    }

    /// The direction that is most parallel to the line between two barycenters, in its sense.
    fn most_parallel(&self, from: u32, to: u32) -> DVec3 {
        let line = self.centers[to as usize] - self.centers[from as usize];
        let mut most = (-1.0, DVec3::X);
        for direction in &const { directions::<K>() }[..K / 2] {
            let direction = DVec3::from_array(*direction);
            let along = direction.dot(line);
            let parallel = along * along / direction.length_squared();
            if parallel > most.0 {
                most = (parallel, if along < 0.0 { -direction } else { direction });
            }
        }
        most.1
    }
}

fn half_area(bounds: &Aabb) -> f64 {
    let size = bounds.max - bounds.min;
    size.x * (size.y + size.z) + size.y * size.z
}
