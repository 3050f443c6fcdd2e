//! Where one convex piece must not be put, because of another: an open convex polytope of translations.

use super::lattice::{Point, Ratio, dot, sub};

/// The half-space n · x ≤ c.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Plane {
    pub normal: Point,
    pub offset: i64,
}

/// The translations at which two convex pieces meet: all half-spaces at once. They overlap at those of its interior.
#[derive(Clone, Debug)]
pub struct Obstacle {
    pub planes: Vec<Plane>,
    /// For boxes: the least and the greatest corner.
    pub bounds: Option<[Point; 2]>,
}

/// How two bodies stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    Clear,
    Touching,
    Overlapping,
}

/// When a line is in an obstacle: from `enters` to `leaves`, both included, and in its interior in between if it is `deep`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub enters: Ratio,
    pub leaves: Ratio,
    pub is_deep: bool,
}

impl Obstacle {
    /// Of a moving box against a stationary one.
    pub fn of_boxes(moving: [Point; 2], stationary: [Point; 2]) -> Obstacle {
        let bounds = [sub(stationary[0], moving[1]), sub(stationary[1], moving[0])];
        let mut planes = Vec::with_capacity(6);
        for axis in 0..3 {
            let mut normal = [0; 3];
            normal[axis] = 1;
            planes.push(Plane { normal, offset: bounds[1][axis] });
            normal[axis] = -1;
            planes.push(Plane { normal, offset: -bounds[0][axis] });
        }
        Obstacle { planes, bounds: Some(bounds) }
    }

    pub fn standing_at(&self, x: Point) -> Standing {
        self.standing_on_line(x, [0; 3], Ratio::ZERO)
    }

    /// How the pieces stand at `start + time · by`, by looking at every plane.
    pub fn standing_on_line(&self, start: Point, by: Point, time: Ratio) -> Standing {
        let mut standing = Standing::Overlapping;
        for plane in &self.planes {
            let height =
                (dot(plane.normal, start) - plane.offset) * time.den + dot(plane.normal, by) * time.num;
            match height {
                1.. => return Standing::Clear,
                0 => standing = Standing::Touching,
                _ => {}
            }
        }
        standing
    }

    /// The normals of the planes on which a point lies.
    pub fn active(&self, x: Point) -> impl Iterator<Item = Point> + '_ {
        let on = move |plane: &&Plane| dot(plane.normal, x) == plane.offset;
        self.planes.iter().filter(on).map(|plane| plane.normal)
    }

    /// When the line `start + time · by` is in this; `by` is not zero.
    pub fn span(&self, start: Point, by: Point) -> Option<Span> {
        let (mut enters, mut leaves, mut is_deep) = (None::<Ratio>, None::<Ratio>, true);
        for plane in &self.planes {
            let room = plane.offset - dot(plane.normal, start);
            let speed = dot(plane.normal, by);
            match speed {
                0 if room < 0 => return None,
                0 => is_deep &= room > 0,
                1.. => {
                    let time = Ratio::new(room, speed);
                    leaves = Some(leaves.map_or(time, |least| least.min(time)));
                }
                _ => {
                    let time = Ratio::new(room, speed);
                    enters = Some(enters.map_or(time, |most| most.max(time)));
                }
            }
        }
        let (enters, leaves) = (enters.expect("it is bounded"), leaves.expect("it is bounded"));
        (enters <= leaves).then_some(Span { enters, leaves, is_deep: is_deep && enters < leaves })
    }
}
