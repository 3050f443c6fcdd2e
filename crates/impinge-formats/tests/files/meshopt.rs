//! Buffer views compressed by meshoptimizer. The streams were made by its own encoder (npm, 1.3).

use crate::samples::{data_uri, error, faces, scene, vertices};
use impinge_formats::{Format, Scene, read_bytes};

/// A grid of 5 by 5 vertices, of shorts in 8 bytes each.
const SHORTS: &str = "a007002f2f2f2fc02f2f2f2fc02f2f2f2fc0ffffc0002f2f2f2fc02f2f2f2f0a08868f8868f8868f1d1d1d8868f886800000 \
    001d0500300c032f2f2f00c000002f0500300c0306080800c000000805000fffffc8c8c8c8e06f6f576f57ffffc000587058 \
    7070dfc7c7c7050000849999210000000000000000000000000000000000000000000000000000000030f8000000000000";
/// The grid by the second version of the codec.
const SHORTS_V1: &str = "a157a5002f2f2f2fc02f2f2f2fc02f2f2f2fc02f2f2f2fc02f2f2f2f0a08868f8868f8868f1d1d1d8868f886800000001d00 \
    20842f2f2f10002f00208406080810000800c0ffc8c8c8c8e06f6f576f57ff015870587070dfc7c7c7050000849999210000 \
    000000000000000000000000000030f80000000000000000";
/// A grid of floats with 12 bits, by the exponential filter.
const FLOATS: &str = "a0000a04444f4444f4444f0f0f0f4444f444400000000f05081204812048000000000500200802008000000000000a000000 \
    222274454563633811100000000000000000000000000000000000000000000000000000fcfff7000000f6000000f4";
/// The 32 triangles of the grids.
const TRIANGLES: &str = "e1fe0dfe13fe12fe12fe0dfe03fe02fe02ff0dff03ff02ff02ff0dff03ff02ff020f0cf304f202f2028f048f048f028f028f \
    070c8f070c8f090c8f090c8f070c8f070c8f090c8f090c007687566778a9866589689801690000";
/// The triangles as a mere sequence of indices.
const SEQUENCE: &str = "d10004141618020e04141618020e04141618020e04141618020a04141618020e04141618020e04141618020e04141618020a \
    04141618020e04141618020e04141618020e04141618020a04141618020e04141618020e04141618020e0414161802000000 \
    00";
/// Three rotations: none, a quarter around z, and a quarter backwards around x.
const ROTATIONS: &str = "a00118000000013c0000000e0d00000108000000010c0000000f011c00000003000000000000000000000000000000000000 \
    00000000000000000000000000ff07";

struct View<'a> {
    stream: &'a [u8],
    count: usize,
    stride: usize,
    mode: &'a str,
    filter: &'a str,
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// A document of one mesh whose views have no bytes but compressed ones: positions, indices, and maybe rotations of instances.
fn document(extension: &str, views: &[View<'_>], position: &str, node: &str) -> String {
    let (mut buffer, mut plain) = (Vec::new(), 0);
    let mut described = Vec::new();
    for view in views {
        let length = view.count * view.stride;
        let stride = if view.mode == "ATTRIBUTES" {
            format!(r#","byteStride":{}"#, view.stride)
        } else {
            String::new()
        };
        described.push(format!(
            r#"{{"buffer":1,"byteOffset":{plain},"byteLength":{length}{stride},"extensions":{{"{extension}":{{"buffer":0,
            "byteOffset":{},"byteLength":{},"byteStride":{},"count":{},"mode":"{}","filter":"{}"}}}}}}"#,
            buffer.len(),
            view.stream.len(),
            view.stride,
            view.count,
            view.mode,
            view.filter
        ));
        plain += length.next_multiple_of(4);
        buffer.extend(view.stream);
    }
    format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["{extension}","KHR_mesh_quantization"],"nodes":[{{"mesh":0{node}}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"count":25,"type":"VEC3",{position}}},
{{"bufferView":1,"componentType":5123,"count":96,"type":"SCALAR"}},
{{"bufferView":2,"componentType":5122,"normalized":true,"count":3,"type":"VEC4"}}],
"bufferViews":[{}],"buffers":[{{{}"byteLength":{}}},{{"byteLength":{plain},"extensions":{{"{extension}":{{"fallback":true}}}}}}]}}"#,
        described.join(","),
        data_uri(&buffer),
        buffer.len()
    )
}

const OF_SHORTS: &str = r#""componentType":5122"#;

fn shorts(stream: &[u8]) -> View<'_> {
    View { stream, count: 25, stride: 8, mode: "ATTRIBUTES", filter: "NONE" }
}

fn triangles(stream: &[u8]) -> View<'_> {
    View { stream, count: 96, stride: 2, mode: "TRIANGLES", filter: "NONE" }
}

fn read(document: &str) -> Scene {
    scene(document, Format::Gltf)
}

/// The faces of the grid, each from its least corner.
fn grid_faces() -> Vec<Vec<u32>> {
    let cells = (0..4).flat_map(|row| (0..4).map(move |column| row * 5 + column));
    cells
        .flat_map(|corner| [vec![corner, corner + 1, corner + 6], vec![corner, corner + 6, corner + 5]])
        .collect()
}

/// The faces of a mesh, each from its least corner: the encoder turns them.
fn turned_faces(scene: &Scene) -> Vec<Vec<u32>> {
    let mut list = faces(&scene.meshes[0].mesh);
    for face in &mut list {
        let least = (0..3).min_by_key(|corner| face[*corner]).unwrap();
        face.rotate_left(least);
    }
    list
}

/// The vertices of the grid with these steps from one to the next.
fn grid(width: f64, height: f64, rise: f64) -> Vec<[f64; 3]> {
    let places = (0..5).flat_map(|row| (0..5).map(move |column| (f64::from(column), f64::from(row))));
    places.map(|(x, y)| [(x - 2.0) * width, y * height, (x * y % 5.0) * rise]).collect()
}

#[test]
fn vertices_and_indices_of_every_codec() {
    let [first, second] = [SHORTS, SHORTS_V1].map(bytes);
    let [by_edges, sequence] = [TRIANGLES, SEQUENCE].map(bytes);
    let in_sequence = View { mode: "INDICES", ..triangles(&sequence) };
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        for stream in [&first, &second] {
            let read = read(&document(extension, &[shorts(stream), triangles(&by_edges)], OF_SHORTS, ""));
            assert_eq!(vertices(&read.meshes[0].mesh), grid(1000.0, 1000.0, 100.0));
            assert_eq!(turned_faces(&read), grid_faces());
            assert_eq!(read.meshes[0].rounding, 0.5);
            assert!(read.notes.is_empty(), "{:?}", read.notes);
        }
    }
    let read = read(&document("EXT_meshopt_compression", &[shorts(&first), in_sequence], OF_SHORTS, ""));
    assert_eq!(faces(&read.meshes[0].mesh), grid_faces());
}

#[test]
fn floats_of_the_exponential_filter_have_a_precision() {
    let (floats, indices) = (bytes(FLOATS), bytes(TRIANGLES));
    let view = View { stream: &floats, count: 25, stride: 12, mode: "ATTRIBUTES", filter: "EXPONENTIAL" };
    let read = read(&document(
        "EXT_meshopt_compression",
        &[view, triangles(&indices)],
        r#""componentType":5126"#,
        "",
    ));
    assert_eq!(vertices(&read.meshes[0].mesh), grid(1.0, 0.25, 1.0 / 16.0));
    // Of the component with the largest numbers, which lie between -2 and 2: 12 bits of them.
    assert_eq!(read.meshes[0].rounding, 0.5 / 512.0);
}

#[test]
fn rotations_of_instances_may_be_compressed() {
    let [positions, indices, rotations] = [SHORTS, TRIANGLES, ROTATIONS].map(bytes);
    let view = View { stream: &rotations, count: 3, stride: 8, mode: "ATTRIBUTES", filter: "QUATERNION" };
    let node = r#","extensions":{"EXT_mesh_gpu_instancing":{"attributes":{"ROTATION":2}}}"#;
    let views = [shorts(&positions), triangles(&indices), view];
    let read = read(&document("EXT_meshopt_compression", &views, OF_SHORTS, node));
    let images = read.nodes.iter().map(|node| node.world_from_mesh.transform_point3([1.0, 2.0, 3.0].into()));
    let expected = [[1.0, 2.0, 3.0], [-2.0, 1.0, 3.0], [1.0, 3.0, -2.0]];
    assert_eq!(read.nodes.len(), 3);
    for (image, expected) in images.zip(expected) {
        assert!(image.distance(expected.into()) < 1e-3, "{image} {expected:?}");
    }
}

#[test]
fn what_a_view_claims_is_checked() {
    let [positions, indices] = [SHORTS, TRIANGLES].map(bytes);
    let good = document("EXT_meshopt_compression", &[shorts(&positions), triangles(&indices)], OF_SHORTS, "");
    let start = "the view compressed by meshopt is wrong: ";
    let cases = [
        (
            r#""byteStride":8,"count":25"#,
            r#""byteStride":8,"count":26"#,
            "26 elements of 8 bytes are not the view's 200 bytes",
        ),
        (
            r#""byteStride":8,"count":25"#,
            r#""byteStride":2,"count":100"#,
            "100 elements of 2 bytes cannot have the mode ATTRIBUTES",
        ),
        (r#""ATTRIBUTES""#, r#""POINTS""#, "the mode is `POINTS`, which is none of meshopt's"),
        (r#""NONE""#, r#""WAVELET""#, "the filter is `WAVELET`, which is none of meshopt's"),
        (
            r#""byteStride":8,"count":25,"mode":"ATTRIBUTES","filter":"NONE""#,
            r#""byteStride":4,"count":50,"mode":"ATTRIBUTES","filter":"QUATERNION""#,
            "elements of 4 bytes in mode ATTRIBUTES cannot have the filter QUATERNION",
        ),
    ];
    for (from, to, expected) in cases {
        assert!(good.contains(from), "{from}");
        let found = error(good.replacen(from, to, 1), Format::Gltf);
        assert_eq!(found, format!("bad.file: /bufferViews/0: {start}{expected}"));
    }
    let found = error(
        good.replacen(r#""byteOffset":0,"byteLength":1"#, r#""byteOffset":0,"byteLength":9"#, 1),
        Format::Gltf,
    );
    assert!(found.contains("/bufferViews/0: the view of 9"), "{found}");
    let found = error(
        document("EXT_meshopt_compression", &[shorts(&indices), triangles(&positions)], OF_SHORTS, ""),
        Format::Gltf,
    );
    assert_eq!(found, format!("bad.file: /bufferViews/0: {start}the stream starts with 0xe1, not with 0xa0"));
}

#[test]
fn damaged_streams_are_errors_and_never_panics() {
    let good = [SHORTS, SHORTS_V1, TRIANGLES, SEQUENCE, FLOATS].map(bytes);
    let mut refused = 0;
    for (which, stream) in good.iter().enumerate() {
        let mut damaged: Vec<Vec<u8>> = (0..stream.len()).map(|length| stream[..length].to_vec()).collect();
        for at in 0..stream.len() {
            for change in [0x01, 0x10, 0x80, 0xff] {
                let mut copy = stream.clone();
                copy[at] ^= change;
                damaged.push(copy);
            }
        }
        for stream in &damaged {
            let views = match which {
                0 | 1 => [shorts(stream), triangles(&good[2])],
                2 => [shorts(&good[0]), triangles(stream)],
                3 => [shorts(&good[0]), View { mode: "INDICES", ..triangles(stream) }],
                _ => [View { stride: 12, filter: "EXPONENTIAL", ..shorts(stream) }, triangles(&good[2])],
            };
            let position = if which == 4 { r#""componentType":5126"# } else { OF_SHORTS };
            let document = document("EXT_meshopt_compression", &views, position, "");
            let Err(error) = read_bytes(document.as_bytes(), Format::Gltf, "damaged") else { continue };
            refused += 1;
            let error = error.to_string();
            assert!(
                error.starts_with("damaged: /bufferViews/") || error.starts_with("damaged: /accessors/"),
                "{error}"
            );
        }
    }
    assert!(refused > 1000, "{refused}");
}
