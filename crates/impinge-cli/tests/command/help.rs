//! The help: every option of every command is in it.

use crate::support::Folder;

const OPTIONS: [(&str, &[&str]); 4] = [
    ("", &["make", "inspect", "check", "--help", "--version"]),
    ("make", &["SHAPE", "OUT", "--triangles", "--seed", "--list", "--help"]),
    ("inspect", &["MESH", "--json", "--unit", "--weld", "--help"]),
    (
        "check",
        &[
            "<A>",
            "<B>",
            "--matrix-a",
            "--matrix-b",
            "--translate-a",
            "--translate-b",
            "--rotate-a",
            "--rotate-b",
            "--scale-a",
            "--scale-b",
            "--poses-b",
            "--pairs",
            "--surface",
            "--ignore-touching",
            "--engine",
            "--unit",
            "--json",
            "--help",
            "brute",
            "AX,AY,AZ,DEG",
        ],
    ),
];

#[test]
fn help_names_and_explains_every_option() {
    let folder = Folder::new("help");
    for (command, options) in OPTIONS {
        for flag in ["--help", "-h"] {
            let help = folder.run(&format!("{command} {flag}")).expect(0);
            for option in options {
                let explained = help.lines().enumerate().any(|(i, line)| {
                    let Some((_, after)) = line.split_once(option) else { return false };
                    // The explanation stands behind the option or below it.
                    let below = help.lines().nth(i + 1).unwrap_or_default();
                    line.trim_start().starts_with(['-', '<', '[', 'm', 'i', 'c'])
                        && (after.split_whitespace().count() > 1 || !below.trim().is_empty())
                });
                assert!(explained || !option.starts_with('-'), "{command} {flag}: {option}\n{help}");
                assert!(help.contains(option), "{command} {flag}: {option}\n{help}");
            }
            assert!(help.contains("Exit status"), "{command} {flag}");
        }
        if !command.is_empty() {
            let help = folder.run(&format!("{command} --help")).expect(0);
            assert!(help.contains("Examples:\n  impinge "), "{help}");
        }
    }
}

#[test]
fn the_version_is_that_of_the_crate() {
    let version = concat!("impinge ", env!("CARGO_PKG_VERSION"), "\n");
    let folder = Folder::new("version");
    assert_eq!(folder.run("--version").expect(0), version);
    assert_eq!(folder.run("-V").expect(0), version);
}
