//! Primitives compressed by Draco. The streams, and what they hold, were made by Google's own encoder and decoder (DracoPy 2.2).

use crate::samples::{data_uri, error, faces, scene, vertices};
use impinge_formats::{Format, read_bytes};

/// An octahedron bent out of shape: by Edgebreaker, with 10 bits.
const EDGEBREAKER: &str = "445241434f02020101000000060800070000026f1501011001ff000001000903000002010101000b270140010066760d00295e779d\
    f0cc2a389a6b66cc141ee1b700c80c00000000ff030000666666bf3333b3bf9a9999bf000020400a";
/// The octahedron with its faces in their order, with 10 bits.
const SEQUENTIAL: &str = "445241434f0202010000000806010002040201040103040300040200050102050301050003050101000903000002000101000b1fad\
    0a55150120039fb16ff7847b3d7e1429e132679647005c141e156e5933ce00000000ff030000666666bf3333b3bf9a9999bf000020400a";
/// The octahedron with its coordinates as they are.
const UNQUANTIZED: &str = "445241434f02020100000008060100020402010401030403000402000501020503010500030501010009030000006666a63fcdcc4c\
    3ecdcccc3d666666bfcdcccc3d9a99993ecdcc4c3ecdcc8c3fcdcc4cbecdcc4c3d3333b3bf0000803ecdcccc3d9a99993ecdcc4c3f9a9919becdcc4c3d9a9999bf";
/// The octahedron on a grid of 12 bits from -4 to 4.
const GRID: &str = "445241434f02020101000000060800070000026f1501011001ff000001000903000002010101000c2b01400100000d28339821d0802eaf99\
    34a0590dff0390995e2a73cbc02433050000990a0000000080c0000080c0000080c0000000410c";
/// A tetrahedron with joints as attribute 5, weights as 6 and positions as 7.
const SKINNED: &str = "445241434f02020100000004040100020100010300030201020301030402040005040904000600090300070100000001010002030140\
    0100103300000000010000000000803f0000000000000000000000000000803f0000000000000000000000000000003f0000003f000000000000000000\
    00803f0000000000000000000000006666a63fcdcc4c3ecdcccc3d666666bfcdcccc3d9a99993ecdcc4c3ecdcc8c3fcdcc4cbecdcc4c3d3333b3bf0000\
    803e";

/// The octahedron's vertices and faces in the order that Edgebreaker gives them.
const FACES: [[u32; 3]; 8] =
    [[0, 1, 2], [2, 1, 3], [3, 1, 4], [1, 0, 4], [4, 0, 5], [0, 2, 5], [2, 3, 5], [4, 5, 3]];
const IN_ORDER: [[u32; 3]; 8] =
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// A document of one primitive that is a stream. Its accessors promise more than there is, as those of some exporters do.
fn document(stream: &[u8], primitive: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["KHR_draco_mesh_compression"],"nodes":[{{"mesh":0}}],
"meshes":[{{"primitives":[{{{primitive}}}]}}],
"accessors":[{{"componentType":5126,"count":6,"type":"VEC3","min":[-9,-9,-9],"max":[9,9,9]}},
{{"componentType":5123,"count":24,"type":"SCALAR"}},{{"componentType":5121,"count":4,"type":"VEC4"}}],
"bufferViews":[{{"buffer":0,"byteLength":{length}}}],"buffers":[{{{uri}"byteLength":{length}}}]}}"#,
        uri = data_uri(stream),
        length = stream.len()
    )
}

fn described(attributes: &str) -> String {
    format!(
        r#""attributes":{{"POSITION":0}},"indices":1,
        "extensions":{{"KHR_draco_mesh_compression":{{"bufferView":0,"attributes":{{{attributes}}}}}}}"#
    )
}

fn octahedron(stream: &str) -> String {
    document(&bytes(stream), &described(r#""POSITION":0"#))
}

fn fails(document: &str) -> String {
    error(document, Format::Gltf).strip_prefix("bad.file: ").unwrap().to_owned()
}

#[test]
fn every_kind_of_stream_gives_the_vertices_and_faces_of_the_reference_decoder() {
    let edgebreaker: [[f32; 3]; 6] = [
        [-0.9, 0.100_488_78, 0.300_488_7],
        [-0.149_755_6, 0.049_169_183, -1.2],
        [0.050_635_397, -1.4, 0.249_169_11],
        [1.299_413_6, 0.200_684_31, 0.100_097_656],
        [0.199_706_8, 1.1, -0.200_488_8],
        [0.099_511_266, 0.300_879_84, 0.799_022_44],
    ];
    let sequential = [3, 0, 4, 2, 5, 1].map(|vertex: usize| edgebreaker[vertex]);
    let plain: [[f32; 3]; 6] = [
        [1.3, 0.2, 0.1],
        [-0.9, 0.1, 0.3],
        [0.2, 1.1, -0.2],
        [0.05, -1.4, 0.25],
        [0.1, 0.3, 0.8],
        [-0.15, 0.05, -1.2],
    ];
    let cases = [
        (EDGEBREAKER, edgebreaker, FACES, Some(2.5 / 1023.0)),
        (SEQUENTIAL, sequential, IN_ORDER, Some(2.5 / 1023.0)),
        (UNQUANTIZED, plain, IN_ORDER, None),
    ];
    for (stream, expected, corners, step) in cases {
        let read = scene(octahedron(stream), Format::Gltf);
        let expected: Vec<[f64; 3]> = expected.iter().map(|point| point.map(f64::from)).collect();
        assert_eq!(vertices(&read.meshes[0].mesh), expected);
        assert_eq!(faces(&read.meshes[0].mesh), corners);
        let found = read.meshes[0].rounding;
        let largest = expected.iter().flatten().fold(0.0, |most, value| value.abs().max(most));
        match step {
            None => assert_eq!(found, f64::from(f32::EPSILON) / 2.0 * largest),
            Some(step) => assert!((2.0 * found / step - 1.0).abs() < 1e-6, "{found:?} {step}"),
        }
        assert!(read.notes.is_empty() && read.meshes[0].notes.is_empty(), "{:?}", read.notes);
    }
}

#[test]
fn the_step_of_a_grid_that_is_larger_than_the_mesh_is_known() {
    let read = scene(octahedron(GRID), Format::Gltf);
    let step = 8.0 / 4095.0;
    assert!((2.0 * read.meshes[0].rounding / step - 1.0).abs() < 1e-6, "{:?}", read.meshes[0].rounding);
    for coordinate in vertices(&read.meshes[0].mesh).into_iter().flatten() {
        let multiple = (coordinate + 4.0) / step;
        assert!((multiple - multiple.round()).abs() < 1e-2, "{multiple}");
    }
    assert_eq!(faces(&read.meshes[0].mesh), FACES);
}

#[test]
fn joints_and_weights_come_from_the_stream() {
    let primitive = described(r#""POSITION":7,"JOINTS_0":5,"WEIGHTS_0":6"#).replacen(
        r#""POSITION":0"#,
        r#""POSITION":0,"JOINTS_0":2,"WEIGHTS_0":2"#,
        1,
    );
    let document = document(&bytes(SKINNED), &primitive).replacen(
        r#""nodes":[{"mesh":0}]"#,
        r#""nodes":[{"mesh":0,"skin":0},{"translation":[100,0,0]},{"translation":[0,100,0]}],"skins":[{"joints":[1,2]}]"#,
        1,
    );
    let found = vertices(&scene(document, Format::Gltf).meshes[0].mesh);
    let rounded: Vec<[f64; 3]> =
        found.iter().map(|point| point.map(|value| (value * 100.0).round() / 100.0)).collect();
    // The third hangs on both joints by half.
    assert_eq!(rounded, [[101.3, 0.2, 0.1], [-0.9, 100.1, 0.3], [50.2, 51.1, -0.2], [0.05, 98.6, 0.25]]);
}

#[test]
fn the_step_of_quantized_accessors_is_known() {
    let buffer: Vec<u8> = [0_u16, 0, 0, 0, 65535, 0, 0, 0, 0, 65535, 0, 0]
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let document = |normalized: bool| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["KHR_mesh_quantization"],"nodes":[{{"mesh":0}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{"bufferView":0,"componentType":5123,"count":3,"type":"VEC3","normalized":{normalized}}}],
            "bufferViews":[{{"buffer":0,"byteLength":24,"byteStride":8}}],"buffers":[{{{}"byteLength":24}}]}}"#,
            data_uri(&buffer)
        )
    };
    let rounding = |normalized| scene(document(normalized), Format::Gltf).meshes[0].rounding;
    assert_eq!((rounding(true), rounding(false)), (0.5 / 65535.0, 0.5));
    let of_floats = scene(crate::samples::gltf(), Format::Gltf).meshes[0].rounding;
    assert_eq!(of_floats, f64::from(f32::EPSILON) / 2.0);
}

#[test]
fn what_does_not_fit_together_is_refused_with_its_place() {
    let place = "/meshes/0/primitives/0";
    let stream = bytes(SEQUENTIAL);
    let extension = format!("{place}/extensions/KHR_draco_mesh_compression");
    let missing = fails(&document(&stream, &described(r#""POSITION":9"#)));
    assert_eq!(missing, format!("{extension}: index 9 names no attribute of the Draco stream: there are 1"));
    let absent = fails(&document(&stream, &described(r#""NORMAL":0"#)));
    assert_eq!(absent, format!("{place}: POSITION is neither in the compressed stream nor in a buffer"));
    let view = fails(&octahedron(SEQUENTIAL).replace(r#""bufferView":0"#, r#""bufferView":7"#));
    assert_eq!(view, format!("{extension}: index 7 names no buffer view: there are 1"));
    let fan = fails(&octahedron(SEQUENTIAL).replace(r#""indices":1"#, r#""indices":1,"mode":6"#));
    assert_eq!(
        fan,
        format!("{place}: KHR_draco_mesh_compression holds triangles or strips, but the mode is 6 (fans)")
    );
    let shape = fails(&document(&bytes(SKINNED), &described(r#""POSITION":5"#)));
    assert_eq!(shape, format!("{extension}: POSITION has 4 components, not 3"));
    let empty = fails(&document(b"no stream at all", &described(r#""POSITION":0"#)));
    assert!(empty.starts_with(&format!("{extension}: the Draco stream is wrong: ")), "{empty}");
    // Four billion faces in a stream of a hundred bytes.
    let at = stream.windows(3).position(|three| three == [8, 6, 1]).unwrap();
    let many = [&stream[..at], &[0xff, 0xff, 0xff, 0xff, 0x0f], &stream[at + 1..]].concat();
    let many = fails(&document(&many, &described(r#""POSITION":0"#)));
    assert!(many.starts_with(&format!("{extension}: the Draco stream ")), "{many}");
}

#[test]
fn damaged_streams_are_errors_and_never_panics() {
    let mut refused = 0;
    for hex in [EDGEBREAKER, SEQUENTIAL, UNQUANTIZED, GRID, SKINNED] {
        let good = bytes(hex);
        let mut damaged: Vec<Vec<u8>> = (0..good.len()).map(|length| good[..length].to_vec()).collect();
        for at in 0..good.len() {
            for change in [0x01, 0x02, 0x10, 0x80, 0xff] {
                let mut copy = good.clone();
                copy[at] ^= change;
                damaged.push(copy);
            }
        }
        let id = if hex == SKINNED { 7 } else { 0 };
        for stream in damaged {
            let document = document(&stream, &described(&format!(r#""POSITION":{id}"#)));
            let Err(error) = read_bytes(document.as_bytes(), Format::Gltf, "damaged") else { continue };
            refused += 1;
            let error = error.to_string();
            // The reader stops panics of the decoder and says so.
            assert!(!error.contains("cannot be decoded"), "{error}");
            assert!(error.starts_with("damaged: /meshes/0") || error == "damaged: has no faces", "{error}");
        }
    }
    assert!(refused > 1000, "{refused}");
}
