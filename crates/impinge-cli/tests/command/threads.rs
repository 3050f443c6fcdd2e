//! Threads and instructions change nothing: not what is said, and not whether it is said.

use crate::support::{Folder, Run};

/// The panic that was: parts whose trees are built by several threads, in the middle of a search by several threads.
#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn clashes_are_found_with_any_number_of_threads() {
    let folder = Folder::new("clash-threads");
    folder.make("parts p.glb --parts 40 --faces 30000 --clashes 20");
    let mut said = Vec::new();
    for threads in ["1", "2", "8", "8", "8", "16", "16"] {
        let mut command = folder.command("clash p.glb --no-depth --json");
        command.env("RAYON_NUM_THREADS", threads);
        said.push(Run::of(command).expect(1));
    }
    assert!(said.iter().all(|text| *text == said[0]));
}

#[test]
fn instructions_are_forced_by_the_environment() {
    let folder = Folder::new("simd");
    folder.make("knot a.obj --triangles 2000");
    folder.make("torus b.obj --triangles 2000");
    let with = |level: &str| {
        let mut command = folder.command("check a.obj b.obj --pairs --json");
        command.env("IMPINGE_SIMD", level);
        Run::of(command)
    };
    let usual = folder.run("check a.obj b.obj --pairs --json").expect(1);
    assert_eq!(with("portable").expect(1), usual);
    assert_eq!(with("").expect(1), usual, "nothing is asked for");
    let refused = with("sse9").error();
    assert_eq!(refused, "IMPINGE_SIMD: \"sse9\" is no level; there are portable and avx2");
}
