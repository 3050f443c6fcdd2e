//! The Python module `impinge._impinge`: models, and the library's questions about them, for one pose or for many.
//!
//! The package `python/impinge` re-exports it and adds what is plain Python. Answers are those of the library, bit for bit.

mod arrays;
mod pool;
mod poses;
mod results;
mod features;
mod model;
mod read;
mod pairs;
mod curves;
mod overlaps;
mod motions;
mod sweeps;
mod points;
mod pages;
mod volumes;
mod world;
mod scene;
mod command;
mod findings;
mod packing;
mod stored;
mod tiles;

use pyo3::prelude::*;

/// Collision detection for meshes.
#[pymodule]
fn _impinge(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<model::Model>()?;
    module.add_function(wrap_pyfunction!(model::_restore, module)?)?;
    module.add_function(wrap_pyfunction!(read::_load, module)?)?;
    module.add_function(wrap_pyfunction!(read::_load_model, module)?)?;
    module.add_function(wrap_pyfunction!(points::_check_pose, module)?)?;
    module.add_function(wrap_pyfunction!(pages::_model_page, module)?)?;
    module.add_function(wrap_pyfunction!(pages::_pair_page, module)?)?;
    module.add_class::<volumes::Volume>()?;
    module.add_function(wrap_pyfunction!(volumes::_restore_volume, module)?)?;
    module.add_class::<world::World>()?;
    module.add_class::<world::BodyName>()?;
    module.add_class::<world::Character>()?;
    module.add_class::<world::WorldSnapshot>()?;
    module.add_class::<scene::_Report>()?;
    module.add_function(wrap_pyfunction!(scene::_clash, module)?)?;
    module.add_class::<packing::_Packer>()?;
    module.add_class::<stored::_StoredScene>()?;
    module.add_class::<stored::_Search>()?;
    module.add_function(wrap_pyfunction!(packing::_facts, module)?)?;
    module.add_function(wrap_pyfunction!(tiles::_check_tile, module)?)?;
    module.add_function(wrap_pyfunction!(command::_run, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
