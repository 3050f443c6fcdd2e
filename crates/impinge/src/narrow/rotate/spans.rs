//! Sets of times: a few intervals in order.

use super::arc::Quadratic;

/// Each of the bounds of a zone adds one interval at most.
const MOST: usize = 8;

/// Up to eight intervals, in order and apart.
#[derive(Clone, Copy, Debug)]
pub struct Spans {
    spans: [[f64; 2]; MOST],
    count: usize,
}

impl Spans {
    /// One interval.
    pub fn one(from: f64, to: f64) -> Spans {
        let mut spans = Spans { spans: [[0.0; 2]; MOST], count: 0 };
        spans.push(from, to);
        spans
    }

    /// Those of the times at which a quadratic is not negative.
    #[must_use]
    pub fn where_not_negative(&self, quadratic: &Quadratic) -> Spans {
        let mut kept = Spans { spans: [[0.0; 2]; MOST], count: 0 };
        for &[from, to] in self.iter() {
            kept.push_not_negative(quadratic, from, to);
        }
        kept
    }

    fn push_not_negative(&mut self, quadratic: &Quadratic, from: f64, to: f64) {
        let Some([first, second]) = quadratic.roots() else {
            // No root: the same sign everywhere.
            if quadratic.constant >= 0.0 {
                self.push(from, to);
            }
            return;
        };
        let Quadratic { constant, linear, square } = *quadratic;
        if square > 0.0 {
            self.push(from, to.min(first));
            self.push(from.max(second), to);
        } else if square < 0.0 {
            self.push(from.max(first), to.min(second));
        } else {
            // A line, with its only root first or second.
            let root = if first.is_finite() { first } else { second };
            match linear {
                0.0 if constant >= 0.0 => self.push(from, to),
                0.0 => {}
                linear if linear > 0.0 => self.push(from.max(root), to),
                _ => self.push(from, to.min(root)),
            }
        }
    }

    fn push(&mut self, from: f64, to: f64) {
        if from > to {
            return;
        }
        if let Some(last) = self.spans[..self.count].last_mut()
            && from <= last[1]
        {
            last[1] = to.max(last[1]);
        } else if self.count < MOST {
            self.spans[self.count] = [from, to];
            self.count += 1;
        } else {
            // More than there can be: never lost, but joined.
            self.spans[MOST - 1][1] = to;
        }
    }

    /// The intervals, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[f64; 2]> {
        self.spans[..self.count].iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Where the interval begins that holds a time.
    pub fn start_of(&self, time: f64) -> Option<f64> {
        self.iter().find(|span| span[0] <= time && time <= span[1]).map(|span| span[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_where_the_quadratic_is_not_negative() {
        let numbers = [-2.0, -1.0, -0.3, 0.0, 1e-20, 0.2, 1.0, 3.0];
        for constant in numbers {
            for linear in numbers {
                for square in numbers {
                    let quadratic = Quadratic { constant, linear, square };
                    let spans = Spans::one(0.0, 1.0).where_not_negative(&quadratic);
                    for i in 0..=1000 {
                        let r = f64::from(i) / 1000.0;
                        let value = quadratic.at(r);
                        if value.abs() > 1e-12 {
                            let inside = spans.iter().any(|span| span[0] <= r && r <= span[1]);
                            assert_eq!(inside, value > 0.0, "{quadratic:?} at {r}: {value}, {spans:?}");
                        }
                    }
                }
            }
        }
    }
}
