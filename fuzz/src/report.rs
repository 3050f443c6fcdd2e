//! A report that is made from any bytes: every output is well formed, or the report is refused.

use impinge_report::{Baseline, Clash, IDENTITY, Identity, Model, Part, Report, Verdict};

/// Bytes as numbers and text; those that are missing are 0.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut taken = [0; N];
        let count = N.min(self.0.len());
        taken[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        taken
    }

    fn below(&mut self, count: usize) -> usize {
        usize::from(self.take::<1>()[0]) % count
    }

    fn number(&mut self) -> f64 {
        match self.below(4) {
            0 => f64::from_le_bytes(self.take()),
            _ => f64::from(i16::from_le_bytes(self.take())) / 64.0,
        }
    }

    fn point(&mut self) -> [f64; 3] {
        [self.number(), self.number(), self.number()]
    }

    fn text(&mut self) -> String {
        let length = self.below(40).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}

pub fn report(bytes: &[u8]) {
    // As text, too: a baseline is read from a file.
    if let Err(error) = Baseline::read(&String::from_utf8_lossy(bytes)) {
        assert!(!error.to_string().is_empty());
    }
    let mut bytes = Bytes(bytes);
    let parts = 1 + bytes.below(5);
    let mut report = Report { title: bytes.text(), unit: bytes.text(), ..Report::default() };
    report.models.push(Model {
        positions: (0..3).map(|_| bytes.point()).collect(),
        triangles: vec![[0, 1, bytes.below(4) as u32]],
        faces: vec![],
    });
    for _ in 0..parts {
        let mut world_from_model = IDENTITY;
        world_from_model[bytes.below(16)] = bytes.number();
        let model = (bytes.below(4) > 0).then(|| bytes.below(16) / 15);
        let identity = Identity { names: bytes.text(), ..Identity::default() };
        report.parts.push(Part {
            name: bytes.text(),
            path: bytes.text(),
            model,
            world_from_model,
            identity,
            closed: None,
        });
    }
    let verdicts =
        [Verdict::Duplicate, Verdict::Overlapping, Verdict::Inside, Verdict::Touching, Verdict::Near];
    for _ in 0..bytes.below(6) {
        let mut clash = Clash::new(bytes.below(parts + 1), bytes.below(parts + 1), verdicts[bytes.below(5)]);
        clash.point = (bytes.below(2) > 0).then(|| bytes.point());
        clash.distance = bytes.number();
        clash.depth = (bytes.below(2) > 0).then(|| bytes.number());
        report.clashes.push(clash);
    }
    report.notes = (0..bytes.below(3)).map(|_| bytes.text()).collect();
    if report.check().is_err() {
        // Refused by all, not by some.
        assert!(report.json().is_err() && report.csv().is_err() && report.table().is_err());
        assert!(report.plain_html().is_err());
        return;
    }
    report.name_clashes();
    check(&report);
}

fn check(report: &Report) {
    let json = report.json().expect("checked");
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["clashes"].as_array().map(Vec::len), Some(report.clashes.len()));
    let baseline = Baseline::read(&json).expect("what was written can be read");
    let mut again = report.clone();
    again.compare(&baseline);
    assert_eq!(again.resolved.as_ref().map(Vec::len), Some(0), "nothing changed");
    assert!(report.csv().expect("checked").lines().count() > report.clashes.len());
    let table = report.table().expect("checked");
    assert!(!table.chars().any(|letter| letter.is_control() && letter != '\n'), "{table:?}");
    // No name becomes an element of the page.
    let html = report.plain_html().expect("checked");
    let named = Report { title: "x".to_owned(), ..Report::default() };
    let scripts = |page: &str| page.to_lowercase().matches("<script").count();
    assert_eq!(scripts(&html), scripts(&named.plain_html().expect("empty")), "{html}");
}
