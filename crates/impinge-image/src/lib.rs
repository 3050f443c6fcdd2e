//! Interference of many solids, seen in images (paper 001, Knott and Pai).

mod answer;
mod coarse;
mod cpu;
mod device;
mod error;
mod find;
mod gpu;
mod look;
mod options;
mod precision;
mod raster;
mod refine;
mod scene;
mod view;

pub use answer::{Answer, Interference, Work};
pub use device::Device;
pub use error::ImageError;
pub use look::{Detail, Layer, Own};
pub use options::{Options, Views};
pub use scene::{Scene, ShapeId};
pub use view::Projection;
