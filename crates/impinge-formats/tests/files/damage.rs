//! Damaged files: an answer or an error, quickly, but never a panic and never a huge allocation.

use std::time::{Duration, Instant};

use crate::samples::{self, samples};
use impinge_formats::{Format, read_bytes};

const FORMATS: [Format; 9] = [
    Format::Obj,
    Format::Stl,
    Format::Ply,
    Format::Off,
    Format::Gltf,
    Format::Glb,
    Format::ThreeMf,
    Format::Collada,
    Format::Zip,
];

#[test]
fn every_sample_is_read() {
    for (name, format, bytes) in samples() {
        let scene = read_bytes(&bytes, format, name).unwrap();
        assert_eq!(scene.format, format);
        // What is in an archive is seen only once it is opened.
        let by_content = if format == Format::ThreeMf { Format::Zip } else { format };
        assert_eq!(Format::from_content(&bytes), Some(by_content), "{name}");
    }
}

#[test]
fn cut_anywhere() {
    for (name, format, bytes) in samples() {
        for length in 0..bytes.len() {
            if let Err(error) = read_bytes(&bytes[..length], format, name) {
                assert!(error.to_string().starts_with(name), "{error}");
            }
        }
    }
}

#[test]
fn binary_files_cut_anywhere_are_errors() {
    for (name, format, bytes) in samples() {
        if matches!(
            name,
            "binary.stl" | "little.ply" | "big.ply" | "binary.glb" | "data.gltf" | "model.3mf" | "scene.dae"
        ) {
            for length in 0..bytes.len() {
                assert!(read_bytes(&bytes[..length], format, name).is_err(), "{name} cut at {length}");
            }
        }
    }
}

#[test]
fn any_byte_changed() {
    for (name, format, bytes) in samples() {
        for at in 0..bytes.len() {
            for new in [0, b' ', b'-', b'9', b'\n', b'\\', 0x7f, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = new;
                let _ = read_bytes(&changed, format, name);
            }
        }
    }
}

#[test]
fn the_wrong_reader() {
    for (name, _, bytes) in samples() {
        for format in FORMATS {
            let _ = read_bytes(&bytes, format, name);
        }
    }
    for format in FORMATS {
        assert!(read_bytes(b"", format, "empty").is_err());
        assert!(read_bytes(&[0; 1000], format, "zeros").is_err());
        assert!(read_bytes(&[0xff; 1000], format, "ones").is_err());
    }
}

#[test]
fn lying_headers_are_found_out_at_once() {
    let ply = |encoding: &str, count: &str| {
        format!(
            "ply\nformat {encoding} 1.0\nelement nothing {count}\nelement vertex {count}\nproperty float x\n\
             property float y\nproperty float z\nelement face {count}\nproperty list uint int vertex_indices\n\
             end_header\n0 0 0\n"
        )
    };
    let document = |accessor: &str, buffer: usize| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{{accessor},"componentType":5126,"type":"VEC3"}}],"bufferViews":[{{"buffer":0,"byteLength":{buffer}}}],
            "buffers":[{{"uri":"data:;base64,AAAA","byteLength":{buffer}}}]}}"#
        )
    };
    let mut stl = samples::stl_binary();
    stl[80..84].copy_from_slice(&[0xff; 4]);
    let mut glb = samples::glb();
    glb[12..16].copy_from_slice(&[0xff; 4]);
    let huge = "18446744073709551615";
    let files: Vec<(Format, Vec<u8>)> = vec![
        (Format::Stl, stl),
        (Format::Glb, glb),
        (Format::Off, format!("OFF\n4000000000 4000000000 0\n{}", "0 0 0\n".repeat(100)).into()),
        (Format::Off, "OFF\n1 1 0\n0 0 0\n4000000000 0 0".into()),
        (Format::Ply, ply("ascii", "4000000000").into()),
        (Format::Ply, ply("binary_little_endian", "9000000000000000000").into()),
        (Format::Ply, ply("binary_big_endian", "4000000000").into()),
        (Format::Gltf, document(&format!(r#""bufferView":0,"count":{huge}"#), 3).into()),
        (Format::Gltf, document(&format!(r#""bufferView":0,"byteOffset":{huge},"count":3"#), 3).into()),
        (Format::Gltf, document(r#""bufferView":0,"count":3"#, usize::MAX).into()),
        (Format::Gltf, document(r#""count":4000000000"#, 3).into()),
    ];
    for (format, bytes) in files {
        let start = Instant::now();
        let error = read_bytes(&bytes, format, "lie").unwrap_err();
        assert!(start.elapsed() < Duration::from_millis(500), "{error}: {:?}", start.elapsed());
    }
}

#[test]
fn a_small_file_cannot_describe_a_huge_scene() {
    // A thousand primitives that all share the same four thousand vertices.
    let buffer = samples::data_uri(&vec![0; 48_000]);
    let primitives = vec![r#"{"attributes":{"POSITION":0}}"#; 4000].join(",");
    let document = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{primitives}]}}],
        "accessors":[{{"bufferView":0,"count":4000,"componentType":5126,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":48000}}],"buffers":[{{{buffer}"byteLength":48000}}]}}"#
    );
    let error = read_bytes(document.as_bytes(), Format::Gltf, "bomb.gltf").unwrap_err().to_string();
    assert!(error.contains("far more than the file has bytes"), "{error}");
}

#[test]
fn many_nodes_of_many_primitives_share_one_mesh() {
    let primitives = vec![samples::SQUARE; 3000].join(",");
    let nodes = vec![r#"{"mesh":0}"#; 20_000].join(",");
    let document =
        samples::square_document(&samples::data_uri(&samples::square_buffer()), &nodes, &primitives);
    let document = document.replace(r#""scene":0,"scenes":[{"nodes":[0]}],"#, "");
    let scene = read_bytes(document.as_bytes(), Format::Gltf, "many.gltf").unwrap();
    assert_eq!((scene.nodes.len(), scene.meshes.len()), (20_000, 1));
    assert_eq!(scene.meshes[0].mesh.face_count(), 6000);
}

#[test]
fn deep_json_and_deep_nodes_do_not_overflow_the_stack() {
    let deep = "[".repeat(100_000);
    assert!(read_bytes(format!("{{\"asset\":{deep}").as_bytes(), Format::Gltf, "deep").is_err());
    let nodes: Vec<String> = (1..=50_000).map(|child| format!(r#"{{"children":[{child}]}}"#)).collect();
    let document = samples::square_document(
        &samples::data_uri(&samples::square_buffer()),
        &format!(r#"{},{{"mesh":0}}"#, nodes.join(",")),
        samples::SQUARE,
    );
    assert_eq!(read_bytes(document.as_bytes(), Format::Gltf, "deep").unwrap().nodes[0].node, Some(50_000));
}
