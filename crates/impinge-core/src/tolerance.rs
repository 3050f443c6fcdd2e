//! Every tolerance of the library: meaning, unit, value, and what breaks when it is changed.
//!
//! No answer about whether, or how, two models intersect depends on any of them. They decide which matrices are refused, which
//! are taken for something simpler, and what distances may be off by.

/// The largest accepted translation and scale.
///
/// Entries of a linear part and of its inverse stay below twice this number. Every product of two of them, and
/// so every transform of one placement relative to another, is then far from overflow (`3 · (2e150)²` is about
/// 1e301), and no query has to ask. Above about 1e153 that would end.
pub const LARGEST: f64 = 1e150;

/// The smallest accepted magnitude of a scale: the inverse of [`LARGEST`], because inverses count too.
pub const SMALLEST_SCALE: f64 = 1e-150;

/// The largest cosine between two columns, in multiples of 1, at which [`Trs::extract`](crate::transform::Trs::extract) still
/// takes a matrix for translation · rotation · scale.
///
/// Matrices in `f32` that were multiplied a few times arrive at some 1e-7. The extracted transform differs from the
/// matrix by about this much times the size of the model, so a larger number gives visibly moved models.
pub const SHEAR_TOLERANCE: f64 = 1e-6;

/// The largest cosine between two columns at which a matrix counts as translation · rotation · scale up to
/// the rounding of its own entries: 32 units of 2⁻⁵³.
///
/// A [`Placement`](crate::transform::Placement) has a `Trs`, and is inverted as one, only below this: there the short cut costs
/// no accuracy. A rotation composed from a quaternion stays below 20 units. Above, the short cut would change answers.
pub const ORTHOGONAL: f64 = 32.0 * UNIT;

/// The largest difference from 1 of the squared length of a column at which a matrix with columns at right angles counts as rigid, up to
/// the rounding of its own entries: 64 units of 2⁻⁵³.
///
/// A rigid placement's inverse may be taken for its transpose where a bound is computed, which costs this much times the size
/// of the model in padding. Larger, and bounds would lose digits that trees have.
pub const UNIT_LENGTH: f64 = 64.0 * UNIT;

/// The tolerance of the length of a rotation quaternion: how far it may be from 1 before it is refused instead of normalized.
///
/// Quaternions in `f32` that were multiplied for a while drift by some 1e-5. One that is far off was never meant as a
/// rotation: a component is missing, or the numbers are an axis and an angle.
pub const ROTATION_LENGTH_TOLERANCE: f64 = 1e-3;

/// The least determinant of an invertible matrix, relative to the sum of the magnitudes of its six products
/// (1 for a diagonal matrix; the same for every scale of rows and columns): 2⁻³⁰.
///
/// The relative error of the determinant is at most 5 · 2⁻⁵³ over this ratio, so the inverse keeps more than 20 bits
/// and the sign, which tells a mirrored placement, is certain. Lower, and relative placements lose their digits.
pub const SINGULAR: f64 = 1.0 / (1 << 30) as f64;

/// The relative error of a distance, in multiples of the distance itself: 2⁻⁴⁰, about 9e-13.
///
/// A search passes over what is closer by less than this, so that of many pairs that are equally close, as between
/// parallel walls, one is looked at closely and not all. Smaller, and such pairs cost more; at 2⁻⁴⁸ and below, rounding is
/// larger.
pub const DISTANCE_RELATIVE: f64 = 1.0 / (1_u64 << 40) as f64;

/// The absolute error of a distance, in multiples of the pair's extent: the largest coordinate, without its sign, that either
/// model has in the frame in which the distance is measured, that of the host or of the world moved to the host's
/// origin. 2⁻⁴⁴, about 6e-14.
///
/// Placing the vertices costs the most of it. It states what rounding does and changes nothing: smaller, and the
/// statement would be false.
pub const DISTANCE_ABSOLUTE: f64 = 1.0 / (1_u64 << 44) as f64;

/// The tolerance of rigidity: how far the ratio of two placements may be from a rotation, entry by entry of its square, in
/// [`Motion::between`](crate::transform::Motion::between).
///
/// Matrices in `f32` that were multiplied a few times arrive at some 1e-6. The body ends where the motion takes it, which differs from
/// the second placement by about this much of its size.
pub const NOT_RIGID: f64 = 1e-5;

/// The tolerance of uniform scale: how far a joint's matrix may be, relative, from scaling all lengths alike: some thousand
/// roundings, for quaternions and matrices that were multiplied.
pub const RIG_SIMILAR: f64 = 1e-12;

/// The largest angle of a [rigid motion](crate::transform::Motion::rigid), in degrees: ten thousand turns.
///
/// A turn about a fixed axis repeats itself, but one that moves along must be followed all the way, a quarter at a time. Larger, and a
/// sweep could take hours.
pub const LARGEST_RIGID_TURN: f64 = 3.6e6;

/// The error bound of a sweep: all its roundings together move a point by no more, in multiples of the largest coordinate: 2⁻⁴⁶.
///
/// Margins are kept up to a few times this, which is what makes sweeps never late; `docs/math/margin.md` adds up what it
/// covers. Smaller, and the promise would not be kept.
pub const SWEEP_ROUNDING: f64 = 1.0 / (1_u64 << 46) as f64;

/// The default thickness of the margin, the skin, in multiples of the size of the larger body: 2⁻³⁶, about 1.5e-11.
///
/// A body that a sweep stops is left so far away, and up to half as much farther. That is a thousand times what rounding can do, so that a body may slide
/// along another for very many sweeps though each rounds it a little closer. Larger, and gaps become visible; a user's own
/// thickness is taken where it is larger.
pub const SKIN: f64 = 1.0 / (1_u64 << 36) as f64;

/// The cosine of the angle, 60°, within which a face of a body leads towards another body so directly that it shelters its own
/// corner or edge: no contact is made there, because the face has nearer points.
///
/// Larger, and the far sides of thin plates make contacts through the plate. At 0, a box that rests on a floor would keep
/// all its contacts only as long as it is not tilted by a single rounding.
pub const CONTACT_SHELTER: f64 = 0.5;

/// The least thickness of the expel zone, in multiples of [`SWEEP_ROUNDING`]: that counts far from the world's origin, where poses are
/// rounded more than bodies are large.
///
/// Fewer, and a body could not be slid along another for as many sweeps before it counts as touching.
pub const SKIN_ROUNDINGS: f64 = 16.0;

/// The distance within which bodies of a world are in contact, in the unit of the world: a tenth of a millimeter
/// where that is the meter.
///
/// It changes no move, only what is told: contacts that begin and end, and who sleeps and wakes together. It must be larger than the
/// expel zone, or bodies that are stopped by each other would not be in contact.
pub const CONTACT_DISTANCE: f64 = 1e-4;

/// Half the distance from 1 to the next `f64`: the relative error of one rounding.
pub const UNIT: f64 = f64::EPSILON / 2.0;
