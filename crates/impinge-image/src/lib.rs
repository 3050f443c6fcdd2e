//! Interference of many solids, seen in images: on graphics hardware, or on the processor.
//!
//! Looks at a scene along a few directions and finds every edge that is inside of another object's solid. It needs no
//! tree and no other preparation, takes all objects at once, and draws vertices that are on a graphics device already. This is the
//! method of Knott and Pai ("CInDeR", 2003), with what it lacked: edges that hide behind others are found by peeling, what
//! is seen end-on in one view is drawn in another, and every answer says how exact it is.
//!
//! ```
//! use impinge::{Model, Trs, shapes};
//! use impinge_image::{Device, Options, Scene};
//!
//! let knot = Model::new(shapes::knot(1.0, 0.2, 96, 12)?);
//! let mut scene = Scene::new();
//! let shape = scene.add_shape(&knot);
//! scene.add(shape, Trs::IDENTITY);
//! scene.add(shape, Trs::translation([0.7, 0.2, 0.0])?);
//! scene.add(shape, Trs::translation([9.0, 0.0, 0.0])?);
//!
//! // Device::graphics() draws on the best adapter; the processor needs none.
//! let answer = Device::processor().find(&scene, &Options::default())?;
//! assert_eq!(answer.pairs(), [[0, 1]]);
//! for found in &answer.interferences {
//!     println!("{} edges of {} are inside of {}", found.edges.len(), found.penetrating, found.penetrated);
//! }
//! println!("to within {}", answer.precision);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is guaranteed
//!
//! With all layers and three views (the defaults) an edge that reaches deeper than [`Answer::precision`] into a solid is found, and
//! what is farther than that from a solid is never said to be inside of it. This holds for each edge, of deformed shapes too.
//! [`Options::precision`] asks for more, and tiles of the image are looked at again where that matters. [`Answer::confirm`] hands what was found to the exact test.
//!
//! Only closed parts are solids; edges of open parts can be inside of them, but two surfaces that cross are not found. The exact,
//! and on a processor much faster, answer for a pair is [`Placed::verdict`](impinge::Placed::verdict).

#[cfg(test)]
mod agreement;
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
mod sure;
mod tiles;
mod view;

pub use answer::{Answer, Interference, Work};
pub use device::{Device, DeviceChoice};
pub use error::ImageError;
pub use look::{Detail, Layer, Own};
pub use options::{Options, Views};
pub use scene::{Scene, ShapeId};
pub use view::Projection;
