//! Filters: what decoded attributes stand for.

/// The exponents that the exponential filter may have: those of normal `f32` numbers. The specification promises -100 to 100, but
/// gltfpack writes smaller ones.
const EXPONENTS: std::ops::RangeInclusive<i32> = -126..=127;

/// Integers of one or two bytes each, four in an element, each element changed at once.
fn each_four(bytes: &mut [u8], stride: usize, change: impl Fn([i32; 4], f32) -> [f32; 4]) {
    let width = stride / 4;
    let most = if width == 1 { f32::from(i8::MAX) } else { f32::from(i16::MAX) };
    for element in bytes.chunks_exact_mut(stride) {
        let value = |place: usize| match width {
            1 => i32::from(element[place] as i8),
            _ => i32::from(i16::from_le_bytes([element[place * 2], element[place * 2 + 1]])),
        };
        let changed = change(std::array::from_fn(value), most);
        for (place, value) in element.chunks_exact_mut(width).zip(changed) {
            // Colors use all bits; they come out the same, as the low bytes of an integer.
            place.copy_from_slice(&(value.round() as i32).to_le_bytes()[..width]);
        }
    }
}

/// Unit vectors on an octahedron; the fourth component stays.
pub(super) fn octahedral(bytes: &mut [u8], stride: usize) {
    each_four(bytes, stride, |[x, y, one, rest], most| {
        let one = one as f32;
        let (mut x, mut y) = (x as f32 / one, y as f32 / one);
        let z = 1.0 - x.abs() - y.abs();
        let behind = z.min(0.0);
        x -= behind.copysign(x);
        y -= behind.copysign(y);
        let scale = most / (x * x + y * y + z * z).sqrt();
        [x * scale, y * scale, z * scale, rest as f32]
    });
}

/// Unit quaternions without their largest component.
pub(super) fn quaternion(bytes: &mut [u8]) {
    each_four(bytes, 8, |[x, y, z, one], most| {
        let scale = std::f32::consts::FRAC_1_SQRT_2 / (one | 3) as f32;
        let [x, y, z] = [x, y, z].map(|value| value as f32 * scale);
        let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
        let largest = (one & 3) as usize;
        let mut changed = [0.0; 4];
        for (place, value) in [w, x, y, z].into_iter().enumerate() {
            changed[(largest + place) % 4] = value * most;
        }
        changed
    });
}

/// Floating-point numbers of an exponent and an integer. Returns the largest step between such numbers, if any is not 0.
pub(super) fn exponential(bytes: &mut [u8]) -> Result<Option<f64>, String> {
    let mut largest: Option<f64> = None;
    for number in bytes.chunks_exact_mut(4) {
        let value = i32::from_le_bytes([number[0], number[1], number[2], number[3]]);
        let (exponent, mantissa) = (value >> 24, (value << 8) >> 8);
        if !EXPONENTS.contains(&exponent) {
            return Err(format!("an exponent is {exponent}, which is out of range"));
        }
        let step = 2.0_f64.powi(exponent);
        // A zero is exact with any exponent.
        if mantissa != 0 {
            largest = Some(largest.map_or(step, |other| other.max(step)));
        }
        number.copy_from_slice(&((f64::from(mantissa) * step) as f32).to_le_bytes());
    }
    Ok(largest)
}

/// Colors by lightness and two differences.
pub(super) fn color(bytes: &mut [u8], stride: usize) {
    each_four(bytes, stride, |[y, co, cg, alpha], _| {
        let most = if stride == 4 { u32::from(u8::MAX) } else { u32::from(u16::MAX) };
        let unsigned = |value: i32| value as u32 & most;
        let (y, alpha) = (unsigned(y) as i32, unsigned(alpha));
        let all = (2_u32 << alpha.max(1).ilog2()) - 1;
        let alpha = alpha & (all >> 1);
        let alpha = (alpha << 1) | (alpha & 1);
        let scale = most as f32 / all as f32;
        [y + co - cg, y + cg, y - co - cg, alpha as i32].map(|value| value as f32 * scale)
    });
}
