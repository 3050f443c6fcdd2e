//! Mode 0, attributes: differences to the element before, byte by byte, in groups of 16.

use super::{Stream, split};

/// The first bytes of the two versions.
const MARKS: [u8; 2] = [0xa0, 0xa1];
/// Elements of a group.
const GROUP: usize = 16;
/// Bytes and elements of a block at most.
const BLOCK_BYTES: usize = 8192;
const BLOCK_ELEMENTS: usize = 256;

/// How the bytes of one place in all elements of a block are stored: bits of a difference, by the group's two header bits.
#[derive(Clone, Copy)]
enum Control {
    Bits([usize; 4]),
    Zeros,
    Literal,
}

/// How the elements of a channel of four bytes differ.
#[derive(Clone, Copy)]
enum Channel {
    Bytes,
    Words,
    /// By exclusive or, rotated by so many bits.
    Xor(u32),
}

pub(super) fn decode(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let tail_of = |mark: u8| {
        if mark == MARKS[0] { stride.max(32) } else { (stride + stride / 4).max(24) }
    };
    let (mark, body, tail) = split(stream, &MARKS, tail_of)?;
    let is_first = mark == MARKS[0];
    let (baseline, modes) = if is_first {
        (&tail[tail.len() - stride..], [].as_slice())
    } else {
        tail[tail.len() - stride - stride / 4..].split_at(stride)
    };
    let channels: Vec<Channel> = match is_first {
        true => vec![Channel::Bytes; stride / 4],
        false => modes.iter().map(|mode| channel(*mode)).collect::<Result<_, String>>()?,
    };
    let mut previous = baseline.to_vec();
    let mut body = Stream(body);
    let mut decoded: Vec<u8> = Vec::new();
    decoded.try_reserve_exact(count * stride).map_err(|error| error.to_string())?;
    let most = ((BLOCK_BYTES / stride) & !(GROUP - 1)).min(BLOCK_ELEMENTS);
    // The differences of a block: all those of the first byte, then of the second.
    let mut differences = vec![0_u8; stride * BLOCK_ELEMENTS];
    let mut left = count;
    while left > 0 {
        let elements = left.min(most);
        left -= elements;
        let header = if is_first { &[] } else { body.take(stride / 4)? };
        for (place, column) in differences.chunks_exact_mut(BLOCK_ELEMENTS).enumerate() {
            let control = match header.get(place / 4).map(|bits| (bits >> (place % 4 * 2)) & 3) {
                None => Control::Bits([0, 2, 4, 8]),
                Some(0) => Control::Bits([0, 1, 2, 4]),
                Some(1) => Control::Bits([1, 2, 4, 8]),
                Some(2) => Control::Zeros,
                Some(_) => Control::Literal,
            };
            read_column(&mut body, control, column, elements)?;
        }
        for element in 0..elements {
            let difference = |place: usize| differences[place * BLOCK_ELEMENTS + element];
            for (number, (channel, value)) in channels.iter().zip(previous.chunks_exact_mut(4)).enumerate() {
                let difference = std::array::from_fn(|byte| difference(number * 4 + byte));
                let before = std::array::from_fn(|byte| value[byte]);
                value.copy_from_slice(&channel.next(before, difference));
            }
            decoded.extend_from_slice(&previous);
        }
    }
    body.end()?;
    Ok(decoded)
}

fn channel(mode: u8) -> Result<Channel, String> {
    match (mode & 15, mode >> 4) {
        (0, 0) => Ok(Channel::Bytes),
        (1, 0) => Ok(Channel::Words),
        (2, rotation) => Ok(Channel::Xor(rotation.into())),
        _ => Err(format!("a channel has the mode {mode:#04x}, which there is not")),
    }
}

impl Channel {
    fn next(self, before: [u8; 4], difference: [u8; 4]) -> [u8; 4] {
        match self {
            Channel::Bytes => std::array::from_fn(|byte| {
                let zigzag = difference[byte];
                before[byte].wrapping_add((zigzag >> 1) ^ (zigzag & 1).wrapping_neg())
            }),
            Channel::Words => {
                let word = |at: usize| {
                    let zigzag = u16::from_le_bytes([difference[at], difference[at + 1]]);
                    let before = u16::from_le_bytes([before[at], before[at + 1]]);
                    before.wrapping_add((zigzag >> 1) ^ (zigzag & 1).wrapping_neg()).to_le_bytes()
                };
                let ([a, b], [c, d]) = (word(0), word(2));
                [a, b, c, d]
            }
            Channel::Xor(rotation) => {
                let difference = u32::from_le_bytes(difference).rotate_right(rotation);
                (u32::from_le_bytes(before) ^ difference).to_le_bytes()
            }
        }
    }
}

/// Reads the differences of one byte of all elements of a block.
fn read_column(
    body: &mut Stream<'_>,
    control: Control,
    column: &mut [u8],
    elements: usize,
) -> Result<(), String> {
    let lengths = match control {
        Control::Zeros => {
            column.fill(0);
            return Ok(());
        }
        Control::Literal => {
            column[..elements].copy_from_slice(body.take(elements)?);
            return Ok(());
        }
        Control::Bits(lengths) => lengths,
    };
    let groups = elements.div_ceil(GROUP);
    let header = body.take(groups.div_ceil(4))?;
    for (group, values) in column.chunks_exact_mut(GROUP).take(groups).enumerate() {
        let bits = lengths[usize::from((header[group / 4] >> (group % 4 * 2)) & 3)];
        match bits {
            0 => values.fill(0),
            8 => values.copy_from_slice(body.take(GROUP)?),
            bits => {
                let packed = body.take(bits * GROUP / 8)?;
                let per_byte = 8 / bits;
                let sentinel = (1_u8 << bits) - 1;
                for (number, value) in values.iter_mut().enumerate() {
                    let place = number % per_byte;
                    // Only single bits start with the least.
                    let shift = if bits == 1 { place } else { 8 - bits * (place + 1) };
                    let small = (packed[number / per_byte] >> shift) & sentinel;
                    *value = if small == sentinel { body.byte()? } else { small };
                }
            }
        }
    }
    Ok(())
}
