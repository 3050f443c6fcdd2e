//! `impinge clash --animation`: nodes that move, skins and morphs that change their shape, and what goes wrong.

use serde_json::{Value, json};

use crate::support::Folder;

/// A glTF document that grows, and the numbers beside it.
struct Scene {
    document: Value,
    bytes: Vec<u8>,
}

impl Scene {
    /// A unit cube around the origin as mesh 0.
    fn new() -> Scene {
        let document = json!({"asset": {"version": "2.0"}, "meshes": [], "nodes": [], "accessors": [], "bufferViews": []});
        let mut scene = Scene { document, bytes: Vec::new() };
        let corners: Vec<f32> =
            (0..8).flat_map(|corner| [0, 1, 2].map(|axis| (corner >> axis & 1) as f32 - 0.5)).collect();
        let positions = scene.numbers("VEC3", 3, &corners);
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let indices: Vec<u8> = faces.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *a, *c, *d]).collect();
        let indices = scene.accessor("SCALAR", 5121, 36, &indices);
        let lifted: Vec<f32> =
            (0..8).flat_map(|corner| [0.0, if corner & 2 == 2 { 2.0 } else { 0.0 }, 0.0]).collect();
        let target = scene.numbers("VEC3", 3, &lifted);
        let primitive = json!({"attributes": {"POSITION": positions}, "indices": indices});
        scene.push("meshes", json!({"primitives": [primitive.clone()]}));
        let mut morphing = primitive.clone();
        morphing["targets"] = json!([{"POSITION": target}]);
        scene.push("meshes", json!({"primitives": [morphing]}));
        // The upper corners hang on the second joint.
        let joints: Vec<u8> = (0..8).flat_map(|corner| [u8::from(corner & 2 == 2), 0, 0, 0]).collect();
        let weights: Vec<f32> = (0..8).flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect();
        let mut skinned = primitive;
        skinned["attributes"]["JOINTS_0"] = json!(scene.accessor("VEC4", 5121, 8, &joints));
        skinned["attributes"]["WEIGHTS_0"] = json!(scene.numbers("VEC4", 4, &weights));
        scene.push("meshes", json!({"primitives": [skinned]}));
        scene
    }

    fn push(&mut self, list: &str, entry: Value) -> usize {
        let list = &mut self.document[list];
        if list.is_null() {
            *list = json!([]);
        }
        let list = list.as_array_mut().expect("a list");
        list.push(entry);
        list.len() - 1
    }

    fn accessor(&mut self, shape: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        self.bytes.extend(bytes);
        let view = self.push("bufferViews", view);
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": component, "count": count, "type": shape}),
        )
    }

    fn numbers(&mut self, shape: &str, each: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(shape, 5126, values.len() / each, &bytes)
    }

    /// An animation of one channel.
    fn animate(&mut self, name: &str, node: usize, path: &str, times: &[f32], values: &[f32]) {
        let (shape, each) = match path {
            "rotation" => ("VEC4", 4),
            "weights" => ("SCALAR", 1),
            _ => ("VEC3", 3),
        };
        let input = self.numbers("SCALAR", 1, times);
        let output = self.numbers(shape, each, values);
        self.push(
            "animations",
            json!({"name": name, "samplers": [{"input": input, "output": output}],
                "channels": [{"sampler": 0, "target": {"node": node, "path": path}}]}),
        );
    }

    fn write(mut self, folder: &Folder, file: &str) {
        self.document["buffers"] = json!([{"uri": "numbers.bin", "byteLength": self.bytes.len()}]);
        folder.write("numbers.bin", &self.bytes);
        folder.write(file, self.document.to_string());
    }
}

/// A press whose hammer falls through the table and goes up again within two hundredths of a second; a lid that swings on the table.
fn press(folder: &Folder) {
    let mut scene = Scene::new();
    scene.push("nodes", json!({"name": "table", "mesh": 0, "scale": [4, 1, 4]}));
    scene.push("nodes", json!({"name": "hammer", "mesh": 0, "translation": [0, 3, 0]}));
    scene.push("nodes", json!({"name": "lid", "mesh": 0, "translation": [20, 1.5, 0], "scale": [1, 0.5, 1]}));
    scene.push("nodes", json!({"name": "post", "mesh": 0, "translation": [20, 0, 0]}));
    let (up, down) = ([0.0, 3.0, 0.0], [0.0, -7.0, 0.0]);
    scene.animate("strike", 1, "translation", &[0.0, 0.5, 0.51, 0.52, 1.0], &[up, up, down, up, up].concat());
    scene.animate("shut", 2, "translation", &[0.0, 2.0], &[20.0, 1.5, 0.0, 20.0, 0.5, 0.0]);
    scene.write(folder, "press.gltf");
}

fn clashes(document: &Value) -> Vec<(String, f64, f64, bool)> {
    let name = |part: &Value| {
        document["parts"][part.as_u64().expect("a part") as usize]["name"]
            .as_str()
            .expect("a name")
            .to_owned()
    };
    let one = |clash: &Value| {
        let line = format!(
            "{} {} {}",
            clash["verdict"].as_str().expect("a word"),
            name(&clash["a"]),
            name(&clash["b"])
        );
        let number = |key: &str| clash[key].as_f64().expect(key);
        assert!(number("moment") >= number("time") - 1e-9);
        (line, number("time"), number("duration"), clash["sampled"].as_bool().expect("yes or no"))
    };
    document["clashes"].as_array().expect("a list").iter().map(one).collect()
}

#[test]
fn what_happens_between_two_moments_is_found() {
    let folder = Folder::new("clash-strike");
    press(&folder);
    assert_eq!(folder.run("clash press.gltf --json").json(0)["clashes"], json!([]));
    // A tenth of a second between moments: none of them sees the hammer.
    let found = folder.run("clash press.gltf --animation strike --every 0.1 --json").json(1);
    let [(line, time, duration, sampled)] = &clashes(&found)[..] else { panic!("{found}") };
    assert_eq!((line.as_str(), *sampled), ("overlapping table hammer", false));
    // It has 2 to fall, of the 10 that take a hundredth of a second. Numbers in the file are f32.
    assert!(*time <= 0.502 && *time > 0.502 - 1e-6, "{time}");
    assert!(*duration > 0.0 && *duration < 0.1, "{duration}");
    let table = folder.run("clash press.gltf --animation strike --report strike.html").expect(1);
    assert!(table.contains("0.502"), "{table}");
    let page = std::fs::read_to_string(folder.path("strike.html")).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.contains("hammer"));
}

#[test]
fn the_carriage_of_the_assembly_is_never_found_late() {
    let folder = Folder::new("clash-carriage");
    let printed = folder.run("make assembly moving.glb --animated --stations 3 --seed 5").expect(0);
    assert_eq!(printed, "moving.glb: assembly, 25 parts, 17 planted clashes, animation carriage\n");
    let at_rest = folder.run("clash moving.glb --unit mm --clearance 1 --json").json(1);
    assert_eq!(at_rest["clashes"].as_array().map(Vec::len), Some(17), "{at_rest}");
    let found = folder.run("clash moving.glb --unit mm --animation carriage --json").json(1);
    let all = clashes(&found);
    let of_carriage: Vec<_> = all.iter().filter(|(line, ..)| line.contains("carriage")).collect();
    let [(line, time, duration, false)] = of_carriage[..] else { panic!("{found}") };
    assert_eq!(line, "overlapping cover 2 carriage");

    // The exact test, on the numbers of the file: where they meet for the first time, to within what a time resolves.
    let scene = impinge_formats::read(&folder.path("moving.glb")).expect("it can be read");
    let rig = &scene.animations[0].rig;
    let part = |name: &str| scene.nodes.iter().find(|node| node.name == name).expect("a part");
    let (cover, carriage) = (part("cover 2"), part("carriage"));
    let models = [cover, carriage].map(|part| impinge::Model::new(scene.meshes[part.mesh].mesh.clone()));
    let meet = |time: f64| {
        let pose = |part: &impinge_formats::Instance| rig.world_from_joint(part.node.expect("of glTF"), time);
        let [a, b] = [cover, carriage].map(|part| impinge::Placement::try_from(pose(part)).expect("a pose"));
        models[0].at(a).intersects(&models[1].at(b))
    };
    let (mut clear, mut meeting) = (2.0, 4.0);
    assert!(!meet(clear) && meet(meeting));
    for _ in 0..60 {
        let middle = 0.5 * (clear + meeting);
        *(if meet(middle) { &mut meeting } else { &mut clear }) = middle;
    }
    assert!(*time <= meeting, "{time} is later than {meeting}");
    assert!(meeting - time < 1e-6, "{time} is much earlier than {meeting}");
    // Places of some hundred millimeters are rounded to 32 bits, by less than 1e-4 mm in all, at 5 mm/s.
    assert!((time - 3.6).abs() < 2e-5, "{time}");
    // It comes down for 0.4 s from there on, and goes up twice as fast.
    assert!((duration - 0.6).abs() < 1e-2, "{duration}");
    // Gears turn in place: what clashes at rest does so all the time, and nothing else comes to clash.
    assert!(
        all.iter().filter(|(line, ..)| !line.contains("carriage")).all(|(_, time, ..)| *time == 0.0),
        "{found}"
    );
}

#[test]
fn all_animations_play_one_after_the_other() {
    let folder = Folder::new("clash-all");
    press(&folder);
    let found = folder.run("clash press.gltf --animation all --json").json(1);
    let [(strike, early, _, _), (shut, late, duration, _)] = &clashes(&found)[..] else { panic!("{found}") };
    assert_eq!([strike.as_str(), shut], ["overlapping table hammer", "overlapping lid post"]);
    // The lid comes down on the post after 0.75 of its way of 1, which takes two seconds and begins after one.
    assert!(*early < 0.51 && (late - 2.5).abs() < 1e-5 && *late <= 2.5, "{found}");
    assert!((duration - 0.5).abs() < 1e-3, "{duration}");
    assert!(found["notes"].to_string().contains("animation `shut` plays from 1.000 to 3.000 s"), "{found}");
    let near = folder.run("clash press.gltf --animation shut --clearance 0.1 --ignore hammer --json").json(1);
    assert_eq!(clashes(&near)[0].0, "overlapping lid post");
}

#[test]
fn skins_and_morphs_are_sampled() {
    let folder = Folder::new("clash-skins");
    let mut scene = Scene::new();
    scene.push("nodes", json!({"name": "roof", "mesh": 0, "translation": [0, 2.5, 0]}));
    scene.push("nodes", json!({"name": "dough", "mesh": 1}));
    scene.push("nodes", json!({"name": "worm", "mesh": 2, "skin": 0}));
    scene.push("nodes", json!({"name": "tail", "translation": [0.25, 0, 0]}));
    scene.push("nodes", json!({"name": "head", "translation": [0.25, 0, 0]}));
    scene.push("skins", json!({"joints": [3, 4]}));
    scene.animate("rise", 1, "weights", &[0.0, 2.0], &[0.0, 1.0]);
    scene.animate("crawl", 4, "translation", &[0.0, 2.0], &[0.25, 0.0, 0.0, 0.25, 2.0, 0.0]);
    scene.write(&folder, "soft.gltf");
    // The dough's top is at 0.5 and rises by 2 in two seconds; the roof is at 2.
    let found = folder.run("clash soft.gltf --animation rise --every 0.1 --ignore worm --json").json(1);
    let [(line, time, duration, sampled)] = &clashes(&found)[..] else { panic!("{found}") };
    assert_eq!((line.as_str(), *sampled), ("overlapping roof dough", true));
    assert!(*time >= 1.5 && *time < 1.71 && *duration > 0.2 && *duration <= 0.51, "{found}");
    let found = folder.run("clash soft.gltf --animation crawl --every 0.1 --ignore dough --json").json(1);
    let [(line, time, _, true)] = &clashes(&found)[..] else { panic!("{found}") };
    assert!(line == "overlapping roof worm" && *time >= 1.5 && *time < 1.71, "{found}");
    assert!(
        found["notes"].to_string().contains("because they change their shape, and drawn as at rest: worm"),
        "{found}"
    );
}

#[test]
fn bad_animations_are_named_and_nothing_is_written() {
    let folder = Folder::new("clash-animation-bad");
    press(&folder);
    folder.write("still.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for (options, message) in [
        ("press.gltf --animation dance", "there is no animation `dance`; there is `strike`, `shut`"),
        ("still.obj --animation all", "there is no animation in the scene"),
        ("press.gltf --animation all --every 0", "--every"),
        ("press.gltf --animation all --every 1e-9", "more than a million moments"),
        ("press.gltf --every 0.1", "--animation"),
    ] {
        let error = folder.run(&format!("clash {options} --report out.html")).error();
        assert!(error.contains(message), "{options}: {error}");
    }
    assert!(folder.files().iter().all(|file| !file.starts_with("out.html")));
}

/// A cube at each of these places, all by one node.
fn instances(scene: &mut Scene, name: &str, at: [f32; 3], places: &[f32]) -> usize {
    let translations = scene.numbers("VEC3", 3, places);
    let instancing = json!({"attributes": {"TRANSLATION": translations}});
    scene.push(
        "nodes",
        json!({"name": name, "mesh": 0, "translation": at, "extensions": {"EXT_mesh_gpu_instancing": instancing}}),
    )
}

#[test]
fn instances_of_one_node_are_parts_of_their_own() {
    let folder = Folder::new("clash-instances");
    let mut scene = Scene::new();
    instances(&mut scene, "bolt", [0.0, 5.0, 0.0], &[0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 10.5, 0.25, 0.25]);
    scene.write(&folder, "bolts.gltf");
    for options in ["", "--ignore-same-body"] {
        let found = folder.run(&format!("clash bolts.gltf {options} --json")).json(1);
        assert_eq!(found["parts"].as_array().map(Vec::len), Some(3));
        let [clash] = &found["clashes"].as_array().expect("a list")[..] else { panic!("{found}") };
        assert_eq!(clash["verdict"], "overlapping");
        let names = ["a", "b"].map(|side| {
            let part = clash[side].as_u64().expect("a part") as usize;
            found["parts"][part]["name"].clone()
        });
        assert_eq!(names, [json!("bolt#1"), json!("bolt#2")]);
    }
}

#[test]
fn instances_move_with_their_node() {
    let folder = Folder::new("clash-instances-move");
    let mut scene = Scene::new();
    scene.push("nodes", json!({"name": "table", "mesh": 0, "translation": [10, 0, 0], "scale": [4, 1, 4]}));
    let hammers = instances(&mut scene, "hammer", [0.0, 3.0, 0.0], &[0.0, 0.0, 0.0, 10.0, 0.0, 0.0]);
    scene.animate("fall", hammers, "translation", &[0.0, 1.0], &[0.0, 3.0, 0.0, 0.0, 0.0, 0.0]);
    scene.write(&folder, "hammers.gltf");
    assert_eq!(folder.run("clash hammers.gltf --json").json(0)["clashes"], json!([]));
    let found = folder.run("clash hammers.gltf --animation fall --json").json(1);
    let [(line, time, _, sampled)] = &clashes(&found)[..] else { panic!("{found}") };
    assert_eq!((line.as_str(), *sampled), ("overlapping table hammer#1", false));
    // It has 2 to fall, of the 3 that take a second.
    assert!(*time <= 2.0 / 3.0 && *time > 2.0 / 3.0 - 1e-6, "{time}");
}
