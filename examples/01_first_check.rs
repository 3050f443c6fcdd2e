//! Two files in, one verdict out.
//!
//! `cargo run --example 01_first_check -- A.obj B.obj`; without files it makes a torus and a gear of its own.

use std::error::Error;
use std::path::{Path, PathBuf};

use impinge::shapes::Shape;
use impinge::{Mesh, Model, Trs};
use impinge_formats::{read_mesh, write_obj};

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = std::env::args().skip(1).map(PathBuf::from);
    let [a, b] = match (files.next(), files.next()) {
        (Some(a), Some(b)) => [a, b],
        _ => [sample(Shape::Torus)?, sample(Shape::Gear)?],
    };
    let (model_a, model_b) = (load(&a)?, load(&b)?);
    for step in 0..5 {
        let shift = 0.5 * f64::from(step);
        let placed = model_b.at(Trs::translation([shift, 0.0, 0.0])?);
        println!("{} shifted by {shift}: {:?}", b.display(), model_a.at(Trs::IDENTITY).verdict(&placed));
    }
    Ok(())
}

fn load(path: &Path) -> Result<Model, Box<dyn Error>> {
    let loaded = read_mesh(path)?;
    println!("{}: {} faces", path.display(), loaded.mesh.face_count());
    Ok(Model::new(loaded.mesh))
}

fn sample(shape: Shape) -> Result<PathBuf, Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("impinge-{}.obj", shape.name()));
    write_obj(&path, &Mesh::from(shape.generate(800, 1)))?;
    Ok(path)
}
