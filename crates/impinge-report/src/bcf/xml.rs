//! XML as text, in the little that BCF needs.

use std::fmt::Write;

/// A document that grows, with an indent for each element that is open.
pub(super) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

impl Xml {
    pub(super) fn new() -> Xml {
        Xml { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), open: Vec::new() }
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.open.len()));
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        let _ = write!(self.text, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.text, " {key}=\"{}\"", escaped(value));
        }
    }

    pub(super) fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.text += ">\n";
        self.open.push(name);
    }

    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            let _ = writeln!(self.text, "</{name}>");
        }
    }

    /// An element without content.
    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.text += "/>\n";
    }

    /// An element of text; none where the text is blank, which BCF 3.0 forbids.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        if !text.trim().is_empty() {
            self.tag(name, &[]);
            let _ = writeln!(self.text, ">{}</{name}>", escaped(text));
        }
    }

    /// The whole document, with everything closed.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }
}

/// Text that stands in XML. What no document of XML may hold is replaced.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\r' => safe += "&#13;",
            '\t' | '\n' => safe.push(letter),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            _ => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_elements_are_closed() {
        let mut xml = Xml::new();
        xml.open("A", &[("b", "\"<&\u{1}")]);
        xml.text("C", "x > y\u{0}\n");
        xml.text("D", " ");
        xml.empty("E", &[]);
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<A b=\"&quot;&lt;&amp;\u{fffd}\">\n\
                        \x20 <C>x &gt; y\u{fffd}\n</C>\n  <E/>\n</A>\n";
        assert_eq!(xml.finish(), expected);
    }
}
