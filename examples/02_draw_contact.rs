//! Draws two models and the faces where they meet, as an SVG file: the contact surface of Maia et al. 2006, Figure 3.
//!
//! `cargo run --release --example 02_draw_contact -- OUT.svg`; without a name it writes to the temporary folder.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

use impinge::math::{DQuat, DVec3};
use impinge::shapes::Shape;
use impinge::{Model, Placed, Trs};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 560.0;

fn main() -> Result<(), Box<dyn Error>> {
    let knot = Model::new(Shape::Knot.generate(3000, 1));
    let gear = Model::new(Shape::Gear.generate(1800, 1));
    let upright = Trs::rotation_about_axis([1.0, 0.3, 0.0], 70.0)?.orientation();
    let a = knot.at(Trs::rigid([-0.35, 0.0, 0.0], DQuat::IDENTITY)?);
    let b = gear.at(Trs::rigid([0.45, 0.0, 0.1], upright)?);

    let pairs = a.face_pairs(&b);
    let meeting_a: BTreeSet<u32> = pairs.iter().map(|pair| pair.face_a).collect();
    let meeting_b: BTreeSet<u32> = pairs.iter().map(|pair| pair.face_b).collect();
    println!("{:?}: {} pairs, {} and {} faces", a.verdict(&b), pairs.len(), meeting_a.len(), meeting_b.len());

    let view = Trs::rotation_about_axis([1.0, 0.0, 0.0], -55.0)?.rotation_matrix();
    let mut drawn = Vec::new();
    let mut add = |placed: &Placed<'_>, meeting: &BTreeSet<u32>, color: [f64; 3]| {
        let mesh = placed.model().mesh();
        for face in 0..mesh.face_count() as u32 {
            let corners: Vec<DVec3> = mesh
                .corners(face)
                .map(|vertex| view * placed.placement().point_to_world(mesh.vertex(vertex)))
                .collect();
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
            if normal.z > 0.0 {
                let light = 0.35 + 0.65 * normal.dot(DVec3::new(-0.4, 0.5, 0.77)).max(0.0);
                let meets = meeting.contains(&mesh.label(face));
                drawn.push(Face { corners, color: if meets { [235.0, 60.0, 40.0] } else { color }, light });
            }
        }
    };
    add(&a, &meeting_a, [90.0, 150.0, 220.0]);
    add(&b, &meeting_b, [215.0, 200.0, 165.0]);

    let file =
        std::env::args().nth(1).map_or_else(|| std::env::temp_dir().join("contact.svg"), PathBuf::from);
    std::fs::write(&file, svg(drawn))?;
    println!("wrote {}", file.display());
    Ok(())
}

struct Face {
    corners: Vec<DVec3>,
    color: [f64; 3],
    light: f64,
}

/// The faces, farthest first, so that nearer ones are painted over them.
fn svg(mut faces: Vec<Face>) -> String {
    let depth =
        |face: &Face| face.corners.iter().map(|corner| corner.z).sum::<f64>() / face.corners.len() as f64;
    faces.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
    let mut text = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">"#);
    text.push('\n');
    for face in &faces {
        let [r, g, b] = face.color.map(|channel| (channel * face.light).round());
        let fill = format!("rgb({r},{g},{b})");
        let mut points = String::new();
        for corner in &face.corners {
            let (x, y) = (WIDTH / 2.0 + 250.0 * corner.x, HEIGHT / 2.0 - 250.0 * corner.y);
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        let _ = writeln!(
            text,
            r#"<polygon points="{}" fill="{fill}" stroke="{fill}" stroke-width=".6"/>"#,
            points.trim_end()
        );
    }
    text.push_str("</svg>\n");
    text
}
