//! `impinge make`: writes a generated model.

use impinge_report::terminal::{Error, Output, Status};
use impinge_report::text::{counted, visible};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use impinge::Mesh;
use impinge::shapes::{
    AnimatedScene, ManyParts, PartKeys, Scene, Shape, ShapeError, animated_assembly, assembly, many_parts,
};
use impinge_formats::{Format, Node, NodeAnimation, NodeKeys, write_animated_glb, write_obj, write_ply};

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge make torus --triangles 12544 torus.obj
  impinge make terrain --triangles 100000 --seed 7 hills.ply
  impinge make assembly engine.glb
  impinge make assembly moving.glb --animated
  impinge make parts crowd.glb --parts 10000 --faces 500 --clashes 2000
  impinge make --list

`assembly` is a scene of many parts, written as .glb: at each of its stations a housing stands flush on the base, a bolt is inside of \
it, a pipe runs into it, a cover is half a millimeter above it, a shaft is too thick for its gear, and every other washer is there \
twice. `impinge clash engine.glb --unit mm --clearance 1` finds all of that. With --animated it also has a carriage and an animation of 7 \
seconds: gears turn, and the carriage comes down on the second cover at 3.6 s. `impinge clash moving.glb --animation carriage` finds that.

`parts` is a crowd of parts on a lattice, each part about 0.7 across and with a mesh of its own (with --instanced, 56 meshes for all): bricks, \
prisms, bumpy balls, gears, pipes, rings and stairs. The boxes around their turned boxes are within 0.02 of those of about five others. So many clashes as \
are asked for are planted, by turns two parts that overlap, one inside of the other, one flush on the other, the same twice, and \
two that are less than 0.02 apart; all others are farther apart. `impinge clash crowd.glb --clearance 0.02` finds just these.

Shapes are about 2 units across, around the origin, and the same to the last bit on every machine. Coordinates in the \
file read back bit by bit. An older file OUT is replaced only when the new one is complete.

Exit status: 0 written, 2 error.";

/// Write a generated model
///
/// Prints what was written: the shape, the number of vertices, faces and triangles, and whether the model is closed, so that
/// it has an inside.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(override_usage = "impinge make [OPTIONS] <SHAPE> <OUT>\n       impinge make --list")]
pub(crate) struct MakeArgs {
    /// The shape: a name from `impinge make --list`
    #[arg(value_name = "SHAPE", required_unless_present = "list")]
    shape: Option<String>,

    /// The file to write: .obj (text) or .ply (binary); .glb for an assembly and for parts
    #[arg(value_name = "OUT", required_unless_present = "list")]
    out: Option<PathBuf>,

    /// About how many triangles to make
    ///
    /// Shapes come as near to the number as their form allows, and have a least number of their own. What was made is
    /// printed.
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value_t = 1000)]
    triangles: usize,

    /// How many stations an assembly has
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    stations: u32,

    /// Give the assembly a carriage and an animation: gears turn, the carriage meets a cover
    #[arg(long)]
    animated: bool,

    /// How many parts a crowd of parts has
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    parts: u32,

    /// About how many faces each of these parts has
    #[arg(long, value_name = "F", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    faces: u32,

    /// How many clashes are planted among these parts: at most half as many as there are parts
    #[arg(long, value_name = "C", default_value_t = 200)]
    clashes: u32,

    /// Let these parts share a few meshes
    #[arg(long)]
    instanced: bool,

    /// The seed of what is random in the shape
    ///
    /// Only shapes that `--list` calls seeded depend on it.
    #[arg(long, value_name = "S", allow_hyphen_values = true, default_value_t = 0)]
    seed: u64,

    /// List all shapes and do nothing else
    #[arg(long, conflicts_with_all = ["shape", "out"])]
    list: bool,
}

pub(crate) fn run(arguments: &MakeArgs, output: &mut Output) -> Result<Status, Error> {
    let (Some(name), Some(out)) = (&arguments.shape, &arguments.out) else {
        output.print(&list())?;
        return Ok(Status::Nothing);
    };
    match name.as_str() {
        "assembly" => return make_assembly(arguments, out, output),
        "parts" => return make_parts(arguments, out, output),
        _ => {}
    }
    let shape = Shape::parse(name)
        .map_err(|reason| Error::option("SHAPE", format!("{reason}; `impinge make --list` names all")))?;
    let most = Shape::MOST_TRIANGLES;
    if arguments.triangles > most {
        let reason = format!("{} is too many; at most {most} can be made", arguments.triangles);
        return Err(Error::option("--triangles", reason));
    }
    let write =
        match out.extension().and_then(|extension| extension.to_str()).and_then(Format::from_extension) {
            Some(Format::Obj) => write_obj,
            Some(Format::Ply) => write_ply,
            _ => {
                let reason = "its extension must be .obj or .ply, the formats that can be written".to_owned();
                return Err(Error::file(out, reason));
            }
        };
    let mesh = Mesh::from(shape.generate(arguments.triangles, arguments.seed));
    write(out, &mesh)?;
    let mut text = format!("{}: {shape}, ", visible(&out.display().to_string()));
    text += &counted(mesh.vertex_count(), "vertex, ", "vertices, ");
    if mesh.face_count() != mesh.triangle_count() {
        text += &counted(mesh.face_count(), "face, ", "faces, ");
    }
    text += &counted(mesh.triangle_count(), "triangle, ", "triangles, ");
    text += if shape.is_closed() { "closed\n" } else { "open\n" };
    output.print(&text)?;
    Ok(Status::Nothing)
}

fn make_assembly(arguments: &MakeArgs, out: &Path, output: &mut Output) -> Result<Status, Error> {
    let (stations, seed) = (arguments.stations, arguments.seed);
    let failed = |error: ShapeError| Error::option("SHAPE", error.to_string());
    if arguments.animated {
        let AnimatedScene { scene, name, keys, .. } = animated_assembly(stations, seed).map_err(failed)?;
        return write_scene("assembly", out, scene, Some((name, &keys)), output);
    }
    write_scene("assembly", out, assembly(stations, seed).map_err(failed)?, None, output)
}

fn make_parts(arguments: &MakeArgs, out: &Path, output: &mut Output) -> Result<Status, Error> {
    if arguments.clashes > arguments.parts / 2 {
        let reason = format!("{} needs twice as many parts", arguments.clashes);
        return Err(Error::option("--clashes", reason));
    }
    let parameters = ManyParts {
        parts: arguments.parts as usize,
        faces: arguments.faces as usize,
        clashes: arguments.clashes as usize,
        instanced: arguments.instanced,
        seed: arguments.seed,
    };
    let scene = many_parts(&parameters).map_err(|error| Error::option("SHAPE", error.to_string()))?;
    write_scene("parts", out, scene, None, output)
}

/// Writes a scene of many parts, and how they move, where they do.
fn write_scene(
    name: &str,
    out: &Path,
    scene: Scene,
    motion: Option<(&str, &[PartKeys])>,
    output: &mut Output,
) -> Result<Status, Error> {
    if out.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("glb")) {
        let reason = "its extension must be .glb: it has many parts".to_owned();
        return Err(Error::file(out, reason));
    }
    let meshes: Vec<Mesh> = scene.meshes.into_iter().map(Mesh::from).collect();
    let nodes: Vec<Node<'_>> = scene
        .parts
        .iter()
        .map(|part| Node { name: &part.name, mesh: part.mesh, world_from_mesh: part.world_from_mesh })
        .collect();
    let keys: Vec<NodeKeys<'_>> = motion
        .iter()
        .flat_map(|(_, keys)| *keys)
        .map(|keys| NodeKeys {
            node: keys.part,
            times: &keys.times,
            translations: &keys.translations,
            rotations: &keys.rotations,
        })
        .collect();
    let animations: Vec<NodeAnimation<'_>> =
        motion.iter().map(|(name, _)| NodeAnimation { name, keys: &keys }).collect();
    write_animated_glb(out, &meshes, &nodes, &animations)?;
    let parts = counted(nodes.len(), "part", "parts");
    let planted = counted(scene.planted.len(), "planted clash", "planted clashes");
    let moving = motion.map(|(animation, _)| format!(", animation {animation}")).unwrap_or_default();
    output
        .print(&format!("{}: {name}, {parts}, {planted}{moving}\n", visible(&out.display().to_string())))?;
    Ok(Status::Nothing)
}

fn list() -> String {
    let width = Shape::ALL.iter().map(|shape| shape.name().len()).max().unwrap_or(0);
    let mut text = Shape::ALL.iter().fold(String::new(), |mut text, shape| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{shape:width$}  {}", shape.description());
        text
    });
    for (name, description) in [
        ("assembly", "A scene of many parts with planted clashes (.glb, --stations, --animated)"),
        (
            "parts",
            "A scene of as many parts and clashes as are wanted (.glb, --parts, --faces, --clashes; seeded)",
        ),
    ] {
        let _ = writeln!(text, "{name:width$}  {description}");
    }
    text
}
