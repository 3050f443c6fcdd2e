//! The sample reports.

use impinge_report::{
    Animation, Baseline, Clash, Contact, Film, IDENTITY, Kind, Matrix, Model, Part, Point, Report, Side,
    Sweep, SweepStatus, Track, Verdict,
};

use crate::hall::groups;
use crate::shapes::{Ball, ball, crossing, cuboid, moved, part, turned_about_z};

pub(crate) fn all() -> Vec<(&'static str, Report)> {
    vec![
        ("all-kinds", all_kinds()),
        ("groups", groups()),
        ("check", check()),
        ("clear", Report { clashes: Vec::new(), ..check() }),
        ("parts-125", many(125, Shapes::Shared)),
        ("parts-1000", many(1000, Shapes::Shared)),
        ("parts-10000", many(10_000, Shapes::Shared)),
        ("animation", animation()),
        ("sweep", sweep()),
        ("arena", arena()),
        ("film", film()),
        ("empty", empty()),
        (
            "partial",
            Report { partial: true, notes: vec!["123 of 456 pairs were looked at".to_owned()], ..check() },
        ),
        ("hostile", hostile()),
        ("far", far(1e9, 1e-3)),
        ("huge", far(0.0, 1e300)),
        ("live", live()),
    ]
}

/// At least one clash of each kind, and what became of them since a baseline.
pub(crate) fn all_kinds() -> Report {
    let models = vec![
        cuboid([6.0, 0.5, 4.0]),
        ball(0.8, 16),
        cuboid([0.5, 0.5, 0.5]),
        cuboid([1.0, 1.0, 1.0]),
        ball(0.3, 10),
    ];
    let centers = [[-2.0, 1.05, 0.0], [-0.9, 1.3, 0.3]];
    let parts = vec![
        part("base plate", 0, IDENTITY),
        part("flange left", 1, moved(centers[0])),
        part("flange right", 1, moved(centers[1])),
        part("bracket", 3, moved([1.0, 0.75, 1.0])),
        part("bracket copy", 3, moved([1.0, 0.75, 1.0])),
        part("bolt", 4, moved([1.0, 0.8, 1.0])),
        part("shim", 2, moved([2.2, 0.5, -1.0])),
        part("cover", 2, moved([2.2, 1.3, -1.0])),
        part(
            "housing with a name that is too long for one line of the list",
            3,
            turned_about_z(30.0, [0.5, 1.2, -1.2]),
        ),
    ];
    let balls = [0, 1].map(|i| Ball { part: i + 1, center: centers[i], radius: 0.8 });
    let inside = |a, b, contained| Clash { contained: Some(contained), ..Clash::new(a, b, Verdict::Inside) };
    let at = |clash: Clash, point: Point| Clash { point: Some(point), ..clash };
    let clashes = vec![
        crossing(&models[1], &balls[0], &balls[1]),
        Clash {
            face_pairs: 24,
            bounds: Some([[0.5, 0.25, 0.5], [1.5, 1.25, 1.5]]),
            faces_a: (0..6).collect(),
            faces_b: (0..6).collect(),
            ..at(Clash::new(3, 4, Verdict::Duplicate), [1.5, 0.75, 1.0])
        },
        at(inside(3, 5, Side::B), [1.0, 0.8, 1.0]),
        at(inside(4, 5, Side::B), [1.0, 0.8, 1.0]),
        Clash {
            bounds: Some([[1.95, 0.25, -1.25], [2.45, 0.25, -0.75]]),
            face_pairs: 4,
            faces_a: vec![3],
            faces_b: vec![2],
            ..at(Clash::new(0, 6, Verdict::Touching), [2.2, 0.25, -1.0])
        },
        Clash {
            bounds: Some([[0.5, 0.25, 0.5], [1.5, 0.25, 1.5]]),
            face_pairs: 4,
            faces_a: vec![3],
            faces_b: vec![2],
            ..at(Clash::new(0, 3, Verdict::Touching), [1.0, 0.25, 1.0])
        },
        Clash {
            distance: 0.3,
            closest: Some([[2.2, 0.75, -1.0], [2.2, 1.05, -1.0]]),
            ..at(Clash::new(6, 7, Verdict::Near), [2.2, 0.9, -1.0])
        },
    ];
    let mut before = Report {
        title: "assembly.glb".to_owned(),
        unit: "mm".to_owned(),
        notes: vec!["sizes of parts differ by a factor of 12".to_owned()],
        models,
        parts,
        clashes: clashes[1..].to_vec(),
        ..Report::default()
    };
    before.clashes.push(at(Clash::new(7, 8, Verdict::Overlapping), [1.0, 1.2, -1.0]));
    before.name_clashes();
    let mut report = Report { clashes, ..before.clone() };
    report.name_clashes();
    // What was just written can be read.
    if let Some(baseline) = before.json().ok().and_then(|json| Baseline::read(&json).ok()) {
        report.compare(&baseline);
    }
    report
}

/// Two balls that cross.
fn check() -> Report {
    let model = ball(1.0, 24);
    let centers = [[-0.6, 0.0, 0.0], [0.6, 0.3, 0.2]];
    let balls = [0, 1].map(|part| Ball { part, center: centers[part], radius: 1.0 });
    let mut report = Report {
        kind: Kind::Check,
        title: "left.stl × right.stl".to_owned(),
        unit: "mm".to_owned(),
        clashes: vec![crossing(&model, &balls[0], &balls[1])],
        models: vec![model],
        parts: vec![part("left.stl", 0, moved(centers[0])), part("right.stl", 0, moved(centers[1]))],
        ..Report::default()
    };
    report.name_clashes();
    report
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shapes {
    /// All parts are of one model.
    Shared,
    /// Each part has a model of its own.
    Own,
}

/// A cube of balls, some 500 triangles each; every fifth crosses its neighbor.
pub(crate) fn many(count: usize, shapes: Shapes) -> Report {
    let (radius, side) = (0.4, (count as f64).cbrt().ceil() as usize);
    let model = ball(radius, 12);
    let center = |index: usize| {
        let [x, y, z] = [index % side, index / side % side, index / side / side].map(|i| i as f64);
        // Every fifth leans over to the next one of its row.
        [x + if index.is_multiple_of(5) { 0.4 } else { 0.0 }, y, z]
    };
    let ball_at = |part| Ball { part, center: center(part), radius };
    let clashing = (0..count - 1).step_by(5).filter(|index| index % side + 1 < side);
    let clashes = clashing.map(|index| crossing(&model, &ball_at(index), &ball_at(index + 1))).collect();
    let part_at = |index| {
        let own = if shapes == Shapes::Own { index } else { 0 };
        part(&format!("ball {index}"), own, moved(center(index)))
    };
    let models = match shapes {
        Shapes::Shared => vec![model],
        // A little different each.
        Shapes::Own => (0..count).map(|index| ball(radius * (1.0 + 1e-6 * index as f64), 12)).collect(),
    };
    let mut report = Report {
        title: format!("{count} parts"),
        unit: "m".to_owned(),
        z_up: true,
        models,
        parts: (0..count).map(part_at).collect(),
        clashes,
        ..Report::default()
    };
    report.name_clashes();
    report
}

/// A bar that turns and hits a post, and a slider.
fn animation() -> Report {
    let models = vec![cuboid([3.0, 0.4, 0.4]), cuboid([0.4, 2.0, 0.4]), cuboid([4.0, 0.2, 4.0])];
    let keys: Vec<f64> = (0..=8).map(|key| f64::from(key) * 0.5).collect();
    let track = |part, pose: &dyn Fn(f64) -> Matrix| Track {
        part,
        times: keys.clone(),
        world_from_model: keys.iter().map(|&time| Some(pose(time))).collect(),
    };
    let mut report = Report {
        title: "arm.glb".to_owned(),
        unit: "m".to_owned(),
        parts: vec![
            part("arm", 0, moved([0.0, 1.2, 0.0])),
            part("post", 1, moved([0.0, -0.9, 0.0])),
            part("floor", 2, moved([0.0, -2.0, 0.0])),
            part("slider", 1, moved([-3.0, 0.0, 0.0])),
        ],
        models,
        clashes: vec![
            Clash {
                point: Some([0.0, 0.1, 0.0]),
                time: Some(1.4),
                duration: Some(0.9),
                face_pairs: 6,
                ..Clash::new(0, 1, Verdict::Overlapping)
            },
            Clash {
                point: Some([-1.4, 0.0, 0.0]),
                time: Some(2.8),
                duration: Some(0.4),
                sampled: true,
                ..Clash::new(0, 3, Verdict::Touching)
            },
        ],
        animation: Some(Animation {
            name: "work".to_owned(),
            duration: 4.0,
            tracks: vec![
                track(0, &|time| turned_about_z(45.0 * time, [0.0, 1.2, 0.0])),
                track(3, &|time| moved([-3.0 + 0.6 * time, 0.0, 0.0])),
            ],
            followed: Vec::new(),
            film: None,
        }),
        ..Report::default()
    };
    report.name_clashes();
    report
}

/// A ball that flies against a wall.
fn sweep() -> Report {
    let pose = |fraction: f64| turned_about_z(90.0 * fraction, [-3.0 + 6.0 * fraction, 1.0 - fraction, 0.0]);
    let stop = 0.42;
    Report {
        kind: Kind::Sweep,
        title: "crate.obj → wall.obj".to_owned(),
        unit: "m".to_owned(),
        models: vec![cuboid([1.0, 1.0, 1.0]), cuboid([0.3, 4.0, 4.0])],
        parts: vec![part("crate.obj", 0, pose(0.0)), part("wall.obj", 1, moved([0.35, 0.0, 0.0]))],
        sweep: Some(Sweep {
            moving: 0,
            verdict: SweepStatus::Hit,
            fraction: stop,
            path: (0..=16).map(|step| pose(f64::from(step) / 16.0)).collect(),
            stop: pose(stop),
            contacts: [-0.5, 0.5]
                .map(|z| Contact { point: [0.2, 0.45, z], normal: [1.0, 0.0, 0.0] })
                .to_vec(),
        }),
        ..Report::default()
    }
}

/// Balls that bounce; the second comes late.
fn arena() -> Report {
    let times: Vec<f64> = (0..=240).map(|frame| f64::from(frame) / 60.0).collect();
    let pose = |part: usize, time: f64| {
        let phase = time + 0.35 * part as f64;
        (part != 2 || time >= 1.0)
            .then(|| moved([part as f64 * 1.2 - 3.0, 0.5 + 2.0 * (2.4 * phase).sin().abs(), 0.0]))
    };
    let mut parts = vec![part("ground", 0, moved([0.0, -0.1, 0.0]))];
    parts.extend(
        (1..6).map(|index| {
            part(&format!("player {index}"), 1, moved([f64::from(index) * 1.2 - 3.0, 0.5, 0.0]))
        }),
    );
    let track = |part| Track {
        part,
        times: times.clone(),
        world_from_model: times.iter().map(|&time| pose(part, time)).collect(),
    };
    Report {
        kind: Kind::Arena,
        title: "arena".to_owned(),
        unit: "m".to_owned(),
        models: vec![cuboid([8.0, 0.2, 4.0]), ball(0.5, 12)],
        parts,
        animation: Some(Animation {
            name: String::new(),
            duration: 4.0,
            tracks: (1..6).map(track).collect(),
            followed: Vec::new(),
            film: None,
        }),
        ..Report::default()
    }
}

/// A film of balls: with a camera, colors and a caption.
fn film() -> Report {
    let mut report = arena();
    let colors =
        [[176, 190, 160], [200, 70, 40], [60, 100, 190], [220, 160, 40], [90, 150, 90], [150, 80, 160]];
    report.title = "film".to_owned();
    report.notes = vec!["Five balls, and a ground to bounce on.".to_owned()];
    let film =
        Film { camera: [4.0, 4.0, 9.0], target: [0.4, 1.0, 0.0], cutaway: None, colors: colors.into() };
    if let Some(animation) = &mut report.animation {
        animation.film = Some(film);
    }
    report
}

fn empty() -> Report {
    Report { title: "nothing.glb".to_owned(), unit: "m".to_owned(), ..Report::default() }
}

/// Names that try to become something else, and parts without shape or name.
fn hostile() -> Report {
    let names = [
        "</script><script>window.hacked = 1</script>",
        "<img src=x onerror=\"window.hacked = 2\">",
        "\"'`${window.hacked = 3}\u{2028}\u{2029}\0\u{7}",
        "",
        "a\nb\tc\r\nd",
        "\u{202e}desrever",
        "名前 größe 🔩",
        "__proto__",
    ];
    let mut parts: Vec<Part> =
        names.iter().enumerate().map(|(i, name)| part(name, 0, moved([i as f64, 0.0, 0.0]))).collect();
    parts[3].model = None;
    parts[4].model = Some(1);
    let clash = |a: usize| Clash {
        point: Some([a as f64 + 0.5, 0.0, 0.0]),
        ..Clash::new(a, a + 1, Verdict::ALL[a % 5])
    };
    let hostile = names[0].to_owned();
    let mut report = Report {
        title: hostile.clone(),
        unit: names[1].to_owned(),
        notes: vec![hostile.clone()],
        models: vec![cuboid([1.0; 3]), Model::default()],
        clashes: (0..names.len() - 1).map(clash).chain([Clash::new(7, 7, Verdict::Overlapping)]).collect(),
        parts,
        ..Report::default()
    };
    report.name_clashes();
    report
}

/// Small parts far from the origin, or parts as large as numbers go.
fn far(at: f64, size: f64) -> Report {
    let mut report = check();
    report.title = format!("{size:e} at {at:e}");
    let change = |value: &mut f64| *value = at + size * *value;
    for position in &mut report.models[0].positions {
        position.iter_mut().for_each(|value| *value *= size);
    }
    for part in &mut report.parts {
        [3, 7, 11].into_iter().for_each(|entry| change(&mut part.world_from_model[entry]));
    }
    for clash in &mut report.clashes {
        clash.point.iter_mut().flatten().for_each(change);
        clash.bounds.iter_mut().flatten().flatten().for_each(change);
        clash.curve.iter_mut().flat_map(|line| &mut line.points).flatten().for_each(change);
        clash.depth = clash.depth.map(|depth| depth * size);
    }
    report
}

fn live() -> Report {
    Report { live: true, clashes: Vec::new(), title: "live".to_owned(), ..check() }
}
