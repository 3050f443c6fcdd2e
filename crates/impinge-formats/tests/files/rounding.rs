//! How far numbers may be off: against the numbers that were there before they were written.

use crate::samples::{data_uri, floats, only, scene};
use impinge::math::{DAffine3, DQuat, DVec3};
use impinge_formats::{Format, SceneMesh};

/// Numbers that look random, the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// Between -1 and 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn point(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

const TRIANGLES: usize = 60;

fn points(numbers: &mut Numbers, size: f64) -> Vec<DVec3> {
    (0..3 * TRIANGLES).map(|_| size * numbers.point()).collect()
}

/// The greatest error of a coordinate is no more than the rounding, and the rounding not far more than it.
fn agrees(read: &SceneMesh, before: &[DVec3], what: &str) {
    let errors = read.mesh.vertices().zip(before).map(|(read, before)| (read - *before).abs().max_element());
    let most = errors.fold(0.0, f64::max);
    assert!(most <= read.rounding * (1.0 + 1e-9), "{what}: {most:e} {:e}", read.rounding);
    assert!(read.rounding <= 10.0 * most, "{what}: {most:e} {:e}", read.rounding);
}

/// The files of a text format, with numbers as they are written.
fn text(format: Format, points: &[DVec3], write: impl Fn(f64) -> String) -> String {
    let row = |point: &DVec3| point.to_array().map(&write).join(" ");
    match format {
        Format::Obj => {
            let mut text: String = points.iter().map(|point| format!("v {}\n", row(point))).collect();
            (1..points.len()).step_by(3).for_each(|i| text += &format!("f {i} {} {}\n", i + 1, i + 2));
            text
        }
        Format::Stl => {
            let facet = |corners: &[DVec3]| {
                let corners: String =
                    corners.iter().map(|point| format!("vertex {}\n", row(point))).collect();
                format!("facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n")
            };
            format!("solid s\n{}endsolid s\n", points.chunks(3).map(facet).collect::<String>())
        }
        _ => {
            let header = match format {
                Format::Off => format!("OFF\n{} {} 0\n", points.len(), points.len() / 3),
                _ => format!(
                    "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n\
                     element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                    points.len(),
                    points.len() / 3
                ),
            };
            let rows: String = points.iter().map(|point| row(point) + "\n").collect();
            let faces = (0..points.len()).step_by(3).map(|i| format!("3 {i} {} {}\n", i + 1, i + 2));
            header + &rows + &faces.collect::<String>()
        }
    }
}

#[test]
fn text_is_off_by_half_of_its_last_digit() {
    let mut numbers = Numbers(1);
    for format in [Format::Obj, Format::Stl, Format::Off, Format::Ply] {
        for size in [1e-3, 1.0, 7.5, 1234.5, 5.2e6] {
            let before = points(&mut numbers, size);
            let largest = before.iter().map(|point| point.abs().max_element()).fold(0.0, f64::max);
            let whole_digits = largest.log10().floor() as i32 + 1;
            for digits in 6..=14_i32 {
                // Six digits of a number below 1 are more decimals.
                let decimals = (digits - whole_digits).max(0) as usize;
                let fixed = text(format, &before, |value| format!("{value:.decimals$}"));
                agrees(&only(fixed, format), &before, &format!("{format} {size} {decimals} decimals"));
                let written = text(format, &before, |value| format!("{value:.*e}", digits as usize - 1));
                agrees(&only(written, format), &before, &format!("{format} {size} {digits} digits"));
            }
        }
    }
}

#[test]
fn numbers_that_somebody_chose_count_as_floats() {
    let cube = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.5, 0.0]].map(DVec3::from_array);
    for format in [Format::Obj, Format::Stl, Format::Off, Format::Ply] {
        let read = only(text(format, &cube, |value| value.to_string()), format);
        assert_eq!(read.rounding, 2.5 * f64::from(f32::EPSILON) / 2.0, "{format}");
    }
}

#[test]
fn binary_numbers_are_off_by_half_of_their_last_bit() {
    let mut numbers = Numbers(2);
    for size in [1e-3, 1.0, 5e6] {
        let before = points(&mut numbers, size);
        let singles: Vec<f32> = before.iter().flat_map(DVec3::to_array).map(|value| value as f32).collect();
        let mut stl = vec![0; 80];
        stl.extend((TRIANGLES as u32).to_le_bytes());
        for corners in singles.chunks(9) {
            stl.extend(floats(&[0.0; 3]));
            stl.extend(floats(corners));
            stl.extend([0, 0]);
        }
        agrees(&only(stl, Format::Stl), &before, "STL");
        for (kind, is_double) in [("float", false), ("double", true)] {
            let mut ply = format!(
                "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty {kind} x\nproperty {kind} y\nproperty {kind} z\n\
                 element face 1\nproperty list uchar int vertex_indices\nend_header\n",
                before.len()
            )
            .into_bytes();
            if is_double {
                ply.extend(before.iter().flat_map(DVec3::to_array).flat_map(f64::to_le_bytes));
            } else {
                ply.extend(floats(&singles));
            }
            ply.push(3);
            ply.extend([0_i32, 1, 2].iter().flat_map(|index| index.to_le_bytes()));
            let read = only(ply, Format::Ply);
            if is_double {
                let largest = before.iter().map(|point| point.abs().max_element()).fold(0.0, f64::max);
                assert_eq!(read.rounding, largest * f64::EPSILON / 2.0);
            } else {
                agrees(&read, &before, "PLY");
            }
        }
    }
}

/// A chain of nodes: translation, rotation, scale of each.
type Chain = Vec<(DVec3, DQuat, DVec3)>;

fn chain(numbers: &mut Numbers, far: f64) -> Chain {
    let node = |numbers: &mut Numbers| {
        let rotation = DQuat::from_xyzw(numbers.next(), numbers.next(), numbers.next(), numbers.next());
        (far * numbers.point(), rotation.normalize(), DVec3::ONE + 0.5 * numbers.point())
    };
    (0..3).map(|_| node(numbers)).collect()
}

fn affine(chain: &Chain) -> DAffine3 {
    chain.iter().fold(DAffine3::IDENTITY, |map, &(translation, rotation, scale)| {
        map * DAffine3::from_scale_rotation_translation(scale, rotation.normalize(), translation)
    })
}

/// A document of chains below one root, all of the same triangle.
fn document(root: [f64; 3], chains: &[Chain], triangle: &[f32; 9]) -> String {
    let mut nodes = Vec::new();
    let firsts: Vec<String> = (0..chains.len()).map(|number| (1 + 3 * number).to_string()).collect();
    nodes.push(format!(r#"{{"children":[{}],"translation":{root:?}}}"#, firsts.join(",")));
    for (number, chain) in chains.iter().enumerate() {
        for (depth, (translation, rotation, scale)) in chain.iter().enumerate() {
            let below = if depth < 2 {
                format!(r#""children":[{}]"#, 2 + 3 * number + depth)
            } else {
                r#""mesh":0"#.to_owned()
            };
            nodes.push(format!(
                r#"{{{below},"translation":{:?},"rotation":{:?},"scale":{:?}}}"#,
                translation.to_array(),
                rotation.to_array(),
                scale.to_array()
            ));
        }
    }
    format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{{}"byteLength":36}}]}}"#,
        nodes.join(","),
        data_uri(&floats(triangle))
    )
}

#[test]
fn places_of_nodes_are_off_by_what_their_numbers_are() {
    let mut numbers = Numbers(3);
    let root = [5_171_200.0, -1e6, 0.25];
    for round in 0..60 {
        let far = [1.0, 1000.0, 1e5][round % 3];
        let before: Vec<Chain> = (0..2).map(|_| chain(&mut numbers, far)).collect();
        let single = |value: f64| f64::from(value as f32);
        let singles = |vector: DVec3| DVec3::from_array(vector.to_array().map(single));
        let rounded = |chain: &Chain| -> Chain {
            let node = |&(translation, rotation, scale): &(DVec3, DQuat, DVec3)| {
                let rotation = DQuat::from_array(rotation.to_array().map(single));
                (singles(translation), rotation, singles(scale))
            };
            chain.iter().map(node).collect()
        };
        let stored: Vec<Chain> = before.iter().map(rounded).collect();
        let triangle: [f32; 9] = std::array::from_fn(|_| (10.0 * numbers.next()) as f32);
        let read = scene(document(root, &stored, &triangle), Format::Gltf);
        for (instance, before) in read.nodes.iter().zip(&before) {
            let truth = DAffine3::from_translation(root.into()) * affine(before);
            let corner =
                |point: &[f32]| DVec3::new(f64::from(point[0]), f64::from(point[1]), f64::from(point[2]));
            let off = |point: DVec3| {
                instance.world_from_mesh.transform_point3(point).distance(truth.transform_point3(point))
            };
            let most = triangle.chunks(3).map(|point| off(corner(point))).fold(0.0, f64::max);
            // What doubles lose so far away is not the file's doing.
            let doubles = 8.0 * 5.2e6 * f64::EPSILON;
            assert!(most <= instance.rounding + doubles, "{most:e} {:e}", instance.rounding);
            assert!(instance.rounding <= 200.0 * most, "{most:e} {:e}", instance.rounding);
        }
        // Wherever everything stands, and as doubles hardly anything is off.
        let elsewhere = scene(document([0.0, 0.1, 0.0], &stored, &triangle), Format::Gltf);
        for (a, b) in read.nodes.iter().zip(&elsewhere.nodes) {
            assert_eq!(a.rounding, b.rounding);
        }
        let doubles = scene(document(root, &before, &triangle), Format::Gltf);
        for (single, double) in read.nodes.iter().zip(&doubles.nodes) {
            assert!(double.rounding < 1e-6 * single.rounding);
        }
        // Alone, all nodes carry everything.
        let alone = scene(document(root, &stored[..1], &triangle), Format::Gltf);
        assert_eq!(alone.nodes[0].rounding, 0.0);
        // Beside another file that counts: as in a chain beside others, below a root whose numbers were chosen.
        let (carrier, rounding) = alone.common;
        assert_eq!(carrier, alone.nodes[0].world_from_mesh);
        let beside = read.nodes[0].rounding;
        assert!(rounding >= 0.9 * beside && rounding <= 3.0 * beside + 1e-9, "{rounding:e} {beside:e}");
        assert!(read.common.1 < 1e-8 && read.common.0.translation == root.into());
    }
}
