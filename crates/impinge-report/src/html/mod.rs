//! One file with everything: the data, the page that shows them, and nothing from elsewhere.

mod clashes;
mod data;
mod packed;
mod plain;
mod shape;

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::check::Invalid;
use crate::json;
use crate::report::Report;

/// The page as the build script made it; empty where it could not.
const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.js"));
const STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.css"));

/// Whether the page was built, so that [`Report::html`] has the 3D view.
pub const HAS_PICTURES: bool = !SCRIPT.is_empty();

impl Report {
    /// A page with a list of the clashes and a 3D view, in one file that needs no network.
    ///
    /// Where the page could not be built, it is [`Report::plain_html`].
    pub fn html(&self) -> Result<String, Invalid> {
        if !HAS_PICTURES {
            return self.plain_html();
        }
        self.check()?;
        // Nothing may be loaded from anywhere, whatever the data say; only a live page asks its own server.
        let connect = if self.live { "'self'" } else { "'none'" };
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; \
             style-src 'unsafe-inline'; img-src data:; connect-src {connect}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <noscript>This page needs a browser that runs scripts.</noscript>\n<div id=\"app\">Opening…</div>\n",
            title = escaped(&self.heading()),
        );
        let mut data = String::new();
        json::write(&mut InScript(&mut data), &data::PageData::new(self))?;
        if data.len() > MOST_PLAIN_BYTES {
            page += "<script type=\"text/plain\" id=\"report\" data-packed=\"deflate\">";
            page += &deflated(&data);
        } else {
            page += "<script type=\"application/json\" id=\"report\">";
            page += &data;
        }
        page += "</script>\n<script type=\"module\">";
        page += SCRIPT;
        page += "</script>\n</body>\n</html>\n";
        Ok(page)
    }

    /// What stands at the top of a page.
    fn heading(&self) -> String {
        if self.title.is_empty() { "impinge".to_owned() } else { format!("{} – impinge", self.title) }
    }
}

/// Data of more bytes are compressed; fewer can be read by anybody who opens the file.
const MOST_PLAIN_BYTES: usize = 4 << 20;

/// A zlib stream in base64, which browsers unpack by themselves.
fn deflated(text: &str) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Memory takes all that is written to it.
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    STANDARD.encode(written.unwrap_or_default())
}

/// Text as it may stand between tags and in quoted attributes.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}

/// Takes JSON as it may stand in a script element: no tag can begin, neither `</script>` nor `<!--`. In JSON the sign stands in
/// strings only.
struct InScript<'p>(&'p mut String);

impl io::Write for InScript<'_> {
    fn write(&mut self, json: &[u8]) -> io::Result<usize> {
        // What is written at once is always whole: strings, and what is between them.
        let json = std::str::from_utf8(json).map_err(io::Error::other)?;
        for (index, piece) in json.split('<').enumerate() {
            if index > 0 {
                self.0.push_str("\\u003c");
            }
            self.0.push_str(piece);
        }
        Ok(json.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    const HOSTILE: &str =
        "</script><script>alert(1)</script><!-- \" ' & <img src=x onerror=alert(2)> ${x} \u{2028}";

    fn hostile() -> Report {
        let mut report = sample::two_boxes();
        report.title = HOSTILE.to_owned();
        report.unit = HOSTILE.to_owned();
        report.notes = vec![HOSTILE.to_owned()];
        report.parts[0].name = HOSTILE.to_owned();
        report.parts[1].path = HOSTILE.to_owned();
        report.name_clashes();
        report
    }

    #[test]
    fn names_cannot_leave_their_place() {
        let report = hostile();
        let plain = report.plain_html().unwrap();
        assert!(!plain.contains("<script") && !plain.contains("<img"));
        let page = report.html().unwrap();
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x"));
        if HAS_PICTURES {
            let (_, rest) = page.split_once("id=\"report\">").unwrap();
            let (data, _) = rest.split_once("</script>").unwrap();
            assert!(!data.contains('<'));
            let data: serde_json::Value = serde_json::from_str(data).unwrap();
            assert_eq!(data["title"], HOSTILE);
            assert_eq!(data["parts"]["names"][0], HOSTILE);
        }
    }

    #[test]
    fn large_data_are_compressed_and_come_back_whole() {
        use std::io::Read;
        let mut report = sample::two_boxes();
        report.notes = vec![HOSTILE.repeat(60_000), HOSTILE.to_owned()];
        let page = report.html().unwrap();
        if HAS_PICTURES {
            assert!(page.len() < MOST_PLAIN_BYTES, "{}", page.len());
            let (_, rest) = page.split_once("id=\"report\" data-packed=\"deflate\">").unwrap();
            let (data, _) = rest.split_once("</script>").unwrap();
            let packed = STANDARD.decode(data).unwrap();
            let mut text = String::new();
            flate2::read::ZlibDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
            let data: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(data["notes"][0].as_str(), Some(report.notes[0].as_str()));
            assert_eq!(data["notes"][1], HOSTILE);
        }
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for page in [sample::two_boxes().html().unwrap(), sample::two_boxes().plain_html().unwrap()] {
            for reference in ["src=\"http", "href=\"http", "url(http", "@import", "src=\"//"] {
                assert!(!page.contains(reference), "{reference}");
            }
        }
    }
}
