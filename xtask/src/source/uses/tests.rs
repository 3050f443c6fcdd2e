use super::*;

fn module(path: &str) -> Vec<String> {
    path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// What the imports of `source` name, each as `line path` and, where it differs, the name it gets.
fn imports(source: &str) -> Vec<String> {
    let paths = scan(source, &[], "parallel").paths;
    let imports = paths.iter().filter(|path| path.binds.is_some());
    imports
        .map(|path| match path.binds.as_deref() {
            Some(name) if name != "*" && path.segments.last().is_none_or(|last| last != name) => {
                format!("{} {} as {name}", path.line, path.written())
            }
            _ => format!("{} {}", path.line, path.written()),
        })
        .collect()
}

/// The paths from the root that source in module `a::b` names.
fn from_root(source: &str) -> Vec<String> {
    let paths = scan(source, &module("a::b"), "parallel").paths;
    paths.iter().filter_map(Path::path_from_root).map(|path| path.join("::")).collect()
}

#[test]
fn single_imports() {
    assert_eq!(imports("use crate::math;"), ["1 crate::math"]);
    assert_eq!(imports("pub(crate) use crate::math::DVec3 as V;"), ["1 crate::math::DVec3 as V"]);
    assert_eq!(imports("use crate::math::*;"), ["1 crate::math::*"]);
    assert_eq!(imports("use ::std::fs;"), ["1 std::fs"]);
    assert_eq!(imports("use crate::r#mod::X as _;"), ["1 crate::mod::X as _"]);
}

#[test]
fn groups_are_flattened_with_the_line_of_each_leaf() {
    let source = "use crate::{
        math::{DVec3, plane::{self, Plane as P}},
        // crate::never,
        mesh::*,
        query,
        bounds::{Aabb, /* crate::neither */ Obb,},
    };
    use other::{self, x};";
    assert_eq!(
        imports(source),
        [
            "2 crate::math::DVec3",
            "2 crate::math::plane",
            "2 crate::math::plane::Plane as P",
            "4 crate::mesh::*",
            "5 crate::query",
            "6 crate::bounds::Aabb",
            "6 crate::bounds::Obb",
            "8 other",
            "8 other::x",
        ]
    );
}

#[test]
fn groups_without_a_prefix_and_empty_groups() {
    assert_eq!(imports("use {crate::math, std::{fs, io}};"), ["1 crate::math", "1 std::fs", "1 std::io"]);
    assert_eq!(imports("use ::{std::fs};"), ["1 std::fs"]);
    assert_eq!(imports("use crate::{}; use crate::x::{};"), Vec::<String>::new());
    assert_eq!(imports("use crate::{self as root};"), ["1 crate as root"]);
}

#[test]
fn odd_source_comes_to_an_end() {
    for source in
        ["use", "use crate::", "use crate::{", "use crate::{a", "use a as", "mod", "mod x {", "}", "use {,};"]
    {
        scan(source, &[], "parallel");
    }
    assert_eq!(
        imports("use $crate::{$($name),*}; use crate::x;").last().map(String::as_str),
        Some("1 crate::x")
    );
}

#[test]
fn precise_capturing_is_no_import() {
    assert_eq!(from_root("fn f<'a>() -> impl Sized + use<'a> { crate::x::y() }"), ["x::y"]);
}

#[test]
fn paths_in_code_are_seen() {
    let source = "fn f(v: &crate::math::DVec3) -> Vec<crate::mesh::Mesh> {
        let c = <crate::tree::Node as crate::tree::Walk>::go::<crate::bounds::Aabb>(v);
        $crate::narrow::test!(c);
    }";
    assert_eq!(
        from_root(source),
        ["math::DVec3", "mesh::Mesh", "tree::Node", "tree::Walk", "bounds::Aabb", "narrow::test"]
    );
}

#[test]
fn comments_doc_comments_and_strings_name_nothing() {
    let source = "//! [x](crate::x)\n/// crate::x\n/** crate::x */ fn f() { \"crate::x\"; r#\"crate::\"x\"#; /* crate::x */ }";
    assert!(from_root(source).is_empty());
}

#[test]
fn supers_climb_to_the_root() {
    assert_eq!(from_root("use super::super::query;"), ["query"]);
    assert_eq!(from_root("use super::sibling::X;"), ["a::sibling::X"]);
    assert_eq!(from_root("use self::super::super::{query, mesh::Mesh};"), ["query", "mesh::Mesh"]);
    assert_eq!(from_root("use super::{super::query, x};"), ["query", "a::x"]);
    assert_eq!(from_root("fn f() { super::super::query::go(); self::g(); }"), ["query::go", "a::b::g"]);
    assert_eq!(from_root("use super::super::*;"), [""]);
}

#[test]
fn inline_modules_are_deeper() {
    let source = "mod tests { use super::*; use super::super::super::query; fn f() { if x { y } } mod c { super::g(); } }
        use super::z;";
    assert_eq!(from_root(source), ["a::b", "query", "a::b::tests::g", "a::z"]);
}

#[test]
fn visibility_is_no_path_to_the_root_by_name() {
    assert_eq!(
        from_root("pub(crate) fn f() {} pub(super) fn g() {} pub(in crate::a) fn h() {}"),
        ["", "a", "a"]
    );
}

#[test]
fn modules_are_listed_with_their_gates() {
    let source = "pub mod one;\n#[cfg(feature = \"parallel\")]\nmod two;\nmod three { mod four; }";
    let modules = scan(source, &[], "parallel").modules;
    let listed: Vec<_> =
        modules.iter().map(|module| (module.path.join("::"), module.line, module.gated)).collect();
    let expected = [("one", 1, false), ("two", 3, true), ("three", 4, false), ("three::four", 4, false)];
    assert_eq!(listed, expected.map(|(path, line, gated)| (path.to_owned(), line, gated)));
}
