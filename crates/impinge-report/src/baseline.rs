//! An earlier run's JSON document, to tell what is new and what is gone.

use std::collections::HashSet;

use serde_json::Value;

use crate::report::{Point, Report, Resolved, Status, Verdict};

/// The clashes of an earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    clashes: Vec<Resolved>,
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
        let partial = document.get("partial").and_then(Value::as_bool).unwrap_or(false);
        Ok(Baseline { clashes: clashes.collect::<Result<_, _>>()?, partial })
    }
}

fn list<'v>(document: &'v Value, name: &str) -> Result<&'v [Value], BaselineError> {
    let place = format!("/{name}");
    let value = document.get(name).ok_or_else(|| refuse(&place, "is missing"))?;
    value.as_array().map(Vec::as_slice).ok_or_else(|| refuse(&place, "is not a list"))
}

fn read_clash(clash: &Value, index: usize, parts: &[Value]) -> Result<Resolved, BaselineError> {
    let place = |field: &str| format!("/clashes/{index}/{field}");
    let text = |field: &str| {
        let value = clash.get(field).and_then(Value::as_str);
        value.ok_or_else(|| refuse(place(field), "is not a text"))
    };
    let word = text("verdict")?;
    let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.name() == word);
    let verdict = verdict.ok_or_else(|| refuse(place("verdict"), format!("{word:?} is not a verdict")))?;
    let part = |field: &str| -> Result<[String; 2], BaselineError> {
        let value = clash.get(field).and_then(Value::as_u64);
        let number = value.ok_or_else(|| refuse(place(field), "is not the index of a part"))?;
        let part = usize::try_from(number).ok().and_then(|number| parts.get(number));
        let part = part.ok_or_else(|| {
            refuse(place(field), format!("index {number} names no part: there are {}", parts.len()))
        })?;
        let text = |field: &str| part.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok([text("name"), text("path")])
    };
    let ([name_a, path_a], [name_b, path_b]) = (part("a")?, part("b")?);
    Ok(Resolved {
        id: text("id")?.to_owned(),
        verdict,
        names: [name_a, name_b],
        paths: [path_a, path_b],
        point: clash.get("point").and_then(read_point),
    })
}

fn read_point(value: &Value) -> Option<Point> {
    let [x, y, z] = value.as_array()?.as_slice() else { return None };
    Some([x.as_f64()?, y.as_f64()?, z.as_f64()?])
}

impl Report {
    /// Marks each clash as new or active, and lists those of the baseline that are gone. The clashes must have their ids.
    ///
    /// Where this report is partial, nothing is said to be resolved: the clash may be among those not looked for. Where the
    /// baseline was partial, a note says that not all that is called new need be so.
    pub fn compare(&mut self, baseline: &Baseline) {
        let before: HashSet<&str> = baseline.clashes.iter().map(|clash| clash.id.as_str()).collect();
        for clash in &mut self.clashes {
            let known = before.contains(clash.id.as_str());
            clash.status = Some(if known { Status::Active } else { Status::New });
        }
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

#[cfg(test)]
mod tests {
    use super::*;
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
