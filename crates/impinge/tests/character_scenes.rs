//! Scenes for characters: shapes that walk, stairs, ramps, tiles, rooms and levels.

use std::sync::Arc;

use impinge::glam::{DQuat, DVec3};
use impinge::query::Verdict;
use impinge::shapes;
use impinge::world::{Body, Character, CharacterOptions, CharacterStep, Handle, World, WorldOptions};
use impinge::{Mesh, Model, Trs};

pub(crate) const RADIUS: f64 = 0.3;
pub(crate) const HEIGHT: f64 = 1.8;

/// The shapes that walk: the origin is between their feet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Foot {
    Box,
    Ball,
    Capsule,
    /// A capsule of many faces.
    Faceted,
}

pub(crate) const FEET: [Foot; 4] = [Foot::Box, Foot::Ball, Foot::Capsule, Foot::Faceted];

pub(crate) fn model_of(foot: Foot) -> Arc<Model> {
    Arc::new(match foot {
        Foot::Box => Model::new(cuboid([-RADIUS, -RADIUS, 0.0], [RADIUS, RADIUS, HEIGHT])),
        Foot::Ball => Model::new(Mesh::point([0.0, 0.0, RADIUS]).unwrap()).rounded(RADIUS).unwrap(),
        Foot::Capsule => Model::capsule([0.0, 0.0, RADIUS], [0.0, 0.0, HEIGHT - RADIUS], RADIUS).unwrap(),
        Foot::Faceted => Model::new(faceted()),
    })
}

pub(crate) fn faces(mesh: &Mesh) -> Vec<Vec<u32>> {
    (0..mesh.face_count() as u32).map(|face| mesh.corners(face).collect()).collect()
}

pub(crate) fn faceted() -> Mesh {
    const ROUND: usize = 16;
    const RINGS: usize = 5;
    let mut vertices = vec![DVec3::ZERO];
    let mut rings = 0;
    for (center, from) in [(RADIUS, -90.0), (HEIGHT - RADIUS, 0.0)] {
        for ring in 0..=RINGS {
            let angle: f64 = (from + 90.0 * ring as f64 / RINGS as f64).to_radians();
            let (sin, cos) = angle.sin_cos();
            if cos < 1e-9 {
                continue;
            }
            for k in 0..ROUND {
                let around = std::f64::consts::TAU * k as f64 / ROUND as f64;
                let out = DVec3::new(around.cos() * cos, around.sin() * cos, sin) * RADIUS;
                vertices.push(out + DVec3::Z * center);
            }
            rings += 1;
        }
    }
    vertices.push(DVec3::Z * HEIGHT);
    let at = |ring: usize, k: usize| (1 + ring * ROUND + k % ROUND) as u32;
    let top = (vertices.len() - 1) as u32;
    let mut faces = Vec::new();
    for k in 0..ROUND {
        faces.push(vec![0, at(0, k + 1), at(0, k)]);
        faces.push(vec![top, at(rings - 1, k), at(rings - 1, k + 1)]);
        for ring in 1..rings {
            faces.push(vec![at(ring - 1, k), at(ring - 1, k + 1), at(ring, k + 1), at(ring, k)]);
        }
    }
    Mesh::polygons(vertices, faces).unwrap()
}

/// Where a scene stands: turned about the way up, and moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) degrees: f64,
    pub(crate) origin: DVec3,
}

pub(crate) const HERE: Site = Site { degrees: 0.0, origin: DVec3::ZERO };

impl Site {
    pub(crate) fn direction(&self, by: DVec3) -> DVec3 {
        DQuat::from_rotation_z(self.degrees.to_radians()) * by
    }

    pub(crate) fn trs(&self, place: DVec3) -> Trs {
        let turn = DQuat::from_rotation_z(self.degrees.to_radians());
        Trs::new(self.origin + turn * place, turn, DVec3::ONE).unwrap()
    }

    /// Back in the scene's own coordinates.
    pub(crate) fn local(&self, place: DVec3) -> DVec3 {
        DQuat::from_rotation_z(-self.degrees.to_radians()) * (place - self.origin)
    }
}

/// A character in a world.
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) site: Site,
    pub(crate) body: Handle,
    pub(crate) character: Character,
}

impl Scene {
    pub(crate) fn new(
        solids: Vec<Mesh>,
        site: Site,
        foot: Foot,
        start: [f64; 3],
        options: CharacterOptions,
    ) -> Scene {
        let mut world = World::with_options(WorldOptions::new().parallel(false));
        for solid in solids {
            world.insert(Body::fixed(Model::new(solid), site.trs(DVec3::ZERO))).unwrap();
        }
        let body = world.insert(Body::moving(model_of(foot), site.trs(start.into()))).unwrap();
        Scene { world, site, body, character: Character::with_options(body, options) }
    }

    pub(crate) fn place(&self) -> DVec3 {
        let place = self.world.get(self.body).unwrap().placement().world_from_model().translation;
        self.site.local(place)
    }

    pub(crate) fn update(&mut self, wish: [f64; 3], seconds: f64) -> CharacterStep {
        self.character.update(&mut self.world, self.site.direction(wish.into()), seconds).unwrap()
    }

    pub(crate) fn assert_is_free(&self) {
        let own = self.world.get(self.body).unwrap().placed();
        for (handle, body) in self.world.iter().filter(|(handle, _)| *handle != self.body) {
            let verdict = own.verdict(&body.placed());
            assert!(matches!(verdict, Verdict::Clear | Verdict::Touching), "{handle} at {}", self.place());
        }
    }
}

pub(crate) fn cuboid(low: [f64; 3], high: [f64; 3]) -> Mesh {
    shapes::cuboid(low, high).unwrap().into()
}

/// Stairs of 0.2 m up, along x, from x = 0 on; a landing at the top; all of it on a floor.
pub(crate) const STEPS: usize = 6;
pub(crate) const RISE: f64 = 0.2;
pub(crate) const TREAD: f64 = 0.3;

pub(crate) fn stairs_of_bodies() -> Vec<Mesh> {
    let mut solids = vec![cuboid([-3.0, -2.0, -1.0], [0.0, 2.0, 0.0])];
    for k in 0..STEPS {
        let end = if k + 1 == STEPS { 6.0 } else { TREAD * (k + 1) as f64 };
        solids.push(cuboid([TREAD * k as f64, -2.0, -1.0], [end, 2.0, RISE * (k + 1) as f64]));
    }
    solids
}

pub(crate) fn stairs_as_one_mesh() -> Vec<Mesh> {
    // The outline in the plane of x and z, from below.
    let mut outline = vec![[-3.0, 0.0]];
    for k in 0..STEPS {
        let x = TREAD * k as f64;
        outline.extend([[x, RISE * k as f64], [x, RISE * (k + 1) as f64]]);
    }
    outline.extend([[6.0, RISE * STEPS as f64], [6.0, -1.0], [-3.0, -1.0]]);
    let count = outline.len() as u32;
    let vertices = [-2.0, 2.0].iter().flat_map(|y| outline.iter().map(move |[x, z]| DVec3::new(*x, *y, *z)));
    let mut faces: Vec<Vec<u32>> =
        (0..count).map(|k| vec![k, k + count, (k + 1) % count + count, (k + 1) % count]).collect();
    // The sides, as strips below each tread.
    let below = |faces: &mut Vec<Vec<u32>>, side: u32, is_turned: bool| {
        let mut fan: Vec<u32> = (0..count).map(|k| side * count + k).collect();
        if is_turned {
            fan.reverse();
        }
        faces.push(fan);
    };
    below(&mut faces, 0, false);
    below(&mut faces, 1, true);
    vec![Mesh::polygons(vertices.collect::<Vec<_>>(), faces).unwrap()]
}

/// A floor, and a ramp along x from x = 0 on, 4 m long on the level.
pub(crate) fn ramp(degrees: f64) -> Vec<Mesh> {
    let top = 4.0 * degrees.to_radians().tan();
    let outline = [[0.0, 0.0], [4.0, top], [4.0, -1.0], [0.0, -1.0]];
    let vertices: Vec<DVec3> =
        [-2.0, 2.0].iter().flat_map(|y| outline.iter().map(move |[x, z]| DVec3::new(*x, *y, *z))).collect();
    let faces = vec![
        vec![0, 1, 5, 4],
        vec![1, 2, 6, 5],
        vec![2, 3, 7, 6],
        vec![3, 0, 4, 7],
        vec![0, 3, 2, 1],
        vec![4, 5, 6, 7],
    ];
    vec![cuboid([-6.0, -2.0, -1.0], [0.0, 2.0, 0.0]), Mesh::polygons(vertices, faces).unwrap()]
}

/// A floor of tiles, each a body or all of them faces of one mesh, exactly on the level.
pub(crate) fn tiles(is_one: bool) -> Vec<Mesh> {
    let places = (-6..6).flat_map(|x| (-6..6).map(move |y| [f64::from(x), f64::from(y)]));
    if !is_one {
        return places.map(|[x, y]| cuboid([x, y, -1.0], [x + 1.0, y + 1.0, 0.0])).collect();
    }
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for [x, y] in places {
        let first = vertices.len() as u32;
        vertices.extend(
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[a, b]| DVec3::new(x + a, y + b, 0.0)),
        );
        faces.extend([vec![first, first + 1, first + 2], vec![first, first + 2, first + 3]]);
    }
    vec![Mesh::polygons(vertices, faces).unwrap()]
}

/// A room with walls at x and y of 0 and 4.
pub(crate) fn room() -> Vec<Mesh> {
    vec![
        cuboid([-1.0, -1.0, -1.0], [5.0, 5.0, 0.0]),
        cuboid([-1.0, 0.0, 0.0], [0.0, 4.0, 3.0]),
        cuboid([4.0, 0.0, 0.0], [5.0, 4.0, 3.0]),
        cuboid([-1.0, -1.0, 0.0], [5.0, 0.0, 3.0]),
        cuboid([-1.0, 4.0, 0.0], [5.0, 5.0, 3.0]),
    ]
}

/// A level of tiles, walls, stairs, ramps of all angles and things that lie about.
pub(crate) fn level(seed: u64) -> Vec<Mesh> {
    let mut random = shapes::Random::new(seed);
    let mut between = |low: f64, high: f64| low + (high - low) * random.unit();
    let mut solids: Vec<Mesh> = Vec::new();
    for x in -4..4 {
        for y in -4..4 {
            let [x, y] = [3.0 * f64::from(x), 3.0 * f64::from(y)];
            solids.push(cuboid([x, y, -1.0], [x + 3.0, y + 3.0, 0.0]));
        }
    }
    for side in 0..4 {
        let wall = cuboid([-13.0, 12.0, -1.0], [13.0, 13.0, 6.0]);
        let turn = DQuat::from_rotation_z(f64::from(side) * std::f64::consts::FRAC_PI_2);
        let vertices: Vec<DVec3> = wall.vertices().map(|vertex| turn * vertex).collect();
        solids.push(Mesh::polygons(vertices, faces(&wall)).unwrap());
    }
    for _ in 0..40 {
        let turn = DQuat::from_rotation_z(between(0.0, std::f64::consts::TAU));
        let place = DVec3::new(between(-10.0, 10.0), between(-10.0, 10.0), 0.0);
        let solid = match between(0.0, 4.0) as u32 {
            0 => cuboid([0.0; 3], [between(0.2, 3.0), between(0.2, 3.0), between(0.05, 2.0)]),
            1 => ramp(between(5.0, 80.0)).remove(1),
            2 => stairs_as_one_mesh().remove(0),
            _ => shapes::icosphere(between(0.1, 1.0), 1).unwrap().into(),
        };
        let vertices: Vec<DVec3> = solid.vertices().map(|vertex| turn * (0.7 * vertex) + place).collect();
        solids.push(Mesh::polygons(vertices, faces(&solid)).unwrap());
    }
    solids
}
