//! Reports of what impinge found: JSON, CSV, a table for the terminal, and one self-contained page with a 3D view.
//!
//! Numbers in, text out: the crate knows neither the library nor files. A command fills a [`Report`] and writes what it asks
//! for:
//!
//! ```
//! use impinge_report::{Clash, IDENTITY, Identity, Model, Part, Report, Verdict};
//!
//! let model = Model {
//!     positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
//!     triangles: vec![[0, 1, 2]],
//!     faces: vec![], // triangle i is face i
//! };
//! let part = |name: &str| Part {
//!     name: name.to_owned(),
//!     path: format!("engine.glb/{name}"),
//!     model: Some(0),
//!     world_from_model: IDENTITY,
//!     identity: Identity { names: name.to_owned(), ..Identity::default() },
//!     closed: None,
//! };
//! let mut report = Report {
//!     title: "engine.glb".to_owned(),
//!     unit: "m".to_owned(),
//!     models: vec![model],
//!     parts: vec![part("gasket"), part("gasket copy")],
//!     clashes: vec![Clash { face_pairs: 1, point: Some([0.2, 0.2, 0.0]), ..Clash::new(0, 1, Verdict::Duplicate) }],
//!     ..Report::default()
//! };
//! report.name_clashes();
//!
//! assert!(report.table()?.starts_with("1 clash among 2 parts: 1 duplicate\n"));
//! assert!(report.json()?.starts_with(r#"{"schema":1,"kind":"clash""#));
//! assert!(report.csv()?.lines().nth(1).unwrap().contains(",duplicate,"));
//! assert!(report.html()?.starts_with("<!doctype html>"));
//! # Ok::<(), impinge_report::Invalid>(())
//! ```
//!
//! Every output first [checks](Report::check) that indices name something and that numbers are finite. [`Baseline`] reads an
//! earlier run's JSON, and [`Report::compare`] marks what is new and what is resolved. [`Report::group_clashes`] puts clashes that are one matter
//! into groups, [`Report::merge`] adds what people said about them, and with the feature `bcf` `Report::bcf` writes them as topics with viewpoints
//! and pictures, for tools of the building trade. Names and notes may hold anything: tables show
//! what moves a cursor or the direction of text as escapes, and no cell of CSV is taken for a formula.
//!
//! The page is TypeScript under `page/`, built by the build script where npm is present. Without npm the crate builds all the
//! same, and [`Report::html`] is [`Report::plain_html`]: tables without a picture, and a line that says what is missing.

mod baseline;
#[cfg(feature = "bcf")]
mod bcf;
mod check;
mod csv;
mod groups;
mod guid;
mod html;
mod id;
mod identity;
mod json;
pub mod live;
mod measure;
mod motion;
mod order;
mod place;
mod report;
mod review;
mod reviews;
#[cfg(test)]
mod sample;
#[cfg(feature = "bcf")]
mod snapshot;
mod table;
#[cfg(feature = "terminal")]
pub mod terminal;
pub mod text;
#[cfg(feature = "bcf")]
mod view;

pub use baseline::{Baseline, BaselineError};
#[cfg(feature = "bcf")]
pub use bcf::{BcfError, BcfOptions, BcfVersion};
pub use check::Invalid;
pub use groups::{Group, GroupKind};
pub use html::HAS_PICTURES;
pub use id::clash_id;
pub use identity::Identity;
pub use json::SCHEMA;
pub use report::{
    Animation, Clash, Contact, Failure, Film, Gap, IDENTITY, Kind, Matrix, Model, Part, Point, Polyline,
    Report, Resolved, Shared, Side, Status, Sweep, SweepStatus, Table, Track, Verdict,
};
pub use review::{Comment, Review, Severity};
pub use reviews::{NotesError, Reviews};
#[cfg(feature = "bcf")]
pub use snapshot::Snapshots;
