//! Modules of one folder: none of them uses itself by way of others, over however many.
//!
//! A name that the folder re-exports from one of its modules is a use of that module.

use std::collections::{BTreeMap, VecDeque};

use super::File;
use crate::finding::Finding;

/// Where one module of a folder first uses another.
struct Use<'f> {
    file: &'f File,
    line: usize,
    /// The path as it is written there.
    written: String,
}

/// The modules of one folder: which uses which.
type Graph<'f> = BTreeMap<String, BTreeMap<String, Use<'f>>>;

pub(super) fn check(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (folder, mut graph) in graphs(files) {
        // Cycles that share no use: each needs a change of its own.
        while let Some(cycle) = shortest_cycle(&graph) {
            findings.push(finding(folder, &graph, &cycle));
            for (user, used) in steps(&cycle) {
                graph.get_mut(user).and_then(|uses| uses.remove(used));
            }
        }
    }
    findings
}

/// The uses between siblings, for each folder below the top of the crate, which has an order of its own.
fn graphs(files: &[File]) -> BTreeMap<&[String], Graph<'_>> {
    let exports: BTreeMap<&[String], BTreeMap<&str, &str>> =
        files.iter().map(|file| (file.module.as_slice(), exports(file))).collect();
    let mut graphs: BTreeMap<&[String], Graph<'_>> = BTreeMap::new();
    for file in files {
        for path in &file.scan.paths {
            let Some(target) = path.path_from_root() else { continue };
            // The deepest folder that both are in.
            let shared = path.module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            let (Some(user), Some(name)) = (path.module.get(shared), target.get(shared)) else { continue };
            if shared == 0 {
                continue;
            }
            let folder = &path.module[..shared];
            let exported = exports.get(folder).and_then(|names| names.get(name.as_str()));
            let used = exported.map_or(name.clone(), |module| (*module).to_owned());
            let is_module = files.iter().any(|file| is_in(&file.module, folder, &used));
            if used != *user && is_module {
                let uses = graphs.entry(folder).or_default().entry(user.clone()).or_default();
                uses.entry(used).or_insert_with(|| Use { file, line: path.line, written: path.written() });
            }
        }
    }
    graphs
}

/// The cycle of the fewest modules, each once; the first by name among equals.
fn shortest_cycle(graph: &Graph<'_>) -> Option<Vec<String>> {
    graph.keys().filter_map(|start| cycle_through(graph, start)).min_by_key(Vec::len)
}

/// The shortest way from a module back to itself.
fn cycle_through(graph: &Graph<'_>, start: &str) -> Option<Vec<String>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(user) = queue.pop_front() {
        for used in graph.get(user).into_iter().flat_map(BTreeMap::keys) {
            if used == start {
                let mut cycle = vec![user.to_owned()];
                let mut at = user;
                while let Some(&before) = came_from.get(at) {
                    cycle.push(before.to_owned());
                    at = before;
                }
                cycle.reverse();
                return Some(cycle);
            }
            if !came_from.contains_key(used.as_str()) {
                came_from.insert(used, user);
                queue.push_back(used);
            }
        }
    }
    None
}

/// The uses that a cycle consists of.
fn steps(cycle: &[String]) -> impl Iterator<Item = (&String, &String)> {
    cycle.iter().zip(cycle.iter().cycle().skip(1))
}

/// A finding at the cycle's first use, with all uses in its message.
fn finding(folder: &[String], graph: &Graph<'_>, cycle: &[String]) -> Finding {
    let uses: Vec<&Use<'_>> = steps(cycle).map(|(user, used)| &graph[user][used]).collect();
    let names: Vec<String> = cycle.iter().chain(cycle.first()).map(|module| format!("`{module}`")).collect();
    let lines: Vec<String> =
        uses.iter().map(|at| format!("\n    {}:{}: {}", at.file.path, at.line, at.written)).collect();
    let (names, lines) = (names.join(" → "), lines.concat());
    let message = format!("a cycle of modules in `{}`, {names}:{lines}", folder.join("::"));
    Finding::new(&uses[0].file.path, uses[0].line, message)
}

/// The names that a folder re-exports or imports from its own modules, and from which.
fn exports(file: &File) -> BTreeMap<&str, &str> {
    let own = |path: &&crate::source::uses::Path| path.module == file.module;
    let modules: Vec<&str> =
        file.scan.modules.iter().filter_map(|module| module.path.last()).map(String::as_str).collect();
    let named = file.scan.paths.iter().filter(own).filter_map(|path| {
        let binds = path.binds.as_deref()?;
        let first = path.segments.iter().map(String::as_str).find(|segment| *segment != "self")?;
        (modules.contains(&first) && path.segments.len() > 1 && binds != first).then_some((binds, first))
    });
    named.collect()
}

/// Whether a module is, or is in, the child of that name.
fn is_in(module: &[String], folder: &[String], child: &str) -> bool {
    module.starts_with(folder) && module.get(folder.len()).is_some_and(|name| name == child)
}
