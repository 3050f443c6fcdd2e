//! Divisions against brute force, and the same ones by every kind of lanes and any number of threads.

use super::super::{Child, WIDTH};
use super::bins::{Bins, Cut};
use super::element::{Bounds, Centers, Element};
use super::few::{ANYWHERE, FEW, divide};
use super::range::{Arena, Range};
use super::split::Splitter;
use super::{Build, grow_boxes};
use crate::parallel::with_threads;
use crate::simd::{Lanes, Portable, Work, dispatch};

fn around(elements: &[Element]) -> Bounds {
    super::around::<Portable>(elements)
}

/// Random boxes; some of them on a line, in a plane, at the same place, or most of them tiny and one huge.
fn random_elements(count: usize, seed: u64) -> Vec<Element> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |below: i32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below as u64) as i32
    };
    let kind = seed % 6;
    (0..count as u32)
        .map(|id| {
            let (mut less, mut more) = ([0; 3], [0; 3]);
            for axis in 0..3 {
                let (mut low, mut size) = (next(58_000) - 29_000, next(1600));
                let flat = kind == 1 && axis == 2 || kind == 2 && axis != 1 || kind == 3;
                if flat {
                    (low, size) = (8192, 0);
                } else if kind == 4 {
                    low = low / 8192 * 8192;
                } else if kind == 5 {
                    (low, size) = if id == 7 { (-32_000, 64_000) } else { (100 + low / 500, size / 100) };
                }
                (less[axis], more[axis]) = (-low as i16, (low + size) as i16);
            }
            Element::new(id, less, more)
        })
        .collect()
}

fn cost(sides: &[Bounds; 2], middle: usize, count: usize) -> f32 {
    sides[0].half_area() * middle as f32 + sides[1].half_area() * (count - middle) as f32
}

#[test]
fn few_elements_are_divided_at_least_cost() {
    for seed in 0..200 {
        for count in 2..=FEW {
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
                sorted.sort_by_key(|element| element.center(axis));
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

struct Division<'a, 'e> {
    arena: &'a mut Arena<'e>,
    splitter: Splitter,
    rest: Option<usize>,
}

impl Work for Division<'_, '_> {
    type Output = [Range; WIDTH];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [Range; WIDTH] {
        let Division { arena, splitter, rest } = self;
        let (count, bounds) = (arena.elements.len() as u32, super::around::<L>(arena.elements));
        let range = Range { first: 0, count, depth: 0, is_in_buffer: false, bounds, cut: Cut::NONE };
        let (mut ranges, mut bins) = ([range; WIDTH], Bins::EMPTY);
        splitter.plan::<L>(arena, &mut ranges[0], &mut bins);
        splitter.split::<L>(arena, &mut ranges, [0, 1], rest, &mut bins);
        ranges
    }
}

/// All that a division leaves behind: for each side its elements, box and cut.
type Outcome = [(Vec<u32>, [i16; 6], [i64; 3]); 2];

fn outcome(
    elements: &[Element],
    (deepest, rest): (u32, Option<usize>),
    wide: bool,
    parallel: bool,
) -> Outcome {
    let (mut elements, mut buffer) = (elements.to_vec(), elements.to_vec());
    let mut order = vec![0; elements.len()];
    let mut arena = Arena { elements: &mut elements, buffer: &mut buffer, order: &mut order, start: 0 };
    let splitter = Splitter { deepest, parallel };
    let work = Division { arena: &mut arena, splitter, rest };
    let ranges = if wide { dispatch(work) } else { work.run::<Portable>() };
    [ranges[0], ranges[1]].map(|side| {
        let [elements, _] = arena.of(&side);
        let ([a, b, c, d, e, f, ..], found) = (side.bounds.row, around(elements).row);
        assert_eq!([a, b, c, d, e, f], found[..6], "the box is that of the elements");
        if !side.cut.is_none() {
            let is_left = |element: &Element| element.center(side.cut.axis as usize) < side.cut.threshold;
            let (left, right): (Vec<Element>, Vec<Element>) = elements.iter().copied().partition(is_left);
            assert!(left.len() == side.cut.middle as usize && !left.is_empty() && !right.is_empty());
            for (elements, bounds) in [left, right].iter().zip(side.cut.sides) {
                assert_eq!(around(elements).row[..6], bounds.row[..6], "the cut knows both boxes");
            }
        }
        let cut = if side.cut.is_none() {
            [-1; 3]
        } else {
            [side.cut.axis.into(), side.cut.threshold.into(), side.cut.middle.into()]
        };
        (elements.iter().map(Element::id).collect(), [a, b, c, d, e, f], cut)
    })
}

#[test]
fn every_kind_of_lanes_divides_the_same_way() {
    for seed in 0..24 {
        for count in (3..40).chain([100, 300, 1001]) {
            let elements = random_elements(count, seed);
            for deepest in [0, 1, 10] {
                for rest in [None, Some(2)] {
                    let wide = outcome(&elements, (deepest, rest), true, false);
                    assert_eq!(
                        wide,
                        outcome(&elements, (deepest, rest), false, false),
                        "{count}, seed {seed}"
                    );
                    let mut ids = [wide[0].0.as_slice(), &wide[1].0].concat();
                    assert!(!wide[0].0.is_empty() && !wide[1].0.is_empty());
                    ids.sort_unstable();
                    assert!(ids.into_iter().eq(0..count as u32));
                }
            }
        }
    }
}

#[test]
fn threads_divide_as_one_does() {
    for seed in 0..6 {
        for count in [super::threads::LARGE, super::threads::LARGE + 12_345] {
            let elements = random_elements(count, seed);
            let how = (10, None);
            assert_eq!(outcome(&elements, how, true, true), outcome(&elements, how, true, false));
        }
    }
}

/// Trees over so many boxes that threads divide ranges together: random boxes, boxes in a plane, along a line and at one place, and tiny ones
/// with a huge one.
#[test]
#[cfg_attr(debug_assertions, ignore = "long: runs in release")]
fn threads_build_the_tree_that_one_builds() {
    for seed in 0..6 {
        for count in [super::threads::LARGE, 2 * super::threads::LARGE + 4321] {
            let elements = random_elements(count, seed);
            let build = |parallel: bool| {
                let mut order = vec![0; count];
                let build = Build { parallel, ..Build::TIGHT };
                let (nodes, root) = grow_boxes(build, elements.clone(), &mut order, 0);
                (nodes, root.child, root.splits, order)
            };
            let alone = build(false);
            for threads in [1, 2, 8, 16] {
                let together = with_threads(threads, || build(true));
                assert!(together == alone, "{threads} threads, {count} elements, seed {seed}");
            }
        }
    }
}

/// Elements marked as large are alone in their leaves, others are not for that, and all are there once; the depth is bounded as ever.
#[test]
fn large_elements_have_leaves_of_their_own() {
    for seed in 0..30 {
        for count in [1, 2, 3, 4, 5, 8, 17, 100, 1001] {
            let is_large = |id: u32| (id + seed as u32).is_multiple_of(3) || seed % 5 == 4;
            let elements: Vec<Element> = random_elements(count, seed)
                .into_iter()
                .map(|element| if is_large(element.id()) { element.enlarged() } else { element })
                .collect();
            assert!(elements.iter().map(Element::id).eq(0..count as u32));
            let mut order = vec![u32::MAX; count];
            let (nodes, root) = grow_boxes(Build::LAZY, elements, &mut order, 0);
            assert!(root.splits <= 2 * count.next_power_of_two().trailing_zeros() + 2);
            let mut leaves: Vec<(u32, u32)> = nodes
                .iter()
                .flat_map(|node| node.children)
                .filter(|child| *child != Child::NONE && child.is_leaf())
                .map(|leaf| (leaf.index(), leaf.count()))
                .collect();
            leaves.sort_unstable();
            let (mut next, mut pairs) = (0, 0);
            for (first, size) in leaves {
                assert_eq!(first, next, "leaves follow on each other");
                next = first + size;
                let elements = &order[first as usize..next as usize];
                assert!(size == 1 || size == 2 && !elements.iter().any(|&id| is_large(id)), "{elements:?}");
                pairs += usize::from(size == 2);
            }
            assert_eq!(next as usize, count);
            assert!(pairs > 0 || count < 100 || seed % 5 == 4, "{count} elements, seed {seed}");
            order.sort_unstable();
            assert!(order.into_iter().eq(0..count as u32));
        }
    }
}

/// The cut through bins over the box of a side is about as good as one through bins over its elements' own range, also
/// where a single huge element makes the box many times as large as the range of the centers.
#[test]
fn cuts_of_sides_are_good() {
    let cost = |side: &Range| {
        let [left, right] = side.cut.sides.map(|bounds| bounds.half_area());
        left * side.cut.middle as f32 + right * (side.count - side.cut.middle) as f32
    };
    let mut all = [0.0; 2];
    for seed in 0..60 {
        let (mut elements, mut buffer) = (random_elements(500, seed), random_elements(500, seed));
        let mut order = vec![0; elements.len()];
        let mut arena = Arena { elements: &mut elements, buffer: &mut buffer, order: &mut order, start: 0 };
        let splitter = Splitter { deepest: 10, parallel: false };
        let ranges = Division { arena: &mut arena, splitter, rest: None }.run::<Portable>();
        for side in &ranges[..2] {
            let mut again = *side;
            splitter.plan::<Portable>(&mut arena, &mut again, &mut { Bins::EMPTY });
            assert_eq!(side.cut.is_none(), again.cut.is_none());
            if again.cut.is_none() {
                continue;
            }
            let centers = Centers::of::<Portable>(arena.of(side)[0]);
            assert!((0..3).any(|axis| centers.size(axis) > 0));
            let whole = side.bounds.half_area() * side.count as f32;
            // Elements along a line have no area.
            if whole <= 0.0 {
                continue;
            }
            all[0] += cost(side) / whole;
            all[1] += cost(&again) / whole;
        }
    }
    assert!(all[0] <= 1.02 * all[1], "{all:?}");
}
