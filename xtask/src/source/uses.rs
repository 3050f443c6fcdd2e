//! Lists every path that source names, with the module in which it is named: `use` trees are flattened, inline
//! modules are followed, and `self` and `super` are climbed.

use super::gates::gated;
use super::tokens::{Kind, Token, tokens};

/// A path as it is written; a lone word is a path of one segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    /// The module in which the path stands, from the crate's root; empty at the root itself.
    pub(crate) module: Vec<String>,
    /// The name that a `use` gives to it, `*` for a glob; nothing for a path that stands in code.
    pub(crate) binds: Option<String>,
    /// What follows the path: `!` after a macro's name, `mut` after `static`.
    pub(crate) next: String,
    /// Whether it is compiled only with the feature that was asked for.
    pub(crate) gated: bool,
}

/// A `mod` item, inline or in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// From the crate's root, its own name last.
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
    pub(crate) gated: bool,
}

/// What one file names and declares.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) paths: Vec<Path>,
    pub(crate) modules: Vec<Module>,
}

/// Scans a file that is the module `module`, noting what is compiled only with `feature`.
pub(crate) fn scan(source: &str, module: &[String], feature: &str) -> Scan {
    let tokens = tokens(source);
    let gated = gated(&tokens, feature);
    let mut scanner =
        Scanner { tokens: &tokens, gated: &gated, at: 0, module: module.to_vec(), scan: Scan::default() };
    // The depth of braces, and the depths inside the inline modules that are open.
    let (mut depth, mut inline) = (0, Vec::new());
    while let Some(token) = scanner.tokens.get(scanner.at) {
        if token.is_sign("{") {
            depth += 1;
            scanner.at += 1;
        } else if token.is_sign("}") {
            if inline.last() == Some(&depth) {
                inline.pop();
                scanner.module.pop();
            }
            depth -= 1;
            scanner.at += 1;
        } else if token.is_word("mod") && scanner.kind(1) == Some(Kind::Word) {
            if scanner.module_item() {
                inline.push(depth + 1);
            }
        } else if token.is_word("use") && !scanner.is_sign(1, "<") {
            scanner.at += 1;
            scanner.use_tree(&[]);
        } else if token.kind == Kind::Word {
            scanner.path();
        } else {
            scanner.at += 1;
        }
    }
    scanner.scan
}

impl Path {
    /// The path from the crate's root, if this one is written relative to the crate: `crate::…`, `self::…`,
    /// `super::…`. Empty when it is the root itself.
    pub(crate) fn path_from_root(&self) -> Option<Vec<String>> {
        let mut from_root = match self.segments.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.module.clone(),
            _ => return None,
        };
        for segment in &self.segments {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => drop(from_root.pop()),
                name => from_root.push(name.to_owned()),
            }
        }
        Some(from_root)
    }

    /// The path as a reader would write it on one line.
    pub(crate) fn written(&self) -> String {
        let glob = if self.binds.as_deref() == Some("*") { "::*" } else { "" };
        format!("{}{glob}", self.segments.join("::"))
    }
}

struct Scanner<'a> {
    tokens: &'a [Token<'a>],
    gated: &'a [bool],
    at: usize,
    module: Vec<String>,
    scan: Scan,
}

impl Scanner<'_> {
    fn kind(&self, ahead: usize) -> Option<Kind> {
        self.tokens.get(self.at + ahead).map(|token| token.kind)
    }

    fn is_sign(&self, ahead: usize, sign: &str) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(|token| token.is_sign(sign))
    }

    /// Steps over `sign` if it comes next.
    fn skip(&mut self, sign: &str) -> bool {
        let found = self.is_sign(0, sign);
        self.at += usize::from(found);
        found
    }

    fn push(&mut self, segments: Vec<String>, line: usize, binds: Option<String>) {
        let next = self.tokens.get(self.at).map_or(String::new(), |token| token.text.to_owned());
        let gated = self.gated[self.at - 1];
        self.scan.paths.push(Path { segments, line, module: self.module.clone(), binds, next, gated });
    }

    /// `mod name;` or `mod name {`; true for the latter, whose brace is left to be read.
    fn module_item(&mut self) -> bool {
        let name = self.tokens[self.at + 1];
        let mut path = self.module.clone();
        path.push(name.text.to_owned());
        self.scan.modules.push(Module { path, line: name.line, gated: self.gated[self.at] });
        self.at += 2;
        let opens = self.is_sign(0, "{");
        if opens {
            self.module.push(name.text.to_owned());
        }
        opens
    }

    /// A path in code: words joined by `::`, up to whatever else follows (`::<`, `!`, a call).
    fn path(&mut self) {
        let line = self.tokens[self.at].line;
        let mut segments = vec![self.tokens[self.at].text.to_owned()];
        self.at += 1;
        while self.is_sign(0, "::") && self.kind(1) == Some(Kind::Word) {
            segments.push(self.tokens[self.at + 1].text.to_owned());
            self.at += 2;
        }
        self.push(segments, line, None);
    }

    /// One branch of a `use` tree, with what stands in front of it: `a::b as c`, `a::*`, `a::{…}`.
    fn use_tree(&mut self, prefix: &[String]) {
        let mut segments = prefix.to_vec();
        self.skip("$"); // In a macro, `$crate`.
        self.skip("::");
        while let Some(&token) = self.tokens.get(self.at) {
            if token.is_sign("{") {
                self.at += 1;
                while self.at < self.tokens.len() && !self.skip("}") {
                    let before = self.at;
                    self.use_tree(&segments);
                    self.skip(",");
                    // A macro's fragment such as `$($name),*` is no tree; step over it.
                    self.at += usize::from(self.at == before);
                }
                return;
            }
            if token.is_sign("*") {
                self.at += 1;
                self.push(segments, token.line, Some("*".to_owned()));
                return;
            }
            if token.kind != Kind::Word {
                return;
            }
            self.at += 1;
            // In a group, `self` is the group's own prefix.
            if token.text != "self" || prefix.is_empty() {
                segments.push(token.text.to_owned());
            }
            if !self.skip("::") {
                let mut binds = segments.last().cloned();
                if self.tokens.get(self.at).is_some_and(|token| token.is_word("as")) {
                    binds = self.tokens.get(self.at + 1).map(|token| token.text.to_owned());
                    self.at = self.tokens.len().min(self.at + 2);
                }
                self.push(segments, token.line, binds);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
