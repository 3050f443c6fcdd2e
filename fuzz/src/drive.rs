//! Runs a target for a stated time with bytes that are mutated from seeds: no compiler but the stable one is needed. It does not see
//! which code an input reaches, as libFuzzer does, so it finds less in the same time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longer than this no input may take.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What a run came to.
pub enum Outcome {
    /// So many inputs, and nothing was wrong.
    Passed { inputs: u64 },
    /// This input failed, with these words.
    Failed { input: Vec<u8>, message: String },
}

/// Numbers that look random (SplitMix64), the same for the same seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }
}

/// An input: a seed or nothing, changed in a few places; or random bytes.
pub fn input(random: &mut Random, seeds: &[Vec<u8>], words: &[Vec<u8>], longest: usize) -> Vec<u8> {
    let mut bytes = match seeds.len() {
        0 => Vec::new(),
        count => seeds[random.below(count)].clone(),
    };
    if seeds.is_empty() || random.below(8) == 0 {
        bytes = (0..1 + random.below(longest)).map(|_| random.next() as u8).collect();
    }
    for _ in 0..1 << random.below(5) {
        mutate(random, &mut bytes, seeds, words);
    }
    bytes.truncate(longest);
    bytes
}

/// Bytes that break readers and arithmetic: the least and greatest numbers of all widths, NaN, infinity.
const ODD: [&[u8]; 9] = [
    &[0],
    &[0xff],
    &[0x80],
    &[0xff, 0x7f],
    &[0xff, 0xff, 0xff, 0x7f],
    &[0, 0, 0xc0, 0x7f],
    &[0, 0, 0x80, 0x7f],
    &[0, 0, 0, 0, 0, 0, 0xf0, 0x7f],
    &[1, 0, 0, 0, 0, 0, 0, 0],
];

fn mutate(random: &mut Random, bytes: &mut Vec<u8>, seeds: &[Vec<u8>], words: &[Vec<u8>]) {
    let at = random.below(bytes.len() + 1);
    let piece: Vec<u8> = match random.below(8) {
        0 if !bytes.is_empty() => {
            let at = at.min(bytes.len() - 1);
            bytes[at] ^= 1 << random.below(8);
            return;
        }
        1 => {
            let end = (at + random.below(16)).min(bytes.len());
            bytes.drain(at..end);
            return;
        }
        2 if !seeds.is_empty() => {
            let other = &seeds[random.below(seeds.len())];
            let from = random.below(other.len() + 1);
            other[from..(from + random.below(64)).min(other.len())].to_vec()
        }
        3 => {
            let from = random.below(bytes.len() + 1);
            bytes[from..(from + random.below(32)).min(bytes.len())].to_vec()
        }
        4 if !words.is_empty() => words[random.below(words.len())].clone(),
        5 | 6 => ODD[random.below(ODD.len())].to_vec(),
        _ => vec![random.next() as u8],
    };
    // In the place of as many others, or between them.
    let end = if random.below(2) == 0 { (at + piece.len()).min(bytes.len()) } else { at };
    bytes.splice(at..end, piece);
}

/// Runs a target for a time. `stuck` is told of an input that takes longer than [`PATIENCE`]; it should end the process.
pub fn run(
    target: impl Fn(&[u8]),
    mut next: impl FnMut() -> Vec<u8>,
    time: Duration,
    stuck: impl Fn(&[u8]) + Send + 'static,
) -> Outcome {
    let current: Arc<Mutex<Option<(Instant, Vec<u8>)>>> = Arc::new(Mutex::new(None));
    let watched = Arc::downgrade(&current);
    std::thread::spawn(move || {
        while let Some(current) = watched.upgrade() {
            let late = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some((_, input)) = late.filter(|(since, _)| since.elapsed() > PATIENCE) {
                stuck(&input);
            }
            drop(current);
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let start = Instant::now();
    let mut inputs = 0;
    while start.elapsed() < time {
        let input = next();
        *current.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), input.clone()));
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(&input))) {
            let message = panic
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            return Outcome::Failed { input, message: message.unwrap_or_default() };
        }
        inputs += 1;
    }
    Outcome::Passed { inputs }
}

/// A failing input with as much left out as it can be, within a time.
pub fn shrink(target: impl Fn(&[u8]), mut input: Vec<u8>, time: Duration) -> Vec<u8> {
    let start = Instant::now();
    let fails = |bytes: &[u8]| catch_unwind(AssertUnwindSafe(|| target(bytes))).is_err();
    let mut size = input.len().next_power_of_two() / 2;
    while size > 0 && start.elapsed() < time {
        let mut at = 0;
        while at < input.len() && start.elapsed() < time {
            let mut less = input.clone();
            less.drain(at..(at + size).min(input.len()));
            if fails(&less) {
                input = less;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails on a word that random bytes do not hold, and only after another.
    fn planted(bytes: &[u8]) {
        let has = |word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
        assert!(!(has(b"facet") && has(&[0xff, 0xff, 0xff, 0x7f])), "planted");
    }

    #[test]
    fn a_planted_failure_is_found_and_shrunk() {
        let (seeds, words) = (vec![b"solid x\nendsolid".to_vec()], vec![b"facet".to_vec()]);
        let mut random = Random::new(1);
        let next = || input(&mut random, &seeds, &words, 200);
        let Outcome::Failed { input, message } = run(planted, next, Duration::from_secs(60), |_| {}) else {
            panic!("not found")
        };
        assert_eq!(message, "planted");
        let small = shrink(planted, input, Duration::from_secs(10));
        assert_eq!(small.len(), 9, "{small:?}");
    }

    #[test]
    fn what_holds_passes_and_the_same_seed_gives_the_same_inputs() {
        let outcome = run(|_| {}, || vec![1], Duration::from_millis(50), |_| {});
        assert!(matches!(outcome, Outcome::Passed { inputs } if inputs > 100));
        let list = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| input(&mut random, &[], &[], 64)).collect::<Vec<_>>()
        };
        assert_eq!(list(7), list(7));
        assert_ne!(list(7), list(8));
        assert!(list(7).iter().all(|bytes| bytes.len() <= 64));
    }
}
