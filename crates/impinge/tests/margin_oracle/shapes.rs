//! Small bodies as lists of triangles: few faces, so that a slow judge can look at all of them.

use impinge::Mesh;
use impinge::glam::DVec3;

/// Corners, and triangles of them, counter-clockwise from outside.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<DVec3>,
    pub(crate) faces: Vec<[u32; 3]>,
}

impl Shape {
    fn new(name: &'static str, points: &[[f64; 3]], faces: &[[u32; 3]]) -> Shape {
        Shape { name, points: points.iter().map(|p| DVec3::from_array(*p)).collect(), faces: faces.to_vec() }
    }

    pub(crate) fn mesh(&self) -> Mesh {
        Mesh::triangles(self.points.iter().copied(), self.faces.clone()).expect("a mesh")
    }

    /// The shape with its corners moved.
    pub(crate) fn mapped(mut self, map: impl Fn(DVec3) -> DVec3) -> Shape {
        self.points.iter_mut().for_each(|point| *point = map(*point));
        self
    }

    /// A box.
    pub(crate) fn cuboid(low: [f64; 3], high: [f64; 3]) -> Shape {
        let corner = |i: usize| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { high[axis] } else { low[axis] });
        let points: Vec<_> = (0..8).map(corner).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces: Vec<_> = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        Shape::new("box", &points, &faces)
    }

    /// From -1 to 1.
    pub(crate) fn cube() -> Shape {
        Shape { name: "cube", ..Shape::cuboid([-1.0; 3], [1.0; 3]) }
    }

    pub(crate) fn tetrahedron() -> Shape {
        let points = [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]];
        Shape::new("tetrahedron", &points, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    }

    /// A thin pyramid with its tip at the origin, pointing down.
    pub(crate) fn spike(width: f64) -> Shape {
        let w = width;
        let points = [[0.0; 3], [w, 0.0, 2.0], [-w, w, 2.0], [-w, -w, 2.0]];
        Shape::new("spike", &points, &[[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]])
    }

    /// A polygon in the plane of x and z, all of which is seen from its first corner, as a prism from y = -1 to 1.
    fn prism(name: &'static str, outline: &[[f64; 2]]) -> Shape {
        let count = outline.len() as u32;
        let points: Vec<_> =
            [-1.0, 1.0].iter().flat_map(|y| outline.iter().map(|[x, z]| [*x, *y, *z])).collect();
        let mut faces = Vec::new();
        for i in 0..count {
            let next = (i + 1) % count;
            if i > 0 && next > 0 {
                // The outline runs counter-clockwise as seen from y = -1.
                faces.extend([[0, i, next], [count, count + next, count + i]]);
            }
            faces.extend([[i, count + i, count + next], [i, count + next, next]]);
        }
        Shape::new(name, &points, &faces)
    }

    /// An L: a foot and a leg, with a concave edge.
    pub(crate) fn ell() -> Shape {
        // Everything is seen from the corner at the concave edge.
        let outline = [[-0.4, -0.4], [-0.4, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [1.0, -0.4]];
        Shape::prism("ell", &outline)
    }

    /// Stairs that rise with x.
    pub(crate) fn stairs(steps: u32) -> Shape {
        let n = f64::from(steps);
        let mut outline = vec![[n, 0.0], [n, n]];
        for k in (0..steps).rev() {
            let k = f64::from(k);
            if k + 1.0 < n {
                outline.push([k + 1.0, k + 1.0]);
            }
            outline.push([k, k + 1.0]);
        }
        outline.push([0.0, 0.0]);
        Shape::prism("stairs", &outline).mapped(|p| DVec3::new(2.0 * p.x / n - 1.0, p.y, 2.0 * p.z / n - 1.0))
    }

    /// An octahedron whose faces were cut into four a number of times, on the unit sphere.
    pub(crate) fn ball(cuts: u32) -> Shape {
        let axes = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
        let mut points: Vec<DVec3> = axes.to_vec();
        let mut faces: Vec<[u32; 3]> =
            vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        for _ in 0..cuts {
            let mut middles = std::collections::BTreeMap::new();
            faces = faces
                .iter()
                .flat_map(|&[a, b, c]| {
                    let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[u, v]| {
                        *middles.entry((u.min(v), u.max(v))).or_insert_with(|| {
                            points.push((points[u as usize] + points[v as usize]).normalize());
                            points.len() as u32 - 1
                        })
                    });
                    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
                })
                .collect();
        }
        Shape { name: "ball", points, faces }
    }

    pub(crate) fn triangle() -> Shape {
        Shape::new("triangle", &[[-1.0, -0.6, 0.0], [1.0, -0.5, 0.0], [0.1, 1.0, 0.0]], &[[0, 1, 2]])
    }

    /// An open sheet of squares, cut by diagonals that change their way, in the plane of x and y from -1 to 1.
    pub(crate) fn sheet(columns: u32, rows: u32) -> Shape {
        let mut points = Vec::new();
        for row in 0..=rows {
            for column in 0..=columns {
                let at = |i: u32, n: u32| 2.0 * f64::from(i) / f64::from(n) - 1.0;
                points.push(DVec3::new(at(column, columns), at(row, rows), 0.0));
            }
        }
        let mut faces = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let a = row * (columns + 1) + column;
                let [b, c, d] = [a + 1, a + columns + 2, a + columns + 1];
                let cut =
                    if (row + column) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                faces.extend(cut);
            }
        }
        Shape { name: "sheet", points, faces }
    }

    /// Three walls that meet in a corner at the origin, open on the other sides.
    pub(crate) fn corner() -> Shape {
        let points = [
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [0.0, 2.0, 0.0],
            [0.0, 0.0, 2.0],
            [2.0, 2.0, 0.0],
            [0.0, 2.0, 2.0],
            [2.0, 0.0, 2.0],
        ];
        let faces = [[0, 1, 4], [0, 4, 2], [0, 2, 5], [0, 5, 3], [0, 3, 6], [0, 6, 1]];
        Shape::new("corner", &points, &faces)
    }
}
