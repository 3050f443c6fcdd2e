//! Animations as one HTML page that needs nothing else: bodies that move, drawn on a canvas, to turn and to stop with the mouse.

use std::fmt::Write as _;

use impinge::Mesh;
use impinge::math::{DAffine3, DVec3};

/// A thing in the picture.
pub struct Actor<'m> {
    /// Its shape.
    pub mesh: &'m Mesh,
    /// Red, green and blue, from 0 to 255.
    pub color: [u8; 3],
    /// How it is painted.
    pub paint: Paint,
    /// Whether a line is drawn along the way that its origin has come.
    pub leaves_trail: bool,
}

impl<'m> Actor<'m> {
    /// Something that leaves no trail.
    pub fn new(mesh: &'m Mesh, color: [u8; 3], paint: Paint) -> Actor<'m> {
        Actor { mesh, color, paint, leaves_trail: false }
    }
}

/// How a thing is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Nearer things over farther ones.
    Solid = 0,
    /// Before all else, which stands on it.
    Ground = 1,
    /// Its edges only.
    Outline = 2,
    /// Like a solid, but seen from both sides and a little through.
    Sheet = 3,
}

/// Where the picture is taken from.
pub struct Camera {
    /// What is in the middle.
    pub target: DVec3,
    /// How far away from it.
    pub distance: f64,
    /// Degrees about the vertical, and above the horizon.
    pub turn: f64,
    /// See above.
    pub height: f64,
}

/// The page: every actor in the pose that it has in each frame, 30 frames a second, under a title and a sentence on what is seen.
pub fn page(
    [title, caption]: [&str; 2],
    actors: &[Actor<'_>],
    frames: &[Vec<DAffine3>],
    camera: &Camera,
) -> String {
    let mut data = String::from("const shapes=[");
    // Actors of one mesh share its numbers.
    let mut meshes: Vec<&Mesh> = Vec::new();
    let shape_of: Vec<usize> = actors
        .iter()
        .map(|actor| {
            meshes.iter().position(|mesh| std::ptr::eq(*mesh, actor.mesh)).unwrap_or_else(|| {
                meshes.push(actor.mesh);
                meshes.len() - 1
            })
        })
        .collect();
    meshes.iter().for_each(|mesh| shape(&mut data, mesh));
    data.push_str("];\nconst actors=[");
    for (actor, shape) in actors.iter().zip(shape_of) {
        let (color, paint, trail) = (actor.color, actor.paint as u8, actor.leaves_trail);
        let _ = write!(data, "{{s:{shape},c:{color:?},g:{paint},t:{trail}}},");
    }
    data.push_str("];\nconst frames=[\n");
    let mut before: Vec<String> = vec![String::new(); actors.len()];
    for frame in frames {
        // Only what has moved since the frame before: [actor, pose, actor, pose, …].
        data.push('[');
        for (number, pose) in frame.iter().enumerate() {
            let text = pose_text(pose);
            if before[number] != text {
                let _ = write!(data, "{number},{text},");
                before[number] = text;
            }
        }
        data.push_str("],\n");
    }
    let Camera { target, distance, turn, height } = camera;
    let _ =
        writeln!(data, "];\nconst camera={{t:{:?},d:{distance},a:{turn},h:{height}}};", target.to_array());
    include_str!("movie.html").replace("TITLE", title).replace("CAPTION", caption).replace("/*DATA*/", &data)
}

fn shape(data: &mut String, mesh: &Mesh) {
    data.push_str("{v:[");
    for vertex in mesh.vertices() {
        let _ = write!(data, "[{},{},{}],", short(vertex.x), short(vertex.y), short(vertex.z));
    }
    data.push_str("],f:[");
    for face in 0..mesh.face_count() as u32 {
        let _ = write!(data, "{:?},", mesh.corners(face).collect::<Vec<u32>>());
    }
    data.push_str("]},");
}

/// The nine numbers of the linear part by columns, then the translation.
fn pose_text(pose: &DAffine3) -> String {
    let mut text = String::from("[");
    for number in pose.to_cols_array() {
        let _ = write!(text, "{},", short(number));
    }
    text.push(']');
    text
}

/// Three decimals are enough for the eye.
fn short(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
