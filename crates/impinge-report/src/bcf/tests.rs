use std::io::Read;

use zip::ZipArchive;

use super::*;
use crate::report::{Clash, Verdict};
use crate::review::{Comment, Review, Severity};
use crate::reviews::Reviews;
use crate::sample;
use crate::snapshot::Snapshots;

fn options(version: BcfVersion) -> BcfOptions {
    BcfOptions {
        version,
        date: "2024-02-03T04:05:06Z".to_owned(),
        author: "impinge".to_owned(),
        meters: 0.001,
    }
}

/// A single and a run, with names that want escaping and one of IFC.
fn report() -> Report {
    let mut report = sample::two_boxes();
    report.parts[0].name = "b/IfcWall/a <wall> & more/0DyViLJJ175RvWQi1rE7a6".to_owned();
    for number in 2..5 {
        let mut part = report.parts[1].clone();
        (part.name, part.path) = (format!("bolt {number}"), format!("scene/bolt {number}"));
        report.parts.push(part);
        report.clashes.push(Clash::new(0, number, Verdict::Touching));
    }
    report.clashes[0].severity = Some(Severity::Critical);
    report.name_clashes();
    report.group_clashes();
    report
}

fn files(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = zip.len();
    let read = |index| {
        let mut file = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        (file.name().unwrap().into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

fn text<'f>(files: &'f [(String, Vec<u8>)], name: &str) -> &'f str {
    let file = files.iter().find(|(known, _)| known == name).expect("the file is there");
    str::from_utf8(&file.1).unwrap()
}

#[test]
fn a_topic_for_each_group() {
    for version in [BcfVersion::V2, BcfVersion::V3] {
        let report = report();
        let groups = report.groups.as_deref().unwrap();
        let snapshots = Snapshots::new(&report);
        let pictures: Vec<_> = groups.iter().map(|group| snapshots.png(group)).collect();
        let bytes = report.bcf(&options(version), &pictures).unwrap();
        assert_eq!(bytes, report.bcf(&options(version), &pictures).unwrap(), "always the same");
        let files = files(&bytes);
        assert_eq!(files.len(), 1 + usize::from(version == BcfVersion::V3) + 3 * groups.len());
        let folder = crate::guid::topic_guid(&groups[0].id);
        let markup = text(&files, &format!("{folder}/markup.bcf"));
        let title = "<Title>a &lt;wall&gt; &amp; more × right: overlapping, depth 0.202 mm</Title>";
        assert!(markup.contains(title), "{markup}");
        assert!(markup.contains("<Priority>Critical</Priority>") && markup.contains("TopicStatus=\"Open\""));
        let run = text(&files, &format!("{}/markup.bcf", crate::guid::topic_guid(&groups[1].id)));
        assert!(run.contains("× bolt 2 and 2 more: touching</Title>"), "{run}");
        let viewpoint = text(&files, &format!("{folder}/viewpoint.bcfv"));
        assert!(viewpoint.contains("<Component IfcGuid=\"0DyViLJJ175RvWQi1rE7a6\"/>"), "{viewpoint}");
        assert!(viewpoint.contains("<AuthoringToolId>scene/right</AuthoringToolId>"), "{viewpoint}");
        // Of millimeters: the camera is some of them away.
        let x = viewpoint.split("<CameraViewPoint>").nth(1).unwrap().split("<X>").nth(1).unwrap();
        let x: f64 = x.split("</X>").next().unwrap().parse().unwrap();
        assert!(x.abs() < 0.02, "{x}");
        assert_eq!(Reviews::read_bcf(&bytes).unwrap().len(), groups.len());
    }
}

#[test]
fn what_people_said_comes_back() {
    let comment = |guid: Option<&str>, text: &str| Comment {
        guid: guid.map(str::to_owned),
        author: Some("ann@example.com".to_owned()),
        date: Some("2024-03-01T10:00:00+01:00".to_owned()),
        text: text.to_owned(),
    };
    let review = Review {
        status: Some("In progress".to_owned()),
        assignee: Some("bob <bob@example.com>".to_owned()),
        comments: vec![
            comment(Some("0a0a0a0a-0000-4000-8000-00000000000a"), "Move it & see\nsecond line"),
            comment(None, "<ok>"),
        ],
    };
    for version in [BcfVersion::V2, BcfVersion::V3] {
        let mut first = report();
        for group in first.groups.iter_mut().flatten() {
            group.review = Some(review.clone());
        }
        let bytes = first.bcf(&options(version), &[]).unwrap();
        let mut second = report();
        assert_eq!(second.merge(&Reviews::read_bcf(&bytes).unwrap()), 0);
        for group in second.groups.iter().flatten() {
            let back = group.review.as_ref().unwrap();
            assert_eq!((&back.status, &back.assignee), (&review.status, &review.assignee));
            assert_eq!(back.comments[0], review.comments[0]);
            let [_, made] = back.comments.as_slice() else { panic!("two comments") };
            assert_eq!(Comment { guid: None, ..made.clone() }, review.comments[1]);
        }
        // And on, byte for byte.
        assert_eq!(second.bcf(&options(version), &[]).unwrap(), bytes);
    }
}

fn zipped(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = Zip(ZipWriter::new(Cursor::new(Vec::new())));
    files.iter().for_each(|(name, text)| zip.add(name, text.as_bytes()).unwrap());
    zip.0.finish().unwrap().into_inner()
}

#[test]
fn files_of_other_tools_are_read() {
    let markup = "\u{feff}<?xml version=\"1.0\"?><m:Markup xmlns:m=\"x\"><Header/><m:Topic Guid='ABCDEF00-0000-4000-8000-000000000001' \
                  TopicStatus='Closed'><Title>t</Title><AssignedTo><![CDATA[a&b]]></AssignedTo><RelatedTopic Guid='0'/></m:Topic>\
                  <Comment Guid='2'><Date>2024-01-02T00:00:00</Date><Author>x</Author><Comment>later &#x263a;</Comment>\
                  <Topic Guid='3'/></Comment><Comment Guid='1'><Date>2024-01-01T00:00:00</Date><Comment>earlier</Comment></Comment>\
                  <Viewpoints Guid='9'><Viewpoint>v</Viewpoint></Viewpoints></m:Markup>";
    let bytes = zipped(&[
        ("bcf.version", "<Version VersionId=\"2.0\"/>"),
        ("x/markup.bcf", markup),
        ("project.bcfp", "?"),
    ]);
    let reviews = Reviews::read_bcf(&bytes).unwrap();
    let debug = format!("{reviews:?}");
    assert!(debug.contains("abcdef00-0000-4000-8000-000000000001"), "{debug}");
    let order = ["status: Some(\"Closed\")", "assignee: Some(\"a&b\")", "earlier", "later ☺"]
        .map(|word| debug.find(word));
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{debug}");
}

#[test]
fn what_is_no_bcf_is_refused_by_place() {
    let version = ("bcf.version", "<Version VersionId=\"2.1\"/>");
    let cases: [(Vec<u8>, &str); 8] = [
        (Vec::new(), "the zip file: "),
        (b"PK\x03\x04nonsense".to_vec(), "the zip file: "),
        (zipped(&[("a", "b")]), "bcf.version: "),
        (zipped(&[("bcf.version", "<Version VersionId=\"1.0\"/>")]), "bcf.version: version 1.0 is none of"),
        (zipped(&[("bcf.version", "<Ver")]), "bcf.version: "),
        (
            zipped(&[version, ("t/markup.bcf", "<Markup><Topic/></Markup>")]),
            "t/markup.bcf: there is no Topic with a Guid",
        ),
        (zipped(&[version, ("t/markup.bcf", "<Markup><Topic Guid='1'>")]), "t/markup.bcf: "),
        (zipped(&[version, ("t/markup.bcf", "<Markup>&bomb;</Markup>")]), "t/markup.bcf: "),
    ];
    for (bytes, expected) in cases {
        let error = Reviews::read_bcf(&bytes).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{expected}: {error}");
    }
    // Cut off anywhere and changed anywhere, it is refused or read, and nothing worse.
    let whole = report().bcf(&options(BcfVersion::V2), &[]).unwrap();
    for cut in (0..whole.len()).step_by(149) {
        let _ = Reviews::read_bcf(&whole[..cut]);
        let mut changed = whole.clone();
        changed[cut] ^= 0x55;
        let _ = Reviews::read_bcf(&changed);
    }
}
