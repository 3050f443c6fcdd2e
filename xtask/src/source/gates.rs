//! Finds the code that is compiled only with a given feature: what follows `#[cfg(feature = "…")]`, or the block
//! or file that starts with `#![cfg(feature = "…")]`.

use super::tokens::{Kind, Token};

/// For each token, whether it is compiled only with `feature`. Errs towards "always": code that is gated in a way
/// not understood here is reported, never passed over.
pub(crate) fn gated(tokens: &[Token<'_>], feature: &str) -> Vec<bool> {
    let mut gated = vec![false; tokens.len()];
    for start in 0..tokens.len() {
        if !tokens[start].is_sign("#") {
            continue;
        }
        let inner = tokens.get(start + 1).is_some_and(|token| token.is_sign("!"));
        let open = start + 1 + usize::from(inner);
        let is_cfg = tokens.get(open).is_some_and(|token| token.is_sign("["))
            && tokens.get(open + 1).is_some_and(|token| token.is_word("cfg"));
        if !is_cfg {
            continue;
        }
        let close = closing(tokens, open);
        // The condition stands between `[cfg(` and `)]`.
        let condition = tokens.get(open + 3..close.saturating_sub(1)).unwrap_or(&[]);
        if requires(condition, feature) {
            let end = if inner { end_of_block(tokens, close + 1) } else { end_of_item(tokens, close + 1) };
            gated[start..end].fill(true);
        }
    }
    gated
}

/// Whether a `cfg` condition can hold only with the feature.
fn requires(condition: &[Token<'_>], feature: &str) -> bool {
    match condition {
        [name, equals, value] => {
            name.is_word("feature")
                && equals.is_sign("=")
                && value.kind == Kind::Text
                && value.text == feature
        }
        [all, open, inner @ .., _] if all.is_word("all") && open.is_sign("(") => {
            arguments(inner).iter().any(|argument| requires(argument, feature))
        }
        [any, open, inner @ .., _] if any.is_word("any") && open.is_sign("(") => {
            let arguments = arguments(inner);
            !arguments.is_empty() && arguments.iter().all(|argument| requires(argument, feature))
        }
        _ => false,
    }
}

/// Splits at the commas that stand outside all brackets; empty arguments (a trailing comma) are left out.
fn arguments<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut depth = 0;
    tokens
        .split(|token| {
            depth += step(token);
            depth == 0 && token.is_sign(",")
        })
        .filter(|argument| !argument.is_empty())
        .collect()
}

fn step(token: &Token<'_>) -> i32 {
    match (token.kind, token.text) {
        (Kind::Sign, "(" | "[" | "{") => 1,
        (Kind::Sign, ")" | "]" | "}") => -1,
        _ => 0,
    }
}

/// The index of the bracket that closes the one at `open`.
fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        depth += step(token);
        if depth == 0 {
            return index;
        }
    }
    tokens.len()
}

/// One past the end of the block that `start` stands in.
fn end_of_block(tokens: &[Token<'_>], start: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        depth += step(token);
        if depth < 0 {
            return index;
        }
    }
    tokens.len()
}

/// One past the end of the item, statement, field or arm that starts at `start`, possibly with more attributes.
fn end_of_item(tokens: &[Token<'_>], start: usize) -> usize {
    const ITEMS: [&str; 12] = [
        "fn", "impl", "mod", "struct", "enum", "trait", "type", "const", "async", "unsafe", "extern",
        "static",
    ];
    let mut first = start;
    while tokens.get(first).is_some_and(|token| token.is_sign("#")) {
        first = closing(tokens, first + 1) + 1;
    }
    if tokens.get(first).is_some_and(|token| token.is_word("pub")) {
        first += 1;
        if tokens.get(first).is_some_and(|token| token.is_sign("(")) {
            first = closing(tokens, first) + 1;
        }
    }
    let word = tokens.get(first).map_or("", |token| token.text);
    // `use a::{b};` and `let x = if c { … };` go on after their braces; a generic item has commas inside.
    let (ends_at_brace, ends_at_comma) =
        (!matches!(word, "use" | "let"), !ITEMS.contains(&word) && word != "let");
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(first) {
        depth += step(token);
        let ends = match token.text {
            _ if token.kind != Kind::Sign => false,
            ";" => depth == 0,
            "," => depth == 0 && ends_at_comma,
            "}" => depth == 0 && ends_at_brace,
            _ => false,
        };
        if ends {
            return index + 1;
        }
        if depth < 0 {
            return index;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    /// The words named `x…` that are gated.
    fn gated_words(source: &str) -> Vec<&str> {
        let tokens = tokens(source);
        let gated = gated(&tokens, "parallel");
        let pairs = tokens.iter().zip(gated);
        pairs
            .filter(|(token, gated)| *gated && token.text.starts_with('x'))
            .map(|(token, _)| token.text)
            .collect()
    }

    #[test]
    fn an_attribute_gates_one_item() {
        let source = "x0; #[cfg(feature = \"parallel\")] use x1::{x2, x3}; use x4;
            #[cfg(feature = \"parallel\")] #[inline] pub(crate) fn f<A, B>(a: x5) { x6 } fn g() { x7 }";
        assert_eq!(gated_words(source), ["x1", "x2", "x3", "x5", "x6"]);
    }

    #[test]
    fn an_attribute_gates_a_statement_a_block_or_a_field() {
        let source = "fn f() { #[cfg(feature = \"parallel\")] let a = if b { x1 } else { x2 }; x3;
            #[cfg(feature = \"parallel\")] { x4; x5 } x6 }
            struct S { #[cfg(feature = \"parallel\")] a: x7, b: x8 }";
        assert_eq!(gated_words(source), ["x1", "x2", "x4", "x5", "x7"]);
    }

    #[test]
    fn an_inner_attribute_gates_its_block_or_file() {
        assert_eq!(gated_words("#![cfg(feature = \"parallel\")] use x1; fn f() { x2 }"), ["x1", "x2"]);
        assert_eq!(gated_words("mod m { #![cfg(feature = \"parallel\")] x1; { x2 } } x3"), ["x1", "x2"]);
    }

    #[test]
    fn only_conditions_that_need_the_feature_count() {
        let gate = |condition: &str| !gated_words(&format!("#[cfg({condition})] use x;")).is_empty();
        assert!(gate("feature = \"parallel\""));
        assert!(gate("all(unix, feature = \"parallel\",)"));
        assert!(gate("any(all(feature = \"parallel\", test), feature = \"parallel\")"));
        assert!(!gate("not(feature = \"parallel\")"));
        assert!(!gate("any(unix, feature = \"parallel\")"));
        assert!(!gate("feature = \"other\""));
        assert!(!gate("test"));
        assert!(!gate(""));
    }
}
