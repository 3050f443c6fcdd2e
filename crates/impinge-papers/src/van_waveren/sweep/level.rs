//! A level as games have them: floors at whole heights with walls between them, one continuous surface.

use std::collections::HashMap;

use impinge::Mesh;
use impinge::mesh::MeshError;
use impinge::shapes::Random;

/// The highest floor.
const HIGHEST: u32 = 4;

/// A square of so many cells of size 1 along each side. Walls are divided at every whole height, so that all edges are shared.
pub fn level(cells: u32, seed: u64) -> Result<Mesh, MeshError> {
    let mut random = Random::new(seed);
    let mut heights = vec![0_u32; (cells * cells) as usize];
    // Rectangles of floor, one over the other.
    for _ in 0..cells * cells / 8 {
        let [x, y] = [random.below(cells), random.below(cells)];
        let [width, depth] = [1 + random.below(6), 1 + random.below(6)];
        let height = random.below(HIGHEST + 1);
        for i in x..(x + width).min(cells) {
            for j in y..(y + depth).min(cells) {
                heights[(i * cells + j) as usize] = height;
            }
        }
    }
    let mut points = Vec::new();
    let mut known: HashMap<[u32; 3], u32> = HashMap::new();
    let mut at = |point: [u32; 3]| {
        *known.entry(point).or_insert_with(|| {
            points.push(point.map(f64::from));
            points.len() as u32 - 1
        })
    };
    let mut triangles = Vec::new();
    let mut quad = |corners: [[u32; 3]; 4]| {
        let [a, b, c, d] = corners.map(&mut at);
        triangles.extend([[a, b, c], [a, c, d]]);
    };
    let height = |i: u32, j: u32| heights[(i * cells + j) as usize];
    for i in 0..cells {
        for j in 0..cells {
            let h = height(i, j);
            quad([[i, j, h], [i + 1, j, h], [i + 1, j + 1, h], [i, j + 1, h]]);
            // The walls to the next cell along each axis look to the lower side.
            if i + 1 < cells {
                let next = height(i + 1, j);
                for z in h.min(next)..h.max(next) {
                    let low = [[i + 1, j, z], [i + 1, j + 1, z]];
                    let high = [[i + 1, j, z + 1], [i + 1, j + 1, z + 1]];
                    quad(if h > next {
                        [low[0], low[1], high[1], high[0]]
                    } else {
                        [low[1], low[0], high[0], high[1]]
                    });
                }
            }
            if j + 1 < cells {
                let next = height(i, j + 1);
                for z in h.min(next)..h.max(next) {
                    let low = [[i, j + 1, z], [i + 1, j + 1, z]];
                    let high = [[i, j + 1, z + 1], [i + 1, j + 1, z + 1]];
                    quad(if h > next {
                        [low[1], low[0], high[0], high[1]]
                    } else {
                        [low[0], low[1], high[1], high[0]]
                    });
                }
            }
        }
    }
    Mesh::triangles(points, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::Model;
    use impinge::model::EdgeKind;

    #[test]
    fn a_level_is_one_surface_with_a_rim() {
        let model = Model::new(level(24, 1).expect("a level"));
        assert_eq!(model.part_count(), 1);
        assert!(!model.is_closed());
        // Two walls of one height may meet in an edge of four faces; everything else is regular, and only the rim dangles.
        let rim = model.edges().iter().filter(|edge| edge.kind == EdgeKind::Dangling).count();
        assert!((4 * 24..6 * 4 * 24).contains(&rim), "{rim}");
        assert!(model.internal_share() > 0.05, "{}", model.internal_share());
    }
}
