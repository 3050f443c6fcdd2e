//! A sweep of two triangles that is made from any bytes, and what must hold for it. The fuzz target `roots` is this file too, so
//! it needs nothing but the library.

use impinge::math::DVec3;
use impinge::query::{Engine, IntersectOptions, Scratch, Sweep, SweepOptions, SweepStatus};
use impinge::{Mesh, Model, Motion, Placed, Placement, Verdict};

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

    /// Small grids make features that touch, are coplanar or parallel; all bits make every size there is.
    fn number(&mut self) -> f64 {
        match self.style % 5 {
            0 => f64::from(i8::from_le_bytes(self.take())) / 32.0,
            1 => f64::from(i16::from_le_bytes(self.take())) / 4096.0,
            2 => f64::from(f32::from_le_bytes(self.take())),
            3 => f64::from_le_bytes(self.take()),
            _ => {
                // A small number that is off by some roundings.
                let [whole, off] = self.take().map(|byte: u8| f64::from(byte as i8));
                (whole / 32.0) * (1.0 + off * f64::EPSILON) + off * f64::MIN_POSITIVE
            }
        }
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn mesh(&mut self) -> Option<Mesh> {
        let [corners] = self.take();
        let count = match corners % 8 {
            0 => 1,
            1 => 2,
            _ => 3,
        };
        let corners: Vec<DVec3> = (0..count).map(|_| self.vector()).collect();
        Mesh::polygon(corners).ok()
    }
}

/// Sweeps what the bytes say, and asserts what holds for every sweep; `None` where the bytes are no sweep.
pub(crate) fn sweep_of_bytes(bytes: &[u8]) -> Option<Sweep> {
    let mut numbers = Numbers { bytes, style: 0 };
    let [style, kind, how] = numbers.take();
    numbers.style = style;
    let [moving, stationary] = [numbers.mesh()?, numbers.mesh()?].map(Model::new);
    let (at, by) = (numbers.vector(), numbers.vector());
    let (center, axis, degrees) = (numbers.vector(), numbers.vector(), numbers.number() * 90.0);
    let start = Placement::try_from(impinge::math::DAffine3::from_translation(at)).ok()?;
    let (moving, stationary) = (moving.at(start), stationary.at(Placement::from(impinge::Trs::IDENTITY)));
    let ask = SweepOptions::new().margin(if how & 1 == 1 { 1.0 / 64.0 } else { 0.0 });
    let motion = match kind % 5 {
        0 => Motion::translation(by),
        1 => Motion::rotation(center, axis, degrees),
        2 => Motion::translation(by).and_then(|motion| motion.then_rotation(center, axis, degrees)),
        // Every quarter is looked at: a few turns are enough.
        3 => Motion::rigid(by, center, axis, degrees % 3600.0),
        _ => {
            let found = moving.sweep_both(by, &stationary, axis, ask).ok()?;
            check(&found, &moving, &stationary);
            return Some(found);
        }
    };
    let motion = motion.ok()?;
    let mut scratch = Scratch::default();
    let [found, by_brute] = [Engine::Bvh, Engine::Brute]
        .map(|engine| moving.sweep_in(&motion, &stationary, ask.engine(engine), &mut scratch));
    check(&found, &moving, &stationary);
    check(&by_brute, &moving, &stationary);
    let [fast, slow] = [&found, &by_brute].map(|found| (found.status, found.fraction.to_bits()));
    assert_eq!(fast, slow, "{found:?} {by_brute:?}");
    Some(found)
}

/// What every answer is: in range, in itself consistent, and free where it stops.
fn check(found: &Sweep, moving: &Placed<'_>, stationary: &Placed<'_>) {
    let surely = |is: bool, what: &str| assert!(is, "{what}: {found:?}");
    surely((0.0..=1.0).contains(&found.fraction), "the fraction is in [0, 1]");
    let verdict = |a: &Placed<'_>, b: &Placed<'_>| {
        a.intersect_with(b, IntersectOptions::new().engine(Engine::Brute).engine(Engine::Brute)).verdict
    };
    let start = verdict(moving, stationary);
    let is_started = matches!(start, Verdict::Overlapping | Verdict::Inside(_));
    surely(is_started == (found.status == SweepStatus::StartedOverlapping), "the start is judged as it is");
    surely(found.phase.is_some() == (found.status == SweepStatus::Hit), "what stops does so in a phase");
    match found.status {
        SweepStatus::StartedOverlapping => {
            surely(found.fraction == 0.0 && found.hit.is_none(), "nothing moves");
            return;
        }
        SweepStatus::Clear => surely(found.fraction == 1.0 && found.hit.is_none(), "it goes through"),
        SweepStatus::Hit => {}
    }
    let a = moving.model().at(found.world_from_moving);
    let b = stationary.model().at(found.world_from_stationary);
    let stop = verdict(&a, &b);
    surely(
        stop == Verdict::Clear || start == Verdict::Touching && stop == Verdict::Touching,
        "the stop is free",
    );
    if let Some(hit) = &found.hit {
        surely(hit.bound >= 0.0 && hit.bound.is_finite(), "the bound is one");
        surely((hit.normal.length() - 1.0).abs() < 1e-9, "the normal has length 1");
        let distance = a.distance(&b).distance;
        // What the distance itself may be off by.
        let bounds = [a.bounds(), b.bounds()];
        let largest = bounds.iter().map(|b| b.min.abs().max(b.max.abs()).max_element()).fold(0.0, f64::max);
        surely(distance <= hit.bound * (1.0 + 1e-9) + 1e-14 * largest, "the bound holds");
    }
}
