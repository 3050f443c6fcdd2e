//! Files on disk: formats by extension and content, buffers beside a document, everything in one mesh.

use std::fs;
use std::path::PathBuf;

use crate::samples::{self, faces, groups, samples, vertices};
use impinge_formats::{Format, ReadErrorKind, read, read_mesh};

/// A folder of its own for a test, removed when it is done.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("impinge-formats-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_extension_decides_and_else_the_content() {
    let folder = Folder::new("formats");
    for (name, format, bytes) in samples() {
        assert_eq!(read(&folder.file(name, &bytes)).unwrap().format, format);
        assert_eq!(read(&folder.file("without-extension", &bytes)).unwrap().format, format);
        assert_eq!(read(&folder.file("some.data", &bytes)).unwrap().format, format);
    }
    assert_eq!(read(&folder.file("loud.OBJ", samples::OBJ)).unwrap().format, Format::Obj);
    // The two forms of glTF are told apart whatever the file is called.
    assert_eq!(read(&folder.file("a.gltf", samples::glb())).unwrap().format, Format::Glb);
    assert_eq!(read(&folder.file("a.glb", samples::gltf())).unwrap().format, Format::Gltf);
}

#[test]
fn errors_name_the_path() {
    let folder = Folder::new("errors");
    let missing = folder.0.join("missing.obj");
    let error = read(&missing).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: cannot be read: ", missing.display())), "{error}");
    let unknown = folder.file("notes.txt", "dear diary");
    let expected = format!(
        "{}: is of no known format (OBJ, STL, PLY, OFF, glTF, GLB, 3MF and COLLADA are)",
        unknown.display()
    );
    assert_eq!(read(&unknown).unwrap_err().to_string(), expected);
    let broken = folder.file("broken.obj", "v 0 0 0\nf 1 2 3\n");
    let expected = format!("{}: line 2: index 2 names no vertex: there are 1", broken.display());
    assert_eq!(read_mesh(&broken).unwrap_err().to_string(), expected);
}

#[test]
fn buffers_beside_the_document() {
    let folder = Folder::new("buffers");
    fs::create_dir_all(folder.0.join("inner")).unwrap();
    folder.file("my square.bin", samples::square_buffer());
    let document =
        |uri: &str| samples::square_document(&format!(r#""uri":"{uri}","#), r#"{"mesh":0}"#, samples::SQUARE);
    assert!(read(&folder.file("a.gltf", document("my%20square.bin"))).is_ok());
    assert!(read(&folder.file("a.gltf", document("my square.bin"))).is_ok());
    let error = |uri: &str| {
        let path = folder.file("a.gltf", document(uri));
        let error = read(&path).unwrap_err().to_string();
        error.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
    };
    let missing = error("gone.bin");
    assert!(missing.starts_with("/buffers/0: cannot be read: the buffer `"), "{missing}");
    folder.file("short.bin", [0; 59]);
    assert!(error("short.bin").ends_with("has 59 bytes, but 60 are promised"), "{}", error("short.bin"));
    assert!(error("inner").ends_with("is a folder, and only regular files are read"), "{}", error("inner"));
    let expected = "/buffers/0: the buffer is `http://a/b.bin`, but nothing is loaded over a network";
    assert_eq!(error("http://a/b.bin"), expected);
    let only_bytes = samples::error(document("my square.bin"), Format::Gltf);
    let expected = "bad.file: /buffers/0: the buffer is the file `my square.bin`, but only bytes were given";
    assert_eq!(only_bytes, expected);
}

#[test]
fn one_mesh_of_a_scene_keeps_document_order() {
    let folder = Folder::new("flat");
    let nodes = r#"{"children":[3,1],"scale":[2,2,2]},{"name":"b","mesh":0,"translation":[10,0,0]},
        {"name":"not shown","mesh":0},{"name":"c","mesh":0,"scale":[-1,1,1]}"#;
    let document =
        samples::square_document(&samples::data_uri(&samples::square_buffer()), nodes, samples::SQUARE);
    let loaded = read_mesh(&folder.file("a.gltf", document)).unwrap();
    assert_eq!(loaded.format, Format::Gltf);
    assert_eq!(groups(&loaded.mesh), [("b", 0), ("c", 2)]);
    // The second is mirrored: its faces are turned so that they keep their outside.
    assert_eq!(faces(&loaded.mesh), [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]]);
    assert_eq!(vertices(&loaded.mesh)[1], [22.0, 0.0, 0.0]);
    assert_eq!(vertices(&loaded.mesh)[5], [-2.0, 0.0, 0.0]);
    let origins: Vec<_> = loaded.origins.iter().map(|o| (o.faces.clone(), o.node, o.primitive)).collect();
    assert_eq!(origins, [(0..2, Some(1), Some(0)), (2..4, Some(3), Some(0))]);
    assert_eq!(loaded.origins[1].vertices, 4..8);
}

#[test]
fn one_mesh_of_another_file_is_that_file() {
    let folder = Folder::new("plain");
    let loaded = read_mesh(&folder.file("a.obj", samples::OBJ)).unwrap();
    assert_eq!(loaded.mesh, samples::only(samples::OBJ, Format::Obj).mesh);
    assert_eq!(loaded.notes.len(), 1);
    assert_eq!(loaded.origins.len(), 1);
    assert_eq!((loaded.origins[0].faces.clone(), loaded.origins[0].node), (0..2, None));
}

#[test]
fn formats_of_other_programs_are_refused_with_the_name_of_a_converter() {
    let folder = Folder::new("foreign");
    let step = "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\n";
    let cases = [
        ("a.STEP", step, "a STEP file", "FreeCAD"),
        ("a.stp", "", "a STEP file", "mayo-conv"),
        ("without", step, "a STEP file", "FreeCAD"),
        ("a.ifc", step, "an IFC file", "IfcConvert"),
        ("ifc", "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\n", "an IFC file", "IfcConvert"),
        ("a.fbx", "", "an FBX file", "FBX2glTF"),
        ("fbx", "Kaydara FBX Binary  \0\x1a\0", "an FBX file", "Blender"),
        ("a.usdz", "PK", "a USD file", "Blender"),
        ("usda", "#usda 1.0\ndef Xform \"o\" {}\n", "a USD file", "Blender"),
        ("a.igs", "", "an IGES file", "FreeCAD"),
    ];
    for (name, content, format, converter) in cases {
        let error = read(&folder.file(name, content)).unwrap_err();
        let is_foreign =
            matches!(error.kind, ReadErrorKind::ForeignFormat { format: found, .. } if found == format);
        let error = error.to_string();
        assert!(
            is_foreign && error.contains(converter) && error.ends_with("writes it as glTF"),
            "{name}: {error}"
        );
    }
    // A known extension is believed.
    let error = read(&folder.file("a.obj", step)).unwrap_err();
    assert!(!matches!(error.kind, ReadErrorKind::ForeignFormat { .. }), "{error}");
}
