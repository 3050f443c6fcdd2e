//! What commands have in common on a terminal: answers on stdout, one line on stderr where something is wrong, the exit status, progress.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use impinge_report::terminal::{Error, Output, Status, finish};
//!
//! fn run(output: &mut Output) -> Result<Status, Error> {
//!     output.print("clear\n")?;
//!     Ok(Status::Nothing)
//! }
//!
//! fn main() -> ExitCode {
//!     finish("impinge", run).into()
//! }
//! ```

mod drivers;
mod error;
mod output;
mod progress;
mod target;

pub use drivers::quiet_drivers;
pub use error::{Error, Status, finish, one_line, say, usage};
pub use output::Output;
pub use progress::{note, progress, progress_with, with_spinner};
pub use target::refuse_inputs;
