//! Files within files: gzip, ZIP, and those that unpack to more than there is.

use std::io::Write;
use std::path::PathBuf;

use crate::paths::Folder;
use crate::samples::{
    DAE, OBJ, PLY_TEXT, SQUARE, error, faces, only, samples, scene, square_buffer, square_document,
    stl_binary, zip,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use impinge_formats::{Format, Limits, Place, read, read_mesh, read_mesh_bytes, read_with};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn gzip_is_undone_around_every_format() {
    let folder = Folder::new("packed-gzip");
    for (name, format, bytes) in samples() {
        let plain = read(&folder.file(name, &bytes)).unwrap();
        for packed in [format!("{name}.gz"), format!("{name}.GZIP"), "nameless".to_owned()] {
            let path = folder.file(&packed, gzip(&bytes));
            let found = read(&path).unwrap();
            assert_eq!((found.format, &found.meshes), (format, &plain.meshes), "{packed}");
        }
        assert_eq!(
            Format::from_file_name(&PathBuf::from(format!("a/b.{}.gz", name.rsplit_once('.').unwrap().1))),
            Some(format)
        );
    }
    let whole = gzip(OBJ.as_bytes());
    for length in 3..whole.len() {
        let error = read(&folder.file("cut.obj.gz", &whole[..length])).unwrap_err();
        assert!(matches!(error.place, Place::File), "{length}: {error}");
    }
    let error = read(&folder.file("a.step.gz", gzip(b"ISO-10303-21;"))).unwrap_err().to_string();
    assert!(error.contains("is a STEP file"), "{error}");
    let error = read(&folder.file("twice.gz", gzip(&gzip(OBJ.as_bytes())))).unwrap_err().to_string();
    assert!(error.contains("is of no known format"), "{error}");
}

#[test]
fn an_archive_of_one_file_is_that_file() {
    for (name, format, bytes) in samples() {
        if format == Format::ThreeMf {
            continue;
        }
        let packed = zip(&[
            ("README.txt", b"hello"),
            ("folder/", b""),
            (&format!("folder/{name}"), &bytes),
            ("__MACOSX/._a.obj", b"x"),
        ]);
        let found = scene(packed, Format::Zip);
        assert_eq!(found, scene(&bytes, format), "{name}");
    }
}

#[test]
fn several_files_stand_side_by_side() {
    let stl = stl_binary();
    let packed = zip(&[
        ("b/scene.dae", DAE.as_bytes()),
        ("a.obj", OBJ.as_bytes()),
        ("b/a.stl", &stl),
        ("old.step", b"ISO-10303-21;"),
    ]);
    let found = scene(&packed, Format::Zip);
    assert_eq!((found.format, found.unit.as_deref(), found.z_up), (Format::Zip, None, true));
    let paths: Vec<(&str, &str)> =
        found.nodes.iter().map(|node| (node.name.as_str(), node.path.as_str())).collect();
    let expected = [
        ("a", "a.obj"),
        ("a", "b/a.stl"),
        ("outer", "b/scene.dae/outer"),
        ("inner", "b/scene.dae/outer/copy/inner"),
        ("inner", "b/scene.dae/inner"),
    ];
    assert_eq!(paths, expected);
    assert_eq!(found.meshes[0].mesh, only(OBJ, Format::Obj).mesh);
    assert_eq!(found.meshes[0].notes[0].to_string(), "a.obj: line 15: 1 line elements left out");
    assert_eq!(found.notes[0].to_string(), "old.step: 1 files in the archive that are not read left out");
    assert_eq!(found.notes[0].left_out_count(), 1);
    // In one mesh, faces and groups are all there.
    let loaded = read_mesh_bytes(&packed, Format::Zip, "good").unwrap();
    assert_eq!(faces(&loaded.mesh).len(), 2 + 1 + 2 + 1 + 1);
    let groups: Vec<&str> = loaded.mesh.groups().iter().map(|group| group.name.as_str()).collect();
    assert_eq!(groups, ["a/left", "a/right", "a", "outer", "inner", "inner"]);
    assert_eq!(loaded.origins.iter().map(|origin| origin.faces.len()).sum::<usize>(), 7);
}

#[test]
fn buffers_of_gltf_lie_in_the_archive() {
    let document = square_document(r#""uri":"../data/my%20square.bin","#, r#"{"mesh":0}"#, SQUARE);
    let packed = zip(&[("models/a.gltf", document.as_bytes()), ("data/my square.bin", &square_buffer())]);
    assert_eq!(faces(&scene(packed, Format::Zip).meshes[0].mesh), [[0, 1, 2], [0, 2, 3]]);
    let lost = zip(&[("models/a.gltf", document.as_bytes())]);
    let expected = "bad.file: models/a.gltf: /buffers/0: the buffer is the file `../data/my%20square.bin`, which is not in the archive";
    assert_eq!(error(lost, Format::Zip), expected);
    let outside = document.replace("../data", "../../../etc");
    assert!(
        error(zip(&[("models/a.gltf", outside.as_bytes())]), Format::Zip)
            .contains("which is not in the archive")
    );
}

#[test]
fn what_is_wrong_is_named() {
    assert_eq!(
        error(zip(&[("a.txt", b"x")]), Format::Zip),
        "bad.file: there is no OBJ, STL, PLY, OFF, glTF, GLB or COLLADA file in the archive"
    );
    assert_eq!(
        error(zip(&[("in/a.obj", b"v 0 0 x")]), Format::Zip),
        "bad.file: in/a.obj: line 1: z is `x`, which is not a number"
    );
    assert!(error(b"PK\x03\x04 and nothing", Format::Zip).starts_with("bad.file: the ZIP archive is wrong"));
    // A changed byte in what is packed is noticed by its sum.
    let mut packed = zip(&[("a.ply", PLY_TEXT.as_bytes())]);
    let at = packed.len() / 3;
    packed[at] ^= 0x40;
    assert!(error(packed, Format::Zip).contains("a.ply: cannot be unpacked"));
}

#[test]
fn bombs_do_not_go_off() {
    let folder = Folder::new("packed-bombs");
    // 40 MB of zeros in 40 KB, of which a limit of 16 MiB allows 4.
    let zeros = vec![b' '; 40 << 20];
    let limits = Limits::default().with_memory(16 << 20);
    for (name, bytes) in [
        ("a.obj.gz", gzip(&zeros)),
        ("a.zip", zip(&[("a.obj", &zeros)])),
        ("a.3mf", zip(&[("3D/3dmodel.model", &zeros)])),
    ] {
        assert!(bytes.len() < 60_000, "{}", bytes.len());
        let path = folder.file(name, bytes);
        let error = read_with(&path, limits).unwrap_err().to_string();
        assert!(error.contains("unpacks to more than the 4 MiB of memory allowed"), "{name}: {error}");
        // Within the limit, it is a file like any other.
        assert!(!read_mesh(&path).unwrap_err().to_string().contains("unpacks"), "{name}");
    }
    // Many small files that are too much together.
    let some = vec![b'#'; 1 << 20];
    let names: Vec<String> = (0..8).map(|number| format!("{number}.obj")).collect();
    let mut files: Vec<(&str, Vec<u8>)> =
        names.iter().map(|name| (name.as_str(), [OBJ.as_bytes(), &some].concat())).collect();
    let packed = zip(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>());
    let error = read_with(&folder.file("many.zip", packed), limits).unwrap_err().to_string();
    assert!(error.contains(".obj: unpacks to more than the 4 MiB"), "{error}");
    files.truncate(2);
    let packed = zip(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>());
    assert_eq!(read_with(&folder.file("few.zip", packed), limits).unwrap().nodes.len(), 2);
}
