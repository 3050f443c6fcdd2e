//! Every answer of the query for many rays against an oracle's.

use impinge::math::DVec3;
use impinge::query::{Ray, RayOptions};
use impinge::{Mesh, Model, Trs};
use serde::Serialize;

use super::oracle::{Oracle, Verdict};

/// What became of a set of rays.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// Which rays.
    pub rays: &'static str,
    /// How many.
    pub count: usize,
    /// How many hit something.
    pub hits: usize,
    /// How many answers are not the oracle's: another face, or a hit in place of a miss.
    pub differences: usize,
    /// The numbers of the first rays of those.
    pub first_differences: Vec<usize>,
    /// Rays that run in the plane of a face, about which the oracle does not say anything.
    pub in_plane: usize,
    /// Decisions for which the oracle needed whole numbers.
    pub closely: u64,
    /// Rays for which the oracle tried every face.
    pub on_every_face: usize,
}

/// Casts the rays of an image and random rays at a mesh, and compares all answers. `brute` rays of each are tried on every
/// face as well.
pub fn check(mesh: &Mesh, brute: usize) -> Vec<Checked> {
    // As harnesses do that hand the same mesh to libraries of 32 bits.
    let points: Vec<[f64; 3]> = mesh.vertices().map(|p| p.to_array().map(|x| f64::from(x as f32))).collect();
    let triangles: Vec<[u32; 3]> = (0..mesh.face_count() as u32).flat_map(|face| mesh.fan(face)).collect();
    let corners = |triangle: [u32; 3]| triangle.map(|vertex| DVec3::from_array(points[vertex as usize]));
    if triangles.is_empty() {
        return Vec::new();
    }
    let mut oracle = Oracle::new(triangles.iter().map(|&triangle| corners(triangle)));
    let Ok(mesh) = Mesh::triangles(points.clone(), triangles.clone()) else { return Vec::new() };
    let model = Model::new(mesh);
    [("primary", image()), ("incoherent", random())]
        .map(|(name, rays)| check_set(&model, &mut oracle, name, &rays, brute))
        .into()
}

fn check_set(model: &Model, oracle: &mut Oracle, name: &'static str, rays: &[Ray], brute: usize) -> Checked {
    let mut answers = vec![None; rays.len()];
    model.at(Trs::IDENTITY).cast_rays_into(rays, RayOptions::default(), &mut answers);
    let mut checked = Checked {
        rays: name,
        count: rays.len(),
        hits: answers.iter().flatten().count(),
        differences: 0,
        first_differences: Vec::new(),
        in_plane: 0,
        closely: 0,
        on_every_face: 0,
    };
    oracle.closely = 0;
    let every = (rays.len() / brute.max(1)).max(1);
    for (i, (ray, answer)) in rays.iter().zip(&answers).enumerate() {
        let verdict = oracle.first(ray.origin(), ray.direction());
        let answer = answer.map_or(Verdict::Miss, |first| Verdict::Face(first.face));
        let mut agrees = verdict == answer;
        if brute > 0 && i % every == every / 2 {
            agrees &= oracle.first_of_all(ray.origin(), ray.direction()) == verdict;
            checked.on_every_face += 1;
        }
        if verdict == Verdict::InPlane {
            checked.in_plane += 1;
        } else if !agrees {
            checked.differences += 1;
            if checked.first_differences.len() < 10 {
                checked.first_differences.push(i);
            }
        }
    }
    checked.closely = oracle.closely;
    checked
}

/// What was checked, as lines of text.
pub fn check_text(sets: &[Checked]) -> String {
    let line = |set: &Checked| {
        let Checked { rays, count, hits, differences, in_plane, closely, on_every_face, .. } = set;
        let numbers = if set.first_differences.is_empty() {
            String::new()
        } else {
            format!("; the first are {:?}", set.first_differences)
        };
        format!(
            "{rays}: {count} rays, {hits} hit; {differences} differ from the oracle{numbers}\n  \
             {on_every_face} of them tried on every face; {closely} decisions in whole numbers; {in_plane} in the plane of a face\n"
        )
    };
    sets.iter().map(line).collect()
}

const WIDTH: u32 = 1024;
const HEIGHT: u32 = 768;

/// A ray of 32-bit numbers along a direction that is made one long.
fn ray(origin: [f64; 3], direction: [f64; 3]) -> Option<Ray> {
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    Ray::new(origin.map(|x| x as f32), direction.map(|x| (x / length) as f32)).ok()
}

/// One ray for each pixel of an image, from the eye at (0.3, 1.9, 4.2) towards (0, 0.5, 0).
fn image() -> Vec<Ray> {
    let (eye, at) = (DVec3::new(0.3, 1.9, 4.2), DVec3::new(0.0, 0.5, 0.0));
    let forward = at - eye;
    let forward = forward / forward.dot(forward).sqrt();
    let right = DVec3::new(-forward.z, 0.0, forward.x);
    let right = right / (right.x * right.x + right.z * right.z).sqrt();
    let up = right.cross(forward);
    let (width, height) = (f64::from(WIDTH), f64::from(HEIGHT));
    let of_pixel = |i: u32| {
        let (x, y) = (f64::from(i % WIDTH) + 0.5, f64::from(i / WIDTH) + 0.5);
        let across = 0.45_f64.tan() * (2.0 * x / width - 1.0) * width / height;
        let above = 0.45_f64.tan() * (1.0 - 2.0 * y / height);
        ray(eye.to_array(), (forward + across * right + above * up).to_array())
    };
    (0..WIDTH * HEIGHT).filter_map(of_pixel).collect()
}

/// From anywhere around to anywhere in the middle.
fn random() -> Vec<Ray> {
    let mut state = 7_u64;
    let mut between = |least: f64, most: f64| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        least + (most - least) * ((mixed >> 11) as f64 / (1_u64 << 53) as f64)
    };
    let mut rays = Vec::new();
    for _ in 0..WIDTH * HEIGHT / 4 {
        let from = [between(-3.0, 3.0), between(0.0, 2.0), between(-3.0, 3.0)];
        let to = [between(-2.0, 2.0), between(0.0, 1.5), between(-1.0, 1.0)];
        rays.extend(ray(from, [to[0] - from[0], to[1] - from[1], to[2] - from[2]]));
    }
    rays
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::shapes::Shape;

    #[test]
    fn the_oracle_agrees_and_would_notice() {
        let model = Model::new(Shape::Bumpy.generate(600, 3));
        let mesh = model.mesh();
        let faces = 0..mesh.face_count() as u32;
        let corners = |face: u32| mesh.fan_triangle(face, 0).map(|vertex| mesh.vertex(vertex));
        let some = |rays: Vec<Ray>| rays.into_iter().step_by(211).collect::<Vec<_>>();
        for rays in [some(image()), some(random())] {
            let mut oracle = Oracle::new(faces.clone().map(corners));
            let checked = check_set(&model, &mut oracle, "some", &rays, 30);
            assert_eq!(checked.differences, 0, "{checked:?}");
            assert!(checked.hits * 20 > checked.count && checked.on_every_face >= 30, "{checked:?}");
            // Faces in another order are other faces.
            let mut oracle = Oracle::new(faces.clone().rev().map(corners));
            let checked = check_set(&model, &mut oracle, "others", &rays, 0);
            assert!(checked.differences * 10 > checked.hits * 9, "{checked:?}");
        }
    }
}
