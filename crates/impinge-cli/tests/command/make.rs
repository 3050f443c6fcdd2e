//! `impinge make`: every shape, both formats, and nothing left behind.

use impinge::Model;
use impinge::shapes::Shape;
use impinge_formats::read_mesh;

use crate::support::Folder;

#[test]
fn the_file_holds_what_was_printed() {
    let folder = Folder::new("make");
    let line = folder.run("make torus --triangles 12544 torus.obj").expect(0);
    assert_eq!(line, "torus.obj: torus, 6272 vertices, 12544 triangles, closed\n");
    let line = folder.run("make quad one.ply").expect(0);
    assert_eq!(line, "one.ply: quad, 4 vertices, 1 face, 2 triangles, open\n");
    for (file, faces, closed) in [("torus.obj", 12544, true), ("one.ply", 1, false)] {
        let model = Model::new(read_mesh(&folder.path(file)).expect("the file can be read").mesh);
        assert_eq!((model.mesh().face_count(), model.is_closed()), (faces, closed));
    }
    assert_eq!(folder.files(), ["one.ply", "torus.obj"]);
}

#[test]
fn every_listed_shape_can_be_made() {
    let folder = Folder::new("shapes");
    let list = folder.run("make --list").expect(0);
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        names,
        Shape::ALL.iter().map(|shape| shape.name()).chain(["assembly", "parts"]).collect::<Vec<_>>()
    );
    let printed = folder.run("make assembly engine.glb --stations 2").expect(0);
    assert_eq!(printed, "engine.glb: assembly, 16 parts, 11 planted clashes\n");
    for (line, shape) in list.lines().zip(Shape::ALL) {
        assert!(line.ends_with(shape.description()), "{line}");
        let printed = folder.run(&format!("make {shape} {shape}.ply --triangles 300")).expect(0);
        let model =
            Model::new(read_mesh(&folder.path(&format!("{shape}.ply"))).expect("it can be read").mesh);
        // PLY has no groups, so parts that share an edge may be one; what is printed is about the shape.
        let (vertices, triangles) = (model.mesh().vertex_count(), model.mesh().triangle_count());
        assert!(printed.starts_with(&format!("{shape}.ply: {shape}, {vertices} vert")), "{printed}");
        assert!(printed.contains(&format!(" {triangles} triangle")), "{printed}");
        assert!(printed.ends_with(if shape.is_closed() { ", closed\n" } else { ", open\n" }), "{printed}");
    }
}

#[test]
fn the_seed_decides_what_is_random() {
    let folder = Folder::new("seed");
    for (file, seed) in [("a.obj", 1), ("b.obj", 1), ("c.obj", 2)] {
        folder.make(&format!("terrain {file} --seed {seed}"));
    }
    let read = |file: &str| std::fs::read(folder.path(file)).expect("the file is there");
    assert_eq!(read("a.obj"), read("b.obj"));
    assert_ne!(read("a.obj"), read("c.obj"));
}

#[test]
fn refusals_leave_nothing_behind() {
    let folder = Folder::new("make-errors");
    for (arguments, message) in [
        ("blob x.obj", "SHAPE: there is no shape called \"blob\"; `impinge make --list` names all"),
        ("box x.stl", "x.stl: its extension must be .obj or .ply, the formats that can be written"),
        ("box x", "x: its extension must be .obj or .ply, the formats that can be written"),
        (
            "box x.obj --triangles 100000001",
            "--triangles: 100000001 is too many; at most 100000000 can be made",
        ),
    ] {
        assert_eq!(folder.run(&format!("make {arguments}")).error(), message);
    }
    for (arguments, named) in [
        ("box nowhere/x.obj", "nowhere/x.obj: cannot be written: "),
        ("box", "<OUT>"),
        ("", "<SHAPE>"),
        ("box x.obj --triangles -3", "--triangles"),
        ("box x.obj --seed one", "--seed"),
        ("box x.obj --list", "--list"),
    ] {
        let error = folder.run(&format!("make {arguments}")).error();
        assert!(error.contains(named), "{error}");
    }
    assert_eq!(folder.files(), Vec::<String>::new());
    std::fs::create_dir(folder.path("folder.obj")).expect("a folder can be made");
    let error = folder.run("make box folder.obj").error();
    assert!(error.starts_with("folder.obj: cannot be written: "), "{error}");
    assert_eq!(folder.files(), ["folder.obj"]);
}
