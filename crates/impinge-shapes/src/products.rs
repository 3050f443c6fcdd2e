//! Stand-ins for parts from a designer's desk: several closed groups side by side or one within the other.
//!
//! Parts keep a gap to each other, so that every contact that is found was made by the scene, not by the model.

use crate::error::ShapeError;
use crate::fit::pair;
use crate::gear::washer;
use crate::proportions::{capsule_of, cells_of_cube, cylinder_of, torus_of};
use crate::tube::{Ends, Station, sweep};
use crate::turn::turn;
use crate::{Surface, boxes, round};
use glam::{DVec2, DVec3};

/// A part: its name, the least number of its triangles, its share of all above the least, and how it is made.
struct Part {
    name: String,
    least: u64,
    share: f64,
    make: Box<dyn Fn(u64) -> Result<Surface, ShapeError>>,
}

impl Part {
    fn new(
        name: impl Into<String>,
        least: u64,
        share: f64,
        make: impl Fn(u64) -> Result<Surface, ShapeError> + 'static,
    ) -> Part {
        Part { name: name.into(), least, share, make: Box::new(make) }
    }
}

/// Puts parts together. The last one gets all that the others left, so that their misses do not add up.
fn assemble(wanted: u64, parts: &[Part]) -> Result<Surface, ShapeError> {
    let spare = wanted.saturating_sub(parts.iter().map(|part| part.least).sum());
    let mut whole = Surface::with_room(wanted);
    for (i, part) in parts.iter().enumerate() {
        let budget = if i + 1 == parts.len() {
            wanted.saturating_sub(whole.triangle_count()).max(part.least)
        } else {
            part.least + (part.share * spare as f64) as u64
        };
        whole.begin_group(part.name.clone());
        whole.append(&(part.make)(budget)?);
    }
    Ok(whole)
}

/// A panel in its frame with three hinges, and a handle and a rose on each face. The width is x, the height z.
pub(crate) fn door(wanted: u64) -> Result<Surface, ShapeError> {
    let mut parts = vec![Part::new("frame", 32, 0.2, |wanted| {
        let [pieces, bands] = pair(wanted, (wanted as f64 / 128.0).sqrt(), [1, 2], |a, b| 16 * a * b);
        let rings = (bands / 2).max(1);
        let [outer, inner] = [[0.55, 1.0], [0.47, 0.92]].map(|half| rectangle(half, pieces));
        let frame = washer(&outer, &inner, 0.12, bands - rings, rings);
        Ok(frame.mapped(|p| DVec3::new(p.x, -p.z, p.y)))
    })];
    for (number, z) in [(1, -0.7), (2, 0.0), (3, 0.7)] {
        parts.push(Part::new(format!("hinge {number}"), 12, 0.05, move |wanted| {
            let [segments, stacks] = cylinder_of(wanted, 6.0);
            let hinge = round::cylinder_surface(0.02, 0.16, segments, stacks)?;
            Ok(hinge.mapped(|p| p + DVec3::new(-0.46, -0.085, z)))
        }));
    }
    for (name, side) in [("front", -1.0), ("back", 1.0)] {
        parts.push(Part::new(format!("rose {name}"), 18, 0.1, move |wanted| {
            let [segments, sides] = torus_of(wanted);
            let rose = round::torus_surface(0.03, 0.008, segments, sides)?;
            Ok(rose.mapped(|p| DVec3::new(0.38 + p.y, 0.035 * side + p.z, p.x)))
        }));
        parts.push(Part::new(format!("handle {name}"), 12, 0.1, move |wanted| {
            let [segments, rings] = capsule_of(wanted);
            let handle = round::capsule_surface(0.015, 0.06, segments, rings)?;
            Ok(handle.mapped(|p| DVec3::new(0.33 + p.z, 0.08 * side + p.x, p.y)))
        }));
    }
    parts.push(Part::new("panel", 12, 0.25, |wanted| {
        let half = DVec3::new(0.45, 0.02, 0.9);
        let ideal = (wanted as f64 / 8.0).sqrt();
        let [height, width] = pair(wanted, ideal, [1, 1], |c, a| 4 * (a + c + a * c));
        boxes::cuboid_grid_surface(-half, half, [width, 1, height])
    }));
    assemble(wanted, &parts)
}

/// A housing with a cavity, and in the cavity a bolt, five pins below five springs, and a plug.
pub(crate) fn lock(wanted: u64) -> Result<Surface, ShapeError> {
    let mut parts = vec![
        Part::new("housing", 24, 0.15, |wanted| {
            let cells = cells_of_cube(wanted / 2);
            let [outer, inner] = [DVec3::new(1.0, 0.6, 0.8), DVec3::new(0.85, 0.5, 0.65)];
            let mut housing = boxes::cuboid_grid_surface(-outer, outer, cells)?;
            housing.append(&boxes::cuboid_grid_surface(-inner, inner, cells)?.inverted());
            Ok(housing)
        }),
        Part::new("bolt", 12, 0.05, |wanted| {
            let (low, high) = (DVec3::new(-0.7, 0.3, -0.5), DVec3::new(0.7, 0.42, -0.2));
            boxes::cuboid_grid_surface(low, high, cells_of_cube(wanted))
        }),
    ];
    for number in 0..5 {
        let x = 0.25 * f64::from(number) - 0.5;
        parts.push(Part::new(format!("pin {}", number + 1), 12, 0.04, move |wanted| {
            let [segments, rings] = capsule_of(wanted);
            let pin = round::capsule_surface(0.05, 0.08, segments, rings)?;
            Ok(pin.mapped(|p| p + DVec3::new(x, 0.0, 0.03)))
        }));
        parts.push(Part::new(format!("spring {}", number + 1), 114, 0.08, move |wanted| {
            Ok(spring(wanted).mapped(|p| p + DVec3::new(x, 0.0, 0.2)))
        }));
    }
    parts.push(Part::new("plug", 12, 0.2, |wanted| {
        let [segments, stacks] = cylinder_of(wanted, 6.0);
        let plug = round::cylinder_surface(0.2, 1.4, segments, stacks)?;
        Ok(plug.mapped(|p| DVec3::new(p.z, p.x, p.y - 0.35)))
    }));
    assemble(wanted, &parts)
}

/// An open skin like a hood over four seats, a steering wheel and four wheels. It drives towards -x.
pub(crate) fn car(wanted: u64) -> Result<Surface, ShapeError> {
    // From the height of the sill, where the skin ends, to the middle of the whole.
    let lift = |p: DVec3| p - DVec3::Z * 0.2;
    let mut parts = Vec::new();
    for (number, [x, y]) in
        [[-0.14, -0.16], [-0.14, 0.16], [0.16, -0.16], [0.16, 0.16]].into_iter().enumerate()
    {
        parts.push(Part::new(format!("seat {}", number + 1), 20, 0.08, move |wanted| {
            // Two steps make an L: a seat and its back.
            let strips = (wanted.saturating_sub(8) / 12).max(1) as u32;
            let seat = boxes::stairs_surface(DVec3::new(0.22, 0.22, 0.35), 2, strips)?;
            Ok(seat.mapped(|p| lift(p + DVec3::new(x, y, 0.225))))
        }));
    }
    parts.push(Part::new("steering wheel", 18, 0.08, move |wanted| {
        let [segments, sides] = torus_of(wanted);
        let wheel = round::torus_surface(0.08, 0.012, segments, sides)?;
        Ok(wheel.mapped(|p| lift(DVec3::new(p.z - 0.38, p.x - 0.16, p.y + 0.36))))
    }));
    for (number, [x, y]) in [[-0.65, -0.3], [-0.65, 0.3], [0.65, -0.3], [0.65, 0.3]].into_iter().enumerate() {
        parts.push(Part::new(format!("wheel {}", number + 1), 18, 0.05, move |wanted| {
            let [segments, sides] = torus_of(wanted);
            let wheel = round::torus_surface(0.13, 0.05, segments, sides)?;
            Ok(wheel.mapped(|p| lift(DVec3::new(x + p.y, y + p.z, p.x - 0.05))))
        }));
    }
    parts.push(Part::new("skin", 96, 0.4, move |wanted| Ok(skin(wanted).mapped(lift))));
    assemble(wanted, &parts)
}

/// The skin of the car: arches from sill to sill, each a rounded rectangle, low over hood and boot, high between.
fn skin(wanted: u64) -> Surface {
    let [columns, rows] = pair(wanted, (wanted as f64 / 4.0).sqrt(), [8, 6], |a, b| 2 * a * b);
    let mut surface = Surface::with_room(2 * u64::from(columns) * u64::from(rows));
    let rise = |from: f64, to: f64, x: f64| {
        let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    for column in 0..=columns {
        let x = 2.0 * f64::from(column) / f64::from(columns) - 1.0;
        let height = 0.28 + 0.32 * rise(-0.75, -0.35, x) * (1.0 - rise(0.35, 0.75, x));
        for row in 0..=rows {
            let [c, s] = turn(row, 2 * rows);
            let across = libm::sqrt(c.abs()).copysign(c);
            surface.vertex(DVec3::new(x, -0.4 * across, height * libm::sqrt(s.abs())));
        }
    }
    let at = |column: u32, row: u32| column * (rows + 1) + row;
    for column in 0..columns {
        for row in 0..rows {
            let next = [at(column + 1, row), at(column + 1, row + 1)];
            surface.quad([at(column, row), next[0], next[1], at(column, row + 1)]);
        }
    }
    surface
}

/// Three windings of wire around the z axis, from 0 up to 0.36. The wire is 0.024 thick, its windings 0.12 apart.
fn spring(wanted: u64) -> Surface {
    const WINDINGS: u32 = 3;
    let (coil, pitch) = (0.07, 0.12);
    let [stations, sides] =
        pair(wanted, (wanted as f64 / 12.0).sqrt(), [6 * WINDINGS + 1, 3], |a, b| 2 * a * b);
    let steps = stations - 1;
    let slope = pitch / std::f64::consts::TAU;
    let length = libm::sqrt(coil * coil + slope * slope);
    let path: Vec<Station> = (0..stations)
        .map(|i| {
            let [c, s] = turn((u64::from(WINDINGS) * u64::from(i) % u64::from(steps)) as u32, steps);
            let rise = pitch * f64::from(WINDINGS) * (f64::from(i) / f64::from(steps));
            Station {
                point: DVec3::new(coil * c, coil * s, rise),
                tangent: DVec3::new(-coil * s, coil * c, slope) / length,
            }
        })
        .collect();
    let mut surface = Surface::with_room(2 * u64::from(stations) * u64::from(sides));
    sweep(&mut surface, &path, 0.012, sides, Ends::Capped);
    surface
}

/// The outline of a rectangle around the origin, counter-clockwise, each edge in pieces.
fn rectangle([x, y]: [f64; 2], pieces: u32) -> Vec<DVec2> {
    let corners = [[x, -y], [x, y], [-x, y], [-x, -y]].map(DVec2::from_array);
    (0..4)
        .flat_map(|i| {
            let (from, to) = (corners[i], corners[(i + 1) % 4]);
            (0..pieces).map(move |piece| from + (to - from) * (f64::from(piece) / f64::from(pieces)))
        })
        .collect()
}
