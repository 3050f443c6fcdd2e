//! The triangles among which the nearest hit of a ray is.

/// Triangles that are kept for a ray.
const MOST: usize = 8;

/// Candidate hits: triangles that a ray hits, perhaps or surely.
#[derive(Clone, Copy, Debug)]
pub struct Hits {
    count: usize,
    faces: [u32; MOST],
    /// The least distances at which they may be hit.
    least: [f32; MOST],
    /// One bit for each that is surely hit, and at a time that counts.
    sure: u32,
}

impl Hits {
    pub(super) const NONE: Hits = Hits { count: 0, faces: [0; MOST], least: [0.0; MOST], sure: 0 };

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        (self.count, self.sure) = (0, 0);
    }

    /// The number of candidates. A single one is never behind the limit, which only candidates lower.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The faces, unsorted.
    #[inline(always)]
    pub fn faces(&self) -> &[u32] {
        &self.faces[..self.count.min(MOST)]
    }

    /// The face that is surely hit before all others, if that is certain.
    #[inline(always)]
    pub fn only(&self) -> Option<u32> {
        if self.count == 1 && self.sure & 1 == 1 { Some(self.faces[0]) } else { None }
    }

    /// Adds a triangle; false if there are too many.
    #[inline(always)]
    pub(super) fn add(&mut self, face: u32, least: f32, is_sure: bool, limit: f32) -> bool {
        if self.count >= MOST && !self.make_room(limit) {
            return false;
        }
        (self.faces[self.count % MOST], self.least[self.count % MOST]) = (face, least);
        self.sure |= u32::from(is_sure) << self.count;
        self.count += 1;
        true
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, limit: f32) -> bool {
        self.forget(limit);
        self.count < MOST
    }

    /// Drops triangles beyond the limit.
    #[inline(always)]
    pub(super) fn forget(&mut self, limit: f32) {
        let (mut left, mut sure, mut i) = (0, 0, 0);
        while i < self.count.min(MOST) {
            let stays = self.least[i] <= limit;
            (self.faces[left], self.least[left]) = (self.faces[i], self.least[i]);
            sure |= (self.sure >> i & u32::from(stays)) << left;
            left += usize::from(stays);
            i += 1;
        }
        (self.count, self.sure) = (left, sure);
    }
}
