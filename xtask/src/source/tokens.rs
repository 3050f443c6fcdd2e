//! Splits Rust source into tokens with their lines. Comments, doc comments included, are dropped; the text of
//! strings is kept apart, so that a path inside one is never taken for code.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword; `r#` is taken off.
    Word,
    /// What stands between the quotes of a string, escapes untouched.
    Text,
    /// A number, a character or a lifetime.
    Literal,
    /// One character, or `::`.
    Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    /// Counted from 1.
    pub(crate) line: usize,
}

impl Token<'_> {
    pub(crate) fn is_word(&self, text: &str) -> bool {
        self.kind == Kind::Word && self.text == text
    }

    pub(crate) fn is_sign(&self, text: &str) -> bool {
        self.kind == Kind::Sign && self.text == text
    }
}

/// All tokens of `source`. Source that does not end its last string or comment is read to its end.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut reader = Reader { source, bytes: source.as_bytes(), at: 0, line: 1, tokens: Vec::new() };
    while reader.at < reader.bytes.len() {
        reader.step();
    }
    reader.tokens
}

struct Reader<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: usize,
    tokens: Vec<Token<'a>>,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Moves on, counting the lines passed.
    fn advance(&mut self, count: usize) {
        let end = (self.at + count).min(self.bytes.len());
        self.line += self.bytes[self.at..end].iter().filter(|&&byte| byte == b'\n').count();
        self.at = end;
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize, line: usize) {
        self.tokens.push(Token { kind, text: &self.source[start..end], line });
    }

    fn step(&mut self) {
        let start = self.at;
        match self.peek(0) {
            byte if byte.is_ascii_whitespace() => self.advance(1),
            b'/' if self.peek(1) == b'/' => {
                while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                    self.at += 1;
                }
            }
            b'/' if self.peek(1) == b'*' => self.block_comment(),
            b'"' => self.string(),
            b'\'' => self.quote(),
            byte if byte.is_ascii_digit() => {
                self.skip_word();
                self.push(Kind::Literal, start, self.at, self.line);
            }
            byte if is_word_byte(byte) => self.word(),
            b':' if self.peek(1) == b':' => {
                self.at += 2;
                self.push(Kind::Sign, start, self.at, self.line);
            }
            _ => {
                self.at += 1;
                self.push(Kind::Sign, start, self.at, self.line);
            }
        }
    }

    fn skip_word(&mut self) {
        while is_word_byte(self.peek(0)) {
            self.at += 1;
        }
    }

    /// A name, or one of the prefixes of strings and raw names: `r"`, `br#"`, `c"`, `b'`, `r#name`.
    fn word(&mut self) {
        let start = self.at;
        self.skip_word();
        let word = &self.source[start..self.at];
        if matches!(word, "r" | "br" | "cr") {
            let mut hashes = 0;
            while self.peek(hashes) == b'#' {
                hashes += 1;
            }
            if self.peek(hashes) == b'"' {
                self.raw_string(hashes);
                return;
            }
            if word == "r" && hashes == 1 && is_word_byte(self.peek(1)) {
                self.at += 1;
                let name = self.at;
                self.skip_word();
                self.push(Kind::Word, name, self.at, self.line);
                return;
            }
        }
        let prefixes_literal =
            matches!(word, "b" | "c") && self.peek(0) == b'"' || word == "b" && self.peek(0) == b'\'';
        if !prefixes_literal {
            self.push(Kind::Word, start, self.at, self.line);
        }
    }

    fn string(&mut self) {
        let line = self.line;
        self.advance(1);
        let start = self.at;
        while self.at < self.bytes.len() && self.peek(0) != b'"' {
            self.advance(if self.peek(0) == b'\\' { 2 } else { 1 });
        }
        self.push(Kind::Text, start, self.at, line);
        self.advance(1);
    }

    fn raw_string(&mut self, hashes: usize) {
        let line = self.line;
        self.advance(hashes + 1);
        let start = self.at;
        let close = format!("\"{}", "#".repeat(hashes));
        let length = self.source[start..].find(&close).unwrap_or(self.bytes.len() - start);
        self.advance(length);
        self.push(Kind::Text, start, self.at, line);
        self.advance(close.len());
    }

    /// A character or a lifetime: `'{'` must not open a block, and `'static mut` is no static.
    fn quote(&mut self) {
        let (start, line) = (self.at, self.line);
        let inner = self.source[start + 1..].chars().next().map_or(0, char::len_utf8);
        if self.peek(1) == b'\\' {
            self.advance(3);
            while self.at < self.bytes.len() && self.peek(0) != b'\'' {
                self.advance(1);
            }
            self.advance(1);
        } else if self.peek(1 + inner) == b'\'' {
            self.advance(inner + 2);
        } else {
            self.at += 1;
            self.skip_word();
        }
        self.push(Kind::Literal, start, self.at, line);
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.advance(1),
            }
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<&str> {
        tokens(source).into_iter().filter(|token| token.kind == Kind::Word).map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_strings_hold_no_words() {
        let source = "a // b\n/* c /* d */ e */ f \"g \\\" h\" r#\"i \" j\"# b\"k\" br\"l\" c\"m\" /// n\n//! o\n'p' b'q' z";
        assert_eq!(words(source), ["a", "f", "z"]);
    }

    #[test]
    fn lifetimes_and_characters_are_told_apart() {
        assert_eq!(words("&'static mut T"), ["mut", "T"]);
        assert_eq!(words(r"'{' x '\'' y '\u{1F600}' z 'é' w '\\' v"), ["x", "y", "z", "w", "v"]);
        assert_eq!(words("impl<'a> X<'a> { 'outer: loop {} }"), ["impl", "X", "loop"]);
    }

    #[test]
    fn raw_names_lose_their_prefix() {
        assert_eq!(words("r#mod r b br cr"), ["mod", "r", "b", "br", "cr"]);
    }

    #[test]
    fn lines_count_through_strings_and_comments() {
        let source = "a\n\"x\ny\"\n/*\n\n*/ b \"\\\n\" c r\"\n\" d";
        let lines: Vec<_> =
            tokens(source).iter().filter(|token| token.kind == Kind::Word).map(|token| token.line).collect();
        assert_eq!(lines, [1, 6, 7, 8]);
    }

    #[test]
    fn unfinished_source_is_read_to_its_end() {
        for source in ["\"a", "r#\"a\"", "/* a", "'", "'\\", "a::", "b'", "\"a\\", "é'é"] {
            tokens(source);
        }
    }
}
