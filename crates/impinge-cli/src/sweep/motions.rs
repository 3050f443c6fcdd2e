//! Motions from options and from files.

use std::path::Path;

use impinge::math::DVec3;
use impinge::{Motion, Placement};
use impinge_report::terminal::Error;

use crate::{numbers, placement, rows};

/// A row of the file of motions.
pub(crate) struct MotionRow {
    pub(super) motion: Motion,
}

/// Reads the motions, all of them before the first answer.
pub(super) fn read(file: &Path) -> Result<Vec<MotionRow>, Error> {
    let row = |row: rows::Row| match of_numbers(&row.numbers) {
        Ok(motion) => Ok(MotionRow { motion }),
        Err(reason) => Err(Error::row(file, row.line, reason)),
    };
    rows::read(file)?.into_iter().map(row).collect()
}

/// 3 numbers, 7, or 10.
fn of_numbers(numbers: &[f64]) -> Result<Motion, String> {
    placement::check_count(numbers, &[3, 7, 10])?;
    let motion = match numbers.len() {
        3 => Motion::translation(vector(numbers, 0)),
        7 => Motion::rotation(vector(numbers, 0), vector(numbers, 3), numbers[6]),
        _ => Motion::translation(vector(numbers, 0)).and_then(|translation| {
            translation.then_rotation(vector(numbers, 3), vector(numbers, 6), numbers[9])
        }),
    };
    motion.map_err(|reason| reason.to_string())
}

/// The motion that the options ask for.
pub(super) fn of_options(
    translate: Option<&str>,
    rotate: Option<&str>,
    to_matrix: Option<&str>,
    world_from_moving: &Placement,
) -> Result<Motion, Error> {
    if let Some(text) = to_matrix {
        let fail = |reason: String| Error::option("--to-matrix", reason);
        let numbers = numbers::parse(text).map_err(fail)?;
        placement::check_count(&numbers, &[16]).map_err(fail)?;
        let end = placement::of_matrix(&numbers).map_err(fail)?;
        return Motion::between(world_from_moving, &end).map_err(|reason| fail(reason.to_string()));
    }
    if translate.is_none() && rotate.is_none() {
        let reason = "nothing moves: --translate, --rotate, --to-matrix or --motions is missing";
        return Err(Error::option("sweep", reason.to_owned()));
    }
    let list = |name: &str, text: &str, count: usize| {
        let fail = |reason: String| Error::option(name.to_owned(), reason);
        let numbers = numbers::parse(text).map_err(fail)?;
        placement::check_count(&numbers, &[count]).map_err(fail)?;
        Ok::<_, Error>(numbers)
    };
    let by = translate.map_or(Ok(vec![0.0; 3]), |text| list("--translate", text, 3))?;
    let motion = Motion::translation(vector(&by, 0))
        .map_err(|reason| Error::option("--translate", reason.to_string()))?;
    let Some(text) = rotate else { return Ok(motion) };
    let turn = list("--rotate", text, 7)?;
    motion
        .then_rotation(vector(&turn, 0), vector(&turn, 3), turn[6])
        .map_err(|reason| Error::option("--rotate", reason.to_string()))
}

fn vector(numbers: &[f64], from: usize) -> DVec3 {
    DVec3::from_slice(&numbers[from..])
}
