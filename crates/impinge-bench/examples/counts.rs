//! counts
use impinge::{Model, Placement, Trs, query::Scratch};
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let model = Model::new(impinge_formats::read_mesh(path.as_ref()).unwrap().mesh);
    let b = model.bounds();
    let (hx, hy) = ((b.max.x - b.min.x) / 2.0, (b.max.y - b.min.y) / 2.0);
    let dmax = hx + hx.max(hy);
    let mut scratch = Scratch::default();
    for d in 0..16 {
        let mut sum = [0u64; 4];
        let t = std::time::Instant::now();
        let n = 200;
        for s in 0..n {
            let ang = (s as f64 + 0.5) * 360.0 / n as f64;
            let r = Trs::rotation_about_axis([0.0, 0.0, 1.0], ang).unwrap();
            let p = Placement::from(Trs::rigid([dmax * d as f64 / 15.0, 0.0, 0.0], r.orientation()).unwrap());
            let (hit, w) = model.at(Trs::IDENTITY).surfaces_meet_work::<6>(&model.at(p), &mut scratch);
            sum[0] += u64::from(hit);
            sum[1] += w.box_tests;
            sum[2] += w.face_tests;
            sum[3] += w.visits;
        }
        let us = t.elapsed().as_secs_f64() * 1e6 / n as f64;
        println!(
            "d {d:2}: {us:7.2} us  hits {:3}  box tests {:6}  visits {:5}  face tests {:6}",
            sum[0],
            sum[1] / n,
            sum[3] / n,
            sum[2] / n
        );
    }
}
