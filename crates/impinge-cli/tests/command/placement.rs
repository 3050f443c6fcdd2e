//! Where models stand: matrices, translation, rotation, scale, and what is refused.

use serde_json::json;

use crate::support::{Folder, Run};

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.make("box --triangles 12 cube.obj");
    folder.make("stairs --triangles 100 stairs.obj");
    folder
}

#[test]
fn numbers_may_be_negative_and_separated_in_any_way() {
    let folder = folder("negative");
    let expected = folder.run("check cube.obj cube.obj --json --translate-b=-1.5,0,0").expect(1);
    for arguments in [
        "--translate-b -1.5,0,0 cube.obj cube.obj",
        "--translate-b -1.5 0 0 cube.obj cube.obj",
        "--translate-b -1.5, 0, 0 cube.obj cube.obj",
        "cube.obj cube.obj --translate-b -1.5,0 0",
        "cube.obj --translate-b -15e-1 -0.0 +0 cube.obj",
        "--translate-b -1.5 0 0 -- cube.obj cube.obj",
    ] {
        assert_eq!(folder.run(&format!("check --json {arguments}")).expect(1), expected, "{arguments}");
    }
    let mut quoted = folder.command("check cube.obj cube.obj --json --translate-b");
    quoted.arg(" -1.5\t0 , 0 ");
    assert_eq!(Run::of(quoted).expect(1), expected);
}

#[test]
fn options_are_translation_rotation_scale() {
    let folder = folder("trs");
    for side in ["a", "b"] {
        // A quarter turn about z takes x to y: exact, so that the answers are the same to the last bit.
        let options = format!("--translate-{side} 1,0.25,0 --rotate-{side} 0,0,2,90 --scale-{side} 2,-1,0.5");
        let matrix = format!("--matrix-{side} 0,1,0,1, 2,0,0,0.25, 0,0,0.5,0, 0,0,0,1");
        let run =
            |placement: &str| folder.run(&format!("check stairs.obj cube.obj --json --pairs {placement}"));
        let placed = run(&options).expect(1);
        assert_eq!(run(&matrix).expect(1), placed);
        assert_ne!(run("").expect(1), placed);
    }
}

#[test]
fn one_scale_is_three_equal_ones() {
    let folder = folder("scale");
    let run =
        |scale: &str| folder.run(&format!("check stairs.obj cube.obj --json --scale-b {scale}")).expect(1);
    assert_eq!(run("0.75"), run("0.75,0.75,0.75"));
}

#[test]
fn a_mirrored_solid_is_still_a_solid() {
    let folder = folder("mirror");
    let verdict = |arguments: &str| {
        let document = folder.run(&format!("check cube.obj cube.obj --json {arguments}")).json(1);
        (document["verdict"].clone(), document["contained"].clone())
    };
    for mirrored in ["-0.5", "-0.5,0.5,0.5", "0.5,-0.5,-0.5"] {
        assert_eq!(verdict(&format!("--scale-b {mirrored}")), (json!("inside"), json!("b")));
    }
    for mirrored in ["-2", "2,-2,2"] {
        assert_eq!(verdict(&format!("--scale-b {mirrored}")), (json!("inside"), json!("a")));
    }
}

#[test]
fn a_sheared_model_stands_where_it_is_sheared_to() {
    let folder = folder("shear");
    // Three to the right for each one up: the top of B spans 2 to 4, its bottom -4 to -2.
    let shear = "--matrix-b 1,0,3,0 0,1,0,0 0,0,1,0 0,0,0,1";
    let status = |place: &str| {
        let run =
            folder.run(&format!("check cube.obj cube.obj {shear} --scale-a 0.25 --translate-a {place}"));
        assert_eq!(run.stderr, "");
        run.status
    };
    assert_eq!(status("3,0,1"), 1);
    assert_eq!(status("-3,0,-1"), 1);
    assert_eq!(status("0,0,1"), 0);
    assert_eq!(status("3,0,-1"), 0);
}

#[test]
fn refusals_name_the_option_and_the_value() {
    let folder = folder("refusals");
    for (options, message) in [
        ("--translate-b 1,2", "--translate-b: 2 numbers were given, but it must be 3"),
        ("--translate-a 1,,2", "--translate-a: a number is missing before or after a comma"),
        ("--translate-a one,2,3", "--translate-a: \"one\" is not a number"),
        ("--translate-b nan,0,0", "--translate-b: the translation in x is NaN, which is not a finite number"),
        (
            "--translate-b 0,1e999,0",
            "--translate-b: the translation in y is inf, which is not a finite number",
        ),
        ("--rotate-a 0,0,0,90", "--rotate-a: the rotation's axis is 0, 0, 0, which is no direction"),
        ("--rotate-b 1,0,0", "--rotate-b: 3 numbers were given, but it must be 4"),
        ("--scale-a 0", "--scale-a: the scale in x is 0, which flattens every model"),
        ("--scale-b 1,2", "--scale-b: 2 numbers were given, but it must be 1 or 3"),
        ("--matrix-a 1", "--matrix-a: 1 number was given, but it must be 16"),
        (
            "--matrix-b 1,0,0,0 0,1,0,0 0,0,1,0 5,0,0,1",
            "--matrix-b: the bottom row of the matrix is 5, 0, 0, 1, but must be 0, 0, 0, 1; its last column is \
             0, 0, 0, 1, so it looks transposed, rows given as columns or columns as rows: a translation belongs in the last column",
        ),
    ] {
        assert_eq!(folder.run(&format!("check cube.obj cube.obj {options}")).error(), message);
    }
    let singular = folder.run("check cube.obj cube.obj --matrix-b 1,1,0,0 1,1,0,0 0,0,1,0 0,0,0,1").error();
    assert!(singular.starts_with("--matrix-b: the matrix has no inverse"), "{singular}");
}

#[test]
fn a_matrix_excludes_the_other_options_of_its_side() {
    let folder = folder("exclusive");
    let identity = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
    for side in ["a", "b"] {
        for other in ["translate", "rotate", "scale"] {
            let arguments = format!("check cube.obj cube.obj --matrix-{side} {identity} --{other}-{side} 1");
            let error = folder.run(&arguments).error();
            assert!(error.contains(&format!("--matrix-{side}")), "{error}");
            assert!(error.contains(&format!("--{other}-{side}")), "{error}");
        }
    }
    folder.run(&format!("check cube.obj cube.obj --matrix-a {identity} --translate-b 9,0,0")).expect(0);
}

#[test]
fn an_image_beyond_all_numbers_is_refused() {
    let folder = folder("overflow");
    folder.write("huge.obj", "v 0 0 0\nv 1e300 0 0\nv 0 1e300 0\nf 1 2 3\n");
    folder.run("check huge.obj cube.obj").expect(1);
    for (arguments, name) in [
        ("huge.obj cube.obj --scale-a 1e100", "A (huge.obj)"),
        ("cube.obj huge.obj --scale-b 1e100", "B (huge.obj)"),
    ] {
        let error = folder.run(&format!("check {arguments}")).error();
        assert_eq!(
            error,
            format!(
                "the placement of {name}: the placed model reaches beyond the largest number (about 1.8e308)"
            )
        );
    }
}
