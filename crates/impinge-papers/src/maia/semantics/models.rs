//! The models of Maia et al. 2006, §5: bunny, cow and a spaceship, or generated ones of the same size.

use std::collections::{HashMap, HashSet};

use impinge::Mesh;
use impinge::bounds::Aabb;
use impinge::math::DVec3;
use impinge::shapes::Shape;

use super::Settings;
use crate::zachmann::dop_tree::fitted;

/// The real models, as their files have them.
#[derive(Clone, Debug)]
pub struct Models {
    /// A cow of some 5,000 triangles.
    pub cow: Mesh,
    /// The Stanford bunny of 69,451 triangles.
    pub bunny: Mesh,
}

/// What the paper's bunny has in its table of random pairs.
const COARSE_BUNNY: usize = 5200;

/// The triangles of the whole bunny, of the spaceship, and what stands for them in quick runs.
const BUNNY: [usize; 2] = [69_451, 6000];
const SHIP: [usize; 2] = [91_300, 8000];

/// Two models of some 5,000 triangles, each in a cube of edge 2, and what they are.
pub(super) fn small_pair(settings: &Settings) -> ([Mesh; 2], &'static str) {
    match &settings.models {
        Some(Models { cow, bunny }) => {
            ([fitted(cow), fitted(&coarse(bunny, COARSE_BUNNY))], "the cow and a coarse bunny")
        }
        None => (
            [stand_in(5000, 3, DVec3::new(1.6, 1.0, 0.6)), stand_in(COARSE_BUNNY, 5, DVec3::ONE)],
            "stand-ins",
        ),
    }
}

/// Two models of 70 and 90 thousand triangles, each in a cube of edge 2, and what they are.
pub(super) fn large_pair(settings: &Settings) -> ([Mesh; 2], &'static str) {
    let pick = |[paper, quick]: [usize; 2]| settings.effort.pick(paper, quick);
    let ship = fitted(&Mesh::from(Shape::Knot.generate(pick(SHIP), 0)));
    match &settings.models {
        Some(Models { bunny, .. }) if bunny.face_count() >= pick(BUNNY) => {
            ([fitted(bunny), ship], "the bunny and a knot")
        }
        _ => ([stand_in(pick(BUNNY), 5, DVec3::ONE), ship], "a bumpy ball and a knot"),
    }
}

fn stand_in(triangles: usize, seed: u64, stretch: DVec3) -> Mesh {
    let mesh = Mesh::from(Shape::Bumpy.generate(triangles, seed));
    let points = mesh.vertices().map(|point| (point * stretch).to_array());
    let faces = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect();
    fitted(&Mesh::triangles(points, faces).expect("a stretched mesh is as valid"))
}

/// A mesh with at most so many triangles: vertices in one cell of a grid become one, and what has no area left goes.
pub(super) fn coarse(mesh: &Mesh, most: usize) -> Mesh {
    // Surfaces have about as many triangles as cells along two axes.
    let mut cells = (most as f64 / 4.0).sqrt();
    let mut coarse = merged(mesh, cells);
    while coarse.face_count() > most {
        cells *= 0.99;
        coarse = merged(mesh, cells);
    }
    while cells < 1000.0 {
        let finer = merged(mesh, cells * 1.01);
        if finer.face_count() > most {
            break;
        }
        (coarse, cells) = (finer, cells * 1.01);
    }
    coarse
}

/// A mesh whose vertices are the means of those in each cell, with so many cells along the longest side.
fn merged(mesh: &Mesh, cells: f64) -> Mesh {
    let bounds = Aabb::around(mesh.vertices());
    let scale = cells / bounds.size().max_element();
    let mut numbers = HashMap::new();
    let mut sums: Vec<(DVec3, f64)> = Vec::new();
    let mut cell_of = |point: DVec3| {
        let cell = ((point - bounds.min) * scale).floor().to_array().map(|x| x as i64);
        let number = *numbers.entry(cell).or_insert_with(|| {
            sums.push((DVec3::ZERO, 0.0));
            sums.len() as u32 - 1
        });
        let (sum, count) = &mut sums[number as usize];
        *sum += point;
        *count += 1.0;
        number
    };
    let cells: Vec<u32> = mesh.vertices().map(&mut cell_of).collect();
    let mut seen = HashSet::new();
    let is_new = |triangle: &[u32; 3]| {
        let [a, b, c] = *triangle;
        let mut sorted = *triangle;
        sorted.sort_unstable();
        a != b && b != c && c != a && seen.insert(sorted)
    };
    let triangles = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face));
    let triangles = triangles.map(|corners| corners.map(|vertex| cells[vertex as usize])).filter(is_new);
    let triangles = triangles.collect();
    let points = sums.iter().map(|(sum, count)| (*sum / *count).to_array());
    Mesh::triangles(points, triangles).expect("means of finite points are finite")
}
