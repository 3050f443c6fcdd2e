//! How long the tree of a mesh takes to build: `build MESH [TIMES]`.

use std::time::Instant;

use impinge::Model;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which mesh?")?;
    let times: usize = arguments.next().map_or(Ok(9), |times| times.parse())?;
    let mesh = impinge_formats::read_mesh(path.as_ref())?.mesh;
    let mut taken: Vec<f64> = (0..times)
        .map(|_| {
            let mesh = mesh.clone();
            let start = Instant::now();
            let model = Model::new(mesh);
            std::hint::black_box(model.dop_tree::<6>());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    taken.sort_by(f64::total_cmp);
    if let Some(&least) = taken.first() {
        println!(
            "{path}: {} faces, {least:.2} ms at least, {:.2} in the middle",
            mesh.face_count(),
            taken[times / 2]
        );
    }
    let model = Model::new(mesh);
    let tree = model.dop_tree::<6>();
    println!("{}", tree.quality());
    Ok(())
}
