//! What can go wrong, and where.

/// Why no image could be made or read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The side of the image is too small or too large.
    #[error("an image of {asked} pixels a side: between {least} and {most} are possible")]
    Resolution {
        /// What was asked for.
        asked: u32,
        /// The fewest pixels a side.
        least: u32,
        /// The most pixels a side.
        most: u32,
    },
    /// A direction of view is zero or not finite.
    #[error("view {view}: ({x}, {y}, {z}) is not a direction", x = .direction[0], y = .direction[1], z = .direction[2])]
    Direction {
        /// The number of the view, from 0.
        view: usize,
        /// What was given.
        direction: [f64; 3],
    },
    /// A number among the options makes no sense.
    #[error("{name} is {value}: {rule}")]
    Option {
        /// Which option.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What would make sense.
        rule: &'static str,
    },
    /// A shape or an object that the scene does not have.
    #[error("the scene has no {kind} {number}, only {count}")]
    Unknown {
        /// What it would have been.
        kind: &'static str,
        /// The number.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// New places for the vertices of a shape, but not as many as it has vertices.
    #[error("the shape has {expected} vertices, not {given}")]
    VertexCount {
        /// How many the shape has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A vertex that is not finite.
    #[error("vertex {vertex} is ({x}, {y}, {z}): not finite", x = .position[0], y = .position[1], z = .position[2])]
    Vertex {
        /// Which.
        vertex: usize,
        /// Where it would be.
        position: [f64; 3],
    },
    /// The vertices of a shape are on a graphics device, and the processor cannot look at them.
    #[error("the vertices of shape {shape} are on a graphics device: only that device can draw them")]
    OnDevice {
        /// Which shape.
        shape: usize,
    },
    /// So many faces lie behind a pixel that their count could leave the range of the stencil.
    #[error("more than {most} faces lie behind one pixel: their count could leave the range of the stencil")]
    CountRange {
        /// The most that are safe.
        most: u32,
    },
    /// Too many to be counted in 32 bits, or in the exact whole numbers of an `f32`.
    #[error("{count} {kind}: at most {most} can be told apart")]
    TooMany {
        /// Of what.
        kind: &'static str,
        /// How many there are.
        count: u64,
        /// How many are possible.
        most: u64,
    },
    /// No adapter for graphics.
    #[error(
        "no graphics adapter: {reason}; on a machine without one, a software driver serves (Debian: mesa-vulkan-drivers)"
    )]
    NoAdapter {
        /// What the graphics interface said.
        reason: String,
    },
    /// The adapter cannot do what is needed.
    #[error("the adapter {adapter} cannot do {what}")]
    Lacks {
        /// Its name.
        adapter: String,
        /// What it cannot do.
        what: &'static str,
    },
    /// The device failed.
    #[error("the graphics device failed: {reason}")]
    Device {
        /// What it said.
        reason: String,
    },
}
