//! `impinge view`: a page on which a model can be dragged, while the engine says how the two stand to each other.

mod answer;
mod http;
mod server;

use std::io::{self, IsTerminal};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;

use impinge_report::terminal::{Error, Output, Status};
use impinge_report::{Kind, Report};

use crate::input::Subject;
use crate::placement::{PlacementA, PlacementB};
use crate::reading::Reading;
use crate::{report_scene, unit};
use answer::Scene;

// Paragraphs are one line each here: the help is wrapped to the width of the terminal.
const EXAMPLES: &str = "\
Examples:
  impinge view cow.obj fence.obj
  impinge view arm.stl cell.stl --translate-a 0,0,2 --unit mm
  impinge view gear.obj gear.obj --scale-b 0.5 --port 8080 --no-open

The address of the page is printed on a line of its own, and a browser is opened where there is one and the output is a terminal. \
Drag a model, or turn it: for each pose the exact test says clear, touching, overlapping or inside, with the curve and the faces where \
the surfaces meet, or the closest points. Ctrl-C ends it.

Only programs of this machine can ask: the server listens on 127.0.0.1, and refuses requests for other hosts and from pages of other sites.

Exit status: 0 ended with Ctrl-C, 2 error.";

/// Drag one of two models in a browser and watch where they meet
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ViewArgs {
    /// The mesh file of the first model: OBJ, STL, PLY, OFF, glTF, GLB, 3MF or COLLADA
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The mesh file of the second model; may be the same
    #[arg(value_name = "B")]
    b: PathBuf,

    /// The port of the page; 0 is any that is free
    #[arg(long, value_name = "P", default_value_t = 0)]
    port: u16,

    /// Do not open a browser
    #[arg(long)]
    no_open: bool,

    /// The name of the unit of the coordinates, such as mm
    ///
    /// Shown beside lengths; nothing is converted. Without it, lengths are in units, and in m where both files are
    /// glTF, which prescribes it. Use --scale-a or --scale-b to bring files of different units together.
    #[arg(long, value_name = "U")]
    unit: Option<String>,

    #[command(flatten)]
    placement_a: PlacementA,

    #[command(flatten)]
    placement_b: PlacementB,

    #[command(flatten)]
    reading: Reading,
}

pub(crate) fn run(arguments: &ViewArgs, output: &mut Output) -> Result<Status, Error> {
    // Options first: they are checked in no time, and files may be large.
    unit::check(arguments.unit.as_deref())?;
    let world_from_a = arguments.placement_a.placement()?;
    let world_from_b = arguments.placement_b.placement()?;
    let limits = arguments.reading.limits()?;
    let (a, b) = (Subject::read(&arguments.a, limits)?, Subject::read(&arguments.b, limits)?);
    a.check_range(world_from_a, "A")?;
    b.check_range(world_from_b, "B")?;
    let unit = unit::of(arguments.unit.as_deref(), &[a.unit.as_deref(), b.unit.as_deref()]);
    let report = Report {
        kind: Kind::Check,
        live: true,
        ..report_scene::pair((&a, world_from_a), (&b, world_from_b), unit)
    };
    let page = report_scene::page(&report)?;
    let scene = Scene { models: [a.model, b.model], world_from_models: [world_from_a, world_from_b] };
    let unusable = |error: io::Error| {
        Error::option("--port", format!("127.0.0.1:{} cannot be used: {error}", arguments.port))
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port)).map_err(unusable)?;
    let address = format!("http://{}/", listener.local_addr().map_err(unusable)?);
    let interrupted = interruption();
    thread::spawn(move || server::serve(&listener, server::Site { page, scene }));
    output.print(&format!("{address}\n"))?;
    output.flush()?;
    if io::stdout().is_terminal() && !arguments.no_open {
        open_browser(&address);
    }
    // Ends when the handler is called; its other end is never lost.
    let _ = interrupted.1.recv();
    Ok(Status::Nothing)
}

/// A channel that hears of Ctrl-C. Where there can be no handler, Ctrl-C ends the command at once, as usual.
fn interruption() -> (mpsc::Sender<()>, mpsc::Receiver<()>) {
    let (sender, receiver) = mpsc::channel();
    let kept = sender.clone();
    let _ = ctrlc::set_handler(move || {
        let _ = sender.send(());
    });
    (kept, receiver)
}

/// Shows the page, where the system knows how. The address was printed, so that a failure is no error.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        // The first text in quotes would be taken for a title.
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Some openers stay as long as the browser.
    thread::spawn(move || command.status());
}
