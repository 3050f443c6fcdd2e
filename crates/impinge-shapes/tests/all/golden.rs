//! The bits of every shape, pinned. They may change only with a deliberate change of a generator.

use impinge_shapes::{Random, Shape};

use crate::audit::hash;

const GOLDEN: &[(&str, u64)] = &[
    ("box", 0xce48_d1ef_2ab5_97af),
    ("torus", 0x6548_9dfd_d11e_d284),
    ("sphere", 0x8406_d337_04be_27a2),
    ("icosphere", 0xe70f_0ab1_4001_ed18),
    ("cylinder", 0xe662_c9a0_b6f2_1f3d),
    ("cone", 0xb38a_e944_a86d_2b6d),
    ("capsule", 0x82be_9768_573a_7cbb),
    ("knot", 0x82e9_4a01_2af4_18ae),
    ("gear", 0xbbc3_dc48_e24d_882f),
    ("pipes", 0x2598_04f4_8e91_c469),
    ("terrain", 0x3ab5_0f61_4fb5_65da),
    ("bumpy", 0x1e69_eaf2_aed5_ac5e),
    ("star", 0x04dd_54d3_4b74_e9af),
    ("tetrahedron", 0xf4cd_b601_2eba_6de2),
    ("octahedron", 0xbf02_b7c2_c426_c970),
    ("stairs", 0x1c40_3237_f287_1cd5),
    ("shell", 0x3e10_b279_2cc8_afcc),
    ("soup", 0xe3a8_6a8e_229a_8635),
    ("triangle", 0xdb57_5ec6_e49d_8a9f),
    ("quad", 0x6794_9c7b_75f5_02b2),
    ("door", 0x7633_1d34_59ce_043e),
    ("lock", 0xd992_2533_89e5_3fec),
    ("car", 0x91e6_f22c_1877_c2ab),
    ("hovertank", 0x0e47_9048_6cf9_fad2),
    ("cargo-box", 0x1cf2_1477_2d91_d175),
    ("repair-pad", 0x516c_6d5b_1e9e_8c3d),
];

#[test]
fn every_shape_has_the_bits_it_always_had() {
    let found: Vec<(&str, u64)> = Shape::ALL
        .iter()
        .map(|shape| {
            // Three counts and seeds in one number.
            let hashes =
                [(0, 0), (1000, 1), (20_000, 2)].map(|(count, seed)| hash(&shape.generate(count, seed)));
            (shape.name(), hashes.into_iter().fold(0, |sum: u64, hash| sum.rotate_left(21) ^ hash))
        })
        .collect();
    assert_eq!(found, GOLDEN, "{found:#018x?}");
}

#[test]
fn random_numbers_are_those_of_the_published_generator() {
    // The reference implementation's first numbers for the seed 1234567.
    let mut random = Random::new(1_234_567);
    let found = [(); 5].map(|()| random.next_u64());
    let published = [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
    ];
    assert_eq!(found, published);
}

#[test]
fn random_numbers_stay_in_their_ranges() {
    let mut random = Random::new(3);
    for _ in 0..10_000 {
        assert!((0.0..1.0).contains(&random.unit()));
        assert!((-3.0..5.0).contains(&random.between(-3.0, 5.0)));
        assert!(random.below(7) < 7);
        assert!((random.direction().length() - 1.0).abs() < 1e-15);
    }
    assert_eq!(random.below(0), 0);
    assert_eq!(random.below(1), 0);
}
