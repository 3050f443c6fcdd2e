//! Finding the triangles that may meet: by trying all.

use super::pair::{Move, Piece, Tester};
use crate::bounds::Aabb;
use crate::math::DVec3;
use crate::narrow::rotate::ArcPoint;
use crate::query::surface::FacetName;

/// Every triangle against every other whose box the motion can bring it to.
pub(super) fn by_trying_all(tester: &mut Tester<'_, '_>) {
    let [moving, still] = [0, 1].map(|side| pieces(tester, side));
    let reach = tester.zone.thickness + 2.0 * tester.zone.core;
    let swept: Vec<Aabb> = moving.iter().map(|piece| swept(piece, &tester.motion, reach)).collect();
    let boxes: Vec<Aabb> = still.iter().map(|piece| Aabb::around(piece.corners)).collect();
    for (piece, swept) in moving.iter().zip(&swept) {
        for (other, bounds) in still.iter().zip(&boxes) {
            tester.work.box_tests += 1;
            if swept.overlaps(bounds) {
                tester.test([piece, other]);
            }
        }
    }
}

fn pieces(tester: &Tester<'_, '_>, side: usize) -> Vec<Piece> {
    let mesh = tester.sources[side].mesh();
    let mut pieces = Vec::with_capacity(mesh.triangle_count());
    for face in 0..mesh.face_count() as u32 {
        for number in 0..mesh.fan_count(face) as u32 {
            pieces.push(tester.piece(side, FacetName { face, piece: number }));
        }
    }
    pieces
}

/// A box around a triangle on its way, and so much more.
fn swept(piece: &Piece, motion: &Move, reach: f64) -> Aabb {
    let mut bounds = Aabb::around(piece.corners);
    match motion {
        Move::Line(velocity) => {
            for corner in piece.corners {
                bounds = bounds.with_point(corner + *velocity);
            }
        }
        Move::Arc(turn) => {
            for corner in piece.corners {
                // The arc of at most a quarter stays within the triangle of its ends and where its tangents meet.
                let arc = ArcPoint::new(turn, corner);
                bounds = bounds.with_point(arc.at(turn.end));
                bounds = bounds.with_point(corner + arc.tangent * turn.end);
            }
        }
    }
    let more = DVec3::splat(reach + 1e-15 * (bounds.min.abs().max(bounds.max.abs())).max_element());
    Aabb { min: bounds.min - more, max: bounds.max + more }
}
