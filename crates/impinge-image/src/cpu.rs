//! The passes on the processor: the oracle of the graphics device, and the default where there is none.

use std::ops::Range;

use impinge::glam::{DMat4, DVec3};
#[cfg(feature = "parallel")]
use rayon::prelude::*;

use crate::ImageError;
use crate::look::{Detail, Draw, Instance, Layer, Own, Sample, Seen};
use crate::raster;
use crate::scene::{Shape, Vertices};
use crate::view::project;

/// Rows of pixels that are worked on together.
const BAND: u32 = 16;

/// A pixel of an edge.
#[derive(Clone, Copy, Debug)]
struct Fragment {
    pixel: u32,
    object: u32,
    edge: u32,
    depth: f64,
}

/// An object in the image.
struct Cast<'s> {
    object: u32,
    shape: &'s Shape,
    /// Every vertex in pixels and depth.
    places: Vec<DVec3>,
    /// 1, or -1 where the placement mirrors and so turns fronts into backs.
    sign: i32,
}

/// Looks.
pub(crate) fn look(draw: &Draw<'_>) -> Result<Seen, ImageError> {
    let edges = cast_all(draw, draw.edges, true)?;
    let faces = cast_all(draw, draw.faces, false)?;
    let side = draw.view.side;
    let bands: Vec<Range<u32>> =
        (0..side.div_ceil(BAND)).map(|band| band * BAND..((band + 1) * BAND).min(side)).collect();
    let others = draw.others_seen();
    #[cfg(feature = "parallel")]
    let bands = bands.into_par_iter();
    #[cfg(not(feature = "parallel"))]
    let bands = bands.into_iter();
    let seen: Vec<Band> = bands.map(|rows| look_at_band(draw, &edges, &faces, &others, rows)).collect();
    Ok(gather(draw, seen))
}

fn cast_all<'s>(
    draw: &Draw<'s>,
    instances: &[Instance],
    as_edges: bool,
) -> Result<Vec<Cast<'s>>, ImageError> {
    #[cfg(feature = "parallel")]
    let instances = instances.par_iter();
    #[cfg(not(feature = "parallel"))]
    let instances = instances.iter();
    instances.map(|instance| cast(draw, instance, as_edges)).collect()
}

fn cast<'s>(draw: &Draw<'s>, instance: &Instance, as_edges: bool) -> Result<Cast<'s>, ImageError> {
    let shape = &draw.shapes[instance.shape];
    let Vertices::Here(vertices) = &shape.vertices else {
        return Err(ImageError::OnDevice { shape: instance.shape });
    };
    let image = draw.view.image_from(instance.placement.world_from_model());
    let places = match draw.own {
        Own::Offset { pixels } if as_edges => offset(draw, instance, shape, vertices, pixels),
        _ => vertices.iter().map(|vertex| project(&image, *vertex)).collect(),
    };
    let sign = if instance.placement.is_mirrored() { -1 } else { 1 };
    Ok(Cast { object: instance.object, shape, places, sign })
}

/// The vertices of edges, moved outwards.
fn offset(
    draw: &Draw<'_>,
    instance: &Instance,
    shape: &Shape,
    vertices: &[DVec3],
    pixels: f64,
) -> Vec<DVec3> {
    let far = pixels * draw.view.largest_pixel;
    let image: &DMat4 = &draw.view.image_from_world;
    let moved = |(vertex, normal): (&DVec3, &DVec3)| {
        let out = instance.placement.normal_to_world(*normal).normalize_or_zero() * far;
        project(image, instance.placement.point_to_world(*vertex) + out)
    };
    vertices.iter().zip(&shape.normals(vertices)).map(moved).collect()
}

/// What was found in some rows.
#[derive(Default)]
struct Band {
    /// Sorted by pixel, then by depth, then by object and edge; no more layers than asked for.
    fragments: Vec<Fragment>,
    /// Whether there were more.
    cut: bool,
    /// For each fragment that has any: which fragment, which object, how often it is around the fragment.
    around: Vec<(u32, u32, i32)>,
}

fn look_at_band(
    draw: &Draw<'_>,
    edges: &[Cast<'_>],
    faces: &[Cast<'_>],
    others: &[DVec3],
    rows: Range<u32>,
) -> Band {
    let side = draw.view.side;
    let columns = 0..side;
    let mut band = Band { fragments: draw_edges(draw, edges, others, &columns, &rows), ..Band::default() };
    band.cut = peel(&mut band.fragments, draw.layers);
    if band.fragments.is_empty() {
        return band;
    }
    let first_pixel = rows.start * side;
    let mut starts = vec![0_u32; (rows.len() as u32 * side) as usize + 1];
    for fragment in &band.fragments {
        starts[(fragment.pixel - first_pixel) as usize + 1] += 1;
    }
    for place in 1..starts.len() {
        starts[place] += starts[place - 1];
    }
    let deepest = band.fragments.iter().map(|fragment| fragment.depth).fold(0.0, f64::max);
    let mut winding = vec![0_i32; band.fragments.len()];
    let mut touched: Vec<u32> = Vec::new();
    let ignores_own = draw.ignores_own();
    for cast in faces {
        for corners in &cast.shape.surface.triangles {
            let corners = corners.map(|vertex| cast.places[vertex as usize]);
            let nearest = corners.iter().map(|corner| corner.z).fold(f64::INFINITY, f64::min);
            if is_beside(&corners, &rows) {
                continue;
            }
            // A corner's depth may differ from that of the pixels around it by rounding, not by more.
            if nearest > deepest + 1e-9 {
                continue;
            }
            raster::triangle(corners, &columns, &rows, |x, y, depth, facing| {
                let place = ((y * side + x) - first_pixel) as usize;
                for number in starts[place]..starts[place + 1] {
                    let fragment = &band.fragments[number as usize];
                    if depth < fragment.depth && !(ignores_own && fragment.object == cast.object) {
                        winding[number as usize] += facing * cast.sign;
                        touched.push(number);
                    }
                }
            });
        }
        touched.sort_unstable();
        touched.dedup();
        for number in touched.drain(..) {
            let times = std::mem::take(&mut winding[number as usize]);
            if times != 0 {
                band.around.push((number, cast.object, times));
            }
        }
    }
    band.around.sort_unstable();
    band
}

/// Whether something lies above or below some rows, by more than what edges are wider than lines.
fn is_beside(corners: &[DVec3], rows: &Range<u32>) -> bool {
    let (above, below) = (f64::from(rows.start) - 1.5, f64::from(rows.end) + 1.5);
    corners.iter().all(|corner| corner.y < above) || corners.iter().all(|corner| corner.y > below)
}

fn draw_edges(
    draw: &Draw<'_>,
    edges: &[Cast<'_>],
    others: &[DVec3],
    columns: &Range<u32>,
    rows: &Range<u32>,
) -> Vec<Fragment> {
    let view = &draw.view;
    let [nearest, farthest] = view.edge_depths;
    let mut fragments = Vec::new();
    for cast in edges {
        for (number, ends) in cast.shape.edges().iter().enumerate() {
            let ends = ends.map(|vertex| cast.places[vertex as usize]);
            if is_beside(&ends, rows) {
                continue;
            }
            let way = ends[1] - ends[0];
            if !draw.is_best_for(DVec3::new(way.x, way.y, way.z * view.depth_in_pixels), others) {
                continue;
            }
            raster::edge(ends, columns, rows, |x, y, depth| {
                if (nearest..=farthest).contains(&depth) {
                    let pixel = y * view.side + x;
                    fragments.push(Fragment { pixel, object: cast.object, edge: number as u32, depth });
                }
            });
        }
    }
    fragments
}

/// Sorts into layers, and leaves out what is behind the last. Whether anything was.
fn peel(fragments: &mut Vec<Fragment>, layers: u32) -> bool {
    fragments.sort_unstable_by(|a, b| {
        let depth = a.pixel.cmp(&b.pixel).then(a.depth.total_cmp(&b.depth));
        depth.then((a.object, a.edge).cmp(&(b.object, b.edge)))
    });
    let before = fragments.len();
    let (mut pixel, mut layer) = (u32::MAX, 0);
    fragments.retain(|fragment| {
        layer = if fragment.pixel == pixel { layer + 1 } else { 0 };
        pixel = fragment.pixel;
        layer < layers
    });
    fragments.len() < before
}

fn gather(draw: &Draw<'_>, bands: Vec<Band>) -> Seen {
    let mut seen = Seen { complete: true, passes: 2, ..Seen::default() };
    let side = draw.view.side;
    let mut samples: Vec<(Sample, Vec<u32>)> = Vec::new();
    for band in bands {
        seen.complete &= !band.cut;
        let mut around = band.around.iter().peekable();
        let (mut pixel, mut layer) = (u32::MAX, 0);
        for (number, fragment) in band.fragments.iter().enumerate() {
            layer = if fragment.pixel == pixel { layer + 1 } else { 0 };
            pixel = fragment.pixel;
            seen.layers = seen.layers.max(layer + 1);
            let (mut count, mut inside) = (0, Vec::new());
            while let Some((_, object, times)) = around.next_if(|around| around.0 as usize == number) {
                count += times;
                if *times > 0 {
                    inside.push(*object);
                }
            }
            if draw.pictures {
                paint(&mut seen.pictures, side, layer, fragment, count);
            }
            seen.negative |= count < 0;
            seen.any |= count > 0;
            if count > 0 && draw.detail != Detail::Any {
                let place = [fragment.pixel % side, fragment.pixel / side];
                let Fragment { object, edge, depth, .. } = *fragment;
                samples.push((Sample { pixel: place, layer, depth, object, edge, inside: 0..0 }, inside));
            }
        }
    }
    samples.sort_by_key(|(sample, _)| (sample.layer, sample.pixel[1], sample.pixel[0]));
    for (mut sample, inside) in samples {
        let start = seen.inside.len();
        seen.inside.extend(inside);
        sample.inside = start..seen.inside.len();
        seen.samples.push(sample);
    }
    if draw.detail == Detail::Objects {
        seen.name_objects();
    }
    seen
}

fn paint(pictures: &mut Vec<Layer>, side: u32, layer: u32, fragment: &Fragment, count: i32) {
    let pixels = side as usize * side as usize;
    while pictures.len() <= layer as usize {
        pictures.push(Layer {
            side,
            edges: vec![None; pixels],
            depths: vec![1.0; pixels],
            counts: vec![0; pixels],
        });
    }
    let picture = &mut pictures[layer as usize];
    let place = fragment.pixel as usize;
    picture.edges[place] = Some((fragment.object, fragment.edge));
    picture.depths[place] = fragment.depth as f32;
    picture.counts[place] = count;
}
