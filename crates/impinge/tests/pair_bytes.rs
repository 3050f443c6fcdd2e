//! A static pair that is made from any bytes, and what must hold for it. The fuzz target `pairs` is this file too, so it needs nothing
//! but the library.

use impinge::math::DVec3;
use impinge::query::{Contained, Engine, IntersectOptions};
use impinge::{Mesh, Model, Placed, Placement, Trs, Verdict, shapes};

/// Bytes as numbers; those that are missing are 0.
struct Numbers<'b> {
    bytes: &'b [u8],
    style: u8,
}

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut taken = [0; N];
        let count = N.min(self.bytes.len());
        taken[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        taken
    }

    /// Small lattices make features that touch, are coplanar or parallel; all bits make every size there is.
    fn number(&mut self) -> f64 {
        match self.style % 8 {
            0..=3 => f64::from(i8::from_le_bytes(self.take()) / 48),
            4 | 5 => f64::from(i8::from_le_bytes(self.take())) / 32.0,
            6 => f64::from(f32::from_le_bytes(self.take())),
            _ => f64::from_le_bytes(self.take()),
        }
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    /// A box, a tetrahedron, or any triangles over few vertices.
    fn mesh(&mut self) -> Option<Mesh> {
        let [kind, count] = self.take();
        match kind % 4 {
            0 => {
                let (one, other) = (self.vector(), self.vector());
                shapes::cuboid(one.min(other), one.max(other)).ok().map(Mesh::from)
            }
            1 => {
                let corners: Vec<DVec3> = (0..4).map(|_| self.vector()).collect();
                Mesh::triangles(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).ok()
            }
            _ => {
                let vertices: Vec<DVec3> = (0..3 + count % 6).map(|_| self.vector()).collect();
                let corner = |byte: u8| u32::from(byte) % vertices.len() as u32;
                let faces = (0..1 + count / 32).map(|_| self.take::<3>().map(corner)).collect();
                Mesh::triangles(vertices.clone(), faces).ok()
            }
        }
    }
}

/// Answers what the bytes ask, in all ways, and asserts that they agree; `None` where the bytes are no pair.
pub(crate) fn pair_of_bytes(bytes: &[u8]) -> Option<Verdict> {
    let mut numbers = Numbers { bytes, style: 0 };
    let [style, turn] = numbers.take();
    numbers.style = style;
    let [a, b] = [numbers.mesh()?, numbers.mesh()?].map(Model::new);
    let at = Trs::translation(numbers.vector()).ok()?;
    let at: Placement = match turn % 4 {
        0 => Trs::rotation_about_axis(numbers.vector(), numbers.number()).ok()?.then(&at).ok()?,
        1 => Trs::scaling(numbers.vector()).ok()?.then(&at).ok()?,
        _ => at.into(),
    };
    let (a, b) = (a.at(Trs::IDENTITY), b.at(at));
    let ask = |engine| IntersectOptions::new().engine(engine).pairs(true);
    let [fast, slow] = [Engine::default(), Engine::Brute].map(|engine| a.intersect_with(&b, ask(engine)));
    assert_eq!(fast.verdict, slow.verdict, "trees and brute force");
    assert_eq!(fast.pairs, slow.pairs, "trees and brute force");
    let swapped = b.intersect_with(&a, ask(Engine::default()));
    assert_eq!(exchanged(swapped.verdict), fast.verdict, "the names exchanged");
    assert_eq!(swapped.pairs.len(), fast.pairs.len(), "the names exchanged");
    assert_eq!(a.intersects(&b), fast.verdict != Verdict::Clear);
    check_distance(&a, &b, fast.verdict);
    Some(fast.verdict)
}

fn exchanged(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Inside(Contained::A) => Verdict::Inside(Contained::B),
        Verdict::Inside(Contained::B) => Verdict::Inside(Contained::A),
        other => other,
    }
}

/// The distance is 0 exactly where the two meet.
fn check_distance(a: &Placed<'_>, b: &Placed<'_>, verdict: Verdict) {
    let found = a.distance(b);
    assert!(found.distance >= 0.0, "{found:?}");
    assert_eq!(found.distance == 0.0, verdict != Verdict::Clear, "{found:?} {verdict:?}");
    assert_eq!(found.distance, b.distance(a).distance, "the names exchanged");
}
