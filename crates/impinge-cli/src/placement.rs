//! Where a model stands: the options `--matrix`, `--translate`, `--rotate` and `--scale` of each model.

use impinge::Trs;
use impinge::math::DVec3;
use impinge::transform::{Placement, TransformError};
use impinge_report::terminal::Error;

use crate::numbers::{self, ListOption};

/// The options that take lists of numbers, and the most numbers that each takes.
pub(crate) const LISTS: &[ListOption] = &[
    ("--matrix", 16),
    ("--translate", 3),
    ("--rotate", 4),
    ("--scale", 3),
    ("--matrix-a", 16),
    ("--matrix-b", 16),
    ("--translate-a", 3),
    ("--translate-b", 3),
    ("--rotate-a", 4),
    ("--rotate-b", 4),
    ("--scale-a", 3),
    ("--scale-b", 3),
    ("--matrix", 16),
    ("--translate", 3),
    ("--rotate", 4),
    ("--scale", 3),
    ("--origin", 3),
    ("--direction", 3),
    ("--end", 3),
];

/// Makes the options of one model. They are kept as text, so that their errors read like all others.
macro_rules! placement_options {
    ($(#[$doc:meta])* $name:ident, $suffix:literal, $model:literal) => {
        $(#[$doc])*
        #[derive(Debug, Default, clap::Args)]
        #[command(next_help_heading = concat!("Where ", $model, " stands"))]
        pub(crate) struct $name {
            // Not doc comments: those cannot be put together from pieces.
            #[arg(id = concat!("matrix", $suffix), long = concat!("matrix", $suffix))]
            #[arg(value_name = "M", allow_hyphen_values = true, conflicts_with_all = [
                concat!("translate", $suffix), concat!("rotate", $suffix), concat!("scale", $suffix),
            ])]
            #[arg(help = concat!("World from model, for ", $model, ": 16 numbers, row by row"))]
            #[arg(long_help = concat!("World from model, for ", $model, ": 16 numbers, row by row\n\n\
                The matrix as it is written on paper: the translation is the last column, and the bottom row is \
                0, 0, 0, 1. Any invertible matrix will do, mirrored and sheared ones too."))]
            matrix: Option<String>,

            #[arg(id = concat!("translate", $suffix), long = concat!("translate", $suffix))]
            #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
            #[arg(help = concat!("Move ", $model, ", after it was scaled and turned"))]
            translate: Option<String>,

            #[arg(id = concat!("rotate", $suffix), long = concat!("rotate", $suffix))]
            #[arg(value_name = "AX,AY,AZ,DEG", allow_hyphen_values = true)]
            #[arg(help = concat!("Turn ", $model, " about an axis through its origin, by degrees"))]
            #[arg(long_help = concat!("Turn ", $model, " about an axis through its origin, by degrees\n\n\
                The axis may have any length but 0; the turn follows the right-hand rule. Multiples of 90° about a \
                coordinate axis are exact."))]
            rotate: Option<String>,

            #[arg(id = concat!("scale", $suffix), long = concat!("scale", $suffix))]
            #[arg(value_name = "S", allow_hyphen_values = true)]
            #[arg(help = concat!("Scale ", $model, ", before it is turned: 1 number, or 3 for its axes"))]
            #[arg(long_help = concat!("Scale ", $model, ", before it is turned: 1 number, or 3 for its axes\n\n\
                A negative number mirrors."))]
            scale: Option<String>,
        }

        impl $name {
            /// Where the options put the model.
            pub(crate) fn placement(&self) -> Result<Placement, Error> {
                let [matrix, translate, rotate, scale] =
                    [&self.matrix, &self.translate, &self.rotate, &self.scale].map(Option::as_deref);
                Texts { suffix: $suffix, matrix, translate, rotate, scale }.placement()
            }
        }
    };
}

placement_options!(
    /// Where the first model stands.
    PlacementA, "-a", "A"
);
placement_options!(
    /// Where the second model stands.
    PlacementB, "-b", "B"
);

placement_options!(
    /// Where the only model of a command stands.
    PlacementOfOne, "", "the model"
);

/// The options of one model as they were given.
struct Texts<'a> {
    suffix: &'static str,
    matrix: Option<&'a str>,
    translate: Option<&'a str>,
    rotate: Option<&'a str>,
    scale: Option<&'a str>,
}

impl Texts<'_> {
    fn placement(&self) -> Result<Placement, Error> {
        if let Some(text) = self.matrix {
            return self.read("matrix", text, &[16], of_matrix);
        }
        let position = self.read_or("translate", self.translate, &[3], DVec3::ZERO, |numbers| {
            Ok(Trs::translation(vector(numbers))?.position())
        })?;
        let orientation =
            self.read_or("rotate", self.rotate, &[4], Trs::IDENTITY.orientation(), |numbers| {
                Ok(Trs::rotation_about_axis(vector(numbers), numbers[3])?.orientation())
            })?;
        let scale = self.read_or("scale", self.scale, &[1, 3], DVec3::ONE, |numbers| {
            let factors = if let [all] = numbers { DVec3::splat(*all) } else { vector(numbers) };
            Ok(Trs::scaling(factors)?.scale())
        })?;
        let trs = Trs::new(position, orientation, scale);
        trs.map(Placement::from)
            .map_err(|reason| Error::option(format!("--translate{}", self.suffix), reason.to_string()))
    }

    fn read_or<T>(
        &self,
        name: &str,
        text: Option<&str>,
        counts: &[usize],
        default: T,
        make: impl Fn(&[f64]) -> Result<T, TransformError>,
    ) -> Result<T, Error> {
        text.map_or(Ok(default), |text| {
            self.read(name, text, counts, |numbers| make(numbers).map_err(|reason| reason.to_string()))
        })
    }

    /// Reads one option; every error names it.
    fn read<T>(
        &self,
        name: &str,
        text: &str,
        counts: &[usize],
        make: impl Fn(&[f64]) -> Result<T, String>,
    ) -> Result<T, Error> {
        let fail = |reason: String| Error::option(format!("--{name}{}", self.suffix), reason);
        let numbers = numbers::parse(text).map_err(fail)?;
        check_count(&numbers, counts).map_err(fail)?;
        make(&numbers).map_err(fail)
    }
}

/// The first three numbers of a list that has them.
fn vector(numbers: &[f64]) -> DVec3 {
    DVec3::from_slice(numbers)
}

pub(crate) fn check_count(numbers: &[f64], counts: &[usize]) -> Result<(), String> {
    if counts.contains(&numbers.len()) {
        return Ok(());
    }
    let wanted: Vec<String> = counts.iter().map(ToString::to_string).collect();
    let wanted = match wanted.split_last() {
        Some((last, [first, others @ ..])) => {
            let others: String = others.iter().map(|count| format!(", {count}")).collect();
            format!("{first}{others} or {last}")
        }
        _ => wanted.concat(),
    };
    let found = if numbers.len() == 1 {
        "1 number was".to_owned()
    } else {
        format!("{} numbers were", numbers.len())
    };
    Err(format!("{found} given, but it must be {wanted}"))
}

/// A matrix of 16 numbers, or its upper three rows, row by row.
pub(crate) fn of_matrix(numbers: &[f64]) -> Result<Placement, String> {
    check_count(numbers, &[12, 16])?;
    let mut rows = [0.0; 16];
    rows[15] = 1.0;
    rows[..numbers.len()].copy_from_slice(numbers);
    Placement::from_rows(rows).map_err(|reason| reason.to_string())
}

/// Checks that a placement does not carry a model out of the range of numbers.
pub(crate) fn check_range(placed: &impinge::Placed<'_>) -> Result<(), String> {
    let bounds = placed.bounds();
    // Where nothing moves, nothing can overflow, though the box is rounded outward.
    if *placed.placement() == Placement::IDENTITY || (bounds.min.is_finite() && bounds.max.is_finite()) {
        return Ok(());
    }
    Err("the placed model reaches beyond the largest number (about 1.8e308)".to_owned())
}
