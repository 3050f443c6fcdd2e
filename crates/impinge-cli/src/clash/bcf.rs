//! BCF files: what is written with `--bcf`.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use impinge_formats::write_bytes;
use impinge_report::terminal::{self, Error};
use impinge_report::{BcfOptions, BcfVersion, Report, Snapshots};
use rayon::prelude::*;

use crate::unit;

/// Who is said to have found the clashes.
const AUTHOR: &str = "impinge";
/// A time that packagers prescribe, in seconds since 1970, so that the same input gives the same bytes.
const EPOCH_VARIABLE: &str = "SOURCE_DATE_EPOCH";
const SECONDS_A_DAY: u64 = 86_400;

/// A version of BCF, as users write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Version {
    /// What most tools read
    #[value(name = "2.1")]
    V2,
    #[value(name = "3.0")]
    V3,
}

/// How long a length of 1 is in meters, and a note where nobody knows.
pub(super) fn meters(unit: &str) -> (f64, Option<String>) {
    match unit::in_meters(unit) {
        Some(meters) => (meters, None),
        None => {
            (1.0, Some(format!("--bcf: lengths in {unit} are taken for meters; --unit names another unit")))
        }
    }
}

/// Writes the groups of a report, whole or not at all. An interruption leaves out pictures that are not drawn yet.
pub(super) fn write(
    file: &Path,
    report: &Report,
    version: Version,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<(), Error> {
    let version = match version {
        Version::V2 => BcfVersion::V2,
        Version::V3 => BcfVersion::V3,
    };
    Ok(write_bytes(file, bytes(report, version, goes_on)?)?)
}

/// The groups of a report as a BCF file, with pictures as long as `goes_on` tells so. Lengths in a unit that is not known are taken for meters.
pub fn bytes(
    report: &Report,
    version: BcfVersion,
    goes_on: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<u8>, Error> {
    let (meters, _) = meters(&report.unit);
    let options = BcfOptions { version, date: date()?, author: AUTHOR.to_owned(), meters };
    let invalid = |error: impinge_report::Invalid| Error::option("the report", error);
    report.check().map_err(invalid)?;
    let groups = report.groups.as_deref().unwrap_or_default();
    let snapshots = Snapshots::new(report);
    let bar = terminal::progress_with(groups.len(), "{wide_bar} {pos}/{len} pictures, {eta} left");
    let picture = |group| {
        bar.inc(1);
        if goes_on() { snapshots.png(group) } else { None }
    };
    let pictures: Vec<Option<Vec<u8>>> = groups.par_iter().map(picture).collect();
    bar.finish_and_clear();
    report.bcf(&options, &pictures).map_err(invalid)
}

/// The date that topics get: the one that the environment prescribes, or now.
fn date() -> Result<String, Error> {
    let seconds = match std::env::var(EPOCH_VARIABLE) {
        Ok(text) => text.trim().parse().ok().filter(|seconds| *seconds < LAST_SECOND).ok_or_else(|| {
            Error::option(EPOCH_VARIABLE, format!("{text:?} is no number of seconds since 1970"))
        })?,
        // A clock before 1970 is no clock.
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
    };
    Ok(written(seconds))
}

/// The first second of the year 10000, which has a digit too many.
const LAST_SECOND: u64 = 253_402_300_800;

/// Seconds since 1970 as ISO 8601 writes them.
fn written(seconds: u64) -> String {
    let (mut day, second) = (seconds / SECONDS_A_DAY, seconds % SECONDS_A_DAY);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let [hour, minute, second] = [second / 3600, second / 60 % 60, second % 60];
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (LAST_SECOND - 1, "9999-12-31T23:59:59Z"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(written(seconds), expected);
        }
    }
}
