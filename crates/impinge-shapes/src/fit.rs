//! Finds parameters whose triangle count comes as close as can be to the wanted one.

/// The best candidate so far; of equally good ones the first stays, so candidates come in order of preference.
pub(crate) struct Closest<P> {
    wanted: u64,
    best: P,
    miss: u64,
}

impl<P> Closest<P> {
    pub(crate) fn new(wanted: u64, first: P, count: u64) -> Closest<P> {
        Closest { wanted, best: first, miss: count.abs_diff(wanted) }
    }

    pub(crate) fn consider(&mut self, candidate: P, count: u64) {
        let miss = count.abs_diff(self.wanted);
        if miss < self.miss {
            (self.best, self.miss) = (candidate, miss);
        }
    }

    pub(crate) fn best(self) -> P {
        self.best
    }
}

/// Two numbers `[a, b]`, not below `least`, for a count that grows with `a` on a straight line.
///
/// `b` is looked for around `ideal`, the nearest first, up to a third below and a half above it; `a` follows from
/// the count. As many values of `b` are tried as `ideal` is large, which is about the root of the count: that hits
/// most counts to a few triangles and costs nothing beside making them.
pub(crate) fn pair(wanted: u64, ideal: f64, least: [u32; 2], count: impl Fn(u64, u64) -> u64) -> [u32; 2] {
    let least = least.map(u64::from);
    let ideal = (libm::round(ideal) as u64).max(least[1]);
    let solve = |b: u64| {
        let [base, next] = [count(least[0], b), count(least[0] + 1, b)];
        let step = next - base;
        least[0] + (wanted.saturating_sub(base) + step / 2) / step
    };
    let first = [solve(ideal), ideal];
    let mut closest = Closest::new(wanted, first, count(first[0], first[1]));
    for offset in 1..=(ideal / 2).max(4) {
        let below = ideal.checked_sub(offset).filter(|&b| b >= least[1] && b * 3 >= ideal * 2);
        for b in [Some(ideal + offset), below].into_iter().flatten() {
            let a = solve(b);
            closest.consider([a, b], count(a, b));
        }
    }
    closest.best().map(|n| n as u32)
}

/// The number `f`, at least 1, for which `factor · f²` is closest to the wanted count. The miss is at most
/// `√(factor · wanted) + factor / 4` when the wanted count is at least `factor`.
pub(crate) fn square(wanted: u64, factor: u64) -> u32 {
    let guess = libm::floor(libm::sqrt(wanted as f64 / factor as f64)) as u64;
    let mut closest = Closest::new(wanted, 1, factor);
    for f in guess.max(1)..=guess + 1 {
        closest.consider(f, factor * f * f);
    }
    closest.best() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_hit_at_its_ideal_aspect() {
        let torus = |a: u64, b: u64| 2 * a * b;
        assert_eq!(pair(12_544, libm::sqrt(12_544.0 / 4.0), [3, 3], torus), [112, 56]);
        assert_eq!(pair(0, 0.0, [3, 3], torus), [3, 3]);
    }

    #[test]
    fn the_nearest_square_is_found() {
        for wanted in 0..5000 {
            let found = u64::from(square(wanted, 20));
            let best = (1_u64..20).min_by_key(|f| (20 * f * f).abs_diff(wanted));
            assert_eq!(Some(found), best, "{wanted}");
            let bound = libm::sqrt(20.0 * wanted as f64) + 5.0;
            assert!(wanted < 20 || (20 * found * found).abs_diff(wanted) as f64 <= bound);
        }
    }
}
