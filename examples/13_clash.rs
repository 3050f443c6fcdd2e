//! All clashes among the parts of a small assembly: which parts, how they clash, and where.
//!
//! `cargo run --release --example 13_clash`

use std::error::Error;

use impinge::clash::{self, ClashKind, ClashOptions};
use impinge::query::Contained;
use impinge::{Model, Trs, shapes};

fn main() -> Result<(), Box<dyn Error>> {
    let plate = Model::new(shapes::cuboid([0.0, 0.0, 0.0], [10.0, 10.0, 1.0])?);
    let bolt = Model::new(shapes::cylinder(0.5, 4.0, 24, 1)?);
    let bearing = Model::new(shapes::icosphere(0.25, 4)?);
    // One model may stand in many places. Clashes name parts by their place in the list.
    let names = ["base", "cover", "bolt", "loose bolt", "spare bolt", "spare bolt again", "bearing"];
    let parts = [
        plate.at(Trs::IDENTITY),
        plate.at(Trs::translation([0.0, 0.0, 1.0])?),
        bolt.at(Trs::translation([5.0, 5.0, 3.0])?),
        bolt.at(Trs::translation([-0.625, 5.0, 1.0])?),
        bolt.at(Trs::translation([20.0, 5.0, 1.0])?),
        bolt.at(Trs::translation([20.0, 5.0, 1.0])?),
        bearing.at(Trs::translation([2.0, 2.0, 0.5])?),
    ];

    // List parts that come closer than 0.2 as well. No pair is left out, and nothing ends the search early.
    let options = ClashOptions::new().clearance(0.2);
    let found = clash::detect_with(&parts, &options);
    for clash in &found.clashes {
        let [a, b] = [names[clash.a as usize], names[clash.b as usize]];
        print!("{a} and {b}: {:?} at {:.2}", clash.kind, clash.point_in_world);
        match (clash.kind, clash.separation) {
            (ClashKind::Near, _) => println!(", {:.2} apart", clash.distance),
            (_, Some(way)) => {
                println!(", ends when {a} moves {:.2} along {:.0}", way.distance, way.direction);
            }
            _ => println!(),
        }
    }
    println!("{} clashes in {} pairs whose boxes are near each other", found.clashes.len(), found.pairs);

    // They are sorted by the parts. The bolt goes all through the cover, and stands on the base.
    let kinds: Vec<_> = found.clashes.iter().map(|clash| (clash.a, clash.b, clash.kind)).collect();
    let expected = [
        (0, 1, ClashKind::Touching),
        (0, 2, ClashKind::Touching),
        (0, 3, ClashKind::Near),
        (0, 6, ClashKind::Inside(Contained::B)),
        (1, 2, ClashKind::Overlapping),
        (1, 3, ClashKind::Near),
        (4, 5, ClashKind::Duplicate),
    ];
    assert_eq!(kinds, expected);
    Ok(())
}
