//! Divisions against brute force, and the same ones by every kind of lanes and any number of threads.

use super::element::{Bounds, Element, Halves, around};
use super::few::{ANYWHERE, FEW, divide};
use super::split::{Split, split};
use crate::simd::{Lanes, Portable, Work, dispatch};

/// Random boxes; some of them on a line, in a plane or at the same place.
fn random_elements(count: usize, seed: u64) -> Vec<Element> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    let kind = seed % 5;
    (0..count as u32)
        .map(|id| {
            let mut low: [f32; 3] = std::array::from_fn(|_| next() * 1.8 - 0.9);
            let mut size: [f32; 3] = std::array::from_fn(|_| next() * 0.05);
            for axis in 0..3 {
                let flat = kind == 1 && axis == 2 || kind == 2 && axis != 1 || kind == 3;
                if flat {
                    (low[axis], size[axis]) = (0.25, 0.0);
                } else if kind == 4 {
                    low[axis] = (low[axis] * 4.0).round() / 4.0;
                }
            }
            Element::new(id, low.map(|l| 0.0 - l), std::array::from_fn(|k| low[k] + size[k]))
        })
        .collect()
}

fn cost(sides: &[Bounds; 2], middle: usize, count: usize) -> f32 {
    sides[0].half_area() * middle as f32 + sides[1].half_area() * (count - middle) as f32
}

#[test]
fn few_elements_are_divided_at_least_cost() {
    for seed in 0..200 {
        for count in 3..=FEW {
            let elements = random_elements(count, seed);
            let mut divided = elements.clone();
            let (middle, sides) = divide::<Portable>(&mut divided, ANYWHERE);
            let found = cost(&[around(&divided[..middle]), around(&divided[middle..])], middle, count);
            assert_eq!(found, cost(&sides, middle, count));
            let mut ids: Vec<u32> = divided.iter().map(Element::id).collect();
            ids.sort_unstable();
            assert!(ids.into_iter().eq(0..count as u32));
            let mut least = f32::INFINITY;
            let mut attempt = |sorted: &[Element], at: usize| {
                let sides = [around(&sorted[..at]), around(&sorted[at..])];
                least = least.min(cost(&sides, at, count));
            };
            for axis in 0..3 {
                let mut sorted = elements.clone();
                sorted.sort_by(|a, b| a.center(axis).total_cmp(&b.center(axis)));
                (1..count).for_each(|at| attempt(&sorted, at));
            }
            if count <= 4 {
                for left in 1..(1_u32 << count) - 1 {
                    let (mut sorted, others): (Vec<Element>, Vec<Element>) =
                        elements.iter().partition(|element| left >> element.id() & 1 == 1);
                    let at = sorted.len();
                    sorted.extend(others);
                    attempt(&sorted, at);
                }
            }
            // Costs are compared without their last six bits.
            let most = least * (1.0 + 1.0 / f32::from(1_u16 << 15));
            assert!(found <= most, "{count} elements, seed {seed}: {found} for {least}");
        }
    }
}

#[test]
fn few_elements_are_divided_where_allowed() {
    for seed in 0..50 {
        for count in 5..=FEW {
            for at in 1..count {
                let mut elements = random_elements(count, seed);
                assert_eq!(divide::<Portable>(&mut elements, 1 << at).0, at);
            }
        }
    }
}

struct Division<'e> {
    elements: &'e mut [Element],
    buffer: &'e mut [Element],
    how: Split,
    rest: Option<usize>,
    parallel: bool,
}

impl Work for Division<'_> {
    type Output = Halves;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Halves {
        split::<L>(self.how, self.elements, self.buffer, self.rest, self.parallel)
    }
}

/// All that a division leaves behind.
fn outcome(
    elements: &[Element],
    (how, rest): (Split, Option<usize>),
    wide: bool,
    parallel: bool,
) -> (usize, [[u32; 8]; 2], Vec<u32>) {
    let (mut elements, mut buffer) = (elements.to_vec(), elements.to_vec());
    let work = Division { elements: &mut elements, buffer: &mut buffer, how, rest, parallel };
    let halves = if wide { dispatch(work) } else { work.run::<Portable>() };
    let divided = if halves.moved { buffer } else { elements };
    let bits = halves
        .bounds
        .map(|side| std::array::from_fn(|lane| if lane % 4 == 3 { 0 } else { side.reach[lane].to_bits() }));
    (halves.middle, bits, divided.iter().map(Element::id).collect())
}

#[test]
fn every_kind_of_lanes_divides_the_same_way() {
    for seed in 0..20 {
        for count in (3..40).chain([100, 300, 1001]) {
            let elements = random_elements(count, seed);
            for how in [Split::SurfaceArea, Split::Median] {
                for rest in [None, Some(2)] {
                    let wide = outcome(&elements, (how, rest), true, false);
                    assert_eq!(wide, outcome(&elements, (how, rest), false, false), "{count}, seed {seed}");
                    assert!(0 < wide.0 && wide.0 < count);
                }
            }
        }
    }
}

#[test]
fn threads_divide_as_one_does() {
    for seed in 0..5 {
        for count in [super::threads::LARGE, super::threads::LARGE + 12_345] {
            let elements = random_elements(count, seed);
            let how = (Split::SurfaceArea, None);
            assert_eq!(outcome(&elements, how, true, true), outcome(&elements, how, true, false));
        }
    }
}
