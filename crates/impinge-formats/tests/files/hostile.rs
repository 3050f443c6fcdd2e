//! Files that mean harm: what is no file, what lies elsewhere, what asks for more memory than there is.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::paths::Folder;
use crate::samples::{self, SQUARE, data_uri, floats, glb_of, square_buffer, square_document};
use impinge_formats::{
    Format, Limits, ReadErrorKind, read, read_bytes, read_mesh, read_mesh_bytes, read_mesh_with,
    read_regular, read_with,
};

fn with_buffer(uri: &str) -> String {
    square_document(&format!(r#""uri":"{uri}","#), r#"{"mesh":0}"#, SQUARE)
}

/// A pipe that nobody writes to: opening it would wait for ever.
#[cfg(unix)]
fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
    assert!(made.success());
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let folder = Folder::new("regular");
    let fifo = folder.0.join("pipe.obj");
    pipe(&fifo);
    let cases = [(fifo.as_path(), "a pipe"), (Path::new("/dev/zero"), "a device"), (&folder.0, "a folder")];
    for (path, what) in cases {
        let refusals =
            [read(path).unwrap_err(), read_mesh(path).unwrap_err(), read_regular(path).unwrap_err()];
        for refusal in refusals {
            assert!(
                matches!(refusal.kind, ReadErrorKind::NotRegular { found } if found == what),
                "{refusal}"
            );
            assert!(refusal.to_string().starts_with(&path.display().to_string()), "{refusal}");
        }
    }
    // A link to a file is that file; a link to a device is a device.
    let file = folder.file("a.obj", samples::OBJ);
    std::os::unix::fs::symlink(&file, folder.0.join("link.obj")).unwrap();
    assert!(read(&folder.0.join("link.obj")).is_ok());
    std::os::unix::fs::symlink("/dev/zero", folder.0.join("zero.stl")).unwrap();
    assert!(read(&folder.0.join("zero.stl")).is_err());
    // The buffers of a document, too.
    pipe(&folder.0.join("pipe.bin"));
    let error = read(&folder.file("a.gltf", with_buffer("pipe.bin"))).unwrap_err().to_string();
    assert!(error.ends_with("pipe.bin` is a pipe, and only regular files are read"), "{error}");
    let limits = Limits::default().with_outside_folder(true);
    let error = read_with(&folder.file("a.gltf", with_buffer("/dev/zero")), limits).unwrap_err().to_string();
    assert!(error.ends_with("/dev/zero` is a device, and only regular files are read"), "{error}");
}

#[test]
fn buffers_outside_of_the_folder_are_refused_unless_allowed() {
    let folder = Folder::new("outside");
    fs::create_dir_all(folder.0.join("scene/inner")).unwrap();
    let outside = folder.file("square.bin", square_buffer());
    fs::copy(&outside, folder.0.join("scene/inner/square.bin")).unwrap();
    let absolute = outside.display().to_string().replace('\\', "/");
    let allowed = Limits::default().with_outside_folder(true);
    for uri in ["../square.bin", "inner/../../square.bin", "%2e%2e/square.bin", absolute.as_str()] {
        let scene = folder.file("scene/a.gltf", with_buffer(uri));
        let error = read(&scene).unwrap_err().to_string();
        let expected = format!("/buffers/0: the buffer is `{uri}`, which is outside of the file's folder");
        assert!(error.contains(&expected), "{error}");
        assert!(read_mesh(&scene).is_err());
        assert!(read_with(&scene, allowed).is_ok() && read_mesh_with(&scene, allowed).is_ok(), "{uri}");
    }
    for uri in ["inner/square.bin", "./inner/../inner/square.bin"] {
        assert!(read(&folder.file("scene/a.gltf", with_buffer(uri))).is_ok(), "{uri}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, folder.0.join("scene/link.bin")).unwrap();
        let scene = folder.file("scene/a.gltf", with_buffer("link.bin"));
        assert!(read(&scene).is_err() && read_with(&scene, allowed).is_ok());
    }
}

#[test]
fn views_beyond_the_length_of_their_buffer_are_errors() {
    // The bytes are there, but the document says that they are not the buffer's.
    let document = square_document(&data_uri(&square_buffer()), r#"{"mesh":0}"#, SQUARE);
    let short = document.replace(r#""byteLength":60"#, r#""byteLength":59"#);
    let expected = "/bufferViews/1: the view of 12 bytes at 48 needs 60 bytes, but only 59 are left";
    let error = read_bytes(short.as_bytes(), Format::Gltf, "a").unwrap_err().to_string();
    assert_eq!(error, format!("a: {expected}"));
    let inside = square_document("", r#"{"mesh":0}"#, SQUARE);
    assert!(read_bytes(&glb_of(&inside, &square_buffer()), Format::Glb, "a").is_ok());
    let short = inside.replace(r#""byteLength":60"#, r#""byteLength":59"#);
    let error = read_bytes(&glb_of(&short, &square_buffer()), Format::Glb, "a").unwrap_err().to_string();
    assert_eq!(error, format!("a: {expected}"));
}

/// Nodes of one strip; `nodes` are the members of each beside its mesh.
fn strip(faces: usize, targets: &str, nodes: &[String]) -> String {
    let points: Vec<f32> = (0..faces + 2).flat_map(|i| [i as f32, (i % 2) as f32, 0.0]).collect();
    let buffer = floats(&points);
    let nodes: Vec<String> = nodes.iter().map(|node| format!(r#"{{"mesh":0{node}}}"#)).collect();
    format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"mode":5{targets}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":{length}}}],"buffers":[{{{}"byteLength":{length}}}]}}"#,
        nodes.join(","),
        faces + 2,
        data_uri(&buffer),
        length = buffer.len(),
    )
}

#[test]
fn instances_share_one_mesh_and_limits_count_memory() {
    let many = |node: &dyn Fn(usize) -> String| (0..2000).map(node).collect::<Vec<_>>();
    // Weights without anything to weigh, or the same ones, change no shape.
    for (targets, weights) in [("", "0.5"), (r#","targets":[{"POSITION":0}]"#, "0.5")] {
        let nodes = many(&|_| format!(r#","weights":[{weights}]"#));
        let document = strip(20_000, targets, &nodes);
        assert!(document.len() < 700_000);
        let scene = read_bytes(document.as_bytes(), Format::Gltf, "many").unwrap();
        assert_eq!((scene.meshes.len(), scene.nodes.len()), (1, 2000));
        // As one model it would take seven gigabytes.
        let error = read_mesh_bytes(document.as_bytes(), Format::Gltf, "many").unwrap_err().to_string();
        assert_eq!(error, "many: all instances in one model take more than the 2048 MiB of memory allowed");
    }
    // A shape for each: more than the file's size explains.
    let nodes = many(&|number| format!(r#","weights":[{number}]"#));
    let document = strip(20_000, r#","targets":[{"POSITION":0}]"#, &nodes);
    let error = read_bytes(document.as_bytes(), Format::Gltf, "many").unwrap_err().to_string();
    assert!(error.contains("bytes of memory, far more than the file has bytes"), "{error}");
    // A few are fine.
    let document = strip(2000, r#","targets":[{"POSITION":0}]"#, &nodes[..20]);
    assert_eq!(read_bytes(document.as_bytes(), Format::Gltf, "few").unwrap().meshes.len(), 20);
}

#[test]
fn more_memory_can_be_allowed() {
    let folder = Folder::new("memory");
    let nodes: Vec<String> = (0..10).map(|_| String::new()).collect();
    let file = folder.file("a.gltf", strip(2000, "", &nodes));
    assert_eq!(read_mesh(&file).unwrap().mesh.face_count(), 20_000);
    let little = Limits::default().with_memory(1 << 20);
    let error = read_mesh_with(&file, little).unwrap_err().to_string();
    assert!(error.contains("of memory allowed"), "{error}");
    assert!(read_mesh_with(&file, little.with_memory(1 << 23)).is_ok());
}

/// A list that cannot be allocated is an error. The reader runs in a process of its own with little memory.
#[cfg(target_os = "linux")]
#[test]
fn a_failed_allocation_is_an_error() {
    let folder = Folder::new("allocation");
    let facets = 1_500_000_u32;
    let mut stl = vec![0_u8; 84 + 50 * facets as usize];
    stl[80..84].copy_from_slice(&facets.to_le_bytes());
    folder.file("a.stl", &stl);
    drop(stl);
    folder.file("a.obj", "v 0 0 0\n".repeat(6_000_000) + "f 1 2 3\n");
    folder.file("a.off", format!("OFF\n6000000 1 0\n{}3 0 1 2\n", "0 0 0\n".repeat(6_000_000)));
    let ply = "ply\nformat ascii 1.0\nelement vertex 6000000\nproperty float x\nproperty float y\nproperty float z\n\
               element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    folder.file("a.ply", format!("{ply}{}3 0 1 2\n", "0 0 0\n".repeat(6_000_000)));
    let sparse = fs::File::create(folder.0.join("huge.stl")).unwrap();
    sparse.set_len(1 << 42).unwrap();
    for file in ["a.stl", "a.obj", "a.off", "a.ply", "huge.stl"] {
        let child = Command::new("sh")
            .args(["-c", "ulimit -v 160000; exec \"$0\" --exact hostile::reads_in_little_memory --ignored"])
            .arg(std::env::current_exe().unwrap())
            .env("IMPINGE_TEST_FILE", folder.0.join(file))
            .output()
            .unwrap();
        let text =
            String::from_utf8_lossy(&child.stdout).into_owned() + &String::from_utf8_lossy(&child.stderr);
        assert!(child.status.success() && text.contains("1 passed"), "{file}: {:?}: {text}", child.status);
    }
}

#[test]
#[ignore = "run by a_failed_allocation_is_an_error, in a process of its own"]
fn reads_in_little_memory() {
    let file = std::env::var_os("IMPINGE_TEST_FILE").expect("a file");
    let error = read(Path::new(&file)).unwrap_err();
    assert!(matches!(error.kind, ReadErrorKind::OutOfMemory), "{error}");
}
