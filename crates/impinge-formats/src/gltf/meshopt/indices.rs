//! Modes 1 and 2: triangles by the edges and vertices seen last, and sequences of indices by their differences.

use super::{Stream, split};

/// The codes of a triangle that names no edge seen before, and of one with an index of its own for the first corner.
const NO_EDGE: u8 = 15;
const EXPLICIT: u8 = 15;

/// The last 16 things that were pushed.
struct Recent<T> {
    list: [Option<T>; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new() -> Recent<T> {
        Recent { list: [None; 16], next: 0 }
    }

    fn push(&mut self, value: T) {
        self.list[self.next % 16] = Some(value);
        self.next += 1;
    }

    /// The one before `back` others.
    fn get(&self, back: u8) -> Result<T, String> {
        let place = self.next.wrapping_sub(1 + usize::from(back)) % 16;
        self.list[place].ok_or_else(|| "a triangle refers to what was not there before".to_owned())
    }
}

struct Triangles<'a> {
    data: Stream<'a>,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
    /// The vertex that was not used yet.
    next: u32,
    /// The vertex that was written last.
    last: u32,
}

impl Triangles<'_> {
    fn take_next(&mut self) -> u32 {
        let next = self.next;
        self.next = next.wrapping_add(1);
        next
    }

    fn explicit(&mut self) -> Result<u32, String> {
        let zigzag = self.data.varint()?;
        self.last = self.last.wrapping_add((zigzag >> 1) ^ (zigzag & 1).wrapping_neg());
        Ok(self.last)
    }

    /// A corner by its four bits: a new vertex, one of those seen last, or an index.
    fn corner(&mut self, code: u8) -> Result<u32, String> {
        match code {
            0 => Ok(self.take_next()),
            EXPLICIT => self.explicit(),
            back => self.vertices.get(back - 1),
        }
    }

    /// A triangle on an edge seen before.
    fn on_edge(&mut self, edge: u8, code: u8) -> Result<[u32; 3], String> {
        let [a, b] = self.edges.get(edge)?;
        let c = match code {
            0 => self.take_next(),
            13 | 14 => {
                self.last = if code == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                self.last
            }
            EXPLICIT => self.explicit()?,
            back => self.vertices.get(back)?,
        };
        if matches!(code, 0 | 13..) {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// A triangle without such an edge: the codes of its corners.
    fn alone(&mut self, [first, second, third]: [u8; 3]) -> Result<[u32; 3], String> {
        let a = self.corner(first)?;
        let b = self.corner(second)?;
        let c = self.corner(third)?;
        for (vertex, code) in [(a, first), (b, second), (c, third)] {
            if matches!(code, 0 | EXPLICIT) {
                self.vertices.push(vertex);
            }
        }
        for edge in [[b, a], [c, b], [a, c]] {
            self.edges.push(edge);
        }
        Ok([a, b, c])
    }
}

pub(super) fn decode_triangles(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let (_, body, table) = split(stream, &[0xe1], |_| 16)?;
    let (codes, data) =
        body.split_at_checked(count / 3).ok_or("the stream is too short for its triangles")?;
    if table[14..] != [0, 0] || table.iter().any(|pair| pair >> 4 == 15 || pair & 15 == 15) {
        return Err("the table at the end of the stream is wrong".to_owned());
    }
    let mut reader =
        Triangles { data: Stream(data), edges: Recent::new(), vertices: Recent::new(), next: 0, last: 0 };
    let mut decoded = with_capacity(count, stride)?;
    for code in codes {
        let (high, low) = (code >> 4, code & 15);
        let triangle = match (high, low) {
            (NO_EDGE, 14 | 15) => {
                let pair = reader.data.byte()?;
                if pair == 0 {
                    reader.next = 0;
                }
                reader.alone([if low == 14 { 0 } else { EXPLICIT }, pair >> 4, pair & 15])?
            }
            (NO_EDGE, _) => {
                let pair = table[usize::from(low)];
                reader.alone([0, pair >> 4, pair & 15])?
            }
            _ => reader.on_edge(high, low)?,
        };
        triangle.iter().for_each(|index| push(&mut decoded, *index, stride));
    }
    reader.data.end()?;
    Ok(decoded)
}

pub(super) fn decode_sequence(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let (_, body, _) = split(stream, &[0xd1], |_| 4)?;
    let mut body = Stream(body);
    let mut last = [0_u32; 2];
    let mut decoded = with_capacity(count, stride)?;
    for _ in 0..count {
        let value = body.varint()?;
        let baseline = &mut last[(value & 1) as usize];
        let zigzag = value >> 1;
        *baseline = baseline.wrapping_add((zigzag >> 1) ^ (zigzag & 1).wrapping_neg());
        push(&mut decoded, *baseline, stride);
    }
    body.end()?;
    Ok(decoded)
}

fn with_capacity(count: usize, stride: usize) -> Result<Vec<u8>, String> {
    let mut list = Vec::new();
    list.try_reserve_exact(count * stride).map_err(|error| error.to_string())?;
    Ok(list)
}

fn push(bytes: &mut Vec<u8>, index: u32, stride: usize) {
    bytes.extend_from_slice(&index.to_le_bytes()[..stride]);
}
