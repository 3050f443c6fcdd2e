//! What a file says about an instance beside its shape and place.

use std::collections::BTreeMap;

/// The class and the properties of an instance, as the file names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// The class, such as `IfcWall`.
    pub class: Option<String>,
    /// The properties by their names. Names within names are joined by dots: `Pset_WallCommon.IsExternal`. Numbers, `true` and `false` are as in the file.
    pub values: BTreeMap<String, String>,
}
