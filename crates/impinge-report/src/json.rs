//! The JSON document of a report, schema 1. Fields may be added, never renamed.

use std::io;

use serde::Serialize;

use crate::check::Invalid;
use crate::groups::{Group, GroupKind};
use crate::report::{Clash, Failure, Kind, Point, Report, Resolved, Side, Status, Verdict};
use crate::review::{Review, Severity};

/// The version of the document.
pub const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    kind: Kind,
    title: &'a str,
    partial: bool,
    unit: &'a str,
    notes: &'a [String],
    parts: Vec<PartDocument<'a>>,
    clashes: Vec<ClashDocument<'a>>,
    /// Only after a comparison with a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<&'a [Resolved]>,
    left_out: usize,
    /// Only where something could not be tested.
    #[serde(skip_serializing_if = "<[Failure]>::is_empty")]
    errors: &'a [Failure],
    unknown: &'a [[usize; 2]],
    /// Only of clash searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<GroupDocument<'a>>>,
}

#[derive(Serialize)]
struct GroupDocument<'a> {
    id: &'a str,
    kind: GroupKind,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<Severity>,
    count: usize,
    /// Ids of clashes, the gravest first.
    members: Vec<&'a str>,
    /// Of the gravest.
    penetration: Option<[f64; 2]>,
    /// Of the gravest.
    distance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<&'a Review>,
}

#[derive(Serialize)]
struct PartDocument<'a> {
    index: usize,
    name: &'a str,
    path: &'a str,
    /// What it is called inside of the scene.
    names: &'a str,
    /// A hash of the shape, as sixteen digits: JSON's numbers have too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed: Option<bool>,
}

#[derive(Serialize)]
struct ClashDocument<'a> {
    id: &'a str,
    a: usize,
    b: usize,
    verdict: Verdict,
    contained: Option<Side>,
    point: Option<Point>,
    face_pairs: u64,
    distance: f64,
    penetration: Option<[f64; 2]>,
    limited_by_thickness: bool,
    at_work_limit: bool,
    volume: Option<f64>,
    volume_error: Option<f64>,
    volume_estimated: bool,
    estimated: bool,
    /// The move that separates them; `depth` is its old name.
    separation: Option<f64>,
    depth: Option<f64>,
    time: Option<f64>,
    direction: Option<Point>,
    #[serde(rename = "box")]
    bounds: Option<BoxDocument>,
    closest: Option<[Point; 2]>,
    duration: Option<f64>,
    moment: Option<f64>,
    sampled: bool,
    status: Option<Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<Severity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<&'a Review>,
    #[serde(skip_serializing_if = "Option::is_none")]
    curve: Option<Vec<PolylineDocument<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faces_a: Option<&'a [u32]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faces_b: Option<&'a [u32]>,
}

#[derive(Serialize)]
struct BoxDocument {
    min: Point,
    max: Point,
}

#[derive(Serialize)]
struct PolylineDocument<'a> {
    points: &'a [Point],
    closed: bool,
}

/// What of the places where parts meet is written out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    Summary,
    CurvesAndFaces,
}

impl Report {
    /// The JSON document, on one line without a break at the end: parts and clashes, sorted by the parts' indices.
    ///
    /// ```json
    /// {"schema":1,"kind":"clash","title":"…","partial":false,"unit":"mm","notes":["…"],
    ///  "parts":[{"index":0,"name":"…","path":"…","names":"…","shape":"…","place":[x,y,z],"closed":true}],
    ///  "clashes":[{"id":"…","a":0,"b":1,"verdict":"duplicate|overlapping|inside|touching|near",
    ///    "contained":"a|b"|null,"point":[x,y,z]|null,"face_pairs":n,"distance":d,"penetration":[at_least,at_most]|null,
    ///    "limited_by_thickness":false,"at_work_limit":false,"volume":v|null,"volume_error":e|null,"volume_estimated":false,"estimated":false,"separation":d|null,"depth":d|null,"time":t|null,
    ///    "direction":[x,y,z]|null,"box":{"min":[…],"max":[…]}|null,"closest":[[…],[…]]|null,
    ///    "duration":t|null,"moment":t|null,"sampled":false,"status":"new|active"|null,"group":"…",
    ///    "severity":"critical|major|minor|info","review":{"status":"…"|null,"assignee":"…"|null,"comments":[
    ///      {"author":"…"|null,"date":"…"|null,"text":"…"}]}}],
    ///  "resolved":[{"id":"…","verdict":"…","names":["…","…"],"paths":["…","…"],"point":[…]|null}],"left_out":0,"errors":[{"reason":"…","pairs":[[a,b]]}],"unknown":[[a,b]],
    ///  "groups":[{"id":"…","kind":"single|repeat|run","verdict":"…","severity":"…","count":n,"members":["…"],
    ///    "penetration":[at_least,at_most]|null,"distance":d,"review":{…}}]}
    /// ```
    ///
    /// `names`, `shape` (a hash) and `place` are what a part is [known by](crate::Identity), where that is known.
    /// `closed` is there where it is known whether the part has an inside. `left_out` counts what has faces but could not be read or placed; `errors` is there where pairs could not be tested. `estimated` says that verdict or
    /// depth rest on a part that is open, and `unknown` lists pairs of parts of which one may be inside of the other, which is open.
    /// `resolved` is there only after a comparison with a baseline, `groups` and `group` where clashes were grouped, `severity` with rules, and
    /// `review` where somebody said something. Groups and their members are sorted, the gravest first; penetration and distance of a group are
    /// those of its first member.
    pub fn json(&self) -> Result<String, Invalid> {
        self.document(Places::Summary)
    }

    /// [`Report::json`] and for each clash all of where it is: `"curve":[{"points":[…],"closed":true}]`, and the faces that
    /// meet, `"faces_a":[…]` and `"faces_b":[…]`.
    pub fn json_with_places(&self) -> Result<String, Invalid> {
        self.document(Places::CurvesAndFaces)
    }

    fn document(&self, places: Places) -> Result<String, Invalid> {
        self.check()?;
        let parts = self.parts.iter().enumerate();
        let document = Document {
            schema: SCHEMA,
            kind: self.kind,
            title: &self.title,
            partial: self.partial,
            unit: &self.unit,
            notes: &self.notes,
            parts: parts
                .map(|(index, part)| PartDocument {
                    index,
                    name: &part.name,
                    path: &part.path,
                    names: part.names(),
                    shape: part.identity.shape.map(|shape| format!("{shape:016x}")),
                    place: part.identity.place,
                    closed: part.closed,
                })
                .collect(),
            clashes: self.clash_documents(places),
            resolved: self.resolved.as_deref(),
            left_out: self.left_out,
            errors: &self.errors,
            unknown: &self.unknown,
            groups: self.groups.as_ref().map(|groups| groups.iter().map(|group| self.group(group)).collect()),
        };
        text(&document)
    }

    fn clash_documents(&self, places: Places) -> Vec<ClashDocument<'_>> {
        let groups = self.group_of_clashes();
        let group = |index: usize| groups[index].and_then(|number| self.groups.as_ref()?.get(number));
        let document = |index: usize| ClashDocument {
            group: group(index).map(|group| group.id.as_str()),
            ..self.clashes[index].document(places)
        };
        self.indices_by_parts().into_iter().map(document).collect()
    }

    fn group<'a>(&'a self, group: &'a Group) -> GroupDocument<'a> {
        let gravest = group.gravest(self);
        GroupDocument {
            id: &group.id,
            kind: group.kind,
            verdict: gravest.verdict,
            severity: gravest.severity,
            count: group.members.len(),
            members: group.members.iter().map(|&member| self.clashes[member].id.as_str()).collect(),
            penetration: gravest.penetration,
            distance: gravest.distance,
            review: group.review.as_ref(),
        }
    }
}

/// The text of a document. That it cannot be written is not to be expected: its keys are strings and nothing in it fails.
pub(crate) fn text(document: &impl Serialize) -> Result<String, Invalid> {
    serde_json::to_string(document)
        .map_err(|error| Invalid { place: String::new(), reason: error.to_string() })
}

/// [`text`], as it comes.
pub(crate) fn write(out: &mut impl io::Write, document: &impl Serialize) -> Result<(), Invalid> {
    serde_json::to_writer(out, document)
        .map_err(|error| Invalid { place: String::new(), reason: error.to_string() })
}

impl Clash {
    fn document(&self, places: Places) -> ClashDocument<'_> {
        let with_places = places == Places::CurvesAndFaces;
        ClashDocument {
            id: &self.id,
            a: self.a,
            b: self.b,
            verdict: self.verdict,
            contained: self.contained,
            point: self.point,
            face_pairs: self.face_pairs,
            distance: self.distance,
            penetration: self.penetration,
            limited_by_thickness: self.limited_by_thickness,
            at_work_limit: self.at_work_limit,
            volume: self.volume.map(|[volume, _]| volume),
            volume_error: self.volume.map(|[_, error]| error),
            volume_estimated: self.volume_estimated,
            estimated: self.estimated,
            separation: self.depth,
            depth: self.depth,
            time: self.time,
            direction: self.direction,
            bounds: self.bounds.map(|[min, max]| BoxDocument { min, max }),
            closest: self.closest,
            duration: self.duration,
            moment: self.moment,
            sampled: self.sampled,
            status: self.status,
            group: None,
            severity: self.severity,
            review: self.review.as_ref(),
            curve: with_places.then(|| {
                let lines = self.curve.iter();
                lines.map(|line| PolylineDocument { points: &line.points, closed: line.closed }).collect()
            }),
            faces_a: with_places.then_some(&self.faces_a),
            faces_b: with_places.then_some(&self.faces_b),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::sample;

    #[test]
    fn the_document_is_what_the_contract_says() {
        let report = sample::two_boxes();
        let found: Value = serde_json::from_str(&report.json().unwrap()).unwrap();
        let expected = json!({
            "schema": 1, "kind": "clash", "title": "two boxes", "partial": false, "unit": "mm", "notes": [], "left_out": 0, "unknown": [],
            "parts": [
                {"index": 0, "name": "left", "path": "scene/left", "names": "scene/left"},
                {"index": 1, "name": "right", "path": "scene/right", "names": "scene/right"},
            ],
            "clashes": [{
                "id": report.clashes[0].id, "a": 0, "b": 1, "verdict": "overlapping", "contained": null,
                "point": [0.5, 0.25, 0.0], "face_pairs": 8, "distance": 0.0, "penetration": [0.2, 0.202], "limited_by_thickness": false, "at_work_limit": false, "volume": null, "volume_error": null, "volume_estimated": false, "estimated": false, "separation": 0.25, "depth": 0.25, "time": null,
                "direction": [1.0, 0.0, 0.0], "box": {"min": [0.25, 0.25, -0.5], "max": [0.5, 0.5, 0.5]},
                "closest": null, "duration": null, "moment": null, "sampled": false, "status": null,
            }],
        });
        assert_eq!(found, expected);
        // The fields that must never be renamed come first, in the contract's order.
        let text = report.json().unwrap();
        let places =
            ["schema", "partial", "unit", "parts", "clashes"].map(|key| text.find(&format!("\"{key}\":")));
        assert!(places.is_sorted() && places[0] == Some(1));
    }

    #[test]
    fn places_are_written_on_demand() {
        let report = sample::two_boxes();
        let found: Value = serde_json::from_str(&report.json_with_places().unwrap()).unwrap();
        let clash = &found["clashes"][0];
        assert_eq!(clash["faces_a"], json!([3, 5]));
        assert_eq!(clash["faces_b"], json!([2, 4]));
        assert_eq!(clash["curve"][0]["closed"], json!(true));
        assert_eq!(clash["curve"][0]["points"][1], json!([0.5, 0.25, -0.5]));
    }

    #[test]
    fn words_are_those_of_the_types() {
        for verdict in Verdict::ALL {
            assert_eq!(json!(verdict), json!(verdict.name()));
        }
        for side in [Side::A, Side::B] {
            assert_eq!(json!(side), json!(side.name()));
        }
        for status in [Status::New, Status::Active, Status::Resolved] {
            assert_eq!(json!(status), json!(status.name()));
        }
    }

    #[test]
    fn clashes_are_sorted_by_parts() {
        let mut report = sample::two_boxes();
        report.parts.push(report.parts[1].clone());
        report.clashes = vec![
            Clash::new(1, 2, Verdict::Duplicate),
            Clash::new(0, 2, Verdict::Near),
            Clash { contained: Some(Side::B), ..Clash::new(0, 1, Verdict::Inside) },
        ];
        let found: Value = serde_json::from_str(&report.json().unwrap()).unwrap();
        let pairs: Vec<_> = (0..3).map(|i| [&found["clashes"][i]["a"], &found["clashes"][i]["b"]]).collect();
        assert_eq!(json!(pairs), json!([[0, 1], [0, 2], [1, 2]]));
        assert_eq!(found["clashes"][0]["contained"], json!("b"));
    }
}
