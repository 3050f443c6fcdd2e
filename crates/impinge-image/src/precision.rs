//! How exact an image is. `docs/math/image.md` derives the bounds.

use impinge::glam::DVec3;

use crate::find::{Question, Stage};
use crate::scene::Vertices;
use crate::view::{Frame, Projection, View};

/// What rounding adds, as a share of how far the drawn things reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rounding(pub(crate) f64);

impl Rounding {
    /// Places and depths in `f64`: some roundings of 2⁻⁵³ each.
    pub(crate) const DOUBLE: Rounding = Rounding(1.0 / (1_u64 << 48) as f64);
    /// Places and depths in `f32`: sixteen roundings of 2⁻²⁴, for a product of matrix and vertex, the viewport, and a depth on
    /// a plane.
    pub(crate) const SINGLE: Rounding = Rounding(1.0 / (1_u64 << 20) as f64);
}

/// In pixels, rounded up: rounding to the grid moves an edge and a face by 1/512 of a pixel along both axes, and an edge that another
/// view sees as well to within rounding may be drawn there.
const SLACK: f64 = 0.02;

/// How far, in pixels, the place that is tested for a point of an edge may be from the point. Half a pixel along the
/// edge's longer axis in the image, half a pixel along the other for that and half for its own, and as deep as the edge runs
/// within half a pixel.
fn pixels(deep: f64) -> f64 {
    (0.25 + 1.0 + deep * deep).sqrt() + SLACK
}

/// Where three views are at right angles, an edge makes an angle with one of them whose cosine is at most √⅓. There its longer axis in the
/// image is at least as long as it is deep.
const PIXELS_OF_THREE: f64 = 1.2448;

/// The length that the answer states for these views, all together.
pub(crate) fn reached(question: &Question<'_>, views: &[(View, Stage)]) -> f64 {
    let rounding = views.iter().map(|(_, stage)| stage.reach * question.rounding.0).fold(0.0, f64::max);
    let largest = views.iter().map(|(view, _)| view.largest_pixel).fold(0.0, f64::max);
    let offset = question.options.offset() * largest;
    let lengths =
        if has_three_square(question) { PIXELS_OF_THREE * largest } else { steepest(question, views) };
    lengths + offset + rounding
}

/// How precise an image is, in its pixels, where three views are at right angles; rounding comes on top.
pub(crate) fn pixels_of_three(question: &Question<'_>) -> f64 {
    PIXELS_OF_THREE + question.options.offset()
}

pub(crate) fn has_three_square(question: &Question<'_>) -> bool {
    if question.options.projection != Projection::Orthographic {
        return false;
    }
    let square = |a: &Frame, b: &Frame| a.forward.dot(b.forward).abs() < 1e-9;
    let frames = &question.frames;
    frames.iter().enumerate().any(|(i, a)| {
        let rest = &frames[i + 1..];
        rest.iter()
            .enumerate()
            .any(|(j, b)| square(a, b) && rest[j + 1..].iter().any(|c| square(a, c) && square(b, c)))
    })
}

/// The bound for the edge that all views see worst.
fn steepest(question: &Question<'_>, views: &[(View, Stage)]) -> f64 {
    let mut worst: f64 = 0.0;
    for object in question.objects() {
        let placement = question.scene.objects[object as usize].placement;
        let shape = question.shape_of(object);
        let Vertices::Here(vertices) = &shape.vertices else { return f64::INFINITY };
        for ends in shape.edges() {
            let [from, to] = ends.map(|vertex| vertices[vertex as usize]);
            let way = placement.vector_to_world(to - from);
            let bound =
                views.iter().map(|(view, stage)| bound_in(view, stage, way)).fold(f64::INFINITY, f64::min);
            worst = worst.max(bound);
        }
    }
    worst
}

fn bound_in(view: &View, stage: &Stage, way: DVec3) -> f64 {
    let seen = view.frame.frame_from_world() * way;
    // An eye sees a direction at an angle that differs from that of the middle by no more than this.
    let spread = view.spread();
    let across = seen.truncate().length().atan2(seen.z.abs()) - spread;
    let depth = seen.z.abs().min(stage.region.size().z);
    let steep = if across > 0.0 { std::f64::consts::SQRT_2 / across.tan() } else { f64::INFINITY };
    let exact = seen.z.abs() / seen.x.abs().max(seen.y.abs());
    let slope = if spread == 0.0 { exact } else { steep };
    let deep = (0.5 * slope).min(depth / view.largest_pixel);
    pixels(if deep.is_nan() { 0.0 } else { deep }) * view.largest_pixel
}
