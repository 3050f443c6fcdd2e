//! What files may ask for: options of all commands that read models.

use impinge_formats::Limits;
use impinge_report::terminal::Error;

/// Options of all commands that read models.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "What files may ask for")]
pub(crate) struct Reading {
    /// Read buffers of glTF files that lie outside of the file's folder, too
    #[arg(long)]
    allow_outside: bool,

    /// The memory that instances in one model may take, in GiB, beyond what the size of the file explains
    #[arg(long, value_name = "GIB", default_value_t = 2.0, allow_hyphen_values = true)]
    memory: f64,
}

impl Reading {
    pub(crate) fn limits(&self) -> Result<Limits, Error> {
        if !(self.memory >= 0.0 && self.memory.is_finite()) {
            return Err(Error::option("--memory", format!("{} is no size of 0 or more", self.memory)));
        }
        // A cast of what is too large gives the largest.
        let bytes = (self.memory * f64::from(1 << 30)) as u64;
        Ok(Limits::default().with_memory(bytes).with_outside_folder(self.allow_outside))
    }
}
