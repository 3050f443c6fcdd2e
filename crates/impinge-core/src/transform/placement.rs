//! Placements of models in the world: any invertible affine map, with what queries need of it.

use super::Trs;
use super::error::TransformError;
use super::inverse::{self, Invertible};
use crate::math::{DAffine3, DMat3, DVec3};
use crate::predicates::Twofold;
use crate::tolerance::LARGEST;

/// An invertible affine map from a model's frame to the world: moved, turned, scaled, mirrored or sheared.
///
/// Valid by construction: entries and those of the inverse are finite and so bounded that relating two placements
/// never overflows. Made from a [`Trs`], with `try_from` from matrices of glam and `mint`, or from arrays with
/// [`from_rows`](Placement::from_rows) and [`from_columns`](Placement::from_columns).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    world_from_model: DAffine3,
    mirrored: bool,
    /// Whether the columns are at right angles up to rounding.
    orthogonal: bool,
    /// Whether the columns are also of length 1 up to rounding, so that the map moves and turns, and perhaps mirrors.
    rigid: bool,
}

impl Placement {
    /// The identity: the model's frame is the world's.
    pub const IDENTITY: Placement =
        Placement { world_from_model: DAffine3::IDENTITY, mirrored: false, orthogonal: true, rigid: true };

    /// The map as it was given.
    #[inline]
    pub fn world_from_model(&self) -> &DAffine3 {
        &self.world_from_model
    }

    /// The inverse of the linear part, computed here: keep it for many points. Exact where the linear part takes axes to
    /// axes and scales by powers of two.
    #[inline]
    pub fn model_from_world_linear(&self) -> DMat3 {
        inverse::invert(&self.world_from_model.matrix3, self.orthogonal)
    }

    /// The inverse. Far from the world's origin its translation is large and rounded; where two placements
    /// are compared, use [`relative`].
    #[inline]
    pub fn model_from_world(&self) -> DAffine3 {
        let matrix3 = self.model_from_world_linear();
        DAffine3 { matrix3, translation: matrix3 * -self.world_from_model.translation }
    }

    /// Whether the map mirrors: faces seen counter-clockwise from outside are then seen clockwise.
    #[inline]
    pub fn is_mirrored(&self) -> bool {
        self.mirrored
    }

    /// Whether the columns are at right angles up to rounding (see [`ORTHOGONAL`](super::ORTHOGONAL)), so that the inverse is as exact as
    /// rounding allows.
    #[inline]
    pub fn is_orthogonal(&self) -> bool {
        self.orthogonal
    }

    /// Whether the map keeps all lengths up to rounding: it moves and turns, and perhaps mirrors. Known from the start, so that
    /// queries need not look again.
    #[inline]
    pub fn is_rigid(&self) -> bool {
        self.rigid
    }

    /// The largest factor by which the map lengthens a vector, or a little more.
    #[inline]
    pub fn stretch(&self) -> f64 {
        if self.rigid {
            return 1.0 + 1e-12;
        }
        let DMat3 { x_axis, y_axis, z_axis } = self.world_from_model.matrix3;
        let [x, y, z] = [x_axis.length_squared(), y_axis.length_squared(), z_axis.length_squared()];
        // Columns at right angles stretch independently; others at most add up.
        let squared = if self.orthogonal { x.max(y).max(z) } else { x + y + z };
        squared.sqrt() * (1.0 + 1e-12)
    }

    /// The one factor by which the map scales all lengths, up to rounding (see [`ORTHOGONAL`](super::ORTHOGONAL)); `None`
    /// where it scales some more than others.
    #[inline]
    pub fn uniform_scale(&self) -> Option<f64> {
        let DMat3 { x_axis, y_axis, z_axis } = self.world_from_model.matrix3;
        let lengths = DVec3::new(x_axis.length(), y_axis.length(), z_axis.length());
        let (least, most) = (lengths.min_element(), lengths.max_element());
        (self.orthogonal && most - least <= super::ORTHOGONAL * most).then_some(most)
    }

    /// Translation, rotation and scale, where the map is their product up to rounding (see
    /// [`ORTHOGONAL`](super::ORTHOGONAL)). For a matrix in `f32`, which is not, use [`Trs::extract`].
    #[inline]
    pub fn trs(&self) -> Option<Trs> {
        // At the very ends of the range a scale can round to just outside of what a `Trs` holds: then there is none.
        self.orthogonal.then(|| Trs::extract_unchecked(&self.world_from_model, self.mirrored).ok()).flatten()
    }

    /// A point of the model, in the world.
    #[inline]
    pub fn point_to_world(&self, point_in_model: DVec3) -> DVec3 {
        self.world_from_model.transform_point3(point_in_model)
    }

    /// A point of the world, in the model's frame. The difference to the model's origin comes first, so
    /// that the distance of both from the world's origin costs no digits.
    #[inline]
    pub fn point_to_model(&self, point_in_world: DVec3) -> DVec3 {
        self.model_from_world_linear() * (point_in_world - self.world_from_model.translation)
    }

    /// A difference of two points of the model, in the world.
    #[inline]
    pub fn vector_to_world(&self, vector_in_model: DVec3) -> DVec3 {
        self.world_from_model.matrix3 * vector_in_model
    }

    /// A difference of two points of the world, in the model's frame.
    #[inline]
    pub fn vector_to_model(&self, vector_in_world: DVec3) -> DVec3 {
        self.model_from_world_linear() * vector_in_world
    }

    /// The normal of a plane of the model, in the world: perpendicular to the image of the plane and on the side to
    /// which the model's normal points, mirrored or not. Its length is not kept.
    ///
    /// The cross product of two edges in the world points to the other side when the placement
    /// [mirrors](Self::is_mirrored).
    #[inline]
    pub fn normal_to_world(&self, normal_in_model: DVec3) -> DVec3 {
        self.model_from_world_linear().mul_transpose_vec3(normal_in_model)
    }

    /// The normal of a plane of the world, in the model's frame; see [`normal_to_world`](Self::normal_to_world).
    #[inline]
    pub fn normal_to_model(&self, normal_in_world: DVec3) -> DVec3 {
        self.world_from_model.matrix3.mul_transpose_vec3(normal_in_world)
    }

    /// The vector of the model that the linear part takes to a vector of the world: the exact one where that is a `f64`
    /// and the matrix scales along the axes or has few digits, so that it was perhaps meant.
    #[inline(never)]
    fn solve(&self, vector_in_world: DVec3) -> DVec3 {
        let linear = &self.world_from_model.matrix3;
        if let Some(quotients) = divide_along_axes(linear, vector_in_world) {
            return quotients;
        }
        let inverse = self.model_from_world_linear();
        let rounded = inverse * vector_in_world;
        let bits = linear.to_cols_array().iter().fold(0, |bits, entry| bits | entry.to_bits());
        if bits & ROUNDED_BITS == 0 { refine(linear, &inverse, vector_in_world, rounded) } else { rounded }
    }
}

/// The last bits of a mantissa: an entry that has none of them was hardly ever rounded.
const ROUNDED_BITS: u64 = 0xff;

/// The most corrections of a solution. An inverse has 20 correct bits, and each correction adds as many.
const CORRECTIONS: usize = 3;

/// The solution of a linear part that takes axes to axes, each coordinate rounded once; `None` for others.
#[inline]
fn divide_along_axes(linear: &DMat3, vector: DVec3) -> Option<DVec3> {
    let divide = |column: DVec3| match [column.x != 0.0, column.y != 0.0, column.z != 0.0] {
        [true, false, false] => Some(vector.x / column.x),
        [false, true, false] => Some(vector.y / column.y),
        [false, false, true] => Some(vector.z / column.z),
        _ => None,
    };
    Some(DVec3::new(divide(linear.x_axis)?, divide(linear.y_axis)?, divide(linear.z_axis)?))
}

/// A solution corrected by what it misses, which is computed with twice the digits.
#[cold]
fn refine(linear: &DMat3, inverse: &DMat3, vector: DVec3, mut solution: DVec3) -> DVec3 {
    let rows = linear.transpose();
    for _ in 0..CORRECTIONS {
        let missed = |row: DVec3, to: f64| Twofold::dot(row, solution).minus(Twofold::from_value(to)).value();
        let residual = DVec3::new(
            missed(rows.x_axis, vector.x),
            missed(rows.y_axis, vector.y),
            missed(rows.z_axis, vector.z),
        );
        let better = solution - *inverse * residual;
        if better == solution || !better.is_finite() {
            break;
        }
        solution = better;
    }
    solution
}

impl Default for Placement {
    #[inline]
    fn default() -> Placement {
        Placement::IDENTITY
    }
}

impl From<Trs> for Placement {
    #[inline]
    fn from(trs: Trs) -> Placement {
        let world_from_model = trs.matrix();
        let rigid = inverse::is_rigid(&world_from_model.matrix3);
        Placement { world_from_model, mirrored: trs.is_mirrored(), orthogonal: true, rigid }
    }
}

impl TryFrom<DAffine3> for Placement {
    type Error = TransformError;

    // In line, and the placement put together in one place, so that it need not go through memory.
    #[inline(always)]
    fn try_from(world_from_model: DAffine3) -> Result<Placement, TransformError> {
        // What is rigid is invertible and in range, but for its translation.
        let linear = &world_from_model.matrix3;
        let rigid = inverse::is_rigid(linear) && world_from_model.translation.abs().element_sum() <= LARGEST;
        let Invertible { mirrored, orthogonal } = if rigid {
            let mirrored = linear.x_axis.dot(linear.y_axis.cross(linear.z_axis)) < 0.0;
            Invertible { mirrored, orthogonal: true }
        } else {
            check(world_from_model)?
        };
        Ok(Placement { world_from_model, mirrored, orthogonal, rigid })
    }
}

/// The properties of a map that is not rigid.
#[inline(never)]
fn check(map: DAffine3) -> Result<Invertible, TransformError> {
    inverse::check_range(&map)?;
    inverse::check_invertible(&map.matrix3)
}

/// The map from the guest's frame to the host's: `L_host⁻¹ · L_guest` and `L_host⁻¹ · (t_guest − t_host)`.
///
/// The difference of the translations comes first, so nothing depends on the distance from the world's origin beyond
/// what rounding the placements did. Exactly the identity for equal placements, and exactly `L_guest` and
/// `t_guest − t_host` (rounded once) when the host is only translated. Where the linear parts are equal and of few
/// digits, or scale along the axes, the translation is the exact one if that is a `f64`. Never overflows.
#[inline(always)]
pub fn relative(host: &Placement, guest: &Placement) -> DAffine3 {
    let (host_map, guest_map) = (&host.world_from_model, &guest.world_from_model);
    let offset = guest_map.translation - host_map.translation;
    if host_map.matrix3 == guest_map.matrix3 {
        // The computed inverse is rounded; its product with the matrix itself would not be the identity.
        return DAffine3 { matrix3: DMat3::IDENTITY, translation: host.solve(offset) };
    }
    let host_from_world = host.model_from_world_linear();
    DAffine3 { matrix3: host_from_world * guest_map.matrix3, translation: host_from_world * offset }
}
