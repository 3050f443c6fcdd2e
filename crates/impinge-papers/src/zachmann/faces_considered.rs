//! The faces that a query tests: those that the trees could not tell apart (Zachmann 1998, Figure 1).

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use impinge::Placed;
use impinge::query::experiments::Frame;
use impinge_core::bvh::{Alignment, DopTree, Goal, LeafVisitor, Leaves, PairAlignment, Stack, traverse_pair};
use impinge_core::simd::Lanes;

/// The faces of `a` and of `b` that a search for all intersections would test, sorted: those with bounds that overlap bounds of the
/// other's. All faces that intersect are among them. For pictures and for a feeling for the work; where bounds are of no use,
/// because coordinates are too large for them, it is all faces.
pub fn faces_considered(a: &Placed<'_>, b: &Placed<'_>) -> [Vec<u32>; 2] {
    let frame = Frame::of(a, b);
    let placed = [a, b];
    let [host, guest] = [frame.host, 1 - frame.host].map(|side| placed[side]);
    let Some(maps) = frame.maps(host, guest) else {
        return placed.map(|placed| {
            let mesh = placed.model().mesh();
            let labels: BTreeSet<u32> = (0..mesh.face_count() as u32).map(|face| mesh.label(face)).collect();
            labels.into_iter().collect()
        });
    };
    let trees = [host.model().bvh(), guest.model().bvh()];
    let alignment = PairAlignment::new(
        &Alignment::new(trees[0], trees[1], &maps.host_from_guest, maps.error_in_host),
        &Alignment::new(trees[1], trees[0], &maps.guest_from_host, maps.error_in_guest),
    );
    let mut considered = Considered { trees, faces: [const { BTreeSet::new() }; 2] };
    traverse_pair(trees, &alignment, Goal::All, &mut Stack::default(), &mut considered);
    let mut faces = considered.faces;
    if frame.host == 1 {
        faces.reverse();
    }
    let mut side = 0;
    faces.map(|faces| {
        let mesh = placed[side].model().mesh();
        side += 1;
        let labels: BTreeSet<u32> = faces.into_iter().map(|face| mesh.label(face)).collect();
        labels.into_iter().collect()
    })
}

/// The faces of the leaves that are shown, the host's first.
struct Considered<'m> {
    trees: [&'m DopTree<6>; 2],
    faces: [BTreeSet<u32>; 2],
}

impl LeafVisitor for Considered<'_> {
    fn meet<L: Lanes>(&mut self, a: Leaves<'_>, b: Leaves<'_>, mask: u32) -> ControlFlow<()> {
        for pair in (0..16).filter(|pair| mask >> pair & 1 == 1) {
            self.faces[0].extend(self.trees[0].elements(a.leaf(pair / 4)));
            self.faces[1].extend(self.trees[1].elements(b.leaf(pair % 4)));
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::{Model, Trs, shapes};

    #[test]
    fn what_meets_is_considered_and_little_else() -> Result<(), Box<dyn std::error::Error>> {
        let (ring, ball) =
            (Model::new(shapes::torus(1.0, 0.25, 48, 24)?), Model::new(shapes::icosphere(0.5, 8)?));
        let (a, b) = (ring.at(Trs::IDENTITY), ball.at(Trs::translation([0.4, 0.1, 0.05])?));
        for (a, b) in [(&a, &b), (&b, &a)] {
            let [of_a, of_b] = faces_considered(a, b);
            let pairs = a.face_pairs(b);
            assert!(!pairs.is_empty());
            assert!(pairs.iter().all(|pair| {
                of_a.binary_search(&pair.face_a).is_ok() && of_b.binary_search(&pair.face_b).is_ok()
            }));
            assert!(of_a.len() * 3 < a.model().mesh().face_count(), "{}", of_a.len());
            assert!(of_b.len() * 3 < b.model().mesh().face_count(), "{}", of_b.len());
        }
        Ok(())
    }
}
