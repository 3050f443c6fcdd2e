//! Tracks: values that change with time by keys, as animation files have them.

use super::course::{Course, Spin};
use super::error::TrackFault;
use impinge_core::math::{DQuat, DVec3};

/// The interpolation of a value between keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Constant up to the next key, where it jumps.
    Step,
    /// Linear: along a line, or about one axis the shorter way.
    Linear,
    /// Cubic: along a curve; keys have tangents.
    Cubic,
}

/// A value with keys. Before the first key it has the first key's value, after the last one the last's.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<V> {
    times: Vec<f64>,
    /// The values, one for each key.
    pub(super) values: Vec<V>,
    /// Towards each key and away from it, in units of the value per second; empty unless cubic.
    tangents: Vec<[V; 2]>,
    pub(super) interpolation: Interpolation,
}

/// A value that a track can hold.
pub trait Keyed: Copy + private::Sealed {
    /// The number of coordinates of the value.
    const NUMBERS: usize;

    #[doc(hidden)]
    fn numbers(self) -> [f64; 4];
}

mod private {
    pub trait Sealed {}
    impl Sealed for impinge_core::math::DVec3 {}
    impl Sealed for impinge_core::math::DQuat {}
}

impl Keyed for DVec3 {
    const NUMBERS: usize = 3;

    fn numbers(self) -> [f64; 4] {
        [self.x, self.y, self.z, 0.0]
    }
}

impl Keyed for DQuat {
    const NUMBERS: usize = 4;

    fn numbers(self) -> [f64; 4] {
        self.to_array()
    }
}

/// Between which keys a time lies.
enum Between {
    /// At or before the first key, or at or after the last one.
    Outside(usize),
    /// Between this key and the next.
    Keys(usize),
}

impl<V: Keyed> Track<V> {
    /// A track of keys in ascending order of time. Of a cubic one each key has three values: the tangent towards the key, the value,
    /// the tangent away from it.
    pub fn new(
        times: Vec<f64>,
        values: Vec<V>,
        interpolation: Interpolation,
    ) -> Result<Track<V>, TrackFault> {
        let each = if interpolation == Interpolation::Cubic { 3 } else { 1 };
        if times.is_empty() {
            return Err(TrackFault::NoKeys);
        }
        if values.len() != each * times.len() {
            return Err(TrackFault::Count { values: values.len(), expected: each * times.len() });
        }
        for (key, time) in times.iter().enumerate() {
            let is_later = key == 0 || *time > times[key - 1];
            if !time.is_finite() || !is_later {
                return Err(TrackFault::Time { key, time: *time });
            }
        }
        for (place, value) in values.iter().enumerate() {
            if let Some(value) = value.numbers().into_iter().find(|number| !number.is_finite()) {
                return Err(TrackFault::Value { key: place / each, value });
            }
        }
        if interpolation != Interpolation::Cubic {
            return Ok(Track { times, values, tangents: Vec::new(), interpolation });
        }
        let keys = values.chunks_exact(3);
        let tangents = keys.clone().map(|key| [key[0], key[2]]).collect();
        let values = keys.map(|key| key[1]).collect();
        Ok(Track { times, values, tangents, interpolation })
    }

    /// The times of the keys.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    fn between(&self, time: f64) -> Between {
        let later = self.times.partition_point(|key| *key <= time);
        match later {
            0 => Between::Outside(0),
            _ if later == self.times.len() => Between::Outside(later - 1),
            _ => Between::Keys(later - 1),
        }
    }

    /// The times of both keys, how long it is from the one to the other, and which part of that a span is.
    fn share(&self, key: usize, [from, to]: [f64; 2]) -> (f64, [f64; 2]) {
        let [start, end] = [self.times[key], self.times[key + 1]];
        let share = |time: f64| ((time - start) / (end - start)).clamp(0.0, 1.0);
        (end - start, [share(from), share(to)])
    }
}

impl Track<DVec3> {
    /// The value at a time. Where it jumps, the later one.
    pub fn at(&self, time: f64) -> DVec3 {
        self.course([time; 2]).at(0.0)
    }

    /// The course between two times that have no key in between.
    pub(super) fn course(&self, span: [f64; 2]) -> Course {
        let key = match self.between(0.5 * (span[0] + span[1])) {
            Between::Outside(key) => return Course::Still(self.values[key]),
            Between::Keys(key) => key,
        };
        let (seconds, [from, to]) = self.share(key, span);
        let [start, end] = [self.values[key], self.values[key + 1]];
        match self.interpolation {
            Interpolation::Step => Course::Still(start),
            Interpolation::Linear => Course::line(start.lerp(end, from), start.lerp(end, to)),
            Interpolation::Cubic => {
                let [leave, arrive] = [self.tangents[key][1], self.tangents[key + 1][0]];
                Course::curve(
                    [start, start + leave * (seconds / 3.0), end - arrive * (seconds / 3.0), end],
                    [from, to],
                )
            }
        }
    }
}

impl Track<DQuat> {
    /// A track of rotations. Keys need not be of length 1; a key of length 0 is none.
    pub fn rotations(
        times: Vec<f64>,
        values: Vec<DQuat>,
        interpolation: Interpolation,
    ) -> Result<Track<DQuat>, TrackFault> {
        let mut track = Track::new(times, values, interpolation)?;
        for (key, value) in track.values.iter_mut().enumerate() {
            let length = value.length();
            if !(length > 0.0 && length.is_finite()) {
                return Err(TrackFault::NoRotation { key });
            }
            // Cubic curves go through the keys as they are written.
            if interpolation != Interpolation::Cubic {
                *value /= length;
            }
        }
        Ok(track)
    }

    /// The rotation at a time. Where it jumps, the later one.
    pub fn at(&self, time: f64) -> DQuat {
        self.spin([time; 2]).at(0.0)
    }

    /// The turn between two times that have no key in between.
    pub(super) fn spin(&self, span: [f64; 2]) -> Spin {
        let key = match self.between(0.5 * (span[0] + span[1])) {
            Between::Outside(key) => return Spin::Still(self.values[key].normalize()),
            Between::Keys(key) => key,
        };
        let (seconds, [from, to]) = self.share(key, span);
        let [start, end] = [self.values[key], self.values[key + 1]];
        match self.interpolation {
            Interpolation::Step => Spin::Still(start),
            Interpolation::Linear => Spin::between(start, end, [from, to]),
            Interpolation::Cubic => {
                let [leave, arrive] = [self.tangents[key][1], self.tangents[key + 1][0]];
                Spin::curve(
                    [start, start + leave * (seconds / 3.0), end + arrive * (-seconds / 3.0), end],
                    [from, to],
                )
            }
        }
    }
}
