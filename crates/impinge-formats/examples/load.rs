//! Loads files and tells what is in them: `cargo run --release -p impinge-formats --example load -- FILE…`

use std::path::Path;
use std::time::Instant;

fn main() {
    for file in std::env::args().skip(1) {
        let start = Instant::now();
        match impinge_formats::read_mesh(Path::new(&file)) {
            Err(error) => println!("{error}"),
            Ok(loaded) => {
                let (mesh, taken) = (&loaded.mesh, start.elapsed());
                let (vertices, faces) = (mesh.vertex_count(), mesh.face_count());
                println!("{file}: {}, {vertices} vertices, {faces} faces, {taken:.1?}", loaded.format);
                println!(
                    "  {} groups, {} origins, {:?}",
                    mesh.groups().len(),
                    loaded.origins.len(),
                    mesh.bounds()
                );
                for note in loaded.notes.iter().take(3) {
                    println!("  {note}");
                }
                println!("  {} notes", loaded.notes.len());
            }
        }
    }
}
