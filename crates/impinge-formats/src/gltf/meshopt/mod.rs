//! Buffer views compressed by meshoptimizer (`EXT_meshopt_compression`, `KHR_meshopt_compression`), by the bitstreams in the
//! extensions' specifications.

mod filters;
mod indices;
mod vertices;

use super::json::MeshoptView;

/// The names of the extension.
pub(super) const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The bytes of a view, and how exact they are.
pub(super) struct Decoded {
    pub(super) bytes: Vec<u8>,
    /// The largest step of numbers of the exponential filter.
    pub(super) step: Option<f64>,
}

/// Checks what the document says about a view before any memory is taken.
pub(super) fn check(view: &MeshoptView, view_length: usize) -> Result<(), String> {
    let &MeshoptView { byte_stride: stride, count, .. } = view;
    if count.checked_mul(stride) != Some(view_length) {
        return Err(format!("{count} elements of {stride} bytes are not the view's {view_length} bytes"));
    }
    let is_vertices = view.mode == "ATTRIBUTES";
    let fits = match view.mode.as_str() {
        "ATTRIBUTES" => stride % 4 == 0 && (4..=256).contains(&stride),
        "TRIANGLES" => matches!(stride, 2 | 4) && count % 3 == 0,
        "INDICES" => matches!(stride, 2 | 4),
        other => return Err(format!("the mode is `{other}`, which is none of meshopt's")),
    };
    if !fits {
        return Err(format!("{count} elements of {stride} bytes cannot have the mode {}", view.mode));
    }
    let fits = match view.filter.as_deref().unwrap_or("NONE") {
        "NONE" => true,
        "OCTAHEDRAL" | "COLOR" => is_vertices && matches!(stride, 4 | 8),
        "QUATERNION" => is_vertices && stride == 8,
        "EXPONENTIAL" => is_vertices,
        other => return Err(format!("the filter is `{other}`, which is none of meshopt's")),
    };
    if !fits {
        let filter = view.filter.as_deref().unwrap_or("NONE");
        return Err(format!(
            "elements of {stride} bytes in mode {} cannot have the filter {filter}",
            view.mode
        ));
    }
    Ok(())
}

/// Decodes a view that was [checked](check).
pub(super) fn decode(stream: &[u8], view: &MeshoptView) -> Result<Decoded, String> {
    let &MeshoptView { byte_stride: stride, count, .. } = view;
    let mut bytes = match view.mode.as_str() {
        "ATTRIBUTES" => vertices::decode(stream, count, stride),
        "TRIANGLES" => indices::decode_triangles(stream, count, stride),
        _ => indices::decode_sequence(stream, count, stride),
    }?;
    let mut step = None;
    match view.filter.as_deref() {
        Some("OCTAHEDRAL") => filters::octahedral(&mut bytes, stride),
        Some("QUATERNION") => filters::quaternion(&mut bytes),
        Some("EXPONENTIAL") => step = filters::exponential(&mut bytes)?,
        Some("COLOR") => filters::color(&mut bytes, stride),
        _ => {}
    }
    Ok(Decoded { bytes, step })
}

/// What a stream has left.
struct Stream<'a>(&'a [u8]);

impl<'a> Stream<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("the stream ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    /// An integer of seven bits in each byte, the least first.
    fn varint(&mut self) -> Result<u32, String> {
        let mut value = 0_u32;
        for place in 0..5 {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("an integer has more than five bytes".to_owned())
    }

    fn end(&self) -> Result<(), String> {
        if self.0.is_empty() { Ok(()) } else { Err(format!("{} bytes are left over", self.0.len())) }
    }
}

/// What lies between the first byte, which must be one of these, and the tail; and the tail.
fn split<'a>(
    stream: &'a [u8],
    marks: &[u8],
    tail: impl Fn(u8) -> usize,
) -> Result<(u8, &'a [u8], &'a [u8]), String> {
    let (&mark, rest) = stream.split_first().ok_or("the stream is empty")?;
    if !marks.contains(&mark) {
        return Err(format!("the stream starts with {mark:#04x}, not with {:#04x}", marks[0]));
    }
    let body = rest.len().checked_sub(tail(mark)).ok_or("the stream is too short for its tail")?;
    Ok((mark, &rest[..body], &rest[body..]))
}
