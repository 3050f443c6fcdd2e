//! Whether a report is sound: what it refers to is there, and its numbers are numbers. Every output asks first, so that none
//! can hold half an answer.

use crate::report::{Clash, Matrix, Model, Report};

/// A report that cannot be written: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct Invalid {
    /// The field, as a JSON pointer into the report's types: `/clashes/3/depth`.
    pub place: String,
    /// What is wrong there.
    pub reason: String,
}

fn refuse<T>(place: String, reason: impl Into<String>) -> Result<T, Invalid> {
    Err(Invalid { place, reason: reason.into() })
}

impl Report {
    /// Looks for indices that name nothing and for numbers that are not finite.
    pub fn check(&self) -> Result<(), Invalid> {
        for (index, model) in self.models.iter().enumerate() {
            check_model(model, || format!("/models/{index}"))?;
        }
        for (index, part) in self.parts.iter().enumerate() {
            if let Some(model) = part.model {
                names(model, self.models.len(), "model", || format!("/parts/{index}/model"))?;
            }
            finite(&part.world_from_model, || format!("/parts/{index}/world_from_model"))?;
            finite(&part.identity.place.unwrap_or_default(), || format!("/parts/{index}/identity/place"))?;
        }
        for (index, clash) in self.clashes.iter().enumerate() {
            check_clash(clash, index, self.parts.len())?;
        }
        for (index, group) in self.groups.iter().flatten().enumerate() {
            if group.members.is_empty() || group.members.len() != group.sides.len() {
                let reason = "there must be members, and the sides of each";
                return refuse(format!("/groups/{index}/members"), reason);
            }
            for (&member, sides) in group.members.iter().zip(&group.sides) {
                names(member, self.clashes.len(), "clash", || format!("/groups/{index}/members"))?;
                for &part in sides {
                    names(part, self.parts.len(), "part", || format!("/groups/{index}/sides"))?;
                }
            }
        }
        for (index, resolved) in self.resolved.iter().flatten().enumerate() {
            finite(resolved.point.as_ref().map_or(&[], |point| point), || {
                format!("/resolved/{index}/point")
            })?;
        }
        if let Some(gap) = &self.gap {
            finite(&[gap.distance], || "/gap/distance".to_owned())?;
            finite(gap.closest.as_flattened(), || "/gap/closest".to_owned())?;
        }
        for (index, table) in self.tables.iter().enumerate() {
            if let Some(row) = table.rows.iter().position(|row| row.len() != table.columns.len()) {
                let reason = format!("{} cells, but {} columns", table.rows[row].len(), table.columns.len());
                return refuse(format!("/tables/{index}/rows/{row}"), reason);
            }
        }
        self.check_motion()
    }

    fn check_motion(&self) -> Result<(), Invalid> {
        let parts = self.parts.len();
        if let Some(animation) = &self.animation {
            finite(&[animation.duration], || "/animation/duration".to_owned())?;
            for (index, part) in animation.followed.iter().enumerate() {
                names(*part, parts, "part", || format!("/animation/followed/{index}"))?;
            }
            if let Some(film) = &animation.film {
                finite(&film.camera, || "/animation/film/camera".to_owned())?;
                finite(&film.target, || "/animation/film/target".to_owned())?;
                finite(&[film.cutaway.unwrap_or_default()], || "/animation/film/cutaway".to_owned())?;
                if film.colors.len() != parts {
                    return refuse(
                        "/animation/film/colors".to_owned(),
                        "there must be one color for each part",
                    );
                }
            }
            for (index, track) in animation.tracks.iter().enumerate() {
                let place = |field: &str| format!("/animation/tracks/{index}/{field}");
                names(track.part, parts, "part", || place("part"))?;
                finite(&track.times, || place("times"))?;
                if track.times.len() != track.world_from_model.len() || track.times.is_empty() {
                    return refuse(
                        place("times"),
                        "there must be one matrix for each time, and at least one",
                    );
                }
                if !track.times.is_sorted() {
                    return refuse(place("times"), "times must ascend");
                }
                let keys: Vec<f64> = track.world_from_model.iter().flatten().flatten().copied().collect();
                finite(&keys, || place("world_from_model"))?;
            }
        }
        if let Some(sweep) = &self.sweep {
            names(sweep.moving, parts, "part", || "/sweep/moving".to_owned())?;
            finite(&[sweep.fraction], || "/sweep/fraction".to_owned())?;
            let poses: Vec<f64> = sweep.path.iter().chain([&sweep.stop]).flatten().copied().collect();
            finite(&poses, || "/sweep/path".to_owned())?;
            for (index, contact) in sweep.contacts.iter().enumerate() {
                finite(&contact.point, || format!("/sweep/contacts/{index}/point"))?;
                finite(&contact.normal, || format!("/sweep/contacts/{index}/normal"))?;
            }
        }
        Ok(())
    }
}

fn check_model(model: &Model, place: impl Fn() -> String) -> Result<(), Invalid> {
    finite(model.positions.as_flattened(), || format!("{}/positions", place()))?;
    for (triangle, corner) in
        model.triangles.iter().enumerate().flat_map(|(i, t)| t.map(|corner| (i, corner)))
    {
        names(corner as usize, model.positions.len(), "position", || {
            format!("{}/triangles/{triangle}", place())
        })?;
    }
    if !model.faces.is_empty() && model.faces.len() != model.triangles.len() {
        return refuse(format!("{}/faces", place()), "there must be one face for each triangle, or none");
    }
    Ok(())
}

fn check_clash(clash: &Clash, index: usize, parts: usize) -> Result<(), Invalid> {
    let place = |field: &str| format!("/clashes/{index}/{field}");
    names(clash.a, parts, "part", || place("a"))?;
    names(clash.b, parts, "part", || place("b"))?;
    if clash.a > clash.b {
        return refuse(place("a"), format!("a is {}, but may not be above b, which is {}", clash.a, clash.b));
    }
    let optional = |value: Option<f64>| value.unwrap_or(0.0);
    let points =
        |points: Option<[[f64; 3]; 2]>| points.unwrap_or_default().into_iter().flatten().collect::<Vec<_>>();
    finite(&clash.point.unwrap_or_default(), || place("point"))?;
    finite(&points(clash.bounds), || place("bounds"))?;
    finite(&[clash.distance], || place("distance"))?;
    finite(&clash.penetration.unwrap_or_default(), || place("penetration"))?;
    finite(&clash.volume.unwrap_or_default(), || place("volume"))?;
    finite(&[optional(clash.depth)], || place("depth"))?;
    finite(&clash.direction.unwrap_or_default(), || place("direction"))?;
    finite(&[optional(clash.time)], || place("time"))?;
    finite(&[optional(clash.duration)], || place("duration"))?;
    finite(&[optional(clash.moment)], || place("moment"))?;
    finite(&points(clash.closest), || place("closest"))?;
    finite(&points(clash.shared_bounds), || place("shared_bounds"))?;
    if let Some(shared) = &clash.shared {
        finite(&shared.origin, || place("shared/origin"))?;
        check_model(&shared.model, || place("shared/model"))?;
    }
    for (line, polyline) in clash.curve.iter().enumerate() {
        finite(polyline.points.as_flattened(), || place(&format!("curve/{line}")))?;
    }
    Ok(())
}

fn finite(numbers: &[f64], place: impl Fn() -> String) -> Result<(), Invalid> {
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => refuse(place(), format!("{number} is not a finite number")),
        None => Ok(()),
    }
}

fn names(index: usize, count: usize, what: &str, place: impl Fn() -> String) -> Result<(), Invalid> {
    if index < count {
        return Ok(());
    }
    refuse(place(), format!("index {index} names no {what}: there are {count}"))
}

/// The upper three rows: all that a page needs.
pub(crate) fn upper_rows(matrix: &Matrix) -> [f64; 12] {
    std::array::from_fn(|index| matrix[index])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Animation, Contact, Film, Gap, IDENTITY, Sweep, SweepStatus, Table, Track, Verdict};
    use crate::sample;

    fn refusal(change: impl FnOnce(&mut Report)) -> String {
        let mut report = sample::two_boxes();
        assert_eq!(report.check(), Ok(()));
        change(&mut report);
        let refusal = report.check().expect_err("it is not sound");
        assert_eq!(report.json().unwrap_err(), refusal);
        assert_eq!(report.csv().unwrap_err(), refusal);
        assert_eq!(report.table().unwrap_err(), refusal);
        assert_eq!(report.html().unwrap_err(), refusal);
        refusal.to_string()
    }

    #[test]
    fn what_is_not_there_is_named() {
        let track = |part| Track { part, times: vec![1.0, 0.0], world_from_model: vec![None, None] };
        let moving = |track| Some(Animation { tracks: vec![track], ..Animation::default() });
        let sweep = |moving, z| {
            let contacts = vec![Contact { point: [0.0; 3], normal: [0.0, 0.0, z] }];
            let verdict = SweepStatus::Hit;
            Some(Sweep { moving, verdict, fraction: 0.5, path: Vec::new(), stop: IDENTITY, contacts })
        };
        let cases = [
            (
                refusal(|report| report.parts[1].model = Some(7)),
                "/parts/1/model: index 7 names no model: there are 1",
            ),
            (
                refusal(|report| report.models[0].triangles[3][2] = 8),
                "/models/0/triangles/3: index 8 names no position: there are 8",
            ),
            (
                refusal(|report| report.models[0].faces = vec![0]),
                "/models/0/faces: there must be one face for each triangle, or none",
            ),
            (refusal(|report| report.clashes[0].b = 2), "/clashes/0/b: index 2 names no part: there are 2"),
            (
                refusal(|report| report.clashes[0] = Clash::new(1, 0, Verdict::Near)),
                "/clashes/0/a: a is 1, but may not be above b, which is 0",
            ),
            (
                refusal(|report| report.animation = moving(track(2))),
                "/animation/tracks/0/part: index 2 names no part: there are 2",
            ),
            (
                refusal(|report| report.animation = moving(track(1))),
                "/animation/tracks/0/times: times must ascend",
            ),
            (
                refusal(|report| {
                    report.animation = Some(Animation { followed: vec![0, 2], ..Animation::default() });
                }),
                "/animation/followed/1: index 2 names no part: there are 2",
            ),
            (
                refusal(|report| {
                    let film = Film { colors: vec![[0; 3]], ..Film::default() };
                    report.animation = Some(Animation { film: Some(film), ..Animation::default() });
                }),
                "/animation/film/colors: there must be one color for each part",
            ),
            (
                refusal(|report| {
                    let film =
                        Film { target: [0.0, f64::NAN, 0.0], colors: vec![[0; 3]; 2], ..Film::default() };
                    report.animation = Some(Animation { film: Some(film), ..Animation::default() });
                }),
                "/animation/film/target: NaN is not a finite number",
            ),
            (
                refusal(|report| {
                    let columns = vec!["filter".to_owned()];
                    report.tables = vec![Table { columns, rows: vec![Vec::new()], ..Table::default() }];
                }),
                "/tables/0/rows/0: 0 cells, but 1 columns",
            ),
            (
                refusal(|report| report.sweep = sweep(9, 1.0)),
                "/sweep/moving: index 9 names no part: there are 2",
            ),
            (
                refusal(|report| report.sweep = sweep(0, f64::NAN)),
                "/sweep/contacts/0/normal: NaN is not a finite number",
            ),
        ];
        for (found, expected) in cases {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn numbers_that_are_none_are_named() {
        let nan = f64::NAN;
        let cases = [
            (
                refusal(|report| report.clashes[0].depth = Some(nan)),
                "/clashes/0/depth: NaN is not a finite number",
            ),
            (
                refusal(|report| report.clashes[0].distance = f64::INFINITY),
                "/clashes/0/distance: inf is not a finite number",
            ),
            (
                refusal(|report| report.clashes[0].closest = Some([[0.0; 3], [0.0, nan, 0.0]])),
                "/clashes/0/closest: NaN is not a finite number",
            ),
            (
                refusal(|report| report.clashes[0].curve[0].points[1][0] = nan),
                "/clashes/0/curve/0: NaN is not a finite number",
            ),
            (
                refusal(|report| report.gap = Some(Gap { distance: nan, closest: [[0.0; 3]; 2] })),
                "/gap/distance: NaN is not a finite number",
            ),
            (
                refusal(|report| report.gap = Some(Gap { distance: 1.0, closest: [[0.0; 3], [nan; 3]] })),
                "/gap/closest: NaN is not a finite number",
            ),
            (
                refusal(|report| report.models[0].positions[5][1] = -f64::INFINITY),
                "/models/0/positions: -inf is not a finite number",
            ),
            (
                refusal(|report| report.parts[0].world_from_model[3] = nan),
                "/parts/0/world_from_model: NaN is not a finite number",
            ),
        ];
        for (found, expected) in cases {
            assert_eq!(found, expected);
        }
    }
}
