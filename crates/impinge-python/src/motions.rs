//! Motions of the arguments `by`, `rotate` and `to`, one or many.

use impinge::math::DVec3;
use impinge::{Motion, TransformError};
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{floats, shape_error};
use crate::poses::{Complaint, Poses};

/// Rows of numbers: one, or a batch of them.
pub(crate) struct Rows<const N: usize> {
    name: &'static str,
    rows: Vec<[f64; N]>,
    is_batch: bool,
}

impl<const N: usize> Rows<N> {
    fn read(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Rows<N>> {
        let array = floats(name, object)?;
        let is_batch = match *array.shape() {
            [count] if count == N => false,
            [_, count] if count == N => true,
            ref other => {
                return Err(shape_error(name, other, &format!("({N},), or (k, {N}) for a batch")));
            }
        };
        let rows = array.as_slice()?.as_chunks::<N>().0.to_vec();
        Ok(Rows { name, rows, is_batch })
    }

    fn count(&self) -> Option<usize> {
        self.is_batch.then_some(self.rows.len())
    }

    fn get(&self, index: usize) -> &[f64; N] {
        &self.rows[if self.is_batch { index } else { 0 }]
    }

    fn place(&self, index: usize) -> String {
        if self.is_batch { format!("{}[{index}]", self.name) } else { self.name.to_owned() }
    }
}

/// Where a model goes: by vectors, about axes, or to poses.
pub(crate) enum Goal {
    Along { by: Option<Rows<3>>, rotate: Option<Rows<7>> },
    To(Poses),
}

impl Goal {
    pub(crate) fn read(
        by: Option<&Bound<'_, PyAny>>,
        rotate: Option<&Bound<'_, PyAny>>,
        to: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Goal> {
        match (by, rotate, to) {
            (None, None, Some(to)) => Ok(Goal::To(Poses::read("to", Some(to))?)),
            (None, None, None) | (_, _, Some(_)) => Err(PyTypeError::new_err(
                "a motion takes either `by`, a translation, and `rotate`, a turn, or `to`, a pose",
            )),
            (by, rotate, None) => Ok(Goal::Along {
                by: by.map(|by| Rows::read("by", by)).transpose()?,
                rotate: rotate.map(|rotate| Rows::read("rotate", rotate)).transpose()?,
            }),
        }
    }

    /// The arguments, and how many motions they are where they are a batch.
    pub(crate) fn counts(&self) -> [(&'static str, Option<usize>); 2] {
        match self {
            Goal::Along { by, rotate } => {
                [("by", by.as_ref().and_then(Rows::count)), ("rotate", rotate.as_ref().and_then(Rows::count))]
            }
            Goal::To(poses) => [(poses.name(), poses.count()), ("rotate", None)],
        }
    }

    /// The only motion; a batch is refused, as `who` makes one.
    pub(crate) fn only(&self, who: &str, start: &impinge::Placement) -> PyResult<Motion> {
        if let Some((argument, _)) = self.counts().into_iter().find(|(_, count)| count.is_some()) {
            return Err(PyValueError::new_err(format!("{argument} is a batch, but {who} makes one move")));
        }
        self.motion(0, start).map_err(|complaint| PyValueError::new_err(complaint.0))
    }

    /// The motion at a place of the batch.
    pub(crate) fn motion(&self, index: usize, start: &impinge::Placement) -> Result<Motion, Complaint> {
        let complain = |place: String| move |error: TransformError| Complaint(format!("{place}: {error}"));
        match self {
            Goal::Along { by, rotate } => {
                let vector = by.as_ref().map_or([0.0; 3], |by| *by.get(index));
                let place = by.as_ref().map_or_else(String::new, |by| by.place(index));
                let motion = Motion::translation(DVec3::from_array(vector)).map_err(complain(place))?;
                let Some(rotate) = rotate else { return Ok(motion) };
                let [center @ .., ax, ay, az, degrees] = *rotate.get(index);
                let turned = motion.then_rotation(center, [ax, ay, az], degrees);
                turned.map_err(complain(rotate.place(index)))
            }
            Goal::To(poses) => {
                let place = if poses.count().is_some() {
                    format!("{}[{index}]", poses.name())
                } else {
                    poses.name().to_owned()
                };
                Motion::between(start, &poses.get(index)?).map_err(complain(place))
            }
        }
    }
}
