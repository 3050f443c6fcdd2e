//! `--report` of `check` and `sweep`: what the page holds, and what cannot be written.

use crate::support::{Folder, data};

/// A folder with a cube from -1 to 1.
fn cube(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.make("box --triangles 12 cube.obj");
    folder
}

#[test]
fn a_check_shows_where_they_meet() {
    let folder = cube("report-check");
    let options = "check cube.obj cube.obj --translate-b 1.5,0.5,0.25 --unit mm";
    let text = folder.run(&format!("{options} --report page.html")).expect(1);
    // The page changes nothing of what is said.
    assert_eq!(text, folder.run(options).expect(1));
    let Some(data) = data(&folder, "page.html") else { return };
    assert_eq!((&data["kind"], &data["unit"], &data["live"]), (&"check".into(), &"mm".into(), &false.into()));
    assert_eq!(data["parts"]["names"], serde_json::json!(["A (cube.obj)", "B (cube.obj)"]));
    let clash = &data["clashes"][0];
    assert_eq!((&clash["verdict"], data["gap"].is_null()), (&"overlapping".into(), true));
    assert!(clash["face_pairs"].as_u64() >= Some(8), "{clash}");
    let depth = clash["depth"].as_f64().expect("they overlap");
    assert!((0.5..0.51).contains(&depth), "{depth}");
    assert_eq!(clash["direction"], serde_json::json!([1.0, 0.0, 0.0]));
    assert_eq!(clash["curve"]["closed"], serde_json::json!([true]));
    // The box around the curve is that of what they have in common.
    assert_eq!(clash["box"], serde_json::json!([[0.5, -0.5, -0.75], [1.0, 1.0, 1.0]]));
    for faces in ["faces_a", "faces_b"] {
        assert!(clash[faces].as_str().is_some_and(|faces| !faces.is_empty()), "{clash}");
    }
}

#[test]
fn a_check_shows_how_far_they_are_apart() {
    let folder = cube("report-clear");
    folder.run("check cube.obj cube.obj --translate-b 5,0,0 --report page.html").expect(0);
    if let Some(data) = data(&folder, "page.html") {
        assert_eq!(data["clashes"], serde_json::json!([]));
        assert_eq!(data["gap"]["distance"], 3.0);
        let [a, b] = [0, 1].map(|side| data["gap"]["closest"][side][0].as_f64());
        assert_eq!([a, b], [Some(1.0), Some(4.0)]);
    }
    // As surfaces, one cube within the other is clear of it.
    folder.run("check cube.obj cube.obj --scale-b 0.5 --surface --report page.html").expect(0);
    if let Some(data) = data(&folder, "page.html") {
        assert_eq!(data["gap"]["distance"], 0.5);
    }
    folder.run("check cube.obj cube.obj --scale-b 0.5 --report page.html").expect(1);
    if let Some(data) = data(&folder, "page.html") {
        let clash = &data["clashes"][0];
        assert_eq!((&clash["verdict"], &clash["contained"]), (&"inside".into(), &"b".into()));
    }
    folder.run("check cube.obj cube.obj --translate-b 2,0,0 --ignore-touching --report page.html").expect(0);
    if let Some(data) = data(&folder, "page.html") {
        assert_eq!((data["clashes"].as_array().map(Vec::len), data["gap"].is_null()), (Some(0), true));
        assert_eq!(data["notes"], serde_json::json!(["They touch, which is ignored."]));
    }
}

/// Two cubes of 2 share a box of 1 × 1 × 2, also far away; what one contains, or what is flush, is no solid of its own.
#[test]
fn pages_have_the_surface_of_what_parts_share() {
    let folder = Folder::new("report-shared");
    let cube = |at: [f64; 3], size: f64| {
        let corner = |i: usize| [0, 1, 2].map(|axis| at[axis] + size * f64::from((i >> axis & 1) as u8));
        let line = |[x, y, z]: [f64; 3]| format!("v {x} {y} {z}\n");
        (0..8).map(|i| line(corner(i))).collect::<String>()
            + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
    };
    for far in [0.0, 5e6] {
        folder.write("a.obj", cube([far, 0.0, 0.0], 2.0));
        folder.write("b.obj", cube([far + 1.0, 1.0, 0.0], 2.0));
        folder.write("inner.obj", cube([far + 0.25, 0.25, 0.25], 0.5));
        folder.write("beside.obj", cube([far - 2.0, 0.0, 0.0], 2.0));
        for options in ["clash a.obj b.obj inner.obj beside.obj --touch 1e-6", "check a.obj b.obj"] {
            folder.run(&format!("{options} --report page.html")).expect(1);
            let Some(data) = data(&folder, "page.html") else { return };
            let clashes = data["clashes"].as_array().expect("a list");
            let shared: Vec<_> = clashes.iter().filter(|clash| clash.get("shared").is_some()).collect();
            assert_eq!(shared.len(), 1, "{options} {far}");
            let [shape, low, high] = ["/shared/shape", "/shared_box/0", "/shared_box/1"]
                .map(|path| shared[0].pointer(path).unwrap_or_else(|| panic!("{options}: {path}")));
            let number = |value: &serde_json::Value| value.as_f64().expect("a number");
            for (axis, size) in [1.0, 1.0, 2.0].into_iter().enumerate() {
                assert!((number(&high[axis]) - number(&low[axis]) - size).abs() < 1e-6, "{options} {far}");
                let half = number(&shape["half"][axis]) * number(&shape["scale"]);
                assert!((half - size / 2.0).abs() < 1e-6, "{options} {far}: {half}");
                let middle = number(&shared[0]["shared"]["at"][axis]) + number(&shape["origin"][axis]);
                let expected = [far + 1.5, 1.5, 1.0][axis];
                assert!((middle - expected).abs() < 1e-6, "{options} {far}: {middle}");
            }
        }
    }
}

#[test]
fn no_size_is_too_large_or_too_small_for_a_page() {
    let folder = Folder::new("report-sizes");
    let tetrahedron = |size: f64, x: f64| {
        let corners = [[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]];
        let line = |corner: [f64; 3]| format!("v {:e} {:e} {:e}\n", corner[0] + x, corner[1], corner[2]);
        corners.map(line).concat() + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    };
    for (size, [a, b], status) in [
        (1e307, [0.0, 2e306], 1),
        (1e307, [-1.6e308, 1.6e308], 0),
        (1e-307, [0.0, 2e-308], 1),
        (1.0, [1e9, 1e9 + 0.25], 1),
    ] {
        folder.write("a.obj", tetrahedron(size, a));
        folder.write("b.obj", tetrahedron(size, b));
        folder.run("check a.obj b.obj --report page.html").expect(status);
        if let Some(data) = data(&folder, "page.html") {
            assert_eq!(data["clashes"].as_array().map(Vec::len), Some(status as usize), "{size} {a} {b}");
        }
    }
}

#[test]
fn a_sweep_shows_its_way() {
    let folder = cube("report-sweep");
    let options = "sweep cube.obj cube.obj --translate-b 5,0,0 --translate 10,0,0";
    folder.run(&format!("{options} --report page.html")).expect(1);
    if let Some(data) = data(&folder, "page.html") {
        assert_eq!((&data["kind"], &data["z_up"]), (&"sweep".into(), &true.into()));
        let sweep = &data["sweep"];
        assert_eq!((&sweep["verdict"], &sweep["moving"]), (&"hit".into(), &0.into()));
        let fraction = sweep["fraction"].as_f64().expect("a number");
        assert!(fraction <= 0.3 && fraction > 0.299, "{fraction}");
        let contacts = sweep["contacts"].as_array().expect("a list");
        assert!(contacts.len() >= 4, "{sweep}");
        for contact in contacts {
            assert_eq!(contact["normal"], serde_json::json!([1.0, 0.0, 0.0]));
            assert_eq!(contact["point"][0], 4.0);
        }
        // 49 poses of twelve numbers of eight bytes, in base64.
        assert_eq!(sweep["path"].as_str().map(str::len), Some(49 * 12 * 8 / 3 * 4));
    }
    folder.run("sweep cube.obj cube.obj --rotate 0,0,0,0,0,1,90 --report page.html").expect(1);
    if let Some(data) = data(&folder, "page.html") {
        assert_eq!(data["sweep"]["verdict"], "started_overlapping");
        assert_eq!(data["clashes"][0]["verdict"], "overlapping");
    }
    folder.run("sweep cube.obj cube.obj --translate-b 0,9,0 --translate 5,0,0 --report page.html").expect(0);
    if let Some(data) = data(&folder, "page.html") {
        assert_eq!((&data["sweep"]["verdict"], &data["sweep"]["fraction"]), (&"clear".into(), &1.0.into()));
    }
}

#[test]
fn what_has_no_page_is_refused() {
    let folder = cube("report-refusals");
    folder.write("poses.txt", "1 0 0 0 0 1 0 0 0 0 1 0\n");
    folder.write("motions.txt", "1 0 0\n");
    let cases = [
        (
            "check cube.obj cube.obj --report page.html --poses-b poses.txt",
            "the argument '--report <OUT.html>' cannot be used with '--poses-b <FILE>'; see --help",
        ),
        (
            "sweep cube.obj cube.obj --report page.html --motions motions.txt",
            "the argument '--report <OUT.html>' cannot be used with '--motions <FILE>'; see --help",
        ),
        (
            "check cube.obj cube.obj --engine image --report page.html",
            "--report: --engine image finds no faces to show",
        ),
    ];
    for (arguments, message) in cases {
        assert_eq!(folder.run(arguments).error(), message);
    }
    for command in ["check cube.obj cube.obj", "sweep cube.obj cube.obj --translate 1,0,0"] {
        let error = folder.run(&format!("{command} --report no/such/page.html")).error();
        assert!(error.starts_with("no/such/page.html: "), "{error}");
    }
    assert_eq!(folder.files(), ["cube.obj", "motions.txt", "poses.txt"]);
}
