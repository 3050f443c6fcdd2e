//! Maia et al. 2006, §5: a scene rendered by casting rays, with the tests done in two frames.
//!
//! The paper's models have scales of their own. Its first renderer brings every box and every triangle that a ray meets
//! on its way into the frame A′, where the scale is applied; its second takes the ray into the model's own frame, once,
//! and leaves the model as it is. The paper gained a factor of 1.76 over 30 images of 149K triangles. Both are done here
//! with the same plain tree of boxes; the library's own query renders the images a third time.
//!
//! Here the model's frame gains a few percent only. What is left out are 6 multiplications a box and 9 a triangle, beside
//! loads, guesses at branches and 3 divisions that a processor waits for meanwhile; and the paper's tests in A′ took square roots as
//! well, which these do not.

mod boxes;
mod camera;
mod check;
mod oracle;
mod picture;
mod scene;

pub use camera::Camera;
pub use check::{Checked, check, check_text};
pub use picture::Picture;
pub use scene::{Scene, Thing};

use std::time::Instant;

use impinge::query::{Ray, RayHit, RayOptions};
use serde::Serialize;

use crate::comparison::{Comparison, Place};
use boxes::Frame;

/// What is rendered, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Protocol {
    /// Pixels in a row.
    pub width: usize,
    /// Rows of pixels.
    pub height: usize,
    /// Images on a full turn of the camera.
    pub images: usize,
    /// About how many triangles the scene has.
    pub triangles: usize,
}

impl Protocol {
    /// The paper's.
    pub const PAPER: Protocol = Protocol { width: 1024, height: 768, images: 30, triangles: 149_000 };
    /// A few seconds.
    pub const QUICK: Protocol = Protocol { width: 160, height: 120, images: 2, triangles: 20_000 };
}

/// What rendering took, per image, in seconds on one thread.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Times {
    /// Faces and boxes brought into the frame A′.
    pub in_scaled_frame: f64,
    /// Rays brought into the model's own frame.
    pub in_model_frame: f64,
    /// The library's query.
    pub by_query: f64,
}

/// The outcome.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What was rendered.
    pub protocol: Protocol,
    /// Triangles of the scene.
    pub triangles: usize,
    /// The mean over the images.
    pub mean: Times,
    /// How much faster the model's frame is than A′.
    pub gain: f64,
    /// Rays that hit something, of all images.
    pub hits: u64,
    /// Pixels at which a frame and the library's query see different things; rounding in the plain tests decides those.
    pub disagreements: u64,
}

/// Renders the images. `show` gets each picture when it is done.
pub fn run(protocol: Protocol, mut show: impl FnMut(usize, &Picture)) -> Report {
    let scene = Scene::new(protocol.triangles);
    let trees: Vec<_> = scene.things.iter().map(|thing| boxes::BoxTree::new(&thing.model)).collect();
    let (mut sums, mut hits, mut disagreements) = ([0.0; 3], 0, 0);
    for image in 0..protocol.images {
        let camera = Camera::turned(image as f64 / protocol.images as f64);
        let rays = camera.rays(protocol.width, protocol.height);
        let mut plain = [Vec::new(), Vec::new()];
        for (i, frame) in [Frame::Scaled, Frame::Model].into_iter().enumerate() {
            let start = Instant::now();
            plain[i] = rays.iter().map(|ray| boxes::nearest(&scene, &trees, ray, frame)).collect();
            sums[i] += start.elapsed().as_secs_f64();
        }
        let start = Instant::now();
        let first = first_things(&scene, &rays);
        sums[2] += start.elapsed().as_secs_f64();
        let seen = hits_of(&scene, &rays, &first);
        hits += seen.iter().flatten().count() as u64;
        for frame in &plain {
            let differs = |(plain, seen): (&Option<usize>, &Option<(usize, RayHit)>)| {
                *plain != seen.as_ref().map(|(thing, _)| *thing)
            };
            disagreements += frame.iter().zip(&seen).filter(|&pair| differs(pair)).count() as u64;
        }
        show(image, &picture::shade(&scene, protocol.width, &rays, &seen));
    }
    let [in_scaled_frame, in_model_frame, by_query] = sums.map(|sum| sum / protocol.images.max(1) as f64);
    Report {
        protocol,
        triangles: scene.triangles(),
        mean: Times { in_scaled_frame, in_model_frame, by_query },
        gain: in_scaled_frame / in_model_frame,
        hits,
        disagreements,
    }
}

/// The first thing that each ray hits.
fn first_things(scene: &Scene, rays: &[Ray]) -> Vec<Option<usize>> {
    let mut first = vec![None; rays.len()];
    // Behind what was hit, nothing counts.
    let mut shortened = rays.to_vec();
    let mut faces = vec![None; rays.len()];
    for (thing, placed) in scene.placed().enumerate() {
        placed.cast_rays_into(&shortened, RayOptions::default(), &mut faces);
        for ((first, ray), face) in first.iter_mut().zip(&mut shortened).zip(&faces) {
            let Some(face) = face else { continue };
            if face.t < ray.max_t() {
                *first = Some(thing);
                *ray = ray.up_to(face.t).unwrap_or(*ray);
            }
        }
    }
    first
}

/// Where each ray hits the first thing.
fn hits_of(scene: &Scene, rays: &[Ray], first: &[Option<usize>]) -> Vec<Option<(usize, RayHit)>> {
    let placed: Vec<_> = scene.placed().collect();
    let hit = |(ray, first): (&Ray, &Option<usize>)| {
        first.and_then(|thing| placed[thing].cast_ray(ray).map(|hit| (thing, hit)))
    };
    rays.iter().zip(first).map(hit).collect()
}

/// The paper's figure beside ours.
pub fn comparisons(report: &Report) -> Vec<Comparison> {
    let Report { protocol: Protocol { width, height, images, .. }, triangles, mean, gain, .. } = report;
    let place = Place { paper: "Maia et al. 2006", place: "§5, Figure 4" };
    let scene = format!("{images} images of {width} × {height} pixels, {triangles} triangles");
    let why = "Six multiplications a box and nine a triangle are saved, beside loads and divisions that the processor waits for \
               meanwhile; the paper's tests in A′ took square roots as well.";
    let seconds = format!("{:.2} s", mean.by_query);
    vec![
        place.compare(
            format!("{scene}: the model's frame against A′"),
            "1.76 times as fast",
            format!("{gain:.2} times as fast"),
            why,
        ),
        place.compare(
            format!("{scene}: an image by the library's query"),
            "16.63 s",
            seconds,
            "Another machine; one thread.",
        ),
    ]
}

/// The report as lines of text.
pub fn text(report: &Report) -> String {
    let Report { protocol, triangles, mean, gain, hits, disagreements } = report;
    let Protocol { width, height, images, .. } = protocol;
    let rays = (width * height) as f64;
    let line = |what: &str, seconds: f64| {
        format!("  {what:<46} {seconds:>8.3} s  {:>9.0} ns a ray\n", seconds / rays * 1e9)
    };
    format!("{images} images of {width} x {height} pixels, {triangles} triangles, {hits} hits\n\n")
        + "Mean time of an image\n"
        + &line("faces and boxes transformed to the frame A'", mean.in_scaled_frame)
        + &line("the ray transformed to the model's frame", mean.in_model_frame)
        + &line("impinge's query, in the model's frame", mean.by_query)
        + &format!("\nThe model's frame is {gain:.2} times as fast as A' (Maia et al. 2006: 1.76 times)\n")
        + &format!("{disagreements} of {} pixels differ from the query\n", 2 * images * width * height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_frames_see_what_the_query_sees() {
        let protocol = Protocol { width: 64, height: 48, images: 2, triangles: 8_000 };
        let mut sizes = Vec::new();
        let report = run(protocol, |image, picture| sizes.push((image, picture.width(), picture.height())));
        assert_eq!(sizes, [(0, 64, 48), (1, 64, 48)]);
        assert!(report.triangles > 6_000 && report.triangles < 10_000, "{}", report.triangles);
        // The ground fills the lower half.
        assert!(report.hits > 64 * 48 && report.hits < 2 * 64 * 48, "{}", report.hits);
        // Plain f64 tests err only where a ray passes within some 1e-12 of an edge.
        assert_eq!(report.disagreements, 0);
    }
}
