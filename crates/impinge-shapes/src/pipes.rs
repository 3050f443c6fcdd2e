//! A plant of bent pipes that pass each other closely and never touch.
//!
//! Space is divided into cubic cells. A pipe runs from cell to cell and fills no cell twice: through the middle of a
//! cell straight, or by a quarter of a circle around one of the cell's edges. Thinner than its cell, it stays inside
//! of its cells, so no proof beyond that is needed that pipes are free of each other and of themselves. Each pipe has
//! two layers of cells of its own and runs along x and along y in turns.

use crate::error::{ShapeError, indexable, positive, require, some, three};
use crate::tube::{Ends, Station, sweep};
use crate::turn::turn;
use crate::{Polyhedron, Random, Surface};
use glam::DVec3;

/// The parameters of [`pipes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Pipes {
    /// The longest side of the box that holds all cells; it is centered at the origin.
    pub size: f64,
    /// The radius of the pipes as a share of their cells' edge, above 0 and below 0.5.
    pub radius: f64,
    /// The number of pipes.
    pub pipes: u32,
    /// The number of cells that each pipe runs through.
    pub cells: u32,
    /// Sections of each pipe in each of its cells.
    pub sections: u32,
    /// Sides around each pipe.
    pub sides: u32,
    /// The seed that decides where the pipes bend.
    pub seed: u64,
}

impl Pipes {
    /// `2 · pipes · sides · (cells · sections + 1)`.
    pub(crate) fn triangle_count(&self) -> Option<u64> {
        let [pipes, sides, cells, sections] =
            [self.pipes, self.sides, self.cells, self.sections].map(u64::from);
        cells.checked_mul(sections)?.checked_add(1)?.checked_mul(sides)?.checked_mul(pipes)?.checked_mul(2)
    }
}

/// Several bent pipes with closed ends. There are `2 · pipes · sides · (cells · sections + 1)` triangles, and
/// each pipe is a group of its own, `pipe 1`, `pipe 2`, …
///
/// ```
/// use impinge_shapes::Pipes;
///
/// let pipes = Pipes { size: 2.0, radius: 0.3, pipes: 4, cells: 10, sections: 3, sides: 12, seed: 7 };
/// let mesh = impinge_shapes::pipes(&pipes)?;
/// assert_eq!(mesh.triangle_count(), 2 * 4 * 12 * (10 * 3 + 1));
/// assert_eq!(mesh.groups().len(), 4);
/// # Ok::<(), impinge_shapes::ShapeError>(())
/// ```
pub fn pipes(pipes: &Pipes) -> Result<Polyhedron, ShapeError> {
    surface(pipes)?.polyhedron()
}

/// A step to a neighboring cell.
type Step = [i32; 3];

/// A pipe: the cells that it runs through, and the steps into the first, between them and out of the last.
struct Run {
    cells: Vec<[i32; 3]>,
    steps: Vec<Step>,
}

fn surface(pipes: &Pipes) -> Result<Surface, ShapeError> {
    positive("size", pipes.size)?;
    let fine = pipes.radius > 0.0 && pipes.radius < 0.5;
    require(fine, "radius", pipes.radius, "above 0 and below 0.5, a share of a cell")?;
    for (parameter, value) in [("pipes", pipes.pipes), ("cells", pipes.cells), ("sections", pipes.sections)] {
        some(parameter, value)?;
    }
    three("sides", pipes.sides)?;
    let count = pipes.triangle_count();
    indexable(count)?;

    let mut random = Random::new(pipes.seed);
    let runs: Vec<Run> = (0..pipes.pipes).map(|pipe| run(pipe, pipes.cells, &mut random)).collect();
    let all = || runs.iter().flat_map(|run| &run.cells);
    let low = all().fold([i32::MAX; 3], |low, cell| std::array::from_fn(|axis| low[axis].min(cell[axis])));
    let high = all().fold([i32::MIN; 3], |high, cell| std::array::from_fn(|axis| high[axis].max(cell[axis])));
    let sides: [i32; 3] = std::array::from_fn(|axis| high[axis] - low[axis] + 1);
    let longest = sides.into_iter().fold(1, i32::max);
    let cell = pipes.size / f64::from(longest);
    let middle = vector(low) + vector(high);

    let mut surface = Surface::with_room(count.unwrap_or(0));
    for (number, run) in runs.iter().enumerate() {
        surface.begin_group(format!("pipe {}", number + 1));
        let mut path = stations(run, pipes.sections);
        for station in &mut path {
            station.point = (station.point - middle * 0.5) * cell;
        }
        sweep(&mut surface, &path, pipes.radius * cell, pipes.sides, Ends::Capped);
    }
    Ok(surface)
}

/// A path that cannot touch itself: it never steps back along the pipe's main axis, and between two steps along that
/// axis it goes sideways in one direction only and changes its layer once at most.
fn run(pipe: u32, length: u32, random: &mut Random) -> Run {
    let mut main = [0; 3];
    main[pipe as usize % 2] = 1;
    let width = (length / 3).max(2) as i32;
    let floor = 2 * pipe as i32;
    let (mut forward, mut side, mut layer) = (0, random.below(width as u32) as i32, random.below(2) as i32);
    let (mut sideways, mut may_change_layer) = (1, true);
    let mut run = Run { cells: Vec::new(), steps: vec![main] };
    for left in (0..length).rev() {
        let cell = [forward, side, floor + layer];
        run.cells.push(if pipe.is_multiple_of(2) { cell } else { [cell[1], cell[0], cell[2]] });
        let choice = random.below(10);
        let step = if left == 0 || choice < 4 {
            sideways = if random.below(2) == 0 { 1 } else { -1 };
            may_change_layer = true;
            forward += 1;
            main
        } else if choice < 7 && may_change_layer {
            may_change_layer = false;
            let rise = 1 - 2 * layer;
            layer += rise;
            [0, 0, rise]
        } else if (0..width).contains(&(side + sideways)) {
            side += sideways;
            if pipe.is_multiple_of(2) { [0, sideways, 0] } else { [sideways, 0, 0] }
        } else {
            sideways = -sideways;
            may_change_layer = true;
            forward += 1;
            main
        };
        run.steps.push(step);
    }
    run
}

/// The center line of a run, in cells.
fn stations(run: &Run, sections: u32) -> Vec<Station> {
    let mut path = Vec::with_capacity(run.cells.len() * sections as usize + 1);
    for (i, &cell) in run.cells.iter().enumerate() {
        let [center, into, out] = [cell, run.steps[i], run.steps[i + 1]].map(vector);
        // The last section of a cell is the first of the next.
        for section in if i == 0 { 0..=sections } else { 1..=sections } {
            path.push(if into == out {
                let share = f64::from(section) / f64::from(sections);
                Station { point: center + into * (share - 0.5), tangent: into }
            } else {
                let [c, s] = turn(section, 4 * sections);
                let hinge = center + (out - into) * 0.5;
                Station { point: hinge + (into * s - out * c) * 0.5, tangent: into * c + out * s }
            });
        }
    }
    path
}

fn vector(cell: [i32; 3]) -> DVec3 {
    DVec3::from_array(cell.map(f64::from))
}
