//! Pairs and worlds of random bytes; the fuzz targets `pairs` and `worlds` run the same for as long as one likes.

use crate::effort::share;
use impinge::Verdict;
use impinge::shapes::Random;

use crate::pair_bytes::pair_of_bytes;
use crate::world_bytes::world_of_bytes;

fn bytes(random: &mut Random, most: u32) -> Vec<u8> {
    (0..20 + random.below(most)).map(|_| random.next_u64() as u8).collect()
}

#[test]
fn pairs_of_any_bytes_are_judged_alike_in_all_ways() {
    let count = share(300, 20_000);
    let mut random = Random::new(41);
    let [mut clear, mut touching, mut more] = [0; 3];
    for _ in 0..count {
        match pair_of_bytes(&bytes(&mut random, 200)) {
            Some(Verdict::Clear) => clear += 1,
            Some(Verdict::Touching) => touching += 1,
            Some(_) => more += 1,
            None => {}
        }
    }
    println!("{clear} clear, {touching} touching, {more} overlapping or inside");
    assert!(clear.min(touching).min(more) * 40 > count, "{clear} {touching} {more}");
}

#[test]
fn worlds_of_any_bytes_hold_their_promises() {
    let count = share(60, 2_000);
    let mut random = Random::new(43);
    let calls: usize = (0..count).map(|_| world_of_bytes(&bytes(&mut random, 300))).sum();
    println!("{calls} calls in {count} worlds");
    assert!(calls as u64 > 5 * count, "{calls}");
}
