//! Figure 3 of the paper as a picture: DOPs, turned, and enclosed in DOPs with the directions that they had before.

use std::fmt::Write;

use impinge::Trs;
use impinge::math::{DAffine3, DVec2, DVec3};
use impinge_core::bounds::Dop;

use super::room::least_image;

/// What is bounded: two triangles of a wall along z, seen from above.
const POINTS: [[f64; 2]; 5] = [[-0.9, -0.45], [0.15, -0.7], [0.95, -0.05], [0.5, 0.5], [-0.3, 0.35]];
const DEGREES: f64 = 25.0;

const PANEL: f64 = 250.0;
const ROW: f64 = 190.0;
const TOP: f64 = 76.0;
const CAPTION: f64 = 50.0;
const LEAST: &str = "#009e73";
/// Pixels per unit.
const SCALE: f64 = 80.0;

/// The picture: a row for each of three numbers of directions; the body with its DOP, both turned, and the DOPs around
/// the turned DOP that are aligned again.
pub fn alignment() -> String {
    let (width, height) = (3.0 * PANEL + 60.0, TOP + 3.0 * (ROW + CAPTION));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"30\" y=\"30\" font-size=\"16\" font-weight=\"bold\">Aligning a turned DOP, seen along z</text>\n"
    );
    let heads = ["a body and its DOP", "turned by 25 degrees", "enclosed along the old directions"];
    for (column, head) in heads.into_iter().enumerate() {
        let x = 30.0 + PANEL * (column as f64 + 0.5);
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{head}</text>", TOP - 18.0);
    }
    for (row, panels) in [row::<6>(), row::<14>(), row::<18>()].into_iter().enumerate() {
        let y = TOP + row as f64 * (ROW + CAPTION);
        svg += &panels.svg(30.0, y);
    }
    svg + "</svg>\n"
}

/// Outlines, seen along z.
struct Row {
    k: usize,
    body: Vec<DVec2>,
    turned_body: Vec<DVec2>,
    dop: Vec<DVec2>,
    turned: Vec<DVec2>,
    aligned: Vec<DVec2>,
    least: Vec<DVec2>,
    /// How many times the volume of the least DOP the aligned one has.
    slack: f64,
}

fn row<const K: usize>() -> Row {
    let corner = |z: f64| move |[x, y]: [f64; 2]| DVec3::new(x, y, z);
    let body: Vec<DVec3> = POINTS.map(corner(-0.6)).into_iter().chain(POINTS.map(corner(0.6))).collect();
    let turn =
        Trs::rotation_about_axis([0.0, 0.0, 1.0], DEGREES).map_or(DAffine3::IDENTITY, |turn| turn.matrix());
    let dop = Dop::<K>::around(body.iter().copied());
    let (aligned, least) = (dop.image(&turn), least_image(&dop, &turn));
    let corners = |dop: &Dop<K>| dop.sides().into_iter().flatten().collect::<Vec<DVec3>>();
    let turned = |points: &[DVec3]| points.iter().map(|p| turn.transform_point3(*p)).collect::<Vec<DVec3>>();
    Row {
        k: K,
        turned_body: outline(&turned(&body)),
        body: outline(&body),
        turned: outline(&turned(&corners(&dop))),
        dop: outline(&corners(&dop)),
        aligned: outline(&corners(&aligned)),
        least: outline(&corners(&least)),
        slack: aligned.volume() / least.volume(),
    }
}

/// The convex outline of points seen along z, once around.
fn outline(points: &[DVec3]) -> Vec<DVec2> {
    // On a fine lattice, so that points above each other have the same x and come in the order of y.
    let mut points: Vec<DVec2> = points.iter().map(|p| (DVec2::new(p.x, p.y) * 1e6).round() / 1e6).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let chain = |points: &mut dyn Iterator<Item = &DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for &point in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(point - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut outline = chain(&mut points.iter());
    outline.extend(chain(&mut points.iter().rev()));
    outline
}

impl Row {
    fn svg(&self, left: f64, top: f64) -> String {
        let body = "fill=\"#cfd8dc\" stroke=\"#78909c\"";
        let dop = "fill=\"#0072b2\" fill-opacity=\"0.12\" stroke=\"#0072b2\" stroke-width=\"2\"";
        let aligned = "fill=\"none\" stroke=\"#d55e00\" stroke-width=\"2.5\"";
        let least = format!("fill=\"none\" stroke=\"{LEAST}\" stroke-width=\"2\" stroke-dasharray=\"6 4\"");
        let mut svg = String::new();
        let panels: [&[(&Vec<DVec2>, &str)]; 3] = [
            &[(&self.body, body), (&self.dop, dop)],
            &[(&self.turned_body, body), (&self.turned, dop)],
            &[
                (&self.turned_body, body),
                (&self.turned, dop),
                (&self.aligned, aligned),
                (&self.least, &least),
            ],
        ];
        for (column, outlines) in panels.into_iter().enumerate() {
            let x = left + PANEL * (column as f64 + 0.5);
            let y = top + 0.5 * ROW;
            for (points, style) in outlines {
                let place = |p: &DVec2| format!("{:.1},{:.1}", x + p.x * SCALE, y - p.y * SCALE);
                let points: Vec<String> = points.iter().map(place).collect();
                let _ = writeln!(svg, "<polygon points=\"{}\" {style}/>", points.join(" "));
            }
        }
        let (x, y) = (left, top + ROW + 12.0);
        let k = self.k;
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-weight=\"bold\">k = {k}</text>");
        let legend = [
            ("#0072b2", "DOP of the body".to_owned(), 70.0),
            ("#d55e00", format!("aligned: {:.2} times the least volume", self.slack), 250.0),
            (LEAST, "least DOP along them".to_owned(), 540.0),
        ];
        for (color, words, along) in legend {
            let x = x + along;
            let _ =
                writeln!(svg, "<path d=\"M{x} {}h24\" stroke=\"{color}\" stroke-width=\"2.5\"/>", y - 4.5);
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{words}</text>", x + 30.0);
        }
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Up to the lattice that outlines are drawn on.
    fn within(inner: &[DVec2], outer: &[DVec2]) -> bool {
        let edges = || outer.iter().zip(outer.iter().cycle().skip(1));
        inner.iter().all(|p| edges().all(|(a, b)| (*b - *a).perp_dot(*p - *a) >= -1e-5))
    }

    #[test]
    fn every_outline_lies_in_the_one_around_it() {
        for row in [row::<6>(), row::<14>(), row::<18>()] {
            assert!(within(&row.body, &row.dop), "{}", row.k);
            assert!(within(&row.turned, &row.least) && within(&row.least, &row.aligned), "{}", row.k);
            assert!(!within(&row.aligned, &row.turned), "{}", row.k);
            assert!(row.slack > 0.999, "{}", row.slack);
        }
        assert!(row::<6>().slack < 1.005);
    }

    #[test]
    fn the_picture_has_a_legend_in_every_row() {
        let svg = alignment();
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"));
        assert_eq!(svg.matches("<polygon ").count(), 3 * 8);
        assert_eq!(svg.matches("times the least volume").count(), 3);
    }
}
