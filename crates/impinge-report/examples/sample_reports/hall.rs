//! A report with groups of clashes.

use impinge_report::{Clash, Comment, IDENTITY, Point, Report, Review, Shared, Verdict};

use crate::shapes::{ball, cuboid, moved, part, turned_about_z};

/// Twelve bolts that stick in a plate by 0.02, a pipe through four joists, each deeper than the one before, and two thin sheets that cross.
pub(crate) fn groups() -> Report {
    let mut models =
        vec![cuboid([6.0, 0.2, 4.0]), ball(0.15, 10), cuboid([8.0, 0.3, 0.3]), cuboid([2.0, 0.001, 2.0])];
    let mut parts = vec![
        part("plate", 0, IDENTITY),
        part(
            "pipe of the long way from one end of the hall to the other, 0DyViLJJ175RvWQi1rE7a6",
            2,
            moved([0.0, 1.5, 0.0]),
        ),
        part("sheet a", 3, moved([0.0, 3.0, 0.0])),
        part("sheet b", 3, turned_about_z(90.0, [0.0, 3.0, 0.0])),
    ];
    let overlap = |a, b, point: Point, depth: f64| Clash {
        point: Some(point),
        face_pairs: 12,
        penetration: Some([depth * 0.995, depth]),
        bounds: Some([point.map(|x| x - 0.1), point.map(|x| x + 0.1)]),
        ..Clash::new(a, b, Verdict::Overlapping)
    };
    let mut clashes = vec![Clash { limited_by_thickness: true, ..overlap(2, 3, [0.0, 3.0, 0.0], 0.0005) }];
    for index in 0..12 {
        let at = [f64::from(index % 6) - 2.5, 0.23, f64::from(index / 6) * 2.0 - 1.0];
        // Of the bolts only the box is known.
        let shared = [[at[0] - 0.08, 0.08, at[2] - 0.08], [at[0] + 0.08, 0.1, at[2] + 0.08]];
        clashes.push(Clash {
            shared_bounds: Some(shared),
            ..overlap(0, parts.len(), [at[0], 0.1, at[2]], 0.02)
        });
        parts.push(part(&format!("bolt_{index}"), 1, moved(at)));
    }
    for index in 0..4_u32 {
        let depth = 0.05 * f64::from(index + 1);
        let at = [f64::from(index) * 2.0 - 3.0, 1.35 - 1.0 + depth, 0.0];
        let width = 0.2 + 0.01 * f64::from(index);
        let (origin, size) = ([at[0], 1.35 + depth / 2.0, 0.0], [width, depth, 0.3]);
        let corner = |sign: f64| [0, 1, 2].map(|axis| origin[axis] + sign * size[axis] / 2.0);
        clashes.push(Clash {
            shared: Some(Shared { origin, model: cuboid(size) }),
            shared_bounds: Some([corner(-1.0), corner(1.0)]),
            ..overlap(1, parts.len(), [at[0], 1.35, 0.0], depth)
        });
        models.push(cuboid([width, 2.0, 3.0]));
        parts.push(part(&format!("joist {index}"), models.len() - 1, moved(at)));
    }
    // Shapes are told apart by their hashes.
    for part in &mut parts {
        part.identity.shape = part.model.map(|model| model as u64);
    }
    let mut report = Report {
        title: "hall.glb".to_owned(),
        unit: "m".to_owned(),
        models,
        parts,
        clashes,
        ..Report::default()
    };
    report.name_clashes();
    report.group_clashes();
    let comment =
        Comment { author: Some("Ann".to_owned()), text: "as drawn".to_owned(), ..Comment::default() };
    report.clashes[0].review =
        Some(Review { status: Some("Closed".to_owned()), assignee: None, comments: vec![comment] });
    report
}
