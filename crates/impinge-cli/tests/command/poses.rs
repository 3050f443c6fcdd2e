//! `--poses-b`: many placements, one answer each.

use serde_json::Value;

use crate::support::Folder;

fn cube(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.make("box --triangles 12 cube.obj");
    folder
}

/// The upper rows of a translation along x.
fn moved(x: f64) -> String {
    format!("1 0 0 {x} 0 1 0 0 0 0 1 0")
}

#[test]
fn each_row_is_answered_like_a_matrix_of_its_own() {
    let folder = cube("rows");
    let poses = "# x y z\n1,0,0,0.5, 0,1,0,0, 0,0,1,0\n\n  1 0 0 2  0 1 0 0  0 0 1 0  0 0 0 1 # touching\r\n\
                 0.5 0 0 0 0 0.5 0 0 0 0 0.5 0\n1 0 0 -5 0 1 0 0 0 0 1 0";
    folder.write("poses.txt", poses);
    let text = folder.run("check cube.obj cube.obj --poses-b poses.txt --json --pairs").expect(1);
    let lines: Vec<&str> = text.lines().collect();
    let matrices = [
        "1,0,0,0.5,0,1,0,0,0,0,1,0,0,0,0,1",
        "1,0,0,2,0,1,0,0,0,0,1,0,0,0,0,1",
        "0.5,0,0,0,0,0.5,0,0,0,0,0.5,0,0,0,0,1",
        "1,0,0,-5,0,1,0,0,0,0,1,0,0,0,0,1",
    ];
    let verdicts = ["overlapping", "touching", "inside", "clear"];
    assert_eq!(lines.len(), matrices.len());
    for (index, (line, matrix)) in lines.into_iter().zip(matrices).enumerate() {
        let run = folder.run(&format!("check cube.obj cube.obj --matrix-b {matrix} --json --pairs"));
        // The same document, with the index in front.
        assert_eq!(format!("{line}\n"), run.stdout.replacen('{', &format!("{{\"index\":{index},"), 1));
        let document: Value = serde_json::from_str(line).expect("each line is JSON");
        assert_eq!(document["verdict"], verdicts[index]);
    }
    let text = folder.run("check cube.obj cube.obj --poses-b poses.txt --unit mm").expect(1);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("0  overlapping  at (") && lines[0].contains(" mm, faces "), "{text}");
    assert!(lines[1].starts_with("1  touching     at (1, "), "{text}");
    assert!(lines[2].starts_with("2  B inside A   at (") && !lines[2].contains("faces"), "{text}");
    assert_eq!(lines[3..], ["3  clear"]);
}

#[test]
fn answers_keep_the_order_for_every_number_of_threads() {
    let folder = cube("order");
    let count = 500;
    let rows: Vec<String> = (0..count).map(|i| moved(f64::from(i % 7) * 0.5)).collect();
    folder.write("poses.txt", rows.join("\n"));
    let outputs = ["1", "2", "5"].map(|threads| {
        let mut command = folder.command("check cube.obj cube.obj --poses-b poses.txt --json");
        command.env("RAYON_NUM_THREADS", threads);
        crate::support::Run::of(command).expect(1)
    });
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
    for (index, line) in outputs[0].lines().enumerate() {
        let document: Value = serde_json::from_str(line).expect("each line is JSON");
        assert_eq!(document["index"], index);
        let verdict =
            ["overlapping", "overlapping", "overlapping", "overlapping", "touching", "clear", "clear"];
        assert_eq!(document["verdict"], verdict[index % 7]);
    }
    assert_eq!(outputs[0].lines().count(), count as usize);
}

#[test]
fn the_status_is_that_of_all_lines_together() {
    let folder = cube("status");
    folder.write("clear.txt", format!("{}\n{}\n", moved(3.0), moved(-3.0)));
    folder.write("mixed.txt", format!("{}\n{}\n{}\n", moved(3.0), moved(2.0), moved(-3.0)));
    assert_eq!(folder.run("check cube.obj cube.obj --poses-b clear.txt").expect(0), "0  clear\n1  clear\n");
    folder.run("check cube.obj cube.obj --poses-b mixed.txt").expect(1);
    folder.run("check cube.obj cube.obj --poses-b mixed.txt --ignore-touching").expect(0);
    // The first model can be placed as well.
    folder.run("check cube.obj cube.obj --poses-b clear.txt --translate-a 3,0,0").expect(1);
}

#[test]
fn errors_name_the_line_before_any_answer() {
    let folder = cube("lines");
    folder.write("huge.obj", "v 0 0 0\nv 1e300 0 0\nv 0 1e300 0\nf 1 2 3\n");
    let good = moved(0.0);
    for (row, message) in [
        ("1 0 0 0 0 1 0 0 0 0 1", "11 numbers were given, but it must be 12 or 16"),
        ("1", "1 number was given, but it must be 12 or 16"),
        ("1 0 0 0 0 1 0 0 0 0 one 0", "\"one\" is not a number"),
        ("1 0 0 0 0 1 0 0 0 0 1,,0", "a number is missing before or after a comma"),
        (
            "1 0 0 inf 0 1 0 0 0 0 1 0",
            "the entry in row 0, column 3 of the matrix (counted from 0) is inf, which is not a finite number",
        ),
        (
            "1 0 0 0 0 1 0 0 0 0 1 0 7 0 0 1",
            "the bottom row of the matrix is 7, 0, 0, 1, but must be 0, 0, 0, 1; its last column is 0, 0, 0, 1, so it \
             looks transposed, rows given as columns or columns as rows: a translation belongs in the last column",
        ),
        (
            "0 0 0 0 0 1 0 0 0 0 1 0",
            "the largest entry in column 0 of the matrix (counted from 0) is 0, which flattens every model",
        ),
    ] {
        folder.write("poses.txt", format!("# poses\n{good}\n\n{good}\n{row}\n{good}\n"));
        let error = folder.run("check cube.obj cube.obj --poses-b poses.txt --json").error();
        assert_eq!(error, format!("poses.txt: line 5: {message}"));
    }
    folder.write("poses.txt", format!("{good}\n1e100 0 0 0 0 1 0 0 0 0 1 0\n"));
    let error = folder.run("check cube.obj huge.obj --poses-b poses.txt").error();
    assert!(error.starts_with("poses.txt: line 2: the placed model reaches beyond"), "{error}");
}

#[test]
fn a_file_without_rows_is_refused() {
    let folder = cube("no-rows");
    folder.write("poses.txt", "# nothing\n\n");
    assert_eq!(folder.run("check cube.obj cube.obj --poses-b poses.txt").error(), "poses.txt: has no rows");
    let error = folder.run("check cube.obj cube.obj --poses-b none.txt").error();
    assert!(error.starts_with("none.txt: cannot be read: "), "{error}");
    folder.write("poses.txt", b"1 0\n\xff\xfe\n");
    let error = folder.run("check cube.obj cube.obj --poses-b poses.txt").error();
    assert_eq!(error, "poses.txt: line 2: is not text");
}

#[test]
fn poses_take_the_place_of_the_other_options_of_b() {
    let folder = cube("instead");
    folder.write("poses.txt", moved(0.0));
    for other in ["--matrix-b", "--translate-b", "--rotate-b", "--scale-b"] {
        let error = folder.run(&format!("check cube.obj cube.obj --poses-b poses.txt {other} 1")).error();
        assert!(error.contains("--poses-b") && error.contains(other), "{error}");
    }
}
