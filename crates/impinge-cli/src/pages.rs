//! Pages about models in memory: the reports of `impinge check` and `impinge sweep` without files.

use impinge::query::SweepOptions;
use impinge::{Motion, Placed};
use impinge_report::{Kind, Report};

use crate::{check, report_scene, sweep};

/// A report that shows a model.
pub fn model_report(name: &str, placed: &Placed<'_>) -> Report {
    let report = report_scene::of_models(name.to_owned(), &[*placed], &[name.to_owned()], None);
    Report { kind: Kind::Check, z_up: true, ..report }
}

/// A report that shows how two models stand to each other.
pub fn pair_report(names: [&str; 2], a: &Placed<'_>, b: &Placed<'_>) -> Report {
    check::report::of_pair(a, b, of_two(names, a, b))
}

/// A report that shows how far the first model comes, and what stops it.
pub fn sweep_report(
    names: [&str; 2],
    a: &Placed<'_>,
    b: &Placed<'_>,
    motion: &Motion,
    options: SweepOptions,
) -> Report {
    sweep::report::of_pair(a, b, motion, options, of_two(names, a, b))
}

fn of_two(names: [&str; 2], a: &Placed<'_>, b: &Placed<'_>) -> Report {
    let title = names.join(" and ");
    Report { z_up: true, ..report_scene::of_models(title, &[*a, *b], &names.map(str::to_owned), None) }
}
