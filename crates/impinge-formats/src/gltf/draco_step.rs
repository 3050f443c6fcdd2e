//! The step of coordinates that a Draco stream has quantized.
//!
//! A stream keeps the least corner, the range and the number of bits as 17 bytes in a row, at a place that only decoding
//! tells, and the decoder keeps them for itself. They are found here by what they must do: to give every coordinate
//! back to the last bit.

/// Bytes of the parameters: three least coordinates, the range, the bits.
const LENGTH: usize = 17;
/// The most bits that Draco quantizes to.
const MOST_BITS: u8 = 30;
/// The least step of a grid, as a share of the largest coordinate. With a smaller one, any number is nearly a multiple of a step.
const LEAST_STEP: f64 = 1.0 / (1 << 20) as f64;
/// Coordinates compared for each vertex and byte at most: a stream may be full of parameters that are nearly right.
const WORK_SHARE: usize = 32;

/// One step of the coordinates; `None` where no parameters give them all back.
pub(super) fn find(stream: &[u8], positions: &[[f32; 3]]) -> Option<f64> {
    let first = positions.first()?;
    let (mut least, mut most) = (*first, *first);
    for position in positions {
        for axis in 0..3 {
            least[axis] = least[axis].min(position[axis]);
            most[axis] = most[axis].max(position[axis]);
        }
    }
    let largest =
        least.iter().chain(&most).fold(0.0, |largest: f64, value| largest.max(f64::from(value.abs())));
    let mut work = WORK_SHARE * (positions.len() + stream.len());
    let mut of_grid: Option<f64> = None;
    for bytes in stream.windows(LENGTH) {
        let Some(parameters) = Parameters::read(bytes) else { continue };
        let step = f64::from(parameters.step);
        // Whoever quantizes all meshes of a scene alike gives a corner and a range that have nothing to do with this one.
        let is_own = parameters.corner == least && parameters.holds(most);
        if (is_own || step >= largest * LEAST_STEP) && parameters.gives(positions, &mut work)? {
            // The least corner itself proves more than any other point of a grid.
            if is_own {
                return Some(step);
            }
            of_grid = Some(of_grid.map_or(step, |other| other.max(step)));
        }
    }
    of_grid
}

struct Parameters {
    corner: [f32; 3],
    range: f32,
    step: f32,
}

impl Parameters {
    /// Bytes as parameters, if they may be some.
    fn read(bytes: &[u8]) -> Option<Parameters> {
        let bits = bytes[LENGTH - 1];
        if !(1..=MOST_BITS).contains(&bits) {
            return None;
        }
        let (numbers, _) = bytes.as_chunks::<4>();
        let number = |place: usize| f32::from_le_bytes(numbers[place]);
        let (corner, range) = ([number(0), number(1), number(2)], number(3));
        let step = range / ((1_u32 << bits) - 1) as f32;
        let are_numbers = corner.iter().all(|value| value.is_finite()) && range.is_finite() && step > 0.0;
        are_numbers.then_some(Parameters { corner, range, step })
    }

    /// Whether these coordinates are within the range.
    fn holds(&self, most: [f32; 3]) -> bool {
        let reach = f64::from(self.range) * (1.0 + 1e-6);
        self.corner.iter().zip(most).all(|(corner, most)| f64::from(most) <= f64::from(*corner) + reach)
    }

    /// Whether every coordinate is a multiple of the step, computed as Draco does. `None` when the work is used up.
    fn gives(&self, positions: &[[f32; 3]], work: &mut usize) -> Option<bool> {
        for position in positions {
            *work = work.checked_sub(1)?;
            for (&coordinate, &from) in position.iter().zip(&self.corner) {
                let near = ((f64::from(coordinate) - f64::from(from)) / f64::from(self.step)).round();
                let gives = |multiple: f64| multiple as f32 * self.step + from == coordinate;
                if !(gives(near) || gives(near - 1.0) || gives(near + 1.0)) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }
}
