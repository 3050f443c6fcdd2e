//! Materials: a number of the user's for each face, sets of them, and meshes without the faces of some.

use std::ops::BitOr;

use super::table::TriangleTable;
use super::{Faces, Group, Mesh, MeshError, Problem, Vertices};

/// A set of materials from 0 to 63, to leave out faces by. Materials of 64 and more are in no set: their faces are always there.
///
/// ```
/// use impinge::mesh::MaterialSet;
///
/// const GLASS: MaterialSet = MaterialSet::from_bits(1 << 3);
/// assert!(GLASS.contains(3) && !GLASS.contains(64));
/// assert_eq!(MaterialSet::of([3, 5])?, GLASS | MaterialSet::from_bits(1 << 5));
/// assert!(MaterialSet::of([64]).is_err());
/// # Ok::<(), impinge::mesh::MaterialError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct MaterialSet(u64);

/// The reason why there is no such set of materials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("material {material} is in no set: sets hold those from 0 to 63")]
#[non_exhaustive]
pub struct MaterialError {
    /// The material that was given.
    pub material: u32,
}

impl MaterialSet {
    /// The set of no material: nothing is left out.
    pub const NONE: MaterialSet = MaterialSet(0);

    /// The set of the materials whose bits are set: bit `m` stands for material `m`.
    pub const fn from_bits(bits: u64) -> MaterialSet {
        MaterialSet(bits)
    }

    /// The set of some materials, of which none may be above 63.
    pub fn of(materials: impl IntoIterator<Item = u32>) -> Result<MaterialSet, MaterialError> {
        materials.into_iter().try_fold(MaterialSet::NONE, |set, material| match 1_u64.checked_shl(material) {
            Some(bit) => Ok(MaterialSet(set.0 | bit)),
            None => Err(MaterialError { material }),
        })
    }

    /// One bit for each material from 0 to 63.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether a material is in the set.
    #[inline]
    pub const fn contains(self, material: u32) -> bool {
        material < 64 && self.0 >> material & 1 == 1
    }

    /// Whether no material is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for MaterialSet {
    type Output = MaterialSet;

    fn bitor(self, other: MaterialSet) -> MaterialSet {
        MaterialSet(self.0 | other.0)
    }
}

impl Mesh {
    /// Sets a material for each face: a number of the user's, which answers name and by which queries can leave faces out.
    ///
    /// ```
    /// use impinge::Mesh;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    /// let square = Mesh::triangles(corners, vec![[0, 1, 2], [2, 1, 3]])?;
    /// let error = square.clone().with_materials(vec![7]).unwrap_err();
    /// assert_eq!(error.to_string(), "1 materials for 2 faces");
    /// assert_eq!(square.with_materials(vec![7, 8])?.material(1), 8);
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn with_materials(mut self, materials: Vec<u32>) -> Result<Mesh, MeshError> {
        let faces = self.face_count();
        if materials.len() != faces {
            MeshError::check(vec![Problem::MaterialCount { materials: materials.len(), faces }])?;
        }
        self.materials = Some(materials);
        Ok(self)
    }

    /// The material of a face; 0 where none were given.
    #[inline]
    pub fn material(&self, face: u32) -> u32 {
        self.materials.as_ref().map_or(0, |materials| materials[face as usize])
    }

    /// The materials of all faces, in order, where any were given.
    #[inline]
    pub fn materials(&self) -> Option<&[u32]> {
        self.materials.as_deref()
    }

    /// The mesh without the faces of some materials; `None` where no face is left. Vertices keep their numbers; faces keep those by which answers name
    /// them, as [labels](Self::label).
    pub fn without_materials(&self, ignored: MaterialSet) -> Option<Mesh> {
        let is_kept = |face: u32| self.corner_count(face) > 0 && !ignored.contains(self.material(face));
        let all = 0..self.face_count() as u32;
        if !all.clone().any(is_kept) {
            return None;
        }
        if let Faces::Grid(grid) = &self.faces {
            let is_whole = |cell: u32| is_kept(2 * cell) == is_kept(2 * cell + 1);
            if (0..grid.cell_count()).all(is_whole) {
                // A terrain stays one, and faces keep their numbers.
                let mut grid = grid.clone();
                grid.holes.resize((grid.cell_count() as usize).div_ceil(64), 0);
                for cell in (0..grid.cell_count()).filter(|cell| !is_kept(2 * cell)) {
                    grid.holes[cell as usize / 64] |= 1 << (cell % 64);
                }
                return Some(Mesh {
                    faces: Faces::Grid(grid),
                    table: TriangleTable::default(),
                    ..self.clone()
                });
            }
        }
        let kept: Vec<u32> = all.filter(|face| is_kept(*face)).collect();
        let faces = match &self.faces {
            Faces::Polygons { .. } => {
                let (mut corners, mut starts) = (Vec::new(), vec![0]);
                for &face in &kept {
                    corners.extend(self.corners(face));
                    starts.push(corners.len() as u32);
                }
                Faces::Polygons { corners, starts }
            }
            _ => Faces::Triangles(
                kept.iter().map(|&face| [0, 1, 2].map(|corner| self.corner(face, corner))).collect(),
            ),
        };
        let first_kept = |group: &Group| kept.partition_point(|face| *face < group.first_face) as u32;
        Some(Mesh {
            vertices: Vertices::Listed(self.vertices().collect()),
            faces,
            table: TriangleTable::default(),
            labels: Some(kept.iter().map(|&face| self.label(face)).collect()),
            materials: Some(kept.iter().map(|&face| self.material(face)).collect()),
            groups: self
                .groups
                .iter()
                .map(|group| Group { name: group.name.clone(), first_face: first_kept(group) })
                .collect(),
        })
    }
}
