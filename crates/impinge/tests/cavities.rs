//! A hollow that no edge of its model borders on.

use impinge::mesh::Group;
use impinge::query::{Contained, Engine, IntersectOptions};
use impinge::{Mesh, Model, Trs, Verdict};
use impinge_core::narrow::tri_tri::Kind;

const QUADS: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

fn boxes(list: &[([f64; 3], [f64; 3])]) -> Model {
    let (mut points, mut faces, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for &(min, max) in list {
        let first = points.len() as u32;
        groups.push(Group { name: String::new(), first_face: faces.len() as u32 });
        points.extend(
            (0..8).map(|i| -> [f64; 3] {
                std::array::from_fn(|k| if i >> k & 1 == 1 { max[k] } else { min[k] })
            }),
        );
        faces.extend(QUADS.iter().map(|quad| quad.map(|corner| corner + first)));
    }
    Model::new(Mesh::polygons(points, faces).unwrap().with_groups(groups).unwrap())
}

/// Six walls that fill [-5, 5]³ but for the hollow; every wall reaches from end to end.
fn room(hollow: [[f64; 2]; 3]) -> Model {
    let mut walls = Vec::new();
    for axis in 0..3 {
        for range in [[-5.0, hollow[axis][0]], [hollow[axis][1], 5.0]] {
            let (mut min, mut max) = ([-5.0; 3], [5.0; 3]);
            (min[axis], max[axis]) = (range[0], range[1]);
            walls.push((min, max));
        }
    }
    boxes(&walls)
}

fn verdict(a: &Model, b: &Model) -> Verdict {
    let (a, b) = (a.at(Trs::IDENTITY), b.at(Trs::IDENTITY));
    let answer =
        a.intersect_with(&b, IntersectOptions::new().pairs(true).surface_only(false).engine(Engine::Brute));
    assert!(answer.pairs.iter().all(|pair| pair.kind == Kind::Touching), "no faces cross");
    assert_eq!(b.verdict(&a), answer.verdict.flipped());
    answer.verdict
}

/// Flush with a block of the same size, the hollow is seen only around the lines where walls cross each other: no wall's
/// edge borders on it, nor does a diagonal of a wall pass it, because |x|, |y| and |z| have no value in common there.
#[test]
fn the_hollow_of_a_room_is_seen() {
    let hollow = [[-0.5, 0.5], [1.0, 2.0], [3.0, 4.0]];
    let block = boxes(&[([-5.0; 3], [5.0; 3])]);
    assert_eq!(verdict(&room(hollow), &block), Verdict::Inside(Contained::A));
    // What stands in the hollow does not meet the room; what fills it touches it.
    let low = hollow.map(|range| range[0]);
    let high = hollow.map(|range| range[1]);
    assert_eq!(verdict(&room(hollow), &boxes(&[(low, high)])), Verdict::Touching);
    let inner = boxes(&[(low.map(|x| x + 0.25), high.map(|x| x - 0.25))]);
    assert_eq!(verdict(&room(hollow), &inner), Verdict::Clear);
    // Without a hollow: six walls that together are the block, and are equal to it.
    let full = room([[-0.5, -0.5], [1.0, 1.0], [3.0, 3.0]]);
    assert_eq!(verdict(&full, &block), Verdict::Overlapping);
}
