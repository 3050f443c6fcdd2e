//! Triangle against triangle in plain floating point, as libraries do it: axes that separate, the same with 'fat'
//! triangles (Maia et al. 2006, §5), and Möller's intervals. None of them decides anything here.

macro_rules! contenders {
    ($module:ident, $float:ty, $doc:literal) => {
        #[doc = $doc]
        pub(super) mod $module {
            type Vector = [$float; 3];
            pub(in super::super) type Triangle = [Vector; 3];

            fn sub(a: Vector, b: Vector) -> Vector {
                [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
            }

            fn dot(a: Vector, b: Vector) -> $float {
                a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
            }

            fn cross(a: Vector, b: Vector) -> Vector {
                [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
            }

            fn edges(t: &Triangle) -> [Vector; 3] {
                [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])]
            }

            fn range(axis: Vector, t: &Triangle) -> ($float, $float) {
                let [a, b, c] = [dot(axis, t[0]), dot(axis, t[1]), dot(axis, t[2])];
                (least(least(a, b), c), most(most(a, b), c))
            }

            // Plain comparisons: the library's minimum is slower, because it minds NaN.
            fn least(a: $float, b: $float) -> $float {
                if a < b { a } else { b }
            }

            fn most(a: $float, b: $float) -> $float {
                if a > b { a } else { b }
            }

            /// How far the triangles are apart along an axis; negative where they overlap.
            fn gap(axis: Vector, a: &Triangle, b: &Triangle) -> $float {
                let ((low_a, high_a), (low_b, high_b)) = (range(axis, a), range(axis, b));
                most(low_b - high_a, low_a - high_b)
            }

            /// Parallel planes: the products of edges say nothing, and axes within the plane are needed.
            fn are_parallel(n: Vector, m: Vector) -> bool {
                let c = cross(n, m);
                dot(c, c) <= 1e-12 * dot(n, n) * dot(m, m)
            }

            /// 11 axes, or 7 for triangles in parallel planes; stops at the first that separates.
            pub(in super::super) fn sat(a: &Triangle, b: &Triangle) -> bool {
                let (ea, eb) = (edges(a), edges(b));
                let (n, m) = (cross(ea[0], ea[1]), cross(eb[0], eb[1]));
                if gap(n, a, b) > 0.0 || gap(m, a, b) > 0.0 {
                    return false;
                }
                if are_parallel(n, m) {
                    return ea.iter().chain(&eb).all(|&edge| gap(cross(n, edge), a, b) <= 0.0);
                }
                for p in ea {
                    for q in eb {
                        if gap(cross(p, q), a, b) > 0.0 {
                            return false;
                        }
                    }
                }
                true
            }

            /// All axes, with triangles a little thicker than they are.
            pub(in super::super) fn fat_sat(a: &Triangle, b: &Triangle) -> bool {
                const FAT: $float = 1e-5;
                let (ea, eb) = (edges(a), edges(b));
                let (n, m) = (cross(ea[0], ea[1]), cross(eb[0], eb[1]));
                let mut size: $float = 0.0;
                for corner in a.iter().chain(b) {
                    size = size.max(corner[0].abs()).max(corner[1].abs()).max(corner[2].abs());
                }
                let separates = |axis: Vector| {
                    let room = FAT * size * (axis[0].abs() + axis[1].abs() + axis[2].abs());
                    gap(axis, a, b) > room
                };
                let mut apart = separates(n) | separates(m);
                for p in ea {
                    for q in eb {
                        apart |= separates(cross(p, q));
                    }
                }
                if are_parallel(n, m) {
                    for edge in ea.into_iter().chain(eb) {
                        apart |= separates(cross(n, edge));
                    }
                }
                !apart
            }

            /// Where a triangle cuts the line of both planes: `place` are its corners along the line, `height` their
            /// heights over the other's plane.
            fn interval(place: Vector, height: Vector) -> Option<($float, $float)> {
                // The corner alone on its side.
                let alone = if height[0] * height[1] > 0.0 {
                    2
                } else if height[0] * height[2] > 0.0 {
                    1
                } else if height[1] * height[2] > 0.0 || height[0] != 0.0 {
                    0
                } else if height[1] != 0.0 {
                    1
                } else if height[2] != 0.0 {
                    2
                } else {
                    return None;
                };
                let (i, j) = ((alone + 1) % 3, (alone + 2) % 3);
                let end = |k: usize| {
                    place[alone] + (place[k] - place[alone]) * height[alone] / (height[alone] - height[k])
                };
                let (p, q) = (end(i), end(j));
                Some((least(p, q), most(p, q)))
            }

            /// Heights over a plane; tiny ones count as 0.
            fn heights(normal: Vector, of: &Triangle, over: &Triangle) -> Vector {
                const TINY: $float = 1e-6;
                let offset = dot(normal, over[0]);
                let mut heights = [0.0; 3];
                for k in 0..3 {
                    let height = dot(normal, of[k]) - offset;
                    heights[k] = if height.abs() < TINY { 0.0 } else { height };
                }
                heights
            }

            fn on_one_side(height: Vector) -> bool {
                height[0] * height[1] > 0.0 && height[0] * height[2] > 0.0
            }

            /// Möller (1997): both triangles cut the line where their planes meet, in intervals that overlap or do not.
            pub(in super::super) fn moller(a: &Triangle, b: &Triangle) -> bool {
                let (ea, eb) = (edges(a), edges(b));
                let n = cross(ea[0], ea[1]);
                let of_b = heights(n, b, a);
                if on_one_side(of_b) {
                    return false;
                }
                let m = cross(eb[0], eb[1]);
                let of_a = heights(m, a, b);
                if on_one_side(of_a) {
                    return false;
                }
                let line = cross(n, m);
                let size = [line[0].abs(), line[1].abs(), line[2].abs()];
                let axis = if size[0] >= size[1] && size[0] >= size[2] {
                    0
                } else if size[1] >= size[2] {
                    1
                } else {
                    2
                };
                let place = |t: &Triangle| [t[0][axis], t[1][axis], t[2][axis]];
                match (interval(place(a), of_a), interval(place(b), of_b)) {
                    (Some((low_a, high_a)), Some((low_b, high_b))) => high_a >= low_b && high_b >= low_a,
                    _ => coplanar(n, a, b),
                }
            }

            /// In one plane: edges that cross, or a corner inside.
            fn coplanar(n: Vector, a: &Triangle, b: &Triangle) -> bool {
                let size = [n[0].abs(), n[1].abs(), n[2].abs()];
                let (i, j) = if size[0] >= size[1] && size[0] >= size[2] {
                    (1, 2)
                } else if size[1] >= size[2] {
                    (0, 2)
                } else {
                    (0, 1)
                };
                let turn = |p: Vector, q: Vector, r: Vector| {
                    (q[i] - p[i]) * (r[j] - p[j]) - (q[j] - p[j]) * (r[i] - p[i])
                };
                let cross_each_other = |p: Vector, q: Vector, r: Vector, s: Vector| {
                    turn(p, q, r) * turn(p, q, s) <= 0.0 && turn(r, s, p) * turn(r, s, q) <= 0.0
                };
                for k in 0..3 {
                    for l in 0..3 {
                        if cross_each_other(a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]) {
                            return true;
                        }
                    }
                }
                let holds = |t: &Triangle, p: Vector| {
                    let [x, y, z] = [turn(t[0], t[1], p), turn(t[1], t[2], p), turn(t[2], t[0], p)];
                    (x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0)
                };
                holds(a, b[0]) || holds(b, a[0])
            }
        }
    };
}

contenders!(single, f32, "In `f32`, as the library of the paper has it.");
contenders!(double, f64, "In `f64`.");
