//! `impinge image` and `impinge check --engine image`: answers, pictures, refusals.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Folder, Run};

/// A folder with a cube from -1 to 1, one of half the size, one that overlaps the first, and one that is far away.
fn cubes(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.make("box --triangles 12 cube.obj");
    let moved = |by: [f64; 3], size: f64| {
        let corner = |number: usize| {
            let at = |axis: usize| by[axis] + if number >> axis & 1 == 1 { size } else { -size };
            format!("v {} {} {}\n", at(0), at(1), at(2))
        };
        let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
        (0..8).map(corner).collect::<String>() + faces
    };
    folder.write("small.obj", moved([0.1, 0.0, -0.1], 0.5));
    folder.write("beside.obj", moved([1.5, 0.3, 0.2], 1.0));
    folder.write("far.obj", moved([9.0, 0.0, 0.0], 1.0));
    // Its box overlaps that of the cube, and it does not.
    folder.write(
        "corner.obj",
        "v 1.9 0.9 0\nv 0.9 1.9 0\nv 1.9 1.9 0.5\nv 1.9 1.9 -0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
    );
    folder
}

fn check(folder: &Folder, arguments: &str) -> Run {
    folder.run(&format!("check {arguments} --engine image --device cpu --resolution 64 --json"))
}

fn image(folder: &Folder, arguments: &str) -> Run {
    folder.run(&format!("image {arguments} --device cpu --resolution 64"))
}

/// Width, height and pixels of a PNG file.
fn read_png(file: &Path) -> (u32, u32, Vec<[u8; 3]>) {
    let decoder = png::Decoder::new(BufReader::new(File::open(file).expect("the file is there")));
    let mut reader = decoder.read_info().expect("a PNG file");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("the whole picture");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    let pixels = bytes[..info.buffer_size()].as_chunks().0.to_vec();
    (info.width, info.height, pixels)
}

fn is_red([red, green, blue]: &[u8; 3]) -> bool {
    *red > 50 && u32::from(*red) > 4 * u32::from((*green).max(*blue))
}

#[test]
fn verdicts_of_check() {
    let folder = cubes("image-check");
    folder.make("torus --triangles 200 ring.obj");
    let cases = [
        ("cube.obj beside.obj", 1, "overlapping", Value::Null),
        ("cube.obj small.obj", 1, "inside", json!("b")),
        ("small.obj cube.obj", 1, "inside", json!("a")),
        ("cube.obj far.obj", 0, "clear", Value::Null),
        ("cube.obj corner.obj", 0, "clear", Value::Null),
        ("cube.obj small.obj --translate-b 0.8,0,0", 1, "overlapping", Value::Null),
        // A pin from the hole of the ring into it: within the box around the ring, and too thin for an edge of the ring.
        (
            "ring.obj cube.obj --scale-b 0.3,0.02,0.02 --translate-b 0.35,0.04,0.03",
            1,
            "overlapping",
            Value::Null,
        ),
    ];
    for (files, status, verdict, contained) in cases {
        let document = check(&folder, files).json(status);
        assert_eq!((&document["verdict"], &document["contained"]), (&json!(verdict), &contained), "{files}");
        assert_eq!(document["complete"], true);
        assert_eq!(document["device"], "the processor");
        let precision = document["precision"].as_f64().expect("a number");
        assert!((0.0..0.2).contains(&precision), "{document}");
        let witness = &document["witness"];
        assert_eq!(witness.is_null(), verdict == "clear", "{document}");
        if status == 1 {
            assert!(witness["face_a"].is_null() && witness["face_b"].is_null(), "{document}");
            // The cube is around the origin.
            let point: Vec<f64> = serde_json::from_value(witness["point"].clone()).expect("a point");
            assert!(point.iter().all(|at| at.abs() < 1.0 + precision), "{document}");
        }
        let exact = check(&folder, &format!("{files} --exact")).json(status);
        assert_eq!((&exact["verdict"], &exact["contained"]), (&json!(verdict), &contained), "{files}");
    }
    let text = folder.run("check cube.obj small.obj --engine image --device cpu").expect(1);
    assert!(text.starts_with("small.obj is inside cube.obj.\n  at         ("), "{text}");
    assert!(text.contains("\n  precision  0.0") && text.ends_with("drawn by the processor\n"), "{text}");
}

#[test]
fn a_cube_that_only_touches_is_decided_by_the_exact_test() {
    let folder = cubes("image-touch");
    // They share less than a pixel can show, if anything; with the exact test it is clear for sure.
    let document = check(&folder, "cube.obj cube.obj --translate-b 2,0,0 --exact").json(0);
    assert_eq!(document["verdict"], "clear");
}

#[test]
fn an_edge_that_hides_needs_layers() {
    let folder = cubes("image-layers");
    let document = check(&folder, "cube.obj beside.obj --layers 1 --views 1").json(1);
    assert_eq!(document["complete"], false, "{document}");
    let fine = check(&folder, "cube.obj beside.obj --precision 0.001").json(1);
    let coarse = check(&folder, "cube.obj beside.obj").json(1);
    assert!(coarse["precision"].as_f64() > Some(0.01), "{coarse}");
    assert!(fine["precision"].as_f64() <= coarse["precision"].as_f64(), "{fine}");
}

#[test]
fn poses_are_answered_in_order() {
    let folder = cubes("image-poses");
    folder.write(
        "poses.txt",
        "1 0 0 9  0 1 0 0  0 0 1 0\n0.5 0 0 0  0 0.5 0 0  0 0 0.5 0\n1 0 0 1  0 1 0 0.5  0 0 1 0.2\n",
    );
    let arguments = "check cube.obj cube.obj --engine image --device cpu --resolution 64 --poses-b poses.txt";
    let lines = folder.run(&format!("{arguments} --json")).expect(1);
    let documents: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let verdicts: Vec<_> = documents.iter().map(|document| document["verdict"].as_str()).collect();
    assert_eq!(verdicts, [Some("clear"), Some("inside"), Some("overlapping")]);
    assert!(documents.iter().zip(0..).all(|(document, index)| document["index"] == index), "{lines}");
    let text = folder.run(arguments).expect(1);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "0  clear");
    assert!(rows[1].starts_with("1  B inside A   at (") && rows.len() == 3, "{text}");
}

#[test]
fn several_models_have_a_table_and_a_document() {
    let folder = cubes("image-many");
    let files = "cube.obj small.obj beside.obj far.obj corner.obj";
    let document = image(&folder, &format!("{files} --json")).json(1);
    assert_eq!((&document["schema"], &document["device"]), (&json!(1), &json!("the processor")));
    assert_eq!((&document["interferes"], &document["complete"]), (&json!(true), &json!(true)));
    assert_eq!(document["not_closed"], false);
    assert!(document["precision"].as_f64().is_some_and(|length| length > 0.0 && length < 0.2), "{document}");
    let objects = document["objects"].as_array().expect("a list");
    assert_eq!(objects.len(), 5);
    assert_eq!(objects[0], json!({ "file": "cube.obj", "edges": 12, "triangles": 12, "closed": true }));
    let found = document["interferences"].as_array().expect("a list");
    let pairs: Vec<_> =
        found.iter().map(|one| (one["penetrating"].as_u64(), one["penetrated"].as_u64())).collect();
    let pair = |a, b| (Some(a), Some(b));
    // A face of the cube beside cuts the small one, and none of its edges does.
    assert_eq!(pairs, [pair(0, 2), pair(1, 0), pair(1, 2), pair(2, 0), pair(4, 2)]);
    assert!(found.iter().all(|one| one["edges"].as_u64() > Some(0) && one["points"].as_u64() > Some(0)));
    assert!(found[0]["point"].as_array().is_some_and(|point| point.len() == 3));
    assert!(document["work"]["looks"].as_u64() == Some(3), "{document}");

    let text = image(&folder, files).expect(1);
    assert!(
        text.starts_with(
            "5 models in 3 images of 64 x 64 pixels, drawn by the processor: 4 pairs interfere.\n"
        ),
        "{text}"
    );
    assert!(text.contains("\n  edges of    inside of   edges  pixels  at\n"), "{text}");
    assert!(text.contains("\n  small.obj   cube.obj "), "{text}");

    let text = image(&folder, "cube.obj far.obj").expect(0);
    assert!(text.contains("nothing interferes.\n") && !text.contains("open"), "{text}");
    // Without its last face it has no inside: nothing is seen in it, and that is said.
    let whole = std::fs::read_to_string(folder.path("beside.obj")).expect("it was written");
    folder.write("open.obj", whole.replace("f 2 4 8 6\n", ""));
    let text = image(&folder, "open.obj small.obj").expect(0);
    assert!(text.contains("\n  open       open.obj: an open surface has no inside"), "{text}");
    let document = image(&folder, "open.obj small.obj --json").json(0);
    assert_eq!([&document["objects"][0]["closed"], &document["objects"][1]["closed"]], [false, true]);
    let exact = image(&folder, &format!("{files} --exact --coarse --json")).json(1);
    assert_eq!(exact["interferences"].as_array().map(Vec::len), Some(5), "{exact}");
    let from_eye = image(&folder, "cube.obj small.obj --perspective 3 --offset 0.5 --json").json(1);
    assert_eq!(from_eye["interferences"].as_array().map(Vec::len), Some(1), "{from_eye}");
}

#[test]
fn less_detail_is_the_same_answer_with_less_in_it() {
    let folder = cubes("image-detail");
    let files = "cube.obj small.obj beside.obj far.obj corner.obj";
    let [pairs, objects, any] = ["pairs", "objects", "any"].map(|detail| {
        let document = image(&folder, &format!("{files} --detail {detail} --json")).json(1);
        assert_eq!((&document["detail"], &document["interferes"]), (&json!(detail), &json!(true)));
        document
    });
    assert_eq!((&pairs["penetrating"], &pairs["penetrated"]), (&json!([0, 1, 2, 4]), &json!([0, 2])));
    for list in ["penetrating", "penetrated"] {
        assert_eq!(pairs[list], objects[list]);
        assert_eq!(any[list], json!([]));
    }
    assert_eq!([&objects["interferences"], &any["interferences"]], [&json!([]); 2]);
    let text = image(&folder, &format!("{files} --detail objects")).expect(1);
    assert!(
        text.contains(": some interfere.\n\n  edges inside of others\n    cube.obj\n    small.obj\n"),
        "{text}"
    );
    assert!(text.contains("\n  edges of others inside\n    cube.obj\n    beside.obj\n\n"), "{text}");
    let text = image(&folder, &format!("{files} --detail any")).expect(1);
    assert!(text.contains(": something interferes.\n"), "{text}");
    for detail in ["any", "objects"] {
        let clear = image(&folder, &format!("cube.obj far.obj --detail {detail}")).expect(0);
        assert!(clear.contains(": nothing interferes.\n"), "{clear}");
        let refused = image(&folder, &format!("cube.obj far.obj --exact --detail {detail}")).error();
        assert_eq!(refused, "--exact: the exact test decides on pairs, and --detail asks for less");
    }
    let refused = image(&folder, "cube.obj far.obj --png out.png --detail any").error();
    assert_eq!(refused, "--png: the picture shows which models interfere, and --detail any asks for less");
    assert!(!folder.files().contains(&"out.png".to_owned()));
    image(&folder, "cube.obj beside.obj far.obj --png out.png --detail objects").expect(1);
    let (_, _, pixels) = read_png(&folder.path("out.png"));
    assert!(pixels.iter().filter(|pixel| is_red(pixel)).count() > 5000);
}

#[test]
fn one_model_is_placed_many_times() {
    let folder = cubes("image-place");
    folder.write(
        "poses.txt",
        "1 0 0 0  0 1 0 0  0 0 1 0\n1 0 0 1.5  0 1 0 0.5  0 0 1 0.5\n1 0 0 8  0 1 0 0  0 0 1 0\n",
    );
    let text = image(&folder, "cube.obj --poses poses.txt").expect(1);
    assert!(text.contains("  cube.obj (0)  cube.obj (1) "), "{text}");
    assert!(!text.contains("cube.obj (2)"), "{text}");
}

#[test]
fn pictures_show_what_interferes_in_red() {
    let folder = cubes("image-png");
    let document = image(&folder, "cube.obj beside.obj far.obj --png out.png --json").json(1);
    assert_eq!(document["files"], json!(["out.png", "out-stencil.png"]));
    let (width, height, pixels) = read_png(&folder.path("out.png"));
    assert_eq!((width, height), (800, 800));
    let red = pixels.iter().filter(|pixel| is_red(pixel)).count();
    let others = pixels.iter().filter(|pixel| !is_red(pixel) && pixel[0] < 230).count();
    assert!(red > 5000 && others > 2000 && others < red, "{red} {others}");
    let (width, height, pixels) = read_png(&folder.path("out-stencil.png"));
    assert_eq!((width, height), (3 * 64, 64));
    let bright = pixels.iter().filter(|pixel| pixel[0] == 255).count();
    let gray = pixels.iter().filter(|[r, g, b]| r == g && g == b && *r > 0).count();
    assert!(bright > 50 && gray > 50, "{bright} {gray}");

    image(&folder, "cube.obj far.obj --png clear.png").expect(0);
    let (_, _, pixels) = read_png(&folder.path("clear.png"));
    assert_eq!(pixels.iter().filter(|pixel| is_red(pixel)).count(), 0);
    assert!(folder.files().iter().all(|file| !file.ends_with(".tmp")), "{:?}", folder.files());
}

#[test]
fn refusals_name_the_option_and_write_nothing() {
    let folder = cubes("image-errors");
    let before = folder.files();
    for (arguments, message) in [
        (
            "check cube.obj small.obj --engine image --pairs",
            "--pairs: --engine image tells edges inside of solids, not pairs of faces",
        ),
        ("check cube.obj small.obj --engine image --curve c.obj", "--curve: --engine image finds no curve"),
        (
            "check cube.obj small.obj --engine image --surface",
            "--surface: --engine image needs solids: it looks for edges inside of them",
        ),
        ("check cube.obj small.obj --views 2", "--views: only --engine image looks at images"),
        (
            "check cube.obj small.obj --engine image --precision -1",
            "--precision: precision is -1: a length above 0",
        ),
        ("image cube.obj", "MESH: two or more files are needed, or --poses with one"),
        (
            "image cube.obj small.obj --perspective 1",
            "--perspective: distance of the eye is 1: the eye is more than one radius away",
        ),
        (
            "image cube.obj small.obj --offset 100",
            "--offset: offset is 100: edges are moved by 0 to 64 pixels",
        ),
        ("image cube.obj small.obj --png out.jpg", "out.jpg: its extension must be .png"),
        (
            "image cube.obj small.obj --png no/out.png",
            "no/out.png: cannot be written: its folder is not there",
        ),
        ("image cube.obj nothing.obj --png out.png", "nothing.obj: "),
    ] {
        let error = folder.run(arguments).error();
        assert!(error.starts_with(message), "{arguments}: {error}");
    }
    for (option, value) in [
        ("--resolution", "8"),
        ("--resolution", "5000"),
        ("--views", "0"),
        ("--views", "13"),
        ("--layers", "0"),
        ("--precision", "fine"),
        ("--device", "toaster"),
    ] {
        for command in ["image cube.obj small.obj --png out.png", "check cube.obj small.obj --engine image"] {
            let error = folder.run(&format!("{command} {option} {value}")).error();
            assert!(error.contains(option) && error.contains(value), "{error}");
        }
    }
    assert_eq!(folder.files(), before);
}

/// Needs an adapter, of hardware or Mesa's software driver (Debian: mesa-vulkan-drivers).
#[test]
fn a_graphics_device_finds_the_same() {
    let folder = cubes("image-gpu");
    let on_device = |arguments: &str| folder.run(&format!("{arguments} --device gpu --resolution 64 --json"));
    for (files, status, verdict) in [
        ("cube.obj beside.obj", 1, "overlapping"),
        ("cube.obj small.obj", 1, "inside"),
        ("cube.obj far.obj", 0, "clear"),
    ] {
        let run = on_device(&format!("check {files} --engine image"));
        assert_eq!(run.status, status, "{}", run.stderr);
        let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(document["verdict"], verdict, "{document}");
        assert_ne!(document["device"], "the processor");
    }
    let run = on_device("image cube.obj small.obj beside.obj --png out.png");
    assert_eq!(run.status, 1, "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(document["interferences"].as_array().map(Vec::len), Some(4), "{document}");
    let (_, _, pixels) = read_png(&folder.path("out.png"));
    assert!(pixels.iter().filter(|pixel| is_red(pixel)).count() > 5000);
}
