//! Mesh files for impinge.
