//! The answer to one ray, as JSON and as text.

use std::fmt::Write;

use impinge::query::RayHit;
use impinge_report::text::{counted, point, short, visible};

use crate::input::Subject;
use crate::json;
use crate::unit;

/// The hits of one ray.
pub(super) struct Answer<'a> {
    pub(super) hits: Vec<RayHit>,
    /// All of them were asked for.
    pub(super) all: bool,
    pub(super) subject: &'a Subject,
    pub(super) unit: Option<&'a str>,
}

impl<'a> Answer<'a> {
    pub(super) fn is_hit(&self) -> bool {
        !self.hits.is_empty()
    }

    /// The JSON document; `index` is the row of a batch.
    pub(super) fn document(&self, index: Option<usize>) -> json::Ray<'a> {
        let nearest = (!self.all).then(|| self.hits.first().map(|hit| self.hit(hit)));
        json::Ray {
            index,
            schema: json::SCHEMA,
            hit: self.is_hit(),
            nearest: nearest.map(Option::unwrap_or_default),
            hits: self.all.then(|| self.hits.iter().map(|hit| self.hit(hit)).collect()),
            unit: self.unit,
        }
    }

    fn hit(&self, hit: &RayHit) -> json::RayHit {
        let (node, primitive) = self.subject.node_and_primitive(hit.face);
        json::RayHit {
            t: Some(hit.t),
            face: Some(hit.face),
            point: Some(hit.point_in_world.to_array()),
            normal: hit.normal_in_world.map(|normal| normal.to_array()),
            front: Some(hit.from_front),
            node,
            primitive,
        }
    }

    /// The sentence for people, or the line of a batch.
    pub(super) fn text(&self, index: Option<usize>, count: usize) -> String {
        let unit = self.unit.unwrap_or(unit::UNNAMED);
        let place = |hit: &RayHit| {
            format!(
                "t {}, face {} at {} {unit}",
                short(hit.t),
                hit.face,
                point(hit.point_in_world.to_array())
            )
        };
        let name = &visible(&self.subject.name);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = match (index, self.hits.first()) {
            (Some(index), None) => writeln!(text, "{}  no hit", padded(index, count)),
            (Some(index), Some(hit)) if !self.all => {
                writeln!(text, "{}  {}", padded(index, count), place(hit))
            }
            (Some(index), Some(hit)) => {
                let hits = counted(self.hits.len(), "hit", "hits");
                writeln!(text, "{}  {hits}, first {}", padded(index, count), place(hit))
            }
            (None, None) => writeln!(text, "The ray misses {name}."),
            (None, Some(_)) if self.all => {
                writeln!(text, "The ray hits {name} {}.", counted(self.hits.len(), "time", "times"))
            }
            (None, Some(hit)) => {
                let side = if hit.from_front { "" } else { ", not from the front" };
                writeln!(text, "The ray hits {name}{side}.")
            }
        };
        if index.is_none() {
            for hit in &self.hits {
                let _ = writeln!(text, "  {}", place(hit));
            }
        }
        text
    }
}

/// The row of a batch, as wide as the last one.
fn padded(index: usize, count: usize) -> String {
    let width = count.saturating_sub(1).to_string().len();
    format!("{index:>width$}")
}
