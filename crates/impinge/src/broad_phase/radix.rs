//! Sorting by digits: linear in the number of keys.

/// The bits of a key that count, and how many at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digits {
    pub(super) from: u32,
    pub(super) bits: u32,
    pub(super) width: u32,
}

/// The most buckets of a pass.
const BUCKETS: usize = 1 << 11;

/// Sorts by some bits of a key, leaving items with the same bits in their order. `scratch` is as long as `items`; what it
/// holds is lost.
pub(super) fn radix_sort<T: Copy>(
    items: &mut Vec<T>,
    scratch: &mut Vec<T>,
    digits: Digits,
    key: impl Fn(T) -> u64,
) {
    let Digits { from, bits, width } = digits;
    debug_assert!(1 << width <= BUCKETS && scratch.len() == items.len());
    let mut starts = [0_u32; BUCKETS];
    let mut done = 0;
    while done < bits {
        // Passes of even width, so that none is left with a single bit.
        let passes = (bits - done).div_ceil(width);
        let now = (bits - done).div_ceil(passes);
        let (shift, mask) = (from + done, (1_u64 << now) - 1);
        done += now;
        // Slices, whose places need not be read again after each store.
        let (from, to, starts) = (&items[..], &mut scratch[..], &mut starts[..1 << now]);
        starts.fill(0);
        for &item in from {
            starts[(key(item) >> shift & mask) as usize] += 1;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += std::mem::replace(start, sum);
        }
        for &item in from {
            let start = &mut starts[(key(item) >> shift & mask) as usize];
            to[*start as usize] = item;
            *start += 1;
        }
        std::mem::swap(items, scratch);
    }
}
