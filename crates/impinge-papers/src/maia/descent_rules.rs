//! The search for all intersections by other descent rules than queries use: what the choice of the frame and of the rule is worth
//! (Maia et al. 2006, §3.4).

use std::cmp::Ordering;
use std::ops::ControlFlow;

use impinge::Placed;
use impinge::query::experiments::{FaceSource, Frame, host_order, traverse_bvh};
use impinge::query::{Scratch, Stats};
use impinge_core::bvh::{Descent, Goal};

/// The model in whose frame faces are compared: the faces of the other are placed there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostRule {
    /// The model with more faces, as queries choose.
    MoreFaces,
    /// The model with fewer faces.
    FewerFaces,
}

/// The descent rule: which of two nodes is opened, where both could be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum DescentRule {
    /// The rule that queries use.
    Usual,
    /// Both nodes at once.
    Together,
    /// The node of larger volume, and both where neither is so many times as large as the other.
    Larger(f32),
    /// The host's tree down to its leaves, and then the guest's.
    HostFirst,
    /// The guest's tree down to its leaves, and then the host's.
    GuestFirst,
}

/// Counts all pairs of triangles that intersect by a given descent rule, with the work that it took. `None` where
/// coordinates are too large for bounds.
///
/// For comparisons of the work. All rules with one host find the same; with the other host vertices are rounded otherwise,
/// and so pairs that all but touch may be told otherwise.
pub fn intersections_by(
    a: &Placed<'_>,
    b: &Placed<'_>,
    (host, down): (HostRule, DescentRule),
    scratch: &mut Scratch,
) -> Option<(u64, Stats)> {
    let larger = usize::from(host_order(a, b) == Ordering::Less);
    let host = if host == HostRule::MoreFaces { larger } else { 1 - larger };
    let frame = Frame::hosted_by(host, a, b);
    let placed = [host, 1 - host].map(|side| [a, b][side]);
    let sources = [host, 1 - host].map(|side| FaceSource::new(&frame, side, [a, b][side]));
    let maps = frame.maps(placed[0], placed[1])?;
    let trees = placed.map(|placed| placed.model().bvh());
    let descent = match down {
        DescentRule::Usual => Descent::USUAL,
        DescentRule::Together => Descent::Together,
        DescentRule::Larger(times) => Descent::Larger(times),
        DescentRule::HostFirst => Descent::OneTree(0),
        DescentRule::GuestFirst => Descent::OneTree(1),
    };
    let mut meetings = 0;
    let stats = traverse_bvh(trees, &sources, &maps, (Goal::All, descent), scratch, |_| {
        meetings += 1;
        ControlFlow::Continue(())
    });
    Some((meetings, stats))
}
