//! Collects the faces of a file and makes a mesh of them.

use impinge::Mesh;
use impinge::math::DVec3;
use impinge::mesh::{Group, PolygonShape};

use crate::error::{Fault, Place, ReadErrorKind};
use crate::memory;
use crate::note::{Note, NoteKind};
use crate::polygon::Splitter;

/// The faces of a file in its own order, with any number of corners.
#[derive(Default)]
pub(crate) struct FaceList {
    corners: Vec<u32>,
    /// Where each face ends in `corners`.
    ends: Vec<usize>,
    groups: Vec<Group>,
    has_polygons: bool,
}

/// Faces with polygons in pieces and the label of each, where there are such polygons, and what is to be said of them.
type Pieces = (Option<(FaceList, Vec<u32>)>, Vec<Note>);

impl FaceList {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn reserve(&mut self, faces: usize) -> Result<(), Fault> {
        self.ends.try_reserve(faces)?;
        Ok(self.corners.try_reserve(faces.saturating_mul(3))?)
    }

    /// Adds a corner to the face that is being read.
    pub(crate) fn corner(&mut self, index: u32) -> Result<(), Fault> {
        memory::push(&mut self.corners, index)
    }

    /// Ends the face that is being read and returns how many corners it has.
    pub(crate) fn end_face(&mut self) -> Result<usize, Fault> {
        let corners = self.corners.len() - self.ends.last().copied().unwrap_or(0);
        self.has_polygons |= corners != 3;
        memory::push(&mut self.ends, self.corners.len())?;
        Ok(corners)
    }

    /// Starts a group at the next face. A group without faces is dropped, and the same name again goes on.
    pub(crate) fn start_group(&mut self, name: String) {
        let first_face = self.ends.len() as u32;
        if self.groups.last().is_some_and(|last| last.first_face == first_face) {
            self.groups.pop();
        }
        if self.groups.last().is_none_or(|last| last.name != name) {
            self.groups.push(Group { name, first_face });
        }
    }

    fn face(&self, face: usize) -> &[u32] {
        let start = if face == 0 { 0 } else { self.ends[face - 1] };
        &self.corners[start..self.ends[face]]
    }

    /// Checks all indices and makes the mesh. `place_of` tells where a face stands in the file, and the file's own
    /// indices start at `first_index`.
    pub(crate) fn build(
        mut self,
        vertices: Vec<DVec3>,
        first_index: i64,
        place_of: impl Fn(usize) -> Place,
    ) -> Result<(Mesh, Vec<Note>), Fault> {
        if self.ends.is_empty() {
            return Err(Fault::no_faces());
        }
        if self.groups.last().is_some_and(|last| last.first_face as usize == self.ends.len()) {
            self.groups.pop();
        }
        self.check_indices(vertices.len(), first_index, &place_of)?;
        if !self.has_polygons {
            let triangles = self.corners.chunks_exact(3).map(|face| [face[0], face[1], face[2]]);
            let triangles = memory::collect(self.len(), triangles)?;
            return Ok((Mesh::triangles(vertices, triangles)?.with_groups(self.groups)?, Vec::new()));
        }
        let (pieces, notes) = self.split(&vertices, &place_of)?;
        let mesh = match pieces {
            None => {
                let faces = (0..self.len()).map(|face| self.face(face));
                Mesh::polygons(vertices, faces)?.with_groups(self.groups)?
            }
            Some((pieces, labels)) => pieces.build(vertices, 0, place_of)?.0.with_labels(labels)?,
        };
        Ok((mesh, notes))
    }

    fn check_indices(
        &self,
        vertices: usize,
        first_index: i64,
        place_of: &impl Fn(usize) -> Place,
    ) -> Result<(), Fault> {
        let Some(position) = self.corners.iter().position(|&corner| corner as usize >= vertices) else {
            return Ok(());
        };
        let face = self.ends.partition_point(|&end| end <= position);
        let index = i64::from(self.corners[position]) + first_index;
        let kind = ReadErrorKind::IndexOutOfRange { what: "vertex", index, count: vertices };
        Err(Fault::new(place_of(face), kind))
    }

    /// The faces with every polygon that is not planar and convex in pieces, and the label of each, or `None` where
    /// there is no such polygon.
    fn split(&self, vertices: &[DVec3], place_of: &impl Fn(usize) -> Place) -> Result<Pieces, Fault> {
        let mut splitter = Splitter::new();
        let (mut points, mut pieces, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut list: Option<(FaceList, Vec<u32>)> = None;
        let mut groups = self.groups.iter().peekable();
        for face in 0..self.len() {
            let corners = self.face(face);
            let mut shape = PolygonShape::Convex;
            if corners.len() > 3 {
                points.clear();
                points.extend(corners.iter().map(|&corner| vertices[corner as usize]));
                shape = PolygonShape::of(&points);
            }
            if shape != PolygonShape::Convex && list.is_none() {
                list = Some(self.first(face, &mut groups)?);
            }
            let Some((split, labels)) = &mut list else { continue };
            while let Some(group) = groups.next_if(|group| group.first_face as usize <= face) {
                split.start_group(group.name.clone());
            }
            if shape == PolygonShape::Convex {
                split.push(corners)?;
                memory::push(labels, face as u32)?;
                continue;
            }
            let proper = splitter.split(&points, &mut pieces);
            for piece in &pieces {
                split.push(&piece.map(|corner| corners[corner as usize]))?;
                memory::push(labels, face as u32)?;
            }
            let (face_index, pieces) = (face as u32, pieces.len() as u32);
            let kind = match shape {
                _ if !proper => NoteKind::NotSimple { face: face_index, pieces },
                PolygonShape::NotPlanar => NoteKind::NotPlanar { face: face_index, pieces },
                _ => NoteKind::NotConvex { face: face_index, pieces },
            };
            notes.push(Note { place: place_of(face), kind });
        }
        Ok((list, notes))
    }

    /// A copy of the faces before `end`, with their labels; takes their groups.
    fn first<'a>(
        &self,
        end: usize,
        groups: &mut std::iter::Peekable<impl Iterator<Item = &'a Group>>,
    ) -> Result<(FaceList, Vec<u32>), Fault> {
        let mut copy = FaceList::default();
        for face in 0..end {
            copy.push(self.face(face))?;
        }
        while let Some(group) = groups.next_if(|group| (group.first_face as usize) < end) {
            copy.groups.push(group.clone());
        }
        Ok((copy, memory::collect(end, 0..end as u32)?))
    }

    fn push(&mut self, corners: &[u32]) -> Result<(), Fault> {
        self.corners.try_reserve(corners.len())?;
        self.corners.extend_from_slice(corners);
        self.end_face().map(drop)
    }
}
