//! The numbers of a GLB file: bytes, and the accessors and views that say what they are.

use serde_json::{Value, json};

/// Numbers that the format gives to types.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// What goes into the binary chunk, and its description.
#[derive(Default)]
pub(crate) struct Binary {
    pub(crate) bytes: Vec<u8>,
    pub(crate) accessors: Vec<Value>,
    pub(crate) views: Vec<Value>,
}

impl Binary {
    /// Vertices; returns their accessor.
    pub(crate) fn positions(&mut self, places: &[[f32; 3]]) -> usize {
        let accessor = self.rows(places, "VEC3", true);
        if let Some(view) = self.views.last_mut() {
            view["target"] = json!(VERTICES);
        }
        accessor
    }

    /// Corners of triangles; returns their accessor.
    pub(crate) fn indices(&mut self, corners: impl Iterator<Item = u32>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(corners.flat_map(u32::to_le_bytes));
        let count = (self.bytes.len() - start) / size_of::<u32>();
        self.view(start);
        if let Some(view) = self.views.last_mut() {
            view["target"] = json!(INDICES);
        }
        self.accessor(json!({"componentType": UNSIGNED_INT, "count": count, "type": "SCALAR"}))
    }

    /// Rows of N numbers; returns their accessor. With `ranged`, it says the least and the greatest of each column.
    pub(crate) fn rows<const N: usize>(&mut self, rows: &[[f32; N]], kind: &str, ranged: bool) -> usize {
        let start = self.bytes.len();
        let (mut least, mut most) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
        for row in rows {
            for (column, number) in row.iter().enumerate() {
                least[column] = least[column].min(*number);
                most[column] = most[column].max(*number);
                self.bytes.extend(number.to_le_bytes());
            }
        }
        self.view(start);
        let mut accessor = json!({"componentType": FLOAT, "count": rows.len(), "type": kind});
        if ranged {
            accessor["min"] = least.as_slice().into();
            accessor["max"] = most.as_slice().into();
        }
        self.accessor(accessor)
    }

    /// A view of all bytes from `start` on.
    fn view(&mut self, start: usize) {
        let length = self.bytes.len() - start;
        self.views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": length}));
    }

    /// An accessor of the last view.
    fn accessor(&mut self, mut accessor: Value) -> usize {
        accessor["bufferView"] = json!(self.views.len() - 1);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
