//! Figure 1 of the paper as a picture: the polygons that are considered in the worst case are solid, the others, which the trees
//! have rejected, are outlines.

use std::fmt::Write;

use impinge::math::{DMat3, DVec3};
use impinge::shapes;
use impinge::{Model, Placed, Trs};

use crate::zachmann::faces_considered;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 520.0;
/// Pixels per unit.
const SCALE: f64 = 215.0;

/// Two tori at the distance, of those tried, at which most of their polygons are considered; `None` if they could not be made.
pub fn considered() -> Option<String> {
    let torus = Model::new(shapes::torus(0.7, 0.3, 56, 28).ok()?);
    let upright = Trs::rotation_about_axis([1.0, 0.0, 0.0], 35.0).ok()?.orientation();
    let at = |x: f64| Some(torus.at(Trs::rigid([x, 0.0, 0.0], upright).ok()?));
    let count = |x: f64| {
        let [a, b] = [at(-x)?, torus.at(Trs::translation([x, 0.0, 0.0]).ok()?)];
        Some(faces_considered(&a, &b).iter().map(Vec::len).sum::<usize>())
    };
    // From deep contact to where they part.
    let distances = (0..40).map(|step| 0.3 + 0.02 * f64::from(step));
    let worst = distances.max_by_key(|x| count(*x))?;
    let (a, b) = (at(-worst)?, torus.at(Trs::translation([worst, 0.0, 0.0]).ok()?));
    let faces = faces_considered(&a, &b);
    let total = 2 * torus.mesh().face_count();
    let solid = faces[0].len() + faces[1].len();

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"30\" y=\"30\" font-size=\"16\" font-weight=\"bold\">Polygons considered in the worst case: \
         {solid} of {total}</text>\n\
         <text x=\"30\" y=\"50\">Solid: bounds of the two trees overlap. Outlines: rejected by the trees, never \
         looked at.</text>\n"
    );
    let view = Trs::rotation_about_axis([1.0, 0.0, 0.0], -50.0).ok()?.rotation_matrix();
    let mut drawn = Vec::new();
    for (placed, faces, color) in [(&a, &faces[0], [0.0, 114.0, 178.0]), (&b, &faces[1], [213.0, 94.0, 0.0])]
    {
        drawn.extend(seen(placed, faces, color, &view));
    }
    // The farthest first, outlines below what is solid.
    drawn.sort_by(|a, b| a.solid.cmp(&b.solid).then(a.depth.total_cmp(&b.depth)));
    for face in drawn {
        svg += &face.polygon;
    }
    Some(svg + "</svg>\n")
}

struct Drawn {
    solid: bool,
    depth: f64,
    polygon: String,
}

/// The faces that look at the viewer.
fn seen(placed: &Placed<'_>, solid: &[u32], color: [f64; 3], view: &DMat3) -> Vec<Drawn> {
    let mesh = placed.model().mesh();
    let mut drawn = Vec::new();
    for face in 0..mesh.face_count() as u32 {
        let to_view = |vertex| *view * placed.placement().point_to_world(mesh.vertex(vertex));
        let corners: Vec<DVec3> = mesh.corners(face).map(to_view).collect();
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        if normal.z <= 0.0 {
            continue;
        }
        let is_solid = solid.binary_search(&mesh.label(face)).is_ok();
        let light = 0.45 + 0.55 * normal.dot(DVec3::new(-0.4, 0.5, 0.77)).max(0.0);
        let [r, g, b] = color.map(|channel| (channel * light).round());
        let style = if is_solid {
            format!("fill=\"rgb({r},{g},{b})\" stroke=\"rgb({r},{g},{b})\" stroke-width=\".6\"")
        } else {
            "fill=\"none\" stroke=\"#b0bec5\" stroke-width=\".5\"".to_owned()
        };
        let mut points = String::new();
        for corner in &corners {
            let (x, y) = (WIDTH / 2.0 + SCALE * corner.x, HEIGHT / 2.0 + 20.0 - SCALE * corner.y);
            // Writing to a string cannot fail.
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        let depth = corners.iter().map(|corner| corner.z).sum::<f64>() / corners.len() as f64;
        let polygon = format!("<polygon points=\"{}\" {style}/>\n", points.trim_end());
        drawn.push(Drawn { solid: is_solid, depth, polygon });
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::considered;

    #[test]
    fn some_polygons_are_solid_and_most_are_not() {
        let svg = considered().expect("tori can be made");
        let (solid, outlines) = (svg.matches("fill=\"rgb(").count(), svg.matches("fill=\"none\"").count());
        assert!(solid > 20 && outlines > solid, "{solid} {outlines}");
        assert!(!svg.contains("NaN"));
    }
}
