//! What the fuzz targets do with any bytes. Each is a function, so that libFuzzer and the driver for compilers without it
//! ([`drive`]) run the same.

pub mod drive;
mod files;
#[path = "../../crates/impinge/tests/pair_bytes.rs"]
mod pair_bytes;
mod report;
#[path = "../../crates/impinge/tests/sweep_bytes.rs"]
mod sweep_bytes;
#[path = "../../crates/impinge/tests/world_bytes.rs"]
mod world_bytes;

use impinge_formats::Format;

/// A target: its name, its longest input that makes sense, and what it does.
pub struct Target {
    pub name: &'static str,
    pub longest: usize,
    pub run: fn(&[u8]),
}

macro_rules! reader {
    ($name:literal, $format:ident) => {
        Target { name: $name, longest: 4096, run: |bytes| files::read(bytes, Format::$format) }
    };
}

/// All targets.
pub const TARGETS: &[Target] = &[
    reader!("obj", Obj),
    reader!("stl", Stl),
    reader!("ply", Ply),
    reader!("off", Off),
    reader!("gltf", Gltf),
    reader!("glb", Glb),
    Target {
        name: "roots",
        longest: 300,
        run: |bytes| {
            let _ = sweep_bytes::sweep_of_bytes(bytes);
        },
    },
    Target {
        name: "pairs",
        longest: 300,
        run: |bytes| {
            let _ = pair_bytes::pair_of_bytes(bytes);
        },
    },
    Target {
        name: "worlds",
        longest: 400,
        run: |bytes| {
            let _ = world_bytes::world_of_bytes(bytes);
        },
    },
    Target { name: "reports", longest: 1024, run: report::report },
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
