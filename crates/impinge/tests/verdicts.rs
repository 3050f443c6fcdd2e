//! Verdicts of solids and surfaces, against solids made of unit cells, where sets of cells tell the truth.

use crate::effort::share;
use std::collections::BTreeSet;

use crate::oracle::cases::Random;
use impinge::math::{DAffine3, DMat3, DVec3};
use impinge::mesh::Group;
use impinge::query::{Contained, Engine, IntersectOptions};
use impinge::{Mesh, Model, Placement, Trs, Verdict};

fn all_cases() -> u64 {
    share(200, 2_500)
}

type Cell = [i32; 3];

/// A box of cells as 12 triangles, outward or inward.
fn box_mesh(min: [f64; 3], max: [f64; 3], inward: bool) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let corner =
        |i: usize| DVec3::from_array(std::array::from_fn(|k| if i >> k & 1 == 1 { max[k] } else { min[k] }));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let turned = triangles.map(|[a, b, c]| if inward { [a, c, b] } else { [a, b, c] }).collect();
    ((0..8).map(corner).collect(), turned)
}

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Model {
    let (points, triangles) = box_mesh(min, max, false);
    Model::new(Mesh::triangles(points, triangles).unwrap())
}

fn sheet(corners: &[[f64; 3]]) -> Model {
    Model::new(Mesh::polygon(corners).unwrap())
}

fn verdict(a: &Model, b: &Model) -> Verdict {
    let (a, b) = (a.at(Trs::IDENTITY), b.at(Trs::IDENTITY));
    let verdict = a.verdict(&b);
    assert_eq!(b.verdict(&a), verdict.flipped(), "exchanging the models must exchange the names only");
    let answer = a.intersect_with(&b, IntersectOptions::default().engine(Engine::Brute));
    assert_eq!(answer.witness.is_none(), verdict == Verdict::Clear);
    verdict
}

#[test]
fn degenerate_pairs_have_the_right_verdict() {
    let unit = cuboid([0.0; 3], [1.0; 3]);
    let at = |x: f64, y: f64, z: f64| cuboid([x, y, z], [x + 1.0, y + 1.0, z + 1.0]);
    // Half-shifted equal cubes and aligned walls: no two faces cross.
    assert_eq!(verdict(&unit, &at(0.5, 0.0, 0.0)), Verdict::Overlapping);
    let (wall, other) = (cuboid([0.0; 3], [4.0, 1.0, 3.0]), cuboid([2.0, 0.0, 0.0], [6.0, 1.0, 3.0]));
    assert_eq!(verdict(&wall, &other), Verdict::Overlapping);
    let crossings = wall.at(Trs::IDENTITY).intersect_with(
        &other.at(Trs::IDENTITY),
        IntersectOptions::new().pairs(true).surface_only(true).engine(Engine::Brute),
    );
    assert!(crossings.pairs.iter().all(|pair| pair.kind == impinge_core::narrow::tri_tri::Kind::Touching));
    assert_eq!(crossings.verdict, Verdict::Touching);
    // Duplicates.
    assert_eq!(verdict(&unit, &unit), Verdict::Overlapping);
    // Flush nesting: sharing one, three and five walls.
    assert_eq!(verdict(&unit, &cuboid([0.0, 0.25, 0.25], [0.5, 0.75, 0.75])), Verdict::Inside(Contained::B));
    assert_eq!(verdict(&unit, &cuboid([0.0; 3], [0.5; 3])), Verdict::Inside(Contained::B));
    assert_eq!(verdict(&cuboid([0.0; 3], [1.0, 1.0, 0.5]), &unit), Verdict::Inside(Contained::A));
    // Side by side, along a face, an edge, a corner; and not at all.
    assert_eq!(verdict(&unit, &at(1.0, 0.0, 0.0)), Verdict::Touching);
    assert_eq!(verdict(&unit, &at(1.0, 0.5, 0.25)), Verdict::Touching);
    assert_eq!(verdict(&unit, &at(1.0, 1.0, 0.0)), Verdict::Touching);
    assert_eq!(verdict(&unit, &at(1.0, 1.0, 1.0)), Verdict::Touching);
    assert_eq!(verdict(&unit, &at(1.0f64.next_up(), 0.0, 0.0)), Verdict::Clear);
    // A vertex through a face, and a vertex on a face.
    let spike = |z: f64| {
        let points = [[0.4, 0.4, z], [0.2, 0.2, 3.0], [0.6, 0.3, 3.0], [0.4, 0.7, 3.0]];
        Model::new(Mesh::triangles(points, vec![[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]]).unwrap())
    };
    assert_eq!(verdict(&unit, &spike(0.5)), Verdict::Overlapping);
    assert_eq!(verdict(&unit, &spike(1.0)), Verdict::Touching);
    assert_eq!(verdict(&unit, &spike(1.0f64.next_down())), Verdict::Overlapping);
    assert_eq!(verdict(&unit, &spike(1.0f64.next_up())), Verdict::Clear);
}

#[test]
fn surfaces_and_points_against_solids() {
    let unit = cuboid([0.0; 3], [1.0; 3]);
    let inner = sheet(&[[0.2, 0.2, 0.5], [0.8, 0.2, 0.5], [0.8, 0.8, 0.5], [0.2, 0.8, 0.5]]);
    assert_eq!(verdict(&unit, &inner), Verdict::Inside(Contained::B));
    let flush = sheet(&[[0.2, 0.2, 1.0], [0.8, 0.2, 1.0], [0.8, 0.8, 1.0], [0.2, 0.8, 1.0]]);
    assert_eq!(verdict(&unit, &flush), Verdict::Touching);
    let through = sheet(&[[-1.0, 0.2, 0.5], [2.0, 0.2, 0.5], [2.0, 0.8, 0.5]]);
    assert_eq!(verdict(&unit, &through), Verdict::Overlapping);
    // From wall to wall: its rim touches from inside.
    let spanning = sheet(&[[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [1.0, 1.0, 0.5], [0.0, 1.0, 0.5]]);
    assert_eq!(verdict(&unit, &spanning), Verdict::Inside(Contained::B));
    // Two triangles that meet exactly in a wall: half inside, half outside, though no face crosses another.
    let points = [[0.5, 0.2, 0.5], [1.0, 0.2, 0.5], [1.0, 0.8, 0.5], [2.0, 0.2, 0.5]];
    let hinged = Model::new(Mesh::triangles(points, vec![[0, 1, 2], [1, 3, 2]]).unwrap());
    assert_eq!(verdict(&unit, &hinged), Verdict::Overlapping);
    // Points.
    let point = |p: [f64; 3]| Model::new(Mesh::point(p).unwrap());
    assert_eq!(verdict(&unit, &point([0.5; 3])), Verdict::Inside(Contained::B));
    assert_eq!(verdict(&unit, &point([1.0, 0.5, 0.25])), Verdict::Touching);
    assert_eq!(verdict(&unit, &point([1.0; 3])), Verdict::Touching);
    assert_eq!(verdict(&unit, &point([1.5, 0.5, 0.5])), Verdict::Clear);
    assert_eq!(verdict(&point([0.1; 3]), &point([0.1; 3])), Verdict::Touching);
    // Sheets only touch unless they cross.
    assert_eq!(verdict(&inner, &inner), Verdict::Touching);
    assert_eq!(
        verdict(&inner, &sheet(&[[0.5, 0.5, 0.0], [0.5, 0.6, 1.0], [0.5, 0.4, 1.0]])),
        Verdict::Overlapping
    );
}

/// Several boxes in one model, each a group of its own.
fn boxes(list: &[([f64; 3], [f64; 3], bool)]) -> Model {
    let (mut points, mut triangles, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for &(min, max, inward) in list {
        groups.push(Group { name: String::new(), first_face: triangles.len() as u32 });
        let (own, faces) = box_mesh(min, max, inward);
        let first = points.len() as u32;
        points.extend(own);
        triangles.extend(faces.iter().map(|face| face.map(|vertex| vertex + first)));
    }
    Model::new(Mesh::triangles(points, triangles).unwrap().with_groups(groups).unwrap())
}

#[test]
fn cavities_shells_and_inverted_parts() {
    let shell = boxes(&[([0.0; 3], [4.0; 3], false), ([1.0; 3], [3.0; 3], true)]);
    assert_eq!(verdict(&shell, &cuboid([1.5; 3], [2.5; 3])), Verdict::Clear);
    assert_eq!(verdict(&shell, &cuboid([1.0; 3], [3.0; 3])), Verdict::Touching);
    assert_eq!(verdict(&shell, &cuboid([0.25; 3], [0.75; 3])), Verdict::Inside(Contained::B));
    // It contains the cavity: no face crosses, no surface touches, and yet neither contains the other.
    assert_eq!(verdict(&shell, &cuboid([0.5; 3], [3.5; 3])), Verdict::Overlapping);
    assert_eq!(verdict(&shell, &cuboid([-1.0; 3], [5.0; 3])), Verdict::Inside(Contained::A));
    // A box turned inside out contains nothing, but can be contained.
    let inverted = boxes(&[([0.0; 3], [1.0; 3], true)]);
    assert_eq!(verdict(&inverted, &cuboid([0.25; 3], [0.75; 3])), Verdict::Clear);
    assert_eq!(verdict(&inverted, &cuboid([-1.0; 3], [2.0; 3])), Verdict::Inside(Contained::A));
    // One part inside, one outside.
    let scattered = boxes(&[([0.5; 3], [1.0; 3], false), ([8.0; 3], [9.0; 3], false)]);
    assert_eq!(verdict(&scattered, &cuboid([0.0; 3], [4.0; 3])), Verdict::Overlapping);
    // A room of overlapping walls, and its hollow.
    let (lo, hi) = ([-3.0, -1.0], [1.0, 3.0]);
    let mut walls = Vec::new();
    for axis in 0..3 {
        for range in [lo, hi] {
            let (mut min, mut max) = ([-5.0; 3], [5.0; 3]);
            (min[axis], max[axis]) = (range[0], range[1]);
            walls.push((min, max, false));
        }
    }
    let room = boxes(&walls);
    assert_eq!(verdict(&room, &cuboid([-0.5; 3], [0.5; 3])), Verdict::Clear);
    // A block around the hollow: its faces cross those of the walls. (`rooms.rs` has one whose faces cross nothing.)
    assert_eq!(verdict(&room, &cuboid([-2.0; 3], [2.0; 3])), Verdict::Overlapping);
}

/// A model made of boxes of cells, with the cells that are inside and the faces that are there.
struct Bricks {
    model: Model,
    inside: BTreeSet<Cell>,
    /// Unit squares of the surface: the cell above, and the axis across.
    squares: BTreeSet<(Cell, usize)>,
}

/// A few boxes, some of them inverted, some of them open sheets, at whole coordinates.
fn bricks(random: &mut Random, size: i32) -> Bricks {
    let (mut points, mut triangles, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    let mut winding = std::collections::BTreeMap::<Cell, i32>::new();
    let mut squares = BTreeSet::new();
    for _ in 0..1 + random.below(3) {
        let mut low: Cell = std::array::from_fn(|_| random.below(size as u64) as i32);
        let mut high: Cell =
            std::array::from_fn(|k| low[k] + 1 + random.below((size - low[k]) as u64) as i32);
        let inward = random.below(5) == 0;
        let flat = (random.below(6) == 0).then(|| random.below(3) as usize);
        if let Some(axis) = flat {
            high[axis] = low[axis];
        }
        if random.below(8) == 0 && flat.is_none() {
            // A box around most of it.
            (low, high) = ([0; 3], [size; 3]);
        }
        groups.push(Group { name: String::new(), first_face: triangles.len() as u32 });
        let first = points.len() as u32;
        let (own, faces) = box_mesh(low.map(f64::from), high.map(f64::from), inward);
        points.extend(own);
        let kept = match flat {
            // Only one of the two sides that fell together.
            Some(axis) => &faces[4 * axis..4 * axis + 2],
            None => &faces[..],
        };
        for face in kept {
            let mut face = face.map(|vertex| vertex + first);
            face.rotate_left(random.below(3) as usize);
            triangles.push(face);
        }
        let ranges = |k: usize| low[k]..high[k];
        for axis in 0..3 {
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            for u in ranges(j) {
                for v in ranges(k) {
                    for end in [low[axis], high[axis]] {
                        let mut cell = [0; 3];
                        (cell[axis], cell[j], cell[k]) = (end, u, v);
                        squares.insert((cell, axis));
                    }
                    for w in ranges(axis).filter(|_| axis == 0) {
                        let mut cell = [0; 3];
                        (cell[axis], cell[j], cell[k]) = (w, u, v);
                        *winding.entry(cell).or_default() += if inward { -1 } else { 1 };
                    }
                }
            }
        }
    }
    let model = Model::new(Mesh::triangles(points, triangles).unwrap().with_groups(groups).unwrap());
    let inside = winding.into_iter().filter(|&(_, number)| number > 0).map(|(cell, _)| cell).collect();
    Bricks { model, inside, squares }
}

/// The verdict by sets of cells, for models whose faces do not cross.
fn truth(a: &Bricks, b: &Bricks) -> Verdict {
    let below = |cell: Cell, axis: usize| {
        let mut cell = cell;
        cell[axis] -= 1;
        cell
    };
    let sides = |of: &Bricks, (cell, axis): (Cell, usize)| {
        [of.inside.contains(&cell), of.inside.contains(&below(cell, axis))]
    };
    let buried = |own: &Bricks, other: &Bricks| own.squares.iter().any(|&s| sides(other, s) == [true; 2]);
    let exposed = |own: &Bricks, other: &Bricks| own.squares.iter().any(|&s| sides(other, s) == [false; 2]);
    let common = !a.inside.is_disjoint(&b.inside) || buried(a, b) || buried(b, a);
    let a_out = !a.inside.is_subset(&b.inside) || exposed(a, b);
    let b_out = !b.inside.is_subset(&a.inside) || exposed(b, a);
    if common {
        return match (a_out, b_out) {
            (false, true) => Verdict::Inside(Contained::A),
            (true, false) => Verdict::Inside(Contained::B),
            _ => Verdict::Overlapping,
        };
    }
    let corners = |of: &Bricks| -> BTreeSet<Cell> {
        let of_square = |&(cell, axis): &(Cell, usize)| {
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[u, v]| {
                let mut corner = cell;
                corner[j] += u;
                corner[k] += v;
                corner
            })
        };
        of.squares.iter().flat_map(of_square).collect()
    };
    if corners(a).is_disjoint(&corners(b)) { Verdict::Clear } else { Verdict::Touching }
}

/// A signed permutation of the axes with a whole translation: exact in every frame.
fn exact_placement(random: &mut Random) -> Placement {
    let mut order = [0, 1, 2];
    for i in (1..3).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    let column =
        |i: usize, random: &mut Random| DVec3::AXES[order[i]] * if random.below(2) == 0 { 1.0 } else { -1.0 };
    let columns: [DVec3; 3] = std::array::from_fn(|i| column(i, random));
    let scale = (random.below(5) as f64 - 2.0).exp2();
    let matrix3 = DMat3::from_cols(columns[0], columns[1], columns[2]) * scale;
    Placement::try_from(DAffine3 { matrix3, translation: random.lattice(1_000_000) }).unwrap()
}

#[test]
fn bricks_agree_with_sets_of_cells() {
    let mut counts = [0; 5];
    for case in 0..all_cases() {
        let mut random = Random(case << 8 | 0xb1);
        let size = 2 + (case % 4) as i32;
        let (a, b) = (bricks(&mut random, size), bricks(&mut random, size));
        let at_rest = Placement::IDENTITY;
        let answer = a.model.at(at_rest).intersect_with(
            &b.model.at(at_rest),
            IntersectOptions::new().pairs(true).surface_only(false).engine(Engine::Brute),
        );
        let crosses =
            answer.pairs.iter().any(|pair| pair.kind == impinge_core::narrow::tri_tri::Kind::Crossing);
        let expected = if crosses { Verdict::Overlapping } else { truth(&a, &b) };
        assert_eq!(answer.verdict, expected, "case {case}");
        assert_eq!(
            b.model.at(at_rest).verdict(&a.model.at(at_rest)),
            expected.flipped(),
            "case {case}, exchanged"
        );
        // Anywhere else in the world, turned, mirrored and scaled by powers of two.
        let place = exact_placement(&mut random);
        assert_eq!(
            a.model.at(place).verdict(&b.model.at(place)),
            expected,
            "case {case}, placed by {place:?}"
        );
        counts[match expected {
            Verdict::Clear => 0,
            Verdict::Touching => 1,
            Verdict::Overlapping if crosses => 2,
            Verdict::Overlapping => 3,
            Verdict::Inside(_) => 4,
        }] += 1;
    }
    println!("clear, touching, crossing, overlapping without crossing, inside: {counts:?}");
    assert!(counts.iter().all(|&count| count * 100 > all_cases()), "every verdict must occur: {counts:?}");
}
