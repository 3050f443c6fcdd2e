//! Brute force: every face against every face, exactly. Slow, simple, and the oracle of every faster engine, which must
//! give the same verdicts and the same pairs of faces.

use super::frame::Frame;
use super::solid;
use super::surface::Surface;
use super::verdict::{Answer, Ask, FacePair, Verdict, Witness, Work};
use crate::math::{DVec3, middle};
use crate::model::Placed;
use crate::narrow::overlap::{Kind, Shared, triangles};

/// How two placed models stand to each other, and where they meet.
///
/// Exact: for the vertices as rounded into the canonical frame of the pair, the verdict and the pairs are those of
/// arithmetic without rounding. Exchanging the models exchanges nothing but the names in the answer.
pub fn check(a: &Placed<'_>, b: &Placed<'_>, ask: Ask) -> Answer {
    let frame = Frame::of(a, b);
    let surfaces = [Surface::new(&frame, 0, a), Surface::new(&frame, 1, b)];
    let meshes = [a.model().mesh(), b.model().mesh()];
    let mut search = Search::default();
    search.run(&surfaces, frame.host, ask.pairs);
    let Search { crossing, touching, mut pairs, work } = search;

    let faces = |meeting: &FacetMeeting| {
        [0, 1].map(|side| meshes[side].label(surfaces[side].facets[meeting.facets[side] as usize].face))
    };
    let at_faces = |meeting: &FacetMeeting| {
        // In the order of the search, so that the point does not depend on the names either.
        let order = [frame.host, 1 - frame.host];
        let [p, q] = order.map(|side| &surfaces[side].facets[meeting.facets[side] as usize].facet.corners);
        let [start, end] = meeting.shared.ends(p, q);
        Witness { faces: Some(faces(meeting)), point_in_world: frame.to_world(middle(start, end)) }
    };
    let at_point = |point: DVec3| Witness { faces: None, point_in_world: frame.to_world(point) };

    let (verdict, witness) = if let Some(meeting) = &crossing {
        (Verdict::Overlapping, Some(at_faces(meeting)))
    } else {
        let contacts: Vec<[u32; 2]> = touching.iter().map(|meeting| meeting.facets).collect();
        let solids = if ask.surface_only { None } else { solid::compare(&surfaces, &contacts) };
        match (solids, touching.first()) {
            (Some(finding), Some(meeting)) if finding.verdict == Verdict::Overlapping => {
                (finding.verdict, Some(at_faces(meeting)))
            }
            (Some(finding), _) => (finding.verdict, Some(at_point(finding.point))),
            (None, Some(meeting)) => (Verdict::Touching, Some(at_faces(meeting))),
            (None, None) => (Verdict::Clear, None),
        }
    };
    pairs.iter_mut().for_each(|pair| {
        (pair.face_a, pair.face_b) = (meshes[0].label(pair.face_a), meshes[1].label(pair.face_b));
    });
    // The strongest kind of each pair comes last among its facets, and survives.
    pairs.sort_unstable();
    pairs.reverse();
    pairs.dedup_by_key(|pair| (pair.face_a, pair.face_b));
    pairs.reverse();
    Answer { verdict, witness, pairs, work }
}

struct FacetMeeting {
    facets: [u32; 2],
    /// Seen from the host's facet.
    shared: Shared,
}

/// The pairs of facets that meet, as far as they matter.
#[derive(Default)]
struct Search {
    crossing: Option<FacetMeeting>,
    /// All that touch; of no use once a crossing is found.
    touching: Vec<FacetMeeting>,
    pairs: Vec<FacePair>,
    work: Work,
}

impl Search {
    fn run(&mut self, surfaces: &[Surface; 2], host: usize, all_pairs: bool) {
        let (own, other) = (&surfaces[host], &surfaces[1 - host]);
        self.work.box_tests += 1;
        if !own.bounds.overlaps(&other.bounds) {
            return;
        }
        for (i, first) in own.facets.iter().enumerate() {
            self.work.box_tests += 1;
            if !first.bounds.overlaps(&other.bounds) {
                continue;
            }
            self.work.box_tests += other.facets.len() as u64;
            for (j, second) in other.facets.iter().enumerate() {
                if !first.bounds.overlaps(&second.bounds) {
                    continue;
                }
                self.work.face_tests += 1;
                let Some((kind, shared)) = triangles(&first.facet, &second.facet) else { continue };
                let [a, b] = if host == 0 { [first, second] } else { [second, first] };
                let facets = if host == 0 { [i as u32, j as u32] } else { [j as u32, i as u32] };
                let meeting = FacetMeeting { facets, shared };
                match kind {
                    Kind::Crossing => self.crossing = self.crossing.take().or(Some(meeting)),
                    Kind::Touching if self.crossing.is_none() => self.touching.push(meeting),
                    Kind::Touching => {}
                }
                if all_pairs {
                    self.pairs.push(FacePair { face_a: a.face, face_b: b.face, kind });
                } else if self.crossing.is_some() {
                    return;
                }
            }
        }
    }
}
