//! The motion of a joint during a span of time without a key, how fast at most, and whether that is a plain motion.
//!
//! `docs/math/animation.md` derives the bounds.

use super::Local;
use super::course::{Course, Spin};
use impinge_core::math::{DAffine3, DMat3, DVec3};
use impinge_core::tolerance::RIG_SIMILAR;
use impinge_core::transform::Motion;

/// The motion of one joint in its parent's frame.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a chain has few, and they are made anew for every span")]
pub(super) enum LocalPiece {
    Still(DAffine3),
    Moving { translation: Course, rotation: Spin, scale: Course },
}

impl Local {
    pub(super) fn piece(&self, span: [f64; 2]) -> LocalPiece {
        match self {
            Local::Matrix(map) => LocalPiece::Still(*map),
            Local::Trs { translation, rotation, scale } => {
                let (translation, rotation, scale) =
                    (translation.course(span), rotation.spin(span), scale.course(span));
                let moving = LocalPiece::Moving { translation, rotation, scale };
                if translation.is_still() && rotation.is_still() && scale.is_still() {
                    return LocalPiece::Still(moving.at(0.0));
                }
                moving
            }
        }
    }
}

impl LocalPiece {
    pub(super) fn at(&self, parameter: f64) -> DAffine3 {
        match self {
            LocalPiece::Still(map) => *map,
            LocalPiece::Moving { translation, rotation, scale } => DAffine3::from_scale_rotation_translation(
                scale.at(parameter),
                rotation.at(parameter),
                translation.at(parameter),
            ),
        }
    }

    fn is_still(&self) -> bool {
        matches!(self, LocalPiece::Still(_))
    }

    /// By what it scales all lengths all the time, if it does.
    fn even_scale(&self) -> Option<f64> {
        match self {
            LocalPiece::Still(map) => even_scale(&map.matrix3),
            LocalPiece::Moving { scale: Course::Still(scale), .. } => {
                let [x, y, z] = scale.abs().to_array();
                (x == y && y == z && x > 0.0).then_some(x)
            }
            LocalPiece::Moving { .. } => None,
        }
    }

    /// How far a point gets from the parent's origin, and how fast it gets, of one that gets so far from this frame's origin
    /// and so fast in it.
    fn bound(&self, [reach, speed]: [f64; 2]) -> [f64; 2] {
        match self {
            LocalPiece::Still(map) => {
                let stretch = stretch(&map.matrix3);
                [stretch * reach + map.translation.length(), stretch * speed]
            }
            LocalPiece::Moving { translation, rotation, scale } => {
                let stretch = scale.largest();
                let spin = if rotation.is_still() { 0.0 } else { rotation.speed() * stretch };
                let grow = scale.speed();
                let by_turning = if reach > 0.0 { (spin + grow) * reach } else { 0.0 };
                [stretch * reach + translation.longest(), stretch * speed + translation.speed() + by_turning]
            }
        }
    }
}

/// An upper bound on how much a map stretches any vector.
fn stretch(matrix: &DMat3) -> f64 {
    even_scale(matrix).map_or_else(
        // The root of the sum of all squares is never less.
        || {
            (matrix.x_axis.length_squared() + matrix.y_axis.length_squared() + matrix.z_axis.length_squared())
                .sqrt()
        },
        |scale| scale * (1.0 + 4.0 * RIG_SIMILAR),
    )
}

/// By what a map scales all lengths, if it does up to rounding.
fn even_scale(matrix: &DMat3) -> Option<f64> {
    let square = matrix.transpose() * *matrix;
    let scale = square.x_axis.x;
    let rest = square - DMat3::from_diagonal(DVec3::splat(scale));
    let excess = rest.to_cols_array().iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    (scale > 0.0 && excess <= RIG_SIMILAR * scale).then(|| scale.sqrt())
}

/// The motion of a body between two times: its joint and all ancestors, the world's first.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    locals: Vec<(usize, LocalPiece)>,
}

impl Piece {
    pub(super) fn new(locals: Vec<(usize, LocalPiece)>) -> Piece {
        Piece { locals }
    }

    /// The motion of a body that stands still.
    pub(crate) fn still(world_from_body: DAffine3) -> Piece {
        Piece { locals: vec![(usize::MAX, LocalPiece::Still(world_from_body))] }
    }

    fn whole(&self) -> Tail<'_> {
        Tail { scale: 1.0, locals: &self.locals }
    }

    /// The pose of the body; parameters go from 0 to 1.
    pub(crate) fn at(&self, parameter: f64) -> DAffine3 {
        self.whole().at(parameter)
    }

    /// An upper bound of the speed of any point no farther than `reach` from the body's origin, in the world and per parameter.
    pub(crate) fn speed(&self, reach: f64) -> f64 {
        self.whole().speed(reach)
    }
}

/// A piece without the joints that two bodies have in common.
#[derive(Clone, Copy, Debug)]
struct Tail<'p> {
    /// The scale of the joints before.
    scale: f64,
    locals: &'p [(usize, LocalPiece)],
}

impl Tail<'_> {
    fn at(&self, parameter: f64) -> DAffine3 {
        let mut map = DAffine3::from_scale(DVec3::splat(self.scale));
        for (place, (_, local)) in self.locals.iter().enumerate() {
            let local = local.at(parameter);
            // The first product would only round.
            map = if place == 0 && self.scale == 1.0 { local } else { map * local };
        }
        map
    }

    fn is_still(&self) -> bool {
        self.locals.iter().all(|(_, local)| local.is_still())
    }

    fn speed(&self, reach: f64) -> f64 {
        if self.is_still() {
            return 0.0;
        }
        let start = [reach, 0.0];
        let [_, speed] = self.locals.iter().rev().fold(start, |known, (_, local)| local.bound(known));
        // And what rounding may have taken away.
        self.scale * speed * (1.0 + 1e-12)
    }

    /// The motion that it is, if it is a plain one.
    fn motion(&self) -> Option<Plain> {
        let mut frame = DAffine3::from_scale(DVec3::splat(self.scale));
        let mut plain = Plain { by: DVec3::ZERO, turn: None };
        for (_, local) in self.locals {
            if let LocalPiece::Moving { translation, rotation, scale } = local {
                // What has turned carries along all that comes after it.
                let by = translation.line_by().filter(|_| scale.is_still() && plain.turn.is_none())?;
                plain.by += frame.matrix3 * by;
                match rotation {
                    Spin::Still(_) => {}
                    Spin::Even { axis, angle, .. } => {
                        even_scale(&frame.matrix3)?;
                        // Seen in a mirror it turns the other way.
                        let turned = if frame.matrix3.determinant() < 0.0 { -angle } else { *angle };
                        let center = frame.transform_point3(translation.at(0.0));
                        plain.turn = Some((center, frame.matrix3 * *axis, turned.to_degrees()));
                    }
                    Spin::Curve(_) => return None,
                }
            }
            frame *= local.at(0.0);
        }
        Some(plain)
    }

    /// Whether no scale gets to 0 on the way.
    fn keeps_signs(&self) -> bool {
        self.locals.iter().all(|(_, local)| match local {
            LocalPiece::Still(_) => true,
            LocalPiece::Moving { scale, .. } => scale.keeps_signs(),
        })
    }
}

/// A translation, and perhaps a turn about an axis that moves along: center, axis, degrees.
struct Plain {
    by: DVec3,
    turn: Option<(DVec3, DVec3, f64)>,
}

/// The relative motion of two bodies between two times, seen from the joint that carries both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PiecePair<'p> {
    tails: [Tail<'p>; 2],
}

impl<'p> PiecePair<'p> {
    /// The relative motion of two bodies. Common joints are left out up to the last one that moves, as long as they scale evenly: distances stay as they are in the world.
    pub(crate) fn new(a: &'p Piece, b: &'p Piece) -> PiecePair<'p> {
        let mut common =
            a.locals.iter().zip(&b.locals).take_while(|(one, other)| one.0 == other.0 && one.0 != usize::MAX);
        let (mut left_out, mut count, mut scale, mut scale_there) = (0, 0, 1.0, 1.0);
        while let Some((one, _)) = common.next()
            && let Some(even) = one.1.even_scale()
        {
            count += 1;
            scale *= even;
            if !one.1.is_still() {
                (left_out, scale_there) = (count, scale);
            }
        }
        let tail = |piece: &'p Piece| Tail { scale: scale_there, locals: &piece.locals[left_out..] };
        PiecePair { tails: [tail(a), tail(b)] }
    }

    /// The poses of the two, in the frame that both are seen from.
    pub(crate) fn at(&self, parameter: f64) -> [DAffine3; 2] {
        self.tails.map(|tail| tail.at(parameter))
    }

    /// Whether neither moves relative to the other.
    pub(crate) fn is_still(&self) -> bool {
        self.tails.iter().all(Tail::is_still)
    }

    /// Whether no scale reaches 0: both exist all the time if they do at both ends.
    pub(crate) fn keeps_signs(&self) -> bool {
        self.tails.iter().all(Tail::keeps_signs)
    }

    /// An upper bound of the relative speed of any point of the one and any of the other, per parameter, if their models reach so far
    /// from their origins.
    pub(crate) fn speed(&self, reaches: [f64; 2]) -> f64 {
        self.tails[0].speed(reaches[0]) + self.tails[1].speed(reaches[1])
    }

    /// The motion of one of them, by its place, relative to the other, which does not turn: if it is a plain one.
    pub(crate) fn motion(&self) -> Option<(usize, Motion)> {
        let [a, b] = [self.tails[0].motion()?, self.tails[1].motion()?];
        let (moving, mover, other) = if b.turn.is_none() { (0, a, b) } else { (1, b, a) };
        let by = mover.by - other.by;
        let motion = match (mover.turn, other.turn) {
            (_, Some(_)) => None,
            (None, None) => Motion::translation(by).ok(),
            (Some((center, axis, degrees)), None) if by == DVec3::ZERO => {
                Motion::rotation(center, axis, degrees).ok()
            }
            (Some((center, axis, degrees)), None) => Motion::rigid(by, center, axis, degrees).ok(),
        };
        Some((moving, motion?))
    }
}
