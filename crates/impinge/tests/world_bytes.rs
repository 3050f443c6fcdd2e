//! Calls to a world that are made from any bytes, and what must hold after each. The fuzz target `worlds` is this file too, so it needs
//! nothing but the library.

use std::collections::BTreeSet;
use std::sync::Arc;

use impinge::math::DVec3;
use impinge::world::{Body, Handle, SlideOptions, World};
use impinge::{Model, Motion, Trs, Verdict, shapes};

/// Bytes, one after the other; those that are missing are 0.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// On a lattice of quarters, so that bodies touch, or anywhere.
    fn number(&mut self) -> f64 {
        let byte = self.byte();
        if byte & 1 == 0 {
            f64::from(byte as i8 / 8) / 4.0
        } else {
            f64::from(i16::from_le_bytes([byte, self.byte()])) / 8192.0
        }
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn motion(&mut self) -> Option<Motion> {
        match self.byte() % 4 {
            0 | 1 => Motion::translation(self.vector()).ok(),
            2 => Motion::rotation(self.vector(), self.vector(), self.number() * 90.0).ok(),
            _ => Motion::rigid(self.vector(), self.vector(), self.vector(), self.number() * 30.0).ok(),
        }
    }
}

/// Shapes that are cheap to move.
fn shapes() -> [Arc<Model>; 3] {
    let shapes = [
        shapes::cuboid([-0.5; 3], [0.5; 3]),
        shapes::cuboid([-2.0, -2.0, -0.25], [2.0, 2.0, 0.25]),
        shapes::octahedron(0.5),
    ];
    shapes.map(|shape| Arc::new(Model::new(shape.unwrap())))
}

/// The pairs that overlap, each tried.
fn overlapping(world: &World) -> BTreeSet<[u32; 2]> {
    let bodies: Vec<_> = world.iter().collect();
    let mut found = BTreeSet::new();
    for (place, (a, one)) in bodies.iter().enumerate() {
        for (b, other) in &bodies[place + 1..] {
            let overlap =
                !matches!(one.placed().verdict(&other.placed()), Verdict::Clear | Verdict::Touching);
            if overlap {
                found.insert([a.index().min(b.index()), a.index().max(b.index())]);
            }
        }
    }
    found
}

/// Makes the calls that the bytes say, and asserts what holds after each. Gives how many calls were made.
pub(crate) fn world_of_bytes(bytes: &[u8]) -> usize {
    let mut bytes = Bytes(bytes);
    let shapes = shapes();
    let mut world = World::new();
    world.record();
    let mut handles: Vec<Handle> = Vec::new();
    let mut calls = 0;
    while !bytes.0.is_empty() && calls < 24 {
        let before = overlapping(&world);
        let kind = bytes.byte() % 9;
        let handle = handles.get(usize::from(bytes.byte()) % handles.len().max(1)).copied();
        // Whether a call may bring bodies to overlap.
        let mut may_overlap = false;
        match (kind, handle) {
            (0, _) | (_, None) if handles.len() < 6 => {
                let shape = Arc::clone(&shapes[usize::from(bytes.byte()) % shapes.len()]);
                let at = Trs::translation(bytes.vector()).unwrap();
                let body =
                    if bytes.byte() % 3 == 0 { Body::fixed(shape, at) } else { Body::moving(shape, at) };
                handles.extend(world.insert(body));
                may_overlap = true;
            }
            (1 | 2, Some(handle)) => {
                let Some(motion) = bytes.motion() else { continue };
                // Fixed bodies and those that were removed are refused.
                let _ = world.try_move(handle, &motion);
            }
            (3, Some(handle)) => {
                let moves: Vec<_> = [bytes.motion(), bytes.motion()]
                    .into_iter()
                    .flatten()
                    .map(|motion| (handle, motion))
                    .collect();
                let _ = world.step(&moves);
            }
            (4, Some(handle)) => {
                may_overlap = world.teleport(handle, Trs::translation(bytes.vector()).unwrap()).is_ok();
            }
            (5, Some(handle)) => {
                let _ = world.slide(handle, bytes.vector(), &SlideOptions::default());
            }
            (6, Some(handle)) => {
                let _ = world.resolve_overlap(handle, 2.0);
            }
            (7, Some(handle)) => {
                let _ = world.remove(handle);
            }
            (8, Some(handle)) => {
                let snapshot = world.snapshot();
                let hash = world.hash();
                let _ = world.teleport(handle, Trs::IDENTITY);
                world.restore(&snapshot);
                assert_eq!(world.hash(), hash, "as it was");
            }
            _ => continue,
        }
        calls += 1;
        let after = overlapping(&world);
        assert!(may_overlap || after.is_subset(&before), "call {calls} of kind {kind}: {before:?} {after:?}");
        let listed: BTreeSet<[u32; 2]> = world
            .overlaps()
            .into_iter()
            .map(|pair| pair.map(Handle::index))
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        // Two that are fixed may be anywhere.
        assert!(listed.is_subset(&after), "{listed:?} {after:?}");
    }
    let hash = world.hash();
    if let Some(log) = world.take_log() {
        assert_eq!(log.replay(false).hash(), hash, "the same calls, the same world");
    }
    calls
}
