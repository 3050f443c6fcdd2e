//! An earlier run's JSON document, to tell what is new and what is gone.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;

use crate::identity::{Known, matched};
use crate::report::{Point, Report, Resolved, Status, Verdict};

/// The clashes of an earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    clashes: Vec<Resolved>,
    /// The parts of each clash, as indices into `parts`.
    pairs: Vec<[usize; 2]>,
    parts: Vec<Known>,
    /// Ids of groups and of their members.
    pub(crate) groups: Vec<(String, Vec<String>)>,
    partial: bool,
}

/// Text that is not the JSON document of a clash report: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct BaselineError {
    /// A line and a column, or the value as a JSON pointer.
    pub place: String,
    /// What is wrong there.
    pub reason: String,
}

fn refuse(place: impl Into<String>, reason: impl Into<String>) -> BaselineError {
    BaselineError { place: place.into(), reason: reason.into() }
}

impl Baseline {
    /// Reads what [`Report::json`] wrote; fields that it does not know do not matter.
    pub fn read(json: &str) -> Result<Baseline, BaselineError> {
        let document: Value = serde_json::from_str(json).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default();
            refuse(format!("line {}, column {}", error.line(), error.column()), reason)
        })?;
        match document.get("schema") {
            Some(Value::Number(schema)) if schema.as_u64() == Some(u64::from(crate::SCHEMA)) => {}
            Some(other) => return Err(refuse("/schema", format!("{other} is not a schema that is known"))),
            None => return Err(refuse("/schema", "is missing: this is no report")),
        }
        let parts = list(&document, "parts")?;
        let clashes = list(&document, "clashes")?;
        let clashes = clashes.iter().enumerate().map(|(index, clash)| read_clash(clash, index, parts));
        let (clashes, pairs) = clashes.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let parts = parts.iter().map(read_part).collect();
        let partial = document.get("partial").and_then(Value::as_bool).unwrap_or(false);
        let groups = document.get("groups").and_then(Value::as_array);
        let groups = groups.into_iter().flatten().filter_map(read_group).collect();
        Ok(Baseline { clashes, pairs, parts, groups, partial })
    }
}

fn list<'v>(document: &'v Value, name: &str) -> Result<&'v [Value], BaselineError> {
    let place = format!("/{name}");
    let value = document.get(name).ok_or_else(|| refuse(&place, "is missing"))?;
    value.as_array().map(Vec::as_slice).ok_or_else(|| refuse(&place, "is not a list"))
}

/// What a part is known by. Documents of before there were such fields have its name, mostly.
fn read_part(part: &Value) -> Known {
    let text = |field: &str| part.get(field).and_then(Value::as_str);
    let shape = text("shape").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    // The first of these that there is; nodes of a scene were called by their names alone.
    let names = text("names").or_else(|| text("name")).or_else(|| text("path")).unwrap_or_default();
    Known { names: names.to_owned(), shape, place: part.get("place").and_then(read_point) }
}

/// The id of a group and those of its members. Documents of before there were groups have none.
fn read_group(group: &Value) -> Option<(String, Vec<String>)> {
    let members = group.get("members")?.as_array()?.iter().filter_map(Value::as_str);
    Some((group.get("id")?.as_str()?.to_owned(), members.map(str::to_owned).collect()))
}

fn read_clash(clash: &Value, index: usize, parts: &[Value]) -> Result<(Resolved, [usize; 2]), BaselineError> {
    let place = |field: &str| format!("/clashes/{index}/{field}");
    let text = |field: &str| {
        let value = clash.get(field).and_then(Value::as_str);
        value.ok_or_else(|| refuse(place(field), "is not a text"))
    };
    let word = text("verdict")?;
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.name() == word);
    let verdict = verdict.ok_or_else(|| refuse(place("verdict"), format!("{word:?} is not a verdict")))?;
    let part = |field: &str| -> Result<(usize, [String; 2]), BaselineError> {
        let value = clash.get(field).and_then(Value::as_u64);
        let number = value.ok_or_else(|| refuse(place(field), "is not the index of a part"))?;
        let part = usize::try_from(number).ok().and_then(|number| Some((number, parts.get(number)?)));
        let (number, part) = part.ok_or_else(|| {
            refuse(place(field), format!("index {number} names no part: there are {}", parts.len()))
        })?;
        let text = |field: &str| part.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok((number, [text("name"), text("path")]))
    };
    let ((a, [name_a, path_a]), (b, [name_b, path_b])) = (part("a")?, part("b")?);
    let resolved = Resolved {
        id: text("id")?.to_owned(),
        verdict,
        names: [name_a, name_b],
        paths: [path_a, path_b],
        point: clash.get("point").and_then(read_point),
    };
    Ok((resolved, [a, b]))
}

fn read_point(value: &Value) -> Option<Point> {
    let [x, y, z] = value.as_array()?.as_slice() else { return None };
    Some([x.as_f64()?, y.as_f64()?, z.as_f64()?])
}

impl Report {
    /// Marks each clash as new or active, and lists those of the baseline that are gone. The clashes must have their ids; those that the
    /// baseline has inherit its ids.
    ///
    /// Parts are found again by their names inside of the scene, then by shape, then by nearest place: wherever the files lie,
    /// although parts have moved, and although others with the same names have come or gone. A clash is the same where both parts are.
    ///
    /// Where this report is partial, nothing is said to be resolved: the clash may be among those not looked for. Where the
    /// baseline was partial, a note says that not all that is called new need be so.
    pub fn compare(&mut self, baseline: &Baseline) {
        self.inherit_ids(baseline);
        let now: HashSet<&str> = self.clashes.iter().map(|clash| clash.id.as_str()).collect();
        let gone = baseline.clashes.iter().filter(|clash| !now.contains(clash.id.as_str()));
        self.resolved = Some(if self.partial { Vec::new() } else { gone.cloned().collect() });
        if self.partial {
            self.notes.push("the search is partial, so no clash is called resolved".to_owned());
        }
        if baseline.partial {
            self.notes.push("the baseline is partial, so clashes that are called new may be old".to_owned());
        }
    }
}

impl Report {
    /// Gives clashes that the baseline has its ids, and all their statuses.
    fn inherit_ids(&mut self, baseline: &Baseline) {
        let new_of = matched(&baseline.parts, &self.parts);
        let mut before: HashMap<[usize; 2], VecDeque<&str>> = HashMap::new();
        for (clash, pair) in baseline.clashes.iter().zip(&baseline.pairs) {
            if let [Some(a), Some(b)] = pair.map(|part| new_of[part]) {
                before.entry([a.min(b), a.max(b)]).or_default().push_back(&clash.id);
            }
        }
        let mut used: HashSet<String> = baseline.clashes.iter().map(|clash| clash.id.clone()).collect();
        let mut order: Vec<usize> = (0..self.clashes.len()).collect();
        order.sort_by(|&i, &j| self.clashes[i].place_in_list(&self.clashes[j]));
        for index in order {
            let clash = &mut self.clashes[index];
            // Of several clashes of the same parts, such as at different times, the first is the first.
            if let Some(id) = before.get_mut(&[clash.a, clash.b]).and_then(VecDeque::pop_front) {
                clash.status = Some(Status::Active);
                clash.id = id.to_owned();
                continue;
            }
            clash.status = Some(Status::New);
            // An id of the baseline is that clash's for good, also when another stands where it was.
            let own = clash.id.clone();
            let mut count = 1;
            while !used.insert(clash.id.clone()) {
                count += 1;
                clash.id = format!("{own}-{count}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;
    use crate::report::Clash;
    use crate::sample;

    fn three_clashes() -> Report {
        let mut report = sample::two_boxes();
        report.parts.push(report.parts[1].clone());
        report.parts[2].path = "scene/bolt".to_owned();
        report.parts[2].name = "bolt".to_owned();
        report.clashes.push(Clash { point: Some([1.0, 2.0, 3.0]), ..Clash::new(0, 2, Verdict::Touching) });
        report.clashes.push(Clash::new(1, 2, Verdict::Near));
        report.name_clashes();
        report
    }

    #[test]
    fn new_active_and_resolved_are_told_apart() {
        let old = three_clashes();
        let baseline = Baseline::read(&old.json().unwrap()).unwrap();
        let mut new = three_clashes();
        // A new part shifts the others, the first clash changes its verdict, the second is gone, a third comes.
        new.parts.insert(0, sample::two_boxes().parts[0].clone());
        new.parts[0].path = "scene/new".to_owned();
        let same = Clash::new(1, 2, Verdict::Inside);
        let come = Clash::new(0, 3, Verdict::Near);
        let left = Clash::new(2, 3, Verdict::Near);
        new.clashes = vec![same, come, left];
        new.name_clashes();
        new.compare(&baseline);
        let statuses: Vec<_> = new.clashes.iter().map(|clash| clash.status).collect();
        assert_eq!(statuses, [Some(Status::Active), Some(Status::New), Some(Status::Active)]);
        let resolved = new.resolved.clone().unwrap();
        assert_eq!(resolved.len(), 1);
        assert_eq!(resolved[0].id, old.clashes[1].id);
        assert_eq!(resolved[0].names, ["left", "bolt"]);
        assert_eq!(resolved[0].paths, ["scene/left", "scene/bolt"]);
        assert_eq!(resolved[0].point, Some([1.0, 2.0, 3.0]));
        // What was resolved is not in the next baseline.
        assert_eq!(Baseline::read(&new.json().unwrap()).unwrap().clashes.len(), 3);
    }

    /// A base with three bolts of one name in it, which an older report called by the folder of its time.
    fn bolts(folder: &str, places: &[f64]) -> Report {
        let mut report = sample::two_boxes();
        let bolt = report.parts.remove(1);
        report.parts[0].identity =
            Identity { names: "base".to_owned(), shape: Some(1), place: Some([0.0; 3]), size: 40.0 };
        report.clashes.clear();
        for (number, x) in places.iter().enumerate() {
            let mut bolt = bolt.clone();
            bolt.name = "bolt".to_owned();
            bolt.identity =
                Identity { names: "bolt".to_owned(), shape: Some(2), place: Some([*x, 0.0, 0.0]), size: 1.0 };
            report.parts.push(bolt);
            report.clashes.push(Clash::new(0, number + 1, Verdict::Overlapping));
        }
        report.parts.iter_mut().for_each(|part| part.path = format!("{folder}/{}", part.name));
        report.name_clashes();
        report
    }

    fn ids(report: &Report) -> Vec<&str> {
        report.clashes.iter().map(|clash| clash.id.as_str()).collect()
    }

    #[test]
    fn ids_do_not_depend_on_where_files_lie_nor_on_who_stands_in_front() {
        let old = bolts("yesterday", &[0.0, 10.0, 20.0]);
        assert_eq!(ids(&old), ids(&bolts("today", &[0.0, 10.0, 20.0])));
        assert_eq!(ids(&old), ids(&bolts("today", &[5.0, 0.0, 10.0, 20.0]))[1..]);
    }

    #[test]
    fn clashes_of_parts_that_moved_inherit_their_ids() {
        let old = bolts("yesterday", &[0.0, 10.0, 20.0]);
        let baseline = Baseline::read(&old.json().unwrap()).unwrap();
        // All moved, so far that their own ids differ, and one more in front.
        let mut new = bolts("today", &[15.0, 0.3, 10.3, 19.7]);
        assert!(ids(&new)[1..].iter().zip(ids(&old)).all(|(new, old)| *new != old));
        new.compare(&baseline);
        assert_eq!(ids(&new)[1..], ids(&old));
        let statuses: Vec<_> = new.clashes.iter().map(|clash| clash.status.unwrap()).collect();
        assert_eq!(statuses, [Status::New, Status::Active, Status::Active, Status::Active]);
        assert_eq!(new.resolved, Some(Vec::new()));
        // From run to run, by way of each other's documents.
        let mut next = bolts("tomorrow", &[0.6, 10.6, 19.4]);
        next.compare(&Baseline::read(&new.json().unwrap()).unwrap());
        assert_eq!(ids(&next), ids(&old));
        assert_eq!(next.resolved.as_ref().map(Vec::len), Some(1));
    }

    #[test]
    fn ids_of_a_baseline_are_not_given_to_others() {
        let old = bolts("yesterday", &[0.0]);
        let mut new = bolts("today", &[0.0]);
        // Where the bolt was there now is another thing that hashes to the same id.
        let baseline = Baseline::read(
            &old.json()
                .unwrap()
                .replace("\"bolt\"", "\"nut\"")
                .replace("\"shape\":\"0000000000000002\"", "\"shape\":\"0000000000000003\""),
        )
        .unwrap();
        new.compare(&baseline);
        assert_eq!(new.clashes[0].status, Some(Status::New));
        assert_eq!(new.clashes[0].id, format!("{}-2", old.clashes[0].id));
        assert_eq!(new.resolved.as_ref().map(|gone| gone[0].id.clone()), Some(old.clashes[0].id.clone()));
    }

    #[test]
    fn baselines_of_before_have_names_only() {
        let old = bolts("yesterday", &[0.0]);
        let mut document: Value = serde_json::from_str(&old.json().unwrap()).unwrap();
        for part in document["parts"].as_array_mut().unwrap() {
            let part = part.as_object_mut().unwrap();
            part.retain(|field, _| !matches!(field.as_str(), "names" | "shape" | "place"));
        }
        document["clashes"][0]["id"] = "0123".into();
        document["parts"][0]["name"] = "base".into();
        let mut new = bolts("today", &[0.5]);
        new.compare(&Baseline::read(&document.to_string()).unwrap());
        assert_eq!(ids(&new), ["0123"]);
    }

    #[test]
    fn partial_runs_are_not_taken_for_whole_ones() {
        let old = three_clashes();
        let mut partial = three_clashes();
        partial.clashes.truncate(1);
        partial.partial = true;
        partial.compare(&Baseline::read(&old.json().unwrap()).unwrap());
        assert_eq!(partial.resolved, Some(Vec::new()));
        assert_eq!(partial.notes.len(), 1);

        let mut whole = three_clashes();
        whole.compare(&Baseline::read(&partial.json().unwrap()).unwrap());
        assert_eq!(whole.notes, ["the baseline is partial, so clashes that are called new may be old"]);
    }

    #[test]
    fn errors_name_the_place() {
        let cases = [
            ("", "line 1, column 0: EOF while parsing a value"),
            ("{\n\"schema\": 1,,", "line 2, column 13: key must be a string"),
            ("[]", "/schema: is missing: this is no report"),
            (r#"{"schema":2}"#, "/schema: 2 is not a schema that is known"),
            (r#"{"schema":1,"parts":[]}"#, "/clashes: is missing"),
            (r#"{"schema":1,"parts":{},"clashes":[]}"#, "/parts: is not a list"),
            (r#"{"schema":1,"parts":[],"clashes":[7]}"#, "/clashes/0/verdict: is not a text"),
            (
                r#"{"schema":1,"parts":[],"clashes":[{"verdict":"clear"}]}"#,
                "/clashes/0/verdict: \"clear\" is not a verdict",
            ),
            (
                r#"{"schema":1,"parts":[{}],"clashes":[{"verdict":"near","a":0,"b":1}]}"#,
                "/clashes/0/b: index 1 names no part: there are 1",
            ),
            (
                r#"{"schema":1,"parts":[{},{}],"clashes":[{"verdict":"near","a":0,"b":1}]}"#,
                "/clashes/0/id: is not a text",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(Baseline::read(text).unwrap_err().to_string(), expected);
        }
    }
}
