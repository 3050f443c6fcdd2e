//! `impinge clash`: what a part is, what it is called, and what is left out.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Folder, TRIANGLE, write_cubes};

fn parts(document: &Value, field: &str) -> Vec<String> {
    let list = document["parts"].as_array().expect("a list");
    list.iter().map(|part| part[field].as_str().expect("text").to_owned()).collect()
}

fn pairs(document: &Value) -> Vec<String> {
    let names = parts(document, "name");
    let name = |clash: &Value, side: &str| &names[clash[side].as_u64().expect("an index") as usize];
    let clashes = document["clashes"].as_array().expect("a list");
    clashes.iter().map(|clash| format!("{} {}", name(clash, "a"), name(clash, "b"))).collect()
}

/// Two copies of a frame with a plate and two bolts, the second copy far away; all bolts overlap their plate.
fn copies(folder: &Folder, file: &str) {
    let mut cubes = Vec::new();
    for copy in 0..2 {
        let x = 100.0 * f64::from(copy);
        cubes.extend([
            ("plate", [x, 0.0, 0.0], 10.0),
            ("bolt", [x, 0.0, 5.0], 1.0),
            ("bolt", [x + 3.0, 0.0, 5.0], 1.0),
        ]);
    }
    write_cubes(folder, file, &cubes);
    let text = fs::read_to_string(folder.path(file)).expect("it is there");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    let nodes = document["nodes"].as_array_mut().expect("a list");
    for copy in 0..2 {
        nodes.push(json!({"name": format!("copy{copy}"), "children": [nodes.len() + 1]}));
        // A node without a name is no part of a path.
        nodes.push(json!({"children": [3 * copy, 3 * copy + 1, 3 * copy + 2]}));
    }
    folder.write(file, document.to_string());
}

#[test]
fn parts_have_paths_of_their_own() {
    let folder = Folder::new("clash-paths");
    copies(&folder, "s.gltf");
    let whole = fs::canonicalize(folder.path("s.gltf")).expect("it is there").display().to_string();
    let document = folder.run(&format!("clash {whole} --json")).json(1);
    assert_eq!(document["title"], "s.gltf");
    let expected = ["copy0/plate", "copy0/bolt", "copy0/bolt#2", "copy1/plate", "copy1/bolt", "copy1/bolt#2"];
    assert_eq!(parts(&document, "path"), expected.map(|path| format!("s.gltf/{path}")));
    assert_eq!(parts(&document, "name"), ["plate", "bolt", "bolt#2", "plate", "bolt", "bolt#2"]);
    // From run to run a part is known without the number, which depends on the others.
    assert_eq!(parts(&document, "names")[2], "copy0/bolt");
    assert!(document["parts"].as_array().expect("a list").iter().all(|part| part["closed"] == true));
    assert_eq!(pairs(&document).len(), 4);
    let chosen = |options: &str| pairs(&folder.run(&format!("clash s.gltf --json {options}")).json(1));
    assert_eq!(chosen("--set a=*copy0*"), ["plate bolt", "plate bolt#2"]);
    assert_eq!(chosen("--ignore copy0/* --set a=*"), ["plate bolt", "plate bolt#2"]);
    assert_eq!(chosen("--set a=copy1/plate --set b=copy1/bolt#2"), ["plate bolt#2"]);
    let ignored = folder.run("clash s.gltf --json --ignore *bolt*").json(0);
    assert_eq!(ignored["notes"], json!(["4 parts left out by --ignore"]));
    // Two files of the same name are told apart by their folders, and by no more.
    for place in ["old", "new"] {
        fs::create_dir_all(folder.path(place)).expect("a folder can be made");
        folder.write(&format!("{place}/t.obj"), TRIANGLE);
    }
    folder.write("u.obj", TRIANGLE);
    let base = fs::canonicalize(folder.path(".")).expect("it is there").display().to_string();
    let document =
        folder.run(&format!("clash {base}/old/t.obj {base}/new/t.obj {base}/u.obj --json")).json(1);
    assert_eq!(parts(&document, "path"), ["old/t.obj", "new/t.obj", "u.obj"]);
    assert_eq!(document["title"], "old/t.obj, new/t.obj, u.obj");
    assert!(!document.to_string().contains(&base));
}

#[test]
fn open_parts_are_listed() {
    let folder = Folder::new("clash-open");
    for name in ["a", "b", "c", "d", "e"] {
        folder.write(&format!("{name}.obj"), TRIANGLE);
    }
    write_cubes(&folder, "s.gltf", &[("cube", [50.0; 3], 1.0)]);
    let document = folder.run("clash a.obj s.gltf b.obj --json").json(1);
    assert_eq!(document["notes"], json!(["2 of 3 parts are open: a, b"]));
    let closed: Vec<&Value> =
        document["parts"].as_array().expect("a list").iter().map(|part| &part["closed"]).collect();
    assert_eq!(closed, [false, true, false]);
    let table = folder.run("clash a.obj b.obj c.obj d.obj e.obj").expect(1);
    assert!(table.contains("note: 5 of 5 parts are open: a, b, c and 2 more\n"), "{table}");
}

#[test]
fn pairs_of_a_file_are_left_out_and_counted() {
    let folder = Folder::new("clash-ignore-pairs");
    copies(&folder, "s.gltf");
    folder.write(
        "pairs.txt",
        "\u{feff}# hosted\n\ncopy0/bolt,copy0/plate\n\"copy1/bolt#2\"\tcopy1/*\nnobody,plate\nplate,nobody\ncopy0/plate,copy0/plate\n",
    );
    let document = folder.run("clash s.gltf --json --ignore-pairs pairs.txt").json(1);
    assert_eq!(pairs(&document), ["plate bolt#2", "plate bolt"]);
    assert_eq!(
        document["notes"],
        json!([
            "2 pairs left out by --ignore-pairs",
            "--ignore-pairs: no two parts are meant by lines 5, 6, 7"
        ])
    );
    folder.write("all.txt", "*,*\n");
    let document = folder.run("clash s.gltf --json --ignore-pairs all.txt").json(0);
    assert_eq!(document["notes"], json!(["4 pairs left out by --ignore-pairs"]));
    for (text, message) in [
        ("a,b\nplate\n", "wrong.txt: line 2: there are no two patterns with a tab or comma between them"),
        ("a,b,c\n", "wrong.txt: line 1: there are more than two patterns"),
        ("\"a,b\n", "wrong.txt: line 1: a double quote has no end"),
        ("a,\n", "wrong.txt: line 1: a pattern is empty"),
    ] {
        folder.write("wrong.txt", text);
        let error = folder.run("clash s.gltf --ignore-pairs wrong.txt").error();
        assert!(error.starts_with(message), "{error}");
    }
    folder.write("wrong.txt", b"a,b\n\xff,c\n");
    assert_eq!(
        folder.run("clash s.gltf --ignore-pairs wrong.txt").error(),
        "wrong.txt: line 2: is not UTF-8"
    );
    let error = folder.run("clash s.gltf --ignore-pairs missing.txt").error();
    assert!(error.starts_with("missing.txt: "), "{error}");
    let error = folder.run("clash s.gltf --ignore-pairs pairs.txt --report pairs.txt").error();
    assert!(error.starts_with("pairs.txt: --report would replace what is read"), "{error}");
}

#[test]
fn what_nobody_looked_at_is_not_clean() {
    let folder = Folder::new("clash-left-out");
    write_cubes(&folder, "s.gltf", &[("a", [0.0; 3], 1.0), ("flat", [0.0; 3], 0.0), ("b", [9.0; 3], 1.0)]);
    let document = folder.run("clash s.gltf --json").json(1);
    assert_eq!((&document["left_out"], document["clashes"].as_array().map(Vec::len)), (&1.into(), Some(0)));
    let table = folder.run("clash s.gltf --fail-on overlapping").expect(1);
    assert!(table.contains("NOT ALL: 1 thing with faces left out"), "{table}");
    // Who names it knows of it.
    let document = folder.run("clash s.gltf --ignore flat --json").json(0);
    assert_eq!(document["left_out"], 0);
    assert_eq!(document["notes"], json!(["1 part left out by --ignore"]));
    // Lines and points are no faces; surfaces that cannot be read are.
    folder.write("lines.obj", format!("{TRIANGLE}l 1 2\np 1\n"));
    assert_eq!(folder.run("clash lines.obj --json").json(0)["left_out"], 0);
    folder.write("surface.obj", format!("{TRIANGLE}surf 0 1 0 1 1 2 3\n"));
    let document = folder.run("clash surface.obj --json").json(1);
    assert_eq!(document["left_out"], 1);
    assert!(
        document["notes"].to_string().contains("surface.obj: line 5: 1 statements for curves"),
        "{document}"
    );
}

/// A box without a lid, with a block in it: deep inside it is estimated to be inside, near the rim nobody can tell.
#[test]
fn what_is_inside_of_an_open_part_is_estimated_or_unknown() {
    let folder = Folder::new("clash-open-parts");
    let case = "o case\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 6\nv 2 0 6\nv 2 2 6\nv 0 2 6\n\
        f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    let block = |low: f64| {
        let high = low + 0.5;
        let square = |z: f64| format!("v 0.8 0.8 {z}\nv 1.2 0.8 {z}\nv 1.2 1.2 {z}\nv 0.8 1.2 {z}\n");
        let faces = "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
        format!("o block\n{}{}{faces}", square(low), square(high))
    };
    folder.write("case.obj", case);
    folder.write("deep.obj", block(1.0));
    folder.write("rim.obj", block(5.3));
    folder.write("above.obj", block(7.0));
    let document = folder.run("clash case.obj deep.obj --json").json(1);
    let clash = &document["clashes"][0];
    assert_eq!((&clash["verdict"], &clash["contained"]), (&"inside".into(), &"b".into()));
    assert_eq!((&clash["estimated"], &clash["volume"]), (&true.into(), &json!(null)));
    let depth = clash["penetration"][1].as_f64().unwrap();
    assert!((0.8..=1.25).contains(&depth), "{depth}");
    let table = folder.run("clash case.obj deep.obj").expect(1);
    assert!(table.contains("depth ≈ "), "{table}");
    let document = folder.run("clash case.obj rim.obj --json").json(0);
    assert_eq!((&document["unknown"], &document["clashes"]), (&json!([[0, 1]]), &json!([])));
    let note = "1 pair unknown, one part may be inside of the other, which is open: case and rim";
    assert!(document["notes"].to_string().contains(note), "{document}");
    let document = folder.run("clash case.obj above.obj --json").json(0);
    assert_eq!(document["unknown"], json!([]));
    // Depths change no verdict, and the exact command knows nothing of it.
    let document = folder.run("clash case.obj deep.obj --json --no-depth").json(1);
    assert_eq!(document["clashes"][0]["verdict"], "inside");
    folder.run("check case.obj deep.obj").expect(0);
}

/// The sides of a cube in six primitives are one part that is closed; two such parts, one inside of the other, are found.
#[test]
fn primitives_of_a_node_are_one_solid() {
    let folder = Folder::new("clash-primitives");
    write_cubes(&folder, "s.gltf", &[("outer", [0.0; 3], 4.0), ("inner", [0.0; 3], 1.0)]);
    let text = fs::read_to_string(folder.path("s.gltf")).expect("it is there");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    document["accessors"] = json!([document["accessors"][0]]);
    for side in 0..6 {
        let accessor = json!({"bufferView": 1, "byteOffset": 12 * side, "componentType": 5123, "count": 6, "type": "SCALAR"});
        document["accessors"].as_array_mut().expect("a list").push(accessor);
    }
    let primitive = |side: usize| json!({"attributes": {"POSITION": 0}, "indices": side + 1});
    document["meshes"][0]["primitives"] = (0..6).map(primitive).collect();
    folder.write("s.gltf", document.to_string());
    let found = folder.run("clash s.gltf --json").json(1);
    assert_eq!(pairs(&found), ["outer inner"]);
    assert_eq!(
        (&found["clashes"][0]["verdict"], &found["parts"][0]["closed"]),
        (&"inside".into(), &true.into())
    );
    let inspected = folder.run("inspect s.gltf --json").json(0);
    assert_eq!(inspected["files"][0]["closed"], true, "{inspected}");
    // Pieces that hang together are no parts of their own.
    let split = folder.run("clash s.gltf --split --json").json(1);
    assert_eq!(split["parts"].as_array().map(Vec::len), Some(2));
}

#[test]
fn folders_and_packed_files_are_scenes() {
    let folder = Folder::new("clash-folders");
    fs::create_dir_all(folder.path("in/deeper")).expect("a folder can be made");
    for file in ["in/b.obj", "in/a.obj", "in/deeper/c.obj"] {
        folder.write(file, TRIANGLE);
    }
    folder.write("in/readme.txt", "hello");
    write_cubes(&folder, "in/s.gltf", &[("cube", [50.0; 3], 1.0)]);
    let document = folder.run("clash in --json").json(1);
    assert_eq!(parts(&document, "path"), ["a.obj", "b.obj", "s.gltf/cube"]);
    assert_eq!((&document["title"], &document["left_out"]), (&"in".into(), &0.into()));
    folder.write("in/d.step", "ISO-10303-21;");
    let document = folder.run("clash in --json --ignore * --set x=*").error();
    assert!(document.starts_with("--set x: "), "{document}");
    let document = folder.run("clash in --json --fail-on near").json(1);
    assert_eq!(document["left_out"], 1);
    assert!(
        document["notes"].to_string().contains("d.step is left out: its format is not read"),
        "{document}"
    );
    fs::create_dir_all(folder.path("empty")).expect("a folder can be made");
    assert_eq!(folder.run("clash empty").error(), "empty: has no file of a known format in it");
    let error = folder.run("clash in --report in/a.obj").error();
    assert!(error.starts_with("in/a.obj: --report would replace what is read"), "{error}");
}

/// The unit that files have is said by all commands.
#[test]
fn units_of_files_are_said() {
    let folder = Folder::new("clash-units");
    let dae = |meter: &str| {
        format!(
            r##"<COLLADA version="1.5.0"><asset><unit meter="{meter}"/></asset><library_geometries><geometry id="g"><mesh>
            <source id="p"><float_array id="a" count="9">0 0 0 4 0 0 0 4 0</float_array><technique_common><accessor source="#a" count="3" stride="3"/></technique_common></source>
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
            <library_visual_scenes><visual_scene id="s"><node name="flat"><translate>0 0 1</translate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes></COLLADA>"##
        )
    };
    folder.write("a.dae", dae("0.001"));
    folder.write("b.dae", dae("0.0254"));
    folder.write("t.obj", TRIANGLE);
    let unit = |files: &str| folder.run(&format!("clash {files} --json")).json(1)["unit"].clone();
    assert_eq!(unit("a.dae a.dae"), "mm");
    assert_eq!(unit("a.dae b.dae"), "units");
    assert_eq!(unit("a.dae a.dae --unit ell"), "ell");
    let distance = folder.run("distance a.dae a.dae --translate-b 0,0,3").expect(0);
    assert!(distance.contains("3 mm"), "{distance}");
    assert_eq!(folder.run("inspect a.dae --json").json(0)["files"][0]["unit"], "mm");
    let apart = folder.run("distance a.dae t.obj").expect(0);
    assert!(!apart.contains("mm"), "{apart}");
}
