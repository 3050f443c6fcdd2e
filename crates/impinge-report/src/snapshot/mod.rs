//! Pictures of clashes, drawn on the processor: the two parts in two colors, and what stands around them pale and, where it is in the way,
//! seen through. What the two share is a solid of its own color, seen through both.

mod raster;

use self::raster::{HEIGHT, Layer, WIDTH};
use crate::groups::Group;
use crate::report::{IDENTITY, Matrix, Model, Point, Report};
use crate::view::{Camera, FIELD_OF_VIEW, Upright, cross, dot, minus, moved, plus, unit};

/// How many kinds of things there are: what is on the first side of a group, on the second, everything else, and what both sides share.
const KINDS: usize = 4;
const SHARED: usize = 3;
/// Red, green and blue of each kind.
pub(crate) const COLORS: [[u8; 3]; KINDS] = [[222, 94, 42], [38, 108, 214], [214, 216, 220], [204, 0, 92]];
/// How much light and shade each of them has.
const CONTRAST: [f32; KINDS] = [1.0, 1.0, 0.45, 1.0];
const BACKGROUND: [u8; 3] = [250, 250, 251];
const MARK: [u8; 3] = [200, 0, 60];
/// From where to where a mark goes, in pixels from its middle.
const RING: [f32; 2] = [13.0, 16.0];
/// How much of itself something shows that is in front of what matters more.
const VEIL: [f32; KINDS] = [0.45, 0.45, 0.12, 0.45];
/// Neighbors this much farther away, as a share of their distance, are behind an edge.
const EDGE: f32 = 0.02;
/// Where the picture begins, as a share of the distance to what is looked at.
const NEAR: f64 = 0.02;
/// Parts farther away than this many times that distance are too small or too faint to matter.
const FAR: f64 = 40.0;
/// So many triangles around the two sides are enough to tell where they stand: of crowds the nearest parts are drawn.
const MOST_AROUND: usize = 100_000;

/// Draws pictures of the groups of one report.
pub struct Snapshots<'r> {
    scene: Upright<'r>,
}

impl<'r> Snapshots<'r> {
    /// Makes a report ready, which must be [sound](Report::check).
    pub fn new(report: &'r Report) -> Snapshots<'r> {
        Snapshots { scene: Upright::new(report) }
    }

    /// The picture of a group's gravest clash as a PNG file of 800 × 600 pixels; none where neither part has a shape.
    pub fn png(&self, group: &Group) -> Option<Vec<u8>> {
        let clash = group.gravest(self.scene.report);
        if [clash.a, clash.b].iter().all(|&part| self.scene.bounds[part].is_none()) {
            return None;
        }
        encode(&self.pixels(group))
    }

    fn pixels(&self, group: &Group) -> Vec<[u8; 3]> {
        let camera = self.scene.camera(group);
        let clash = group.gravest(self.scene.report);
        let moment = clash.moment.or(clash.time);
        let mut side_of = vec![2; self.scene.report.parts.len()];
        for &[first, second] in &group.sides {
            (side_of[first], side_of[second]) = (0, 1);
        }
        let mut layers = [(); KINDS].map(|()| Layer::new());
        let sides = side_of.iter().enumerate().filter(|(_, side)| **side < 2).map(|(part, _)| part);
        for part in sides.chain(self.around(&side_of, &camera)) {
            self.draw(part, moment, &camera, &mut layers[side_of[part]]);
        }
        if let Some(shared) = &clash.shared {
            let mut place = IDENTITY;
            (place[3], place[7], place[11]) = (shared.origin[0], shared.origin[1], shared.origin[2]);
            self.draw_model(&shared.model, &place, &camera, &mut layers[SHARED]);
        }
        // What is smaller is seen through what is larger.
        let size = |side: usize| {
            let bounds = self.scene.bounds[group.sides[0][side]];
            bounds.map_or(0.0, |[min, max]| dot(minus(max, min), minus(max, min)))
        };
        let order = if size(0) <= size(1) { [SHARED, 0, 1, 2] } else { [SHARED, 1, 0, 2] };
        let mut pixels = composed(&layers, order);
        if let Some([min, max]) = self.scene.place_of(clash) {
            let middle = [0, 1, 2].map(|axis| min[axis] / 2.0 + max[axis] / 2.0);
            let place = clash.point.map_or(middle, |point| self.scene.turn(point));
            mark(&mut pixels, View::new(&camera).project(place));
        }
        pixels
    }

    /// The parts that stand around those of the two sides and can be seen: the nearest, as many as a picture needs.
    fn around(&self, side_of: &[usize], camera: &Camera) -> Vec<usize> {
        let mut near: Vec<(f64, usize)> = Vec::new();
        for (part, &side) in side_of.iter().enumerate() {
            if side == 2
                && let Some(distance) = self.distance(part, camera)
            {
                near.push((distance, part));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut triangles = 0;
        near.into_iter()
            .take_while(|(_, part)| {
                let goes_on = triangles < MOST_AROUND;
                let model = self.scene.report.parts[*part].model;
                triangles += model.map_or(0, |model| self.scene.report.models[model].triangles.len());
                goes_on
            })
            .map(|(_, part)| part)
            .collect()
    }

    /// How far away a part is, where it can be seen and is not so far away that it is a dot.
    fn distance(&self, part: usize, camera: &Camera) -> Option<f64> {
        let [min, max] = self.scene.bounds[part]?;
        let middle = [0, 1, 2].map(|axis| min[axis] / 2.0 + max[axis] / 2.0);
        let half = dot(minus(max, middle), minus(max, middle)).sqrt();
        let to = minus(middle, camera.position);
        let depth = dot(to, camera.forward);
        let aside = (dot(to, to) - depth * depth).max(0.0).sqrt();
        // The cone around the picture, whose corners are the farthest from its middle.
        let diagonal = (WIDTH as f64).hypot(HEIGHT as f64) / HEIGHT as f64;
        let (sin, cos) = (diagonal * (FIELD_OF_VIEW / 2.0).to_radians().tan()).atan().sin_cos();
        let is_seen = aside * cos - depth * sin <= half && depth - half < FAR * camera.distance;
        is_seen.then_some(depth - half)
    }

    fn draw(&self, part: usize, moment: Option<f64>, camera: &Camera, layer: &mut Layer) {
        let Some(number) = self.scene.report.parts[part].model else { return };
        let pose: Matrix = self.scene.pose(part, moment);
        self.draw_model(&self.scene.report.models[number], &pose, camera, layer);
    }

    fn draw_model(&self, model: &Model, pose: &Matrix, camera: &Camera, layer: &mut Layer) {
        let view = View::new(camera);
        let points: Vec<Point> = model
            .positions
            .iter()
            .map(|&point| view.to_camera(self.scene.turn(moved(pose, point))))
            .collect();
        let near = NEAR * camera.distance;
        let screen: Vec<[f32; 3]> = points.iter().map(|&point| view.to_screen(point)).collect();
        for triangle in &model.triangles {
            let corners = triangle.map(|corner| points[corner as usize]);
            let is_ahead = corners.iter().all(|corner| corner[2] >= near);
            let seen = triangle.map(|corner| screen[corner as usize]);
            // Most are outside of the picture, or between the middles of its pixels.
            if (is_ahead && !raster::covers_any(&seen)) || corners.iter().all(|corner| corner[2] < near) {
                continue;
            }
            let Some(shade) = shade(&corners) else { continue };
            if is_ahead {
                layer.triangle(seen, shade);
                continue;
            }
            let clipped = clip(corners, near);
            for corner in 2..clipped.len() {
                let fan = [clipped[0], clipped[corner - 1], clipped[corner]];
                layer.triangle(fan.map(|point| view.to_screen(point)), shade);
            }
        }
    }
}

/// How bright a triangle is, as seen by the camera; none where it has no area.
fn shade(corners: &[Point; 3]) -> Option<f32> {
    let normal = unit(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))?;
    // A lamp beside the camera, and one above; both sides of a face are lit.
    let toward = unit(corners[0]).unwrap_or([0.0, 0.0, 1.0]);
    let lamp = dot(normal, toward).abs();
    let side = dot(normal, [0.36, 0.48, -0.8]).abs();
    Some((0.4 + 0.35 * lamp + 0.25 * side) as f32)
}

/// Takes points to the camera: right, up, ahead.
struct View {
    position: Point,
    axes: [Point; 3],
    /// Pixels a length has at a distance of 1.
    scale: f64,
}

impl View {
    fn new(camera: &Camera) -> View {
        let right = cross(camera.forward, camera.up);
        let scale = HEIGHT as f64 / 2.0 / (FIELD_OF_VIEW / 2.0).to_radians().tan();
        View { position: camera.position, axes: [right, camera.up, camera.forward], scale }
    }

    fn to_camera(&self, point: Point) -> Point {
        let to = minus(point, self.position);
        self.axes.map(|axis| dot(axis, to))
    }

    /// Column, row and the inverse of the distance ahead.
    fn to_screen(&self, [right, up, ahead]: Point) -> [f32; 3] {
        let scale = self.scale / ahead;
        let column = WIDTH as f64 / 2.0 + right * scale;
        let row = HEIGHT as f64 / 2.0 - up * scale;
        [column as f32, row as f32, (1.0 / ahead) as f32]
    }

    fn project(&self, point: Point) -> Option<[f32; 2]> {
        let seen = self.to_camera(point);
        let [column, row, _] = (seen[2] > 0.0).then(|| self.to_screen(seen))?;
        Some([column, row])
    }
}

/// The part of a triangle that is at least so far ahead: three corners, four, or none.
fn clip(corners: [Point; 3], near: f64) -> Vec<Point> {
    let mut kept = Vec::with_capacity(4);
    for (number, &from) in corners.iter().enumerate() {
        let to = corners[(number + 1) % 3];
        if from[2] >= near {
            kept.push(from);
        }
        if (from[2] >= near) != (to[2] >= near) {
            kept.push(plus(from, minus(to, from), (near - from[2]) / (to[2] - from[2])));
        }
    }
    kept
}

/// One picture of all layers, in which the earlier of an order are seen through the later.
fn composed(layers: &[Layer; KINDS], order: [usize; KINDS]) -> Vec<[u8; 3]> {
    let colors: Vec<Vec<[f32; 3]>> =
        (0..KINDS).map(|layer| colored(&layers[layer], COLORS[layer], CONTRAST[layer])).collect();
    let pixel = |place: usize| {
        // The farthest first.
        let near = order.map(|kind| layers[kind].nearness[place]);
        if near == [0.0; KINDS] {
            return BACKGROUND;
        }
        let mut seen: [usize; KINDS] = std::array::from_fn(|rank| rank);
        seen.sort_by(|&one, &other| near[one].total_cmp(&near[other]).then(other.cmp(&one)));
        let mut color = BACKGROUND.map(f32::from);
        for (number, &rank) in seen.iter().enumerate() {
            if near[rank] <= 0.0 {
                continue;
            }
            let hides = seen[..number].iter().any(|&behind| behind < rank && near[behind] > 0.0);
            let share = if hides { VEIL[order[rank]] } else { 1.0 };
            let own = colors[order[rank]][place];
            color = [0, 1, 2].map(|channel| color[channel] * (1.0 - share) + own[channel] * share);
        }
        color.map(|channel| channel.round().clamp(0.0, 255.0) as u8)
    };
    (0..WIDTH * HEIGHT).map(pixel).collect()
}

/// The colors of a layer, darker along its edges.
fn colored(layer: &Layer, color: [u8; 3], contrast: f32) -> Vec<[f32; 3]> {
    let is_edge = |place: usize| {
        let (near, shade) = (layer.nearness[place], layer.shade[place]);
        let mut neighbors = [None; 2];
        neighbors[0] = (place % WIDTH + 1 < WIDTH).then_some(place + 1);
        neighbors[1] = (place + WIDTH < WIDTH * HEIGHT).then_some(place + WIDTH);
        neighbors.into_iter().flatten().any(|other| {
            (layer.nearness[other] - near).abs() > EDGE * near || (layer.shade[other] - shade).abs() > 0.08
        })
    };
    let pixel = |place: usize| {
        if layer.nearness[place] <= 0.0 {
            return [0.0; 3];
        }
        let dark = if is_edge(place) { 0.55 } else { 1.0 };
        color.map(|channel| f32::from(channel) * (layer.shade[place] * contrast + 1.0 - contrast) * dark)
    };
    (0..WIDTH * HEIGHT).map(pixel).collect()
}

/// A ring around a place.
fn mark(pixels: &mut [[u8; 3]], at: Option<[f32; 2]>) {
    let Some([column, row]) = at else { return };
    // Casts of what is out of range give the ends.
    let range = |middle: f32, count: usize| {
        (middle - RING[1]).max(0.0) as usize..((middle + RING[1] + 1.0).max(0.0) as usize).min(count)
    };
    for y in range(row, HEIGHT) {
        for x in range(column, WIDTH) {
            let far = (x as f32 + 0.5 - column).hypot(y as f32 + 0.5 - row);
            if (RING[0]..RING[1]).contains(&far) {
                pixels[y * WIDTH + x] = MARK;
            }
        }
    }
}

/// A PNG file; none where the encoder fails, which it has no reason to.
fn encode(pixels: &[[u8; 3]]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels.as_flattened()).ok()?;
    writer.finish().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Shared;
    use crate::sample;

    fn share(pixels: &[[u8; 3]], is: impl Fn(&[u8; 3]) -> bool) -> f64 {
        pixels.iter().filter(|pixel| is(pixel)).count() as f64 / pixels.len() as f64
    }

    #[test]
    fn both_parts_and_the_place_are_seen() {
        let mut report = sample::two_boxes();
        report.z_up = true;
        // One that stands around, in front of both from some sides.
        let mut third = report.parts[0].clone();
        third.world_from_model = sample::moved([0.0, 0.0, 3.0]);
        report.parts.push(third);
        report.group_clashes();
        let snapshots = Snapshots::new(&report);
        let group = &report.groups.as_ref().unwrap()[0];
        let pixels = snapshots.pixels(group);
        let reddish = share(&pixels, |[r, _, b]| i32::from(*r) > i32::from(*b) + 60);
        let bluish = share(&pixels, |[r, _, b]| i32::from(*b) > i32::from(*r) + 60);
        assert!(reddish > 0.03 && bluish > 0.03, "{reddish} {bluish}");
        assert!(share(&pixels, |pixel| *pixel == MARK) > 1e-4);
        assert!(share(&pixels, |pixel| *pixel == BACKGROUND) > 0.1);
        // The same place with what both share: a solid, seen through them.
        let strong =
            |[r, g, b]: &[u8; 3]| i32::from(*r) > i32::from(*g) + 70 && i32::from(*b) > i32::from(*g) + 20;
        let before = share(&pixels, strong);
        let mut with_shared = report.clone();
        let small = sample::cube().positions.iter().map(|point| point.map(|x| x / 4.0)).collect();
        with_shared.clashes[0].shared =
            Some(Shared { origin: [0.375, 0.375, 0.0], model: Model { positions: small, ..sample::cube() } });
        let seen = share(&Snapshots::new(&with_shared).pixels(group), strong);
        assert!(seen > before + 0.005, "{before} {seen}");
        let png = snapshots.png(group).expect("a picture");
        assert!(png.starts_with(b"\x89PNG"));
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let mut report = sample::two_boxes();
        report.parts.iter_mut().for_each(|part| part.model = None);
        report.group_clashes();
        assert_eq!(Snapshots::new(&report).png(&report.groups.as_ref().unwrap()[0]), None);
    }

    #[test]
    fn odd_shapes_and_places_do_no_harm() {
        for scale in [0.0, 1e300] {
            let mut report = sample::two_boxes();
            for part in &mut report.parts {
                part.world_from_model = part.world_from_model.map(|x| x * scale);
                part.world_from_model[15] = 1.0;
            }
            (report.clashes[0].bounds, report.clashes[0].point) = (None, None);
            report.group_clashes();
            assert!(Snapshots::new(&report).png(&report.groups.as_ref().unwrap()[0]).is_some(), "{scale}");
        }
    }

    #[test]
    fn clipping_keeps_what_is_ahead() {
        let corners = [[0.0, 0.0, 1.0], [0.0, 0.0, 3.0], [2.0, 0.0, 3.0]];
        assert_eq!(clip(corners, 0.5).len(), 3);
        assert_eq!(clip(corners, 2.0).len(), 4);
        assert!(clip(corners, 2.0).iter().all(|point| point[2] >= 2.0));
        assert!(clip(corners, 4.0).is_empty());
    }
}
