//! Accessors: typed elements in a buffer, at any stride, with some of them replaced (sparse).

use super::buffers::{Buffers, get};
use super::json::{Accessor, Document};
use crate::error::{Fault, Place, ReadErrorKind};
use crate::memory;

/// The type of a component, by its number in the format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn numbered(number: u64, place: &Place) -> Result<Component, Fault> {
        Ok(match number {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            FLOAT => Component::F32,
            _ => {
                let what = format!("the component type is {number}, which is none of glTF's");
                return Err(Fault::malformed(place.clone(), what));
            }
        })
    }

    fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// The integer that a fraction of 1 is written as; `None` for numbers that are no integers.
    fn most(self) -> Option<f64> {
        match self {
            Component::I8 => Some(f64::from(i8::MAX)),
            Component::U8 => Some(f64::from(u8::MAX)),
            Component::I16 => Some(f64::from(i16::MAX)),
            Component::U16 => Some(f64::from(u16::MAX)),
            Component::U32 => Some(f64::from(u32::MAX)),
            Component::F32 => None,
        }
    }

    /// The value of a component's bytes, of which there are at least `size()`.
    fn value(self, bytes: &[u8], normalized: bool) -> f64 {
        let byte = |i: usize| bytes.get(i).copied().unwrap_or(0);
        let two = || [byte(0), byte(1)];
        let four = || [byte(0), byte(1), byte(2), byte(3)];
        let value = match self {
            Component::I8 => f64::from(byte(0) as i8),
            Component::U8 => f64::from(byte(0)),
            Component::I16 => f64::from(i16::from_le_bytes(two())),
            Component::U16 => f64::from(u16::from_le_bytes(two())),
            Component::U32 => f64::from(u32::from_le_bytes(four())),
            Component::F32 => f64::from(f32::from_le_bytes(four())),
        };
        match self.most() {
            Some(most) if normalized => (value / most).max(-1.0),
            _ => value,
        }
    }
}

/// The number of the component type `f32`.
pub(super) const FLOAT: u64 = 5126;

/// Elements of `N` components in a row of bytes.
struct Elements<'a, const N: usize> {
    bytes: &'a [u8],
    count: usize,
    stride: usize,
    component: Component,
    normalized: bool,
}

impl<const N: usize> Elements<'_, N> {
    /// The elements in order. The bytes were checked to be enough.
    fn iter(&self) -> impl Iterator<Item = [f64; N]> + '_ {
        let size = self.component.size();
        (0..self.count).map(move |element| {
            let bytes = self.bytes.get(element * self.stride..).unwrap_or_default();
            std::array::from_fn(|i| {
                self.component.value(bytes.get(i * size..).unwrap_or_default(), self.normalized)
            })
        })
    }
}

/// Reads accessors of a document.
pub(super) struct Accessors<'a> {
    pub(super) document: &'a Document,
    pub(super) buffers: Buffers<'a>,
}

impl<'a> Accessors<'a> {
    /// How many elements an accessor has.
    pub(super) fn count(&self, index: usize, from: &Place) -> Result<usize, Fault> {
        Ok(get(&self.document.accessors, index, "accessor", from)?.count)
    }

    /// The number of an accessor's component type, and whether its integers stand for fractions.
    pub(super) fn component(&self, index: usize, from: &Place) -> Result<(u64, bool), Fault> {
        let accessor = get(&self.document.accessors, index, "accessor", from)?;
        Ok((accessor.component_type, accessor.normalized))
    }

    /// Whether there is such an accessor, and bytes for it.
    pub(super) fn has_bytes(&self, index: Option<usize>) -> bool {
        let accessor = index.and_then(|index| self.document.accessors.get(index));
        accessor.is_some_and(|accessor| accessor.buffer_view.is_some())
    }

    /// What the integers of an accessor are divided by where they stand for fractions.
    pub(super) fn divisor(&self, index: usize, from: &Place) -> Result<Option<f64>, Fault> {
        let accessor = get(&self.document.accessors, index, "accessor", from)?;
        let place = Place::json(format!("/accessors/{index}"));
        let component = Component::numbered(accessor.component_type, &place)?;
        Ok(component.most().filter(|_| accessor.normalized))
    }

    /// One step of an accessor's numbers where they are integers, or fractions written as integers.
    pub(super) fn step(&self, index: usize, from: &Place) -> Result<Option<f64>, Fault> {
        let (component, _) = self.component(index, from)?;
        if component == FLOAT {
            let view = self.document.accessors[index].buffer_view;
            return Ok(view.and_then(|view| self.buffers.step(view)));
        }
        Ok(Some(1.0 / self.divisor(index, from)?.unwrap_or(1.0)))
    }

    /// All elements of an accessor, which must have the shape that is asked for (`VEC3` and the like).
    pub(super) fn read<const N: usize>(
        &self,
        index: usize,
        shape: &str,
        from: &Place,
    ) -> Result<Vec<[f64; N]>, Fault> {
        let accessor = get(&self.document.accessors, index, "accessor", from)?;
        let place = Place::json(format!("/accessors/{index}"));
        if accessor.shape != shape {
            let what = format!("the type is `{}`, but {from} needs `{shape}`", accessor.shape);
            return Err(Fault::malformed(place, what));
        }
        let component = Component::numbered(accessor.component_type, &place)?;
        let mut values = self.base(accessor, component, &place)?;
        self.replace_sparse(accessor, component, &mut values, &place)?;
        for (element, value) in values.iter().enumerate() {
            if let Some(&value) = value.iter().find(|value| !value.is_finite()) {
                let what = format!("a component of element {element}");
                return Err(Fault::new(place, ReadErrorKind::NotFinite { what, value }));
            }
        }
        Ok(values)
    }

    /// Vertex indices, which are scalars of an unsigned type.
    pub(super) fn read_indices(
        &self,
        index: usize,
        vertices: usize,
        from: &Place,
    ) -> Result<Vec<u32>, Fault> {
        let place = Place::json(format!("/accessors/{index}"));
        let accessor = get(&self.document.accessors, index, "accessor", from)?;
        if !matches!(accessor.component_type, 5121 | 5123 | 5125) {
            let what = format!("the component type of indices is {}", accessor.component_type);
            return Err(Fault::malformed(place, what));
        }
        let values = self.read::<1>(index, "SCALAR", from)?;
        let indices: Vec<u32> = memory::collect(values.len(), values.iter().map(|[value]| *value as u32))?;
        match indices.iter().find(|&&vertex| vertex as usize >= vertices) {
            None => Ok(indices),
            Some(&vertex) => {
                let (index, count) = (i64::from(vertex), vertices);
                let kind = ReadErrorKind::IndexOutOfRange { what: "vertex", index, count };
                Err(Fault::new(place, kind))
            }
        }
    }

    /// The elements before any are replaced: those of the view, or zeros where there is none.
    fn base<const N: usize>(
        &self,
        accessor: &Accessor,
        component: Component,
        place: &Place,
    ) -> Result<Vec<[f64; N]>, Fault> {
        let Some(view) = accessor.buffer_view else {
            // Zeros cost the file nothing, so their number proves nothing.
            if accessor.count > self.buffers.bytes_known() {
                let what = format!("{} zeros are more than the file has bytes", accessor.count);
                return Err(Fault::unsupported(place.clone(), what));
            }
            self.buffers.will_take(accessor.count, size_of::<[f64; N]>() as u64, place)?;
            return memory::collect(accessor.count, std::iter::repeat([0.0; N]));
        };
        let elements: Elements<'_, N> = self.elements(
            Span { view, offset: accessor.byte_offset, count: accessor.count, strided: true },
            component,
            accessor.normalized,
            place,
        )?;
        memory::collect(elements.count, elements.iter())
    }

    fn replace_sparse<const N: usize>(
        &self,
        accessor: &Accessor,
        component: Component,
        values: &mut [[f64; N]],
        place: &Place,
    ) -> Result<(), Fault> {
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        let (indices, new) = (&sparse.indices, &sparse.values);
        let index_type = Component::numbered(indices.component_type, place)?;
        let count = sparse.count;
        let span = Span { view: indices.buffer_view, offset: indices.byte_offset, count, strided: false };
        let indices: Elements<'_, 1> = self.elements(span, index_type, false, place)?;
        let span = Span { view: new.buffer_view, offset: new.byte_offset, count, strided: false };
        let new: Elements<'_, N> = self.elements(span, component, accessor.normalized, place)?;
        for ([index], value) in indices.iter().zip(new.iter()) {
            let slot = values.get_mut(index as usize).filter(|_| index >= 0.0);
            *slot.ok_or_else(|| {
                let what = format!("a sparse index is {index}, but there are {} elements", accessor.count);
                Fault::malformed(place.clone(), what)
            })? = value;
        }
        Ok(())
    }

    fn elements<const N: usize>(
        &self,
        span: Span,
        component: Component,
        normalized: bool,
        place: &Place,
    ) -> Result<Elements<'_, N>, Fault> {
        let (bytes, view) = self.buffers.view(span.view, place)?;
        let size = component.size() * N;
        let stride = view.byte_stride.filter(|_| span.strided).unwrap_or(size);
        if stride < size {
            let what = format!("elements of {size} bytes stand only {stride} bytes apart");
            return Err(Fault::malformed(place.clone(), what));
        }
        let needed = match span.count {
            0 => Some(0),
            count => (count - 1).checked_mul(stride).and_then(|start| start.checked_add(size)),
        };
        let bytes = bytes.get(span.offset..).unwrap_or_default();
        match needed {
            Some(needed) if needed <= bytes.len() => {}
            _ => {
                let what = format!("an accessor of {} elements", span.count);
                let needed = needed.map_or(u64::MAX, |needed| needed as u64);
                return Err(Fault::truncated(place.clone(), what, needed, bytes.len() as u64));
            }
        }
        self.buffers.will_take(span.count, size_of::<[f64; N]>() as u64, place)?;
        Ok(Elements { bytes, count: span.count, stride, component, normalized })
    }
}

/// Where elements lie in the buffers.
#[derive(Clone, Copy)]
struct Span {
    view: usize,
    offset: usize,
    count: usize,
    /// Whether the view's stride is theirs; sparse elements are always packed.
    strided: bool,
}
