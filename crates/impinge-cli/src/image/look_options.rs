//! How images look: the options that `impinge image` and `impinge check --engine image` share, and what draws.

use impinge_image::{Answer, Device, DeviceChoice, ImageError, Options, Scene, Views};
use impinge_report::terminal::Error;

/// The options of both commands. None has a value of its own here, so that it is known which were given.
#[derive(Debug, clap::Args)]
pub(crate) struct Looking {
    /// How many pixels a side of an image has, from 16 to 4096 [default: 256]
    #[arg(long, value_name = "N", help_heading = "How images look")]
    #[arg(value_parser = clap::value_parser!(u32).range(16..=4096))]
    resolution: Option<u32>,

    /// Look along so many directions, from 1 to 12 [default: 3]
    ///
    /// Three are at right angles to each other: with three or more the precision does not depend on how edges run. With
    /// fewer, an edge that is seen end-on makes it worse, and it may have no bound at all.
    #[arg(long, value_name = "N", help_heading = "How images look")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=12))]
    views: Option<u32>,

    /// Look at so many edges behind each other [default: all]
    ///
    /// With 1 an edge can hide behind another, and what it is inside of is missed. An answer that left out edges
    /// is not complete.
    #[arg(long, value_name = "N", help_heading = "How images look")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    layers: Option<u32>,

    /// Look again, in tiles, where the image is coarser than this length
    ///
    /// Works with three views or more. Where too many tiles would be needed, the precision that is reached
    /// is larger; it is printed.
    #[arg(long, value_name = "LENGTH", help_heading = "How images look", allow_hyphen_values = true)]
    precision: Option<f64>,

    /// What draws [default: auto]
    #[arg(long, value_name = "DEVICE", value_enum, help_heading = "How images look")]
    device: Option<DeviceChoice>,

    /// Report only what the exact test finds as well: the image proposes, the exact test decides
    #[arg(long, help_heading = "How images look")]
    pub(crate) exact: bool,
}

impl Looking {
    /// The first option that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let all = [
            ("--resolution", self.resolution.is_some()),
            ("--views", self.views.is_some()),
            ("--layers", self.layers.is_some()),
            ("--precision", self.precision.is_some()),
            ("--device", self.device.is_some()),
            ("--exact", self.exact),
        ];
        all.into_iter().find_map(|(name, given)| given.then_some(name))
    }

    pub(crate) fn options(&self) -> Options {
        let mut options = Options::default();
        options.resolution = self.resolution.unwrap_or(options.resolution);
        options.views = self.views.map_or(options.views, Views::Count);
        options.layers = self.layers.unwrap_or(options.layers);
        options.precision = self.precision;
        options
    }

    pub(crate) fn device(&self) -> Result<Device, Error> {
        let choice = self.device.unwrap_or_default();
        choice.open().map_err(|refusal| Error::option("--device gpu", refusal))
    }
}

/// Refuses options that make no sense before anything is read: nothing is looked at.
pub(crate) fn check(options: &Options) -> Result<(), Error> {
    match Device::processor().find(&Scene::new(), options) {
        Err(refusal @ ImageError::Option { name, .. }) => {
            let option = match name {
                "distance of the eye" => "--perspective".to_owned(),
                name => format!("--{name}"),
            };
            Err(Error::option(option, refusal.to_string()))
        }
        Err(refusal) => Err(refusal.into()),
        Ok(_) => Ok(()),
    }
}

/// The most bytes that pictures may take.
const MOST_BYTES: f64 = 5e8;
/// Object, edge, depth and count of a pixel.
const BYTES_A_PIXEL: f64 = 20.0;

/// Looks again, for pictures of all layers. `answer` is that of the look before, which tells how many layers there are; where
/// they would take too much memory, the pictures are coarser.
pub(crate) fn again_with_pictures(
    device: &mut Device,
    scene: &Scene,
    options: &Options,
    answer: &Answer,
) -> Result<Answer, ImageError> {
    let mut again = options.clone();
    (again.pictures, again.precision, again.coarse) = (true, None, false);
    // Half as many pixels a side have up to twice as many edges each.
    let bytes = |side: u32| {
        let coarser = f64::from(options.resolution) / f64::from(side);
        f64::from(answer.work.layers) * coarser * f64::from(side) * f64::from(side) * BYTES_A_PIXEL
    };
    while bytes(again.resolution) > MOST_BYTES && again.resolution > 64 {
        again.resolution /= 2;
    }
    device.find(scene, &again)
}
