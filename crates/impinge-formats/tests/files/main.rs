//! What the readers and writers do with small files: every feature, every kind of error, and every kind of damage.
#![allow(clippy::unwrap_used, reason = "a test may fail so")]

mod bodies;
mod collada;
mod damage;
#[cfg(feature = "draco")]
mod draco;
mod hostile;
mod extras;
mod gltf;
mod gltf_extensions;
mod meshopt;
mod obj;
mod off;
mod packed;
mod paths;
mod ply;
mod rounding;
mod samples;
mod stl;
mod three_mf;
mod write;
