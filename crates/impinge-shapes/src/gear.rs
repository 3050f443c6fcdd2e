//! A spur gear with trapezoid teeth and a bore.
//!
//! The outline is seen whole from the axis, and the bore has one vertex on the ray to each vertex of the outline. So
//! both faces are rings of quads between outline and bore, without T-junctions and without a general triangulation.

use crate::error::{ShapeError, indexable, positive, require, some, three};
use crate::turn::turn;
use crate::{Polyhedron, Surface, surface::Ring};
use glam::{DVec2, DVec3};

/// The parameters of [`gear`].
#[derive(Clone, Debug, PartialEq)]
pub struct Gear {
    /// The radius at the teeth's tips.
    pub tip_radius: f64,
    /// The radius between the teeth.
    pub root_radius: f64,
    /// The radius of the bore.
    pub bore_radius: f64,
    /// The thickness along the axis, which is z.
    pub thickness: f64,
    /// The number of teeth.
    pub teeth: u32,
    /// Pieces of each of a tooth's four edges: flank, tip, flank, root.
    pub pieces: u32,
    /// Layers along the axis.
    pub layers: u32,
    /// Rings of quads on each face, from the bore to the outline.
    pub rings: u32,
}

impl Gear {
    /// `16 · teeth · pieces · (layers + rings)`.
    pub(crate) fn triangle_count(&self) -> Option<u64> {
        let [teeth, pieces, layers, rings] =
            [self.teeth, self.pieces, self.layers, self.rings].map(u64::from);
        (layers + rings).checked_mul(teeth)?.checked_mul(pieces)?.checked_mul(16)
    }

    fn check(&self) -> Result<(), ShapeError> {
        positive("bore_radius", self.bore_radius)?;
        positive("tip_radius", self.tip_radius)?;
        positive("thickness", self.thickness)?;
        three("teeth", self.teeth)?;
        some("pieces", self.pieces)?;
        some("layers", self.layers)?;
        some("rings", self.rings)?;
        indexable(self.triangle_count())?;
        let fine = self.root_radius < self.tip_radius;
        require(fine, "root_radius", self.root_radius, "below tip_radius")?;
        // The chord between two teeth is the part of the outline nearest to the axis: it spans three eighths of a
        // tooth's share of the turn.
        let nearest = self.root_radius * turn(3, 16 * self.teeth)[0];
        let fine = self.bore_radius < nearest;
        require(
            fine,
            "bore_radius",
            self.bore_radius,
            "below root_radius by more than the chord between teeth",
        )
    }

    /// The outline, counter-clockwise: four corners a tooth, each edge cut into pieces.
    fn outline(&self) -> Vec<DVec2> {
        let corners = 4 * self.teeth;
        let corner = |i: u32| {
            // In eighths of a tooth's share of the turn: flanks take one, tip and root three each.
            let place = [0, 1, 4, 5][i as usize % 4];
            let [c, s] = turn(8 * (i / 4) + place, 8 * self.teeth);
            let radius = if matches!(i % 4, 1 | 2) { self.tip_radius } else { self.root_radius };
            DVec2::new(radius * c, radius * s)
        };
        let edge = |i: u32| {
            let (from, to) = (corner(i), corner((i + 1) % corners));
            (0..self.pieces).map(move |piece| {
                let (done, rest) = (f64::from(piece), f64::from(self.pieces - piece));
                (from * rest + to * done) / f64::from(self.pieces)
            })
        };
        (0..corners).flat_map(edge).collect()
    }
}

/// A gear around the z axis, centered at the origin. It has `16 · teeth · pieces · (layers + rings)` triangles.
///
/// ```
/// use impinge_shapes::Gear;
///
/// let gear = Gear {
///     tip_radius: 1.0,
///     root_radius: 0.8,
///     bore_radius: 0.3,
///     thickness: 0.4,
///     teeth: 16,
///     pieces: 1,
///     layers: 1,
///     rings: 1,
/// };
/// assert_eq!(impinge_shapes::gear(&gear)?.triangle_count(), 512);
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
#[doc(alias = "cog")]
pub fn gear(gear: &Gear) -> Result<Polyhedron, ShapeError> {
    surface(gear)?.polyhedron()
}

fn surface(gear: &Gear) -> Result<Surface, ShapeError> {
    gear.check()?;
    let outline = gear.outline();
    let bore: Vec<DVec2> = outline.iter().map(|point| *point * (gear.bore_radius / point.length())).collect();
    Ok(washer(&outline, &bore, gear.thickness, gear.layers, gear.rings))
}

/// A plate with a hole, centered at the origin: `4 · corners · (layers + rings)` triangles.
///
/// Both loops run counter-clockwise around the origin and have equally many corners; the edges between corners of
/// equal number must not cross, nor those of the rings in between.
pub(crate) fn washer(outline: &[DVec2], hole: &[DVec2], thickness: f64, layers: u32, rings: u32) -> Surface {
    let count = outline.len() as u32;
    let mut surface = Surface::with_room(4 * u64::from(count) * (u64::from(layers) + u64::from(rings)));
    let ring = |surface: &mut Surface, share: f64, z: f64| {
        surface.ring(count, |i| {
            let point = hole[i as usize] * (1.0 - share) + outline[i as usize] * share;
            DVec3::new(point.x, point.y, z)
        })
    };
    // Once around the section: up the outline, in along the top, down the hole, out along the bottom.
    let half = 0.5 * thickness;
    let height = |layer: u32| half * (2.0 * f64::from(layer) / f64::from(layers) - 1.0);
    let share = |ring: u32| f64::from(ring) / f64::from(rings);
    let mut loops: Vec<Ring> = Vec::new();
    loops.extend((0..layers).map(|layer| ring(&mut surface, 1.0, height(layer))));
    loops.extend((1..=rings).rev().map(|step| ring(&mut surface, share(step), half)));
    loops.extend((1..=layers).rev().map(|layer| ring(&mut surface, 0.0, height(layer))));
    loops.extend((0..rings).map(|step| ring(&mut surface, share(step), -half)));
    for (i, &lower) in loops.iter().enumerate() {
        surface.band(lower, loops[(i + 1) % loops.len()]);
    }
    surface
}
