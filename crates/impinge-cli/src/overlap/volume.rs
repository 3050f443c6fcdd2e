//! The options that describe a volume.

use impinge::Trs;
use impinge::bounds::DepthRange;
use impinge::math::DVec3;
use impinge::query::Volume;
use impinge_report::terminal::Error;

use crate::numbers::{self, ListOption};
use crate::placement::check_count;

/// The options that take lists of numbers, and the most numbers that each takes.
pub(crate) const LISTS: &[ListOption] = &[
    ("--aabb", 6),
    ("--obb", 10),
    ("--sphere", 4),
    ("--capsule", 7),
    ("--plane", 4),
    ("--half-space", 4),
    ("--frustum", 16),
];

/// One volume. Kept as text, so that errors read like all others.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "The volume, one of")]
pub(super) struct VolumeOptions {
    #[command(flatten)]
    kind: Kind,

    /// The depths of a frustum: all from -w to w as in OpenGL, or from 0 to w as in Direct3D, Vulkan and WebGPU
    #[arg(long, value_name = "RANGE", value_enum, default_value_t = Depth::MinusOne, requires = "frustum")]
    depth: Depth,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Kind {
    /// The box between two corners: the least x, y, z, then the greatest
    #[arg(long, value_name = "MIN,MAX", allow_hyphen_values = true)]
    aabb: Option<String>,

    /// A turned box: its center, half of each side, an axis through the center and how many degrees it is turned about that
    #[arg(long, value_name = "CENTRE,HALF,AXIS,DEG", allow_hyphen_values = true)]
    obb: Option<String>,

    /// A ball: its center and radius
    #[arg(long, value_name = "C,R", allow_hyphen_values = true)]
    sphere: Option<String>,

    /// All points within a radius of a segment: its ends and the radius
    #[arg(long, value_name = "P,Q,R", allow_hyphen_values = true)]
    capsule: Option<String>,

    /// The plane N·x = D: touched by faces that have points on both sides of it, or in it
    ///
    /// The normal may have any length; D is in multiples of it.
    #[arg(long, value_name = "N,D", allow_hyphen_values = true)]
    plane: Option<String>,

    /// The half-space N·x ≤ D
    #[arg(long, value_name = "N,D", allow_hyphen_values = true)]
    half_space: Option<String>,

    /// What a camera sees: 16 numbers, projection · view, row by row as written on paper
    ///
    /// Points whose clip coordinates x, y and z lie between -w and w; see --depth for z.
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    frustum: Option<String>,
}

/// The depths that a renderer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Depth {
    /// From -w to w
    MinusOne,
    /// From 0 to w
    Zero,
}

impl VolumeOptions {
    /// What the volume is called, and the volume.
    pub(super) fn volume(&self) -> Result<(&'static str, Volume), Error> {
        let Kind { aabb, obb, sphere, capsule, plane, half_space, frustum } = &self.kind;
        let vector = |numbers: &[f64], first: usize| DVec3::from_slice(&numbers[first..]);
        let depth = match self.depth {
            Depth::MinusOne => DepthRange::MinusOneToOne,
            Depth::Zero => DepthRange::ZeroToOne,
        };
        let words = |error: impinge::bounds::VolumeError| error.to_string();
        if let Some(text) = aabb {
            read("--aabb", text, 6, |n| Volume::aabb(vector(n, 0), vector(n, 3)).map_err(words))
                .map(|volume| ("box", volume))
        } else if let Some(text) = obb {
            let make = |n: &[f64]| {
                let turn = Trs::rotation_about_axis(vector(n, 6), n[9]).map_err(|error| error.to_string())?;
                Volume::obb(vector(n, 0), vector(n, 3), &turn).map_err(words)
            };
            read("--obb", text, 10, make).map(|volume| ("box", volume))
        } else if let Some(text) = sphere {
            read("--sphere", text, 4, |n| Volume::sphere(vector(n, 0), n[3]).map_err(words))
                .map(|volume| ("sphere", volume))
        } else if let Some(text) = capsule {
            read("--capsule", text, 7, |n| Volume::capsule(vector(n, 0), vector(n, 3), n[6]).map_err(words))
                .map(|volume| ("capsule", volume))
        } else if let Some(text) = plane {
            read("--plane", text, 4, |n| Volume::plane(vector(n, 0), n[3]).map_err(words))
                .map(|volume| ("plane", volume))
        } else if let Some(text) = half_space {
            read("--half-space", text, 4, |n| Volume::half_space(vector(n, 0), n[3]).map_err(words))
                .map(|volume| ("half-space", volume))
        } else {
            // The group requires one of them.
            let text = frustum.as_deref().unwrap_or_default();
            let make = |n: &[f64]| {
                let row = |i: usize| std::array::from_fn(|j| n[4 * i + j]);
                Volume::frustum([row(0), row(1), row(2), row(3)], depth).map_err(words)
            };
            read("--frustum", text, 16, make).map(|volume| ("frustum", volume))
        }
    }
}

/// Reads one option; every error names it.
fn read(
    option: &str,
    text: &str,
    count: usize,
    make: impl Fn(&[f64]) -> Result<Volume, String>,
) -> Result<Volume, Error> {
    let fail = |reason: String| Error::option(option, reason);
    let numbers = numbers::parse(text).map_err(fail)?;
    check_count(&numbers, &[count]).map_err(fail)?;
    make(&numbers).map_err(fail)
}
