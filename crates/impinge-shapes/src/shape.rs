//! The shapes by name, each sized and divided by itself to a wanted number of triangles.

use std::fmt;
use std::str::FromStr;

use crate::fit::{pair, square};
use crate::proportions::{
    capsule_of, cells_of_cube, cylinder_of, gear_of, pipes_of, sphere_of, stairs_of, torus_of,
};
use crate::regular::{OCTAHEDRON, TETRAHEDRON, flat};
use crate::{
    Faces, Polyhedron, ShapeError, arena, boxes, bumpy_sphere, capsule, cone, cylinder, gear, hills,
    hollow_sphere, icosphere, knot, pipes, products, random_soup, sphere, stairs, star, torus,
};
use glam::DVec3;

macro_rules! shapes {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $least:literal $description:literal;)*) => {
        /// A shape that can be made from a name, a number of triangles and a seed.
        ///
        /// ```
        /// use impinge_shapes::Shape;
        ///
        /// let torus: Shape = "torus".parse()?;
        /// assert_eq!(torus.generate(12_544, 0).triangle_count(), 12_544);
        /// for shape in Shape::ALL {
        ///     println!("{:12} {}", shape.name(), shape.description());
        /// }
        /// # Ok::<(), impinge_shapes::ShapeError>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Shape {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Shape {
            /// All shapes, in the order in which they are listed to users.
            pub const ALL: &'static [Shape] = &[$(Shape::$variant,)*];

            /// The name of the shape, which [`parse`](Self::parse) reads.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Shape::$variant => $name,)*
                }
            }

            /// The description of the shape, in one line without a full stop.
            pub const fn description(self) -> &'static str {
                match self {
                    $(Shape::$variant => $description,)*
                }
            }

            /// The least number of triangles that the shape is made of.
            pub const fn least_triangles(self) -> usize {
                match self {
                    $(Shape::$variant => $least,)*
                }
            }
        }
    };
}

shapes! {
    /// [`cuboid_grid`](crate::cuboid_grid).
    Box "box" 12 "a cube, its sides divided into grids";
    /// [`torus`](crate::torus).
    Torus "torus" 18 "a ring around the z axis";
    /// [`sphere`](crate::sphere).
    Sphere "sphere" 6 "a sphere of meridians and parallels";
    /// [`icosphere`](crate::icosphere).
    Icosphere "icosphere" 20 "a sphere of nearly equal triangles";
    /// [`cylinder`](crate::cylinder).
    Cylinder "cylinder" 12 "a cylinder along the z axis";
    /// [`cone`](crate::cone).
    Cone "cone" 6 "a cone along the z axis";
    /// [`capsule`](crate::capsule).
    Capsule "capsule" 12 "a cylinder with round ends along the z axis";
    /// [`knot`](crate::knot).
    Knot "knot" 288 "a tube along a trefoil knot";
    /// [`gear`](crate::gear).
    Gear "gear" 256 "a gear with trapezoid teeth and a bore";
    /// [`pipes`](crate::pipes).
    Pipes "pipes" 24 "bent pipes that pass each other closely (seeded)";
    /// [`hills`](crate::hills).
    Terrain "terrain" 2 "hills as a height grid; open (seeded)";
    /// [`bumpy_sphere`](crate::bumpy_sphere).
    Bumpy "bumpy" 24 "a sphere with bumps and dents (seeded)";
    /// [`star`](crate::star).
    Star "star" 60 "a ball with a spike on each side";
    /// [`tetrahedron`](crate::tetrahedron), its sides divided.
    Tetrahedron "tetrahedron" 4 "a regular tetrahedron, its sides divided";
    /// [`octahedron`](crate::octahedron), its sides divided.
    Octahedron "octahedron" 8 "a regular octahedron, its sides divided";
    /// [`stairs`](crate::stairs).
    Stairs "stairs" 20 "a flight of stairs; an L at its least";
    /// [`hollow_sphere`](crate::hollow_sphere).
    Shell "shell" 12 "a hollow ball: a sphere around a cavity";
    /// [`random_soup`](crate::random_soup).
    Soup "soup" 1 "unconnected random triangles (seeded)";
    /// One triangle, whatever number is wanted.
    Triangle "triangle" 1 "a single triangle";
    /// One polygon of four corners, whatever number is wanted.
    Quad "quad" 2 "a single square polygon";
    /// A panel in its frame with hinges and a handle, each a closed group.
    Door "door" 140 "a door in its frame, with hinges and a handle";
    /// A housing with a cavity and the parts within.
    Lock "lock" 678 "a lock: a hollow housing with plug, bolt, pins and springs within";
    /// An open skin with closed parts inside.
    Car "car" 266 "a car: an open skin over seats, steering wheel and wheels; open";
    /// 97 convex polygons, whatever number of triangles is wanted (Blow 1997).
    Hovertank "hovertank" 200 "a hovertank of 97 polygons: hull, turret and barrel";
    /// 12 convex polygons, whatever number of triangles is wanted (Blow 1997).
    CargoBox "cargo-box" 28 "a crate of 12 polygons with bevelled edges";
    /// 69 convex polygons, whatever number of triangles is wanted (Blow 1997). Twice as large, it takes a hovertank.
    RepairPad "repair-pad" 144 "a landing pad of 69 polygons: a floor within a rim";
}

impl Shape {
    /// The most triangles that are generated, however many are wanted.
    pub const MOST_TRIANGLES: usize = 100_000_000;

    /// The shape with the given [name](Self::name).
    pub fn parse(name: &str) -> Result<Shape, ShapeError> {
        let known = Shape::ALL.iter().find(|shape| shape.name() == name);
        known.copied().ok_or_else(|| ShapeError::UnknownName(name.to_owned()))
    }

    /// Whether every directed edge has its opposite, so that there is an inside.
    pub const fn is_closed(self) -> bool {
        !matches!(self, Shape::Terrain | Shape::Soup | Shape::Triangle | Shape::Quad | Shape::Car)
    }

    /// Whether the seed makes a difference.
    pub const fn is_seeded(self) -> bool {
        matches!(self, Shape::Pipes | Shape::Terrain | Shape::Bumpy | Shape::Soup)
    }

    /// Makes the shape, about 2 units across and around the origin, with a number of triangles close to the wanted
    /// one. What the polyhedron says of itself is the truth.
    ///
    /// Wanted numbers are brought between [`least_triangles`](Self::least_triangles) and
    /// [`MOST_TRIANGLES`](Self::MOST_TRIANGLES) first. A soup is hit exactly, a torus or knot wherever half the number
    /// has two factors near the shape's proportions, a single triangle or quad
    /// never grows, nor do hovertank, cargo box and repair pad. The counts of icosphere,
    /// star, tetrahedron and octahedron are `k · n²` with `k` = 20, 60, 4, 8: they miss by at most `√(k · wanted) + k`.
    /// All others miss by at most 2 % and 12 triangles.
    pub fn generate(self, triangles: usize, seed: u64) -> Polyhedron {
        let triangles = triangles.clamp(self.least_triangles(), Shape::MOST_TRIANGLES);
        match self.try_generate(triangles as u64, seed) {
            Ok(polyhedron) => polyhedron,
            // Every parameter below is a constant or bounded by the clamp; the tests go through all shapes.
            Err(error) => unreachable!("{self}: {error}"),
        }
    }

    fn try_generate(self, wanted: u64, seed: u64) -> Result<Polyhedron, ShapeError> {
        let root = |divisor: f64| libm::sqrt(wanted as f64 / divisor);
        match self {
            Shape::Box => {
                boxes::cuboid_grid_surface(DVec3::NEG_ONE, DVec3::ONE, cells_of_cube(wanted))?.polyhedron()
            }
            Shape::Torus => {
                let [segments, sides] = torus_of(wanted);
                torus(0.7, 0.3, segments, sides)
            }
            Shape::Sphere => {
                let [segments, rings] = sphere_of(wanted);
                sphere(1.0, segments, rings)
            }
            Shape::Icosphere => icosphere(1.0, square(wanted, 20)),
            Shape::Cylinder => {
                let [segments, stacks] = cylinder_of(wanted, 6.0);
                cylinder(1.0, 2.0, segments, stacks)
            }
            Shape::Cone => {
                let [segments, stacks] = pair(wanted, root(6.0), [3, 1], |a, b| 2 * a * b);
                cone(1.0, 2.0, segments, stacks)
            }
            Shape::Capsule => {
                let [segments, rings] = capsule_of(wanted);
                capsule(0.5, 0.5, segments, rings)
            }
            Shape::Knot => {
                // The knot is eight times as long as it is around; a little more, for it bends all the way.
                let [sides, segments] = pair(wanted, root(2.0 / 12.0), [3, 48], |a, b| 2 * a * b);
                knot(0.83, 0.17, segments, sides)
            }
            Shape::Gear => gear(&gear_of(wanted)),
            Shape::Pipes => pipes(&pipes_of(wanted, seed)),
            Shape::Terrain => {
                let [columns, rows] = pair(wanted, root(2.0), [1, 1], |a, b| 2 * a * b);
                hills(2.0, 0.5, columns + 1, rows + 1, seed)
            }
            Shape::Bumpy => {
                let [segments, rings] = sphere_of(wanted);
                bumpy_sphere(0.75, 0.4, 24, segments, rings, seed)
            }
            Shape::Star => star(1.0, 0.5, square(wanted, 60)),
            Shape::Tetrahedron => flat(&TETRAHEDRON, 1.0, square(wanted, 4))?.polyhedron(),
            Shape::Octahedron => flat(&OCTAHEDRON, 1.0, square(wanted, 8))?.polyhedron(),
            Shape::Stairs => {
                let [strips, steps] = stairs_of(wanted);
                stairs([2.0; 3], steps, strips)
            }
            Shape::Shell => {
                let [segments, rings] = pair(wanted, root(8.0) + 1.0, [3, 2], |a, b| 4 * a * (b - 1));
                hollow_sphere(1.0, 0.8, segments, rings)
            }
            // Smaller triangles where there are more, so that each meets a few others.
            Shape::Soup => random_soup(wanted as u32, 1.0 / libm::cbrt(wanted as f64), seed),
            Shape::Triangle => {
                let corners = [[-1., -1., 0.], [1., -1., 0.], [0., 1., 0.]].map(DVec3::from_array);
                Polyhedron::new(corners.to_vec(), Faces::Triangles(vec![[0, 1, 2]]))
            }
            Shape::Quad => {
                let corners =
                    [[-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.]].map(DVec3::from_array);
                Polyhedron::new(corners.to_vec(), Faces::Polygons(vec![vec![0, 1, 2, 3]]))
            }
            Shape::Door => products::door(wanted)?.polyhedron(),
            Shape::Lock => products::lock(wanted)?.polyhedron(),
            Shape::Car => products::car(wanted)?.polyhedron(),
            Shape::Hovertank => arena::hovertank(),
            Shape::CargoBox => arena::cargo_box(),
            Shape::RepairPad => arena::repair_pad(),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(name: &str) -> Result<Shape, ShapeError> {
        Shape::parse(name)
    }
}
