//! `impinge-papers rays`: Maia et al. 2006's scene, rendered by casting rays.

use std::path::PathBuf;

use clap::Args;
use impinge_formats::{read_mesh, write_bytes};
use impinge_papers::maia::rays;
use impinge_report::terminal::{Error, Output, Status, progress};
use serde::Serialize;

use crate::results::{Document, prepare, write_comparisons};

const EXAMPLES: &str = "\
Examples:
  impinge-papers rays --quick
  impinge-papers rays --images 3 --out pictures

The files: image-00.png, image-01.png and so on. Files of the same names are replaced, others are left alone.

Exit status: 0 measured and written, 2 error.";

/// A scene rendered by casting rays, with the tests done in two frames
///
/// 30 images of 149K triangles from a turning camera, 1024 x 768 pixels: with boxes and triangles brought to the world's
/// scale, with the ray brought to the models' frames, and with impinge's own query. Writes the images to a folder.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RaysArgs {
    /// A small scene and two small images: a second
    #[arg(long)]
    quick: bool,

    /// The folder for the images; made where there is none
    #[arg(long, value_name = "FOLDER", default_value = "target/papers/rays")]
    out: PathBuf,

    /// How many images the full turn has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    images: Option<u32>,

    /// Render nothing: cast a million rays at this mesh, and compare every answer with an oracle's
    ///
    /// The rays are those of an image and random ones, as harnesses cast them at the mesh; its vertices are rounded to 32 bits.
    /// The oracle shares no code with the query and decides close cases in whole numbers.
    #[arg(long, value_name = "MESH", conflicts_with_all = ["quick", "images", "out"])]
    check: Option<PathBuf>,

    /// With `--check`: how many of the rays are tried on every face as well
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "check")]
    brute: usize,

    /// Print one JSON document in place of the table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &RaysArgs, output: &mut Output) -> Result<Status, Error> {
    if let Some(file) = &arguments.check {
        let checked = rays::check(&read_mesh(file)?.mesh, arguments.brute);
        if arguments.json {
            output.json(&CheckDocument { schema: 1, sets: &checked })?;
        } else {
            output.print(&rays::check_text(&checked))?;
        }
        let differs = checked.iter().any(|set| set.differences > 0);
        return Ok(if differs { Status::Found } else { Status::Nothing });
    }
    let mut protocol = if arguments.quick { rays::Protocol::QUICK } else { rays::Protocol::PAPER };
    protocol.images = arguments.images.map_or(protocol.images, |images| images as usize);
    prepare(&arguments.out)?;
    let bar = progress(protocol.images);
    let (mut written, mut failed) = (Vec::new(), None);
    let report = rays::run(protocol, |image, picture| {
        let file = arguments.out.join(format!("image-{image:02}.png"));
        let encoded = picture.png().map_err(|error| Error::unwritable(&file, &error));
        match encoded.and_then(|bytes| Ok(write_bytes(&file, bytes)?)) {
            Ok(()) => written.push(file),
            Err(error) => failed = failed.take().or(Some(error)),
        }
        bar.inc(1);
    });
    bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(error);
    }
    let comparisons = rays::comparisons(&report);
    let images = written.len();
    written.extend(write_comparisons(&arguments.out, arguments.quick, comparisons)?);
    if arguments.json {
        output.json(&Document::new(&report, &written))?;
    } else {
        output.print(&rays::text(&report))?;
        output.print(&format!("{images} images in {}\n", arguments.out.display()))?;
    }
    Ok(Status::Nothing)
}

/// The JSON document of `rays --check`.
#[derive(Serialize)]
struct CheckDocument<'r> {
    schema: u32,
    sets: &'r [rays::Checked],
}
