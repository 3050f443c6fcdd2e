//! The whole experiment: objects, growth with the number of triangles, building and memory.

use std::time::Instant;

use impinge::bounds::Aabb;
use impinge::shapes::Shape;
use impinge::{Mesh, Model};
use serde::{Serialize, Serializer};

use super::contender::cached_ns;
use super::contest::{Measured, contest};
use super::room::{Room, room};
use super::{
    Construction, Contender, Costs, Measurement, PeerMeasurement, Protocol, TreeKind, Way, fitted, median,
    run_all, tilted,
};
use crate::peer::{Peer, PeerMesh, PeerModel};

/// A shape with about so many triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// The shape.
    pub shape: Shape,
    /// The wanted number of triangles.
    pub triangles: usize,
}

/// What is measured.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// For the objects.
    pub protocol: Protocol,
    /// The objects.
    pub objects: Vec<Object>,
    /// For growth.
    pub growth_protocol: Protocol,
    /// Numbers of triangles of growing tori (figure 6).
    pub growth: Vec<usize>,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How the objects were measured.
    pub protocol: Protocol,
    /// One report per object.
    pub objects: Vec<ObjectReport>,
    /// One report per torus, with growing numbers of triangles.
    pub growth: Vec<ObjectReport>,
    /// The depths and the criteria of trees of boxes.
    pub construction: Vec<Construction>,
}

/// What was measured of one object.
#[derive(Clone, Debug, Serialize)]
pub struct ObjectReport {
    /// The shape.
    #[serde(serialize_with = "by_name")]
    pub shape: Shape,
    /// Triangles that it has.
    pub triangles: usize,
    /// The share of triangles that lie in planes along the coordinate planes.
    pub flat_share: f64,
    /// Mean nanoseconds of a query with 6 directions that remembers the query before it.
    pub cached_ns: f64,
    /// One row per contender: a kind of tree and a way of asking.
    pub rows: Vec<Row>,
    /// One row per peer that could prepare the object.
    pub peers: Vec<PeerRow>,
}

/// What was measured of one object with one peer.
#[derive(Clone, Debug, Serialize)]
pub struct PeerRow {
    /// The name of its file.
    pub name: String,
    /// What it says of itself.
    pub info: String,
    /// Milliseconds to prepare the object.
    pub build_ms: f64,
    /// One per distance.
    pub measurements: Vec<PeerMeasurement>,
}

/// What was measured of one object with one kind of tree.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The number of directions; 0 for oriented boxes, whose directions are their own.
    pub k: usize,
    /// The kind of the tree.
    pub tree: TreeKind,
    /// How queries were asked.
    pub way: Way,
    /// Milliseconds to build the tree.
    pub build_ms: f64,
    /// Bytes of the tree.
    pub bytes: usize,
    /// One per distance.
    pub measurements: Vec<Measurement>,
    /// What the parts of a query cost.
    pub costs: Costs,
    /// Triangle tests per query when the object is tilted; not for growth.
    pub tilted_face_tests: Option<f64>,
    /// What bounds leave around faces; for the paper's three numbers of directions, and not for growth.
    pub room: Option<Room>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn by_name<S: Serializer>(shape: &Shape, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(shape.name())
}

impl Object {
    /// The paper's objects at the paper's counts, its CAD parts as generated stand-ins.
    pub const PAPER: [Object; 10] = [
        Object { shape: Shape::Door, triangles: 3391 },
        Object { shape: Shape::Lock, triangles: 20898 },
        Object { shape: Shape::Car, triangles: 60755 },
        Object { shape: Shape::Pipes, triangles: 124_736 },
        Object { shape: Shape::Torus, triangles: 12544 },
        Object { shape: Shape::Torus, triangles: 53824 },
        Object { shape: Shape::Torus, triangles: 73984 },
        Object { shape: Shape::Sphere, triangles: 22952 },
        Object { shape: Shape::Sphere, triangles: 97032 },
        Object { shape: Shape::Cylinder, triangles: 20000 },
    ];

    /// The paper's counts for a shape; its middle one for a shape that the paper does not have.
    pub fn counts_of(shape: Shape) -> Vec<usize> {
        let of_shape = Object::PAPER.iter().filter(|object| object.shape == shape);
        let counts: Vec<usize> = of_shape.map(|object| object.triangles).collect();
        if counts.is_empty() { vec![20000] } else { counts }
    }
}

impl Experiment {
    /// The paper's.
    pub fn paper() -> Experiment {
        Experiment {
            protocol: Protocol::PAPER,
            objects: Object::PAPER.to_vec(),
            growth_protocol: Protocol::PAPER,
            growth: vec![1000, 2000, 5000, 12544, 25000, 53824, 73984, 100_000],
        }
    }

    /// The same in a few seconds, with small objects.
    pub fn quick() -> Experiment {
        let mut shapes: Vec<Shape> = Object::PAPER.iter().map(|object| object.shape).collect();
        shapes.dedup();
        Experiment {
            protocol: Protocol::QUICK,
            objects: shapes.into_iter().map(|shape| Object { shape, triangles: 1500 }).collect(),
            growth_protocol: Protocol::QUICK,
            growth: vec![500, 1000, 2000, 4000],
        }
    }

    /// How often [`run`](Self::run) says that it got on.
    pub fn steps(&self) -> usize {
        // Once per distance, and once for building and the tilted object.
        let per = |protocol: &Protocol| protocol.distances.max(2) + 1;
        self.objects.len() * per(&self.protocol) + self.growth.len() * per(&self.growth_protocol)
    }

    /// Measures everything, peers included. `tick` is told what is being measured, once per [step](Self::steps).
    pub fn run(&self, peers: &[Peer], mut tick: impl FnMut(&str)) -> Report {
        let objects = self.objects.iter().map(|object| {
            let mesh = Mesh::from(object.shape.generate(object.triangles, 0));
            let mut report = measured(object.shape, &mesh, &self.protocol, peers, &mut tick);
            report.add_geometry(&mesh, &self.protocol);
            report
        });
        let objects = objects.collect();
        let growth = self.growth.iter().map(|&triangles| {
            let mesh = Mesh::from(Shape::Torus.generate(triangles, 0));
            measured(Shape::Torus, &mesh, &self.growth_protocol, peers, &mut tick)
        });
        let growth = growth.collect();
        Report { protocol: self.protocol, objects, growth, construction: Construction::of_paper() }
    }
}

fn measured(
    shape: Shape,
    mesh: &Mesh,
    protocol: &Protocol,
    peers: &[Peer],
    tick: &mut dyn FnMut(&str),
) -> ObjectReport {
    let mesh = fitted(mesh);
    let triangles = mesh.triangle_count();
    let name = format!("{shape}, {triangles} triangles");
    let flat_share = flat_share(&mesh);
    let built = builds(&mesh, protocol.rounds);
    let prepared = prepared(peers, &mesh, protocol.rounds);
    tick(&name);
    let model = Model::new(mesh);
    let (build_ms, peer_models): (Vec<f64>, Vec<PeerModel<'_>>) = prepared.into_iter().unzip();
    let outcome = contest(&model, protocol, &Contender::ALL, &peer_models, &mut || tick(&name));
    let row = |((contender, (build_ms, bytes)), measured): ((&Contender, _), Measured)| Row {
        k: contender.k,
        tree: contender.tree,
        way: contender.way,
        build_ms,
        bytes,
        costs: measured.costs,
        measurements: measured.measurements,
        tilted_face_tests: None,
        room: None,
    };
    let rows = Contender::ALL.iter().zip(built).zip(outcome.contenders).map(row).collect();
    let peer_row = |((model, build_ms), measurements): ((&PeerModel<'_>, f64), _)| PeerRow {
        name: model.peer().name().to_owned(),
        info: model.peer().info().to_owned(),
        build_ms,
        measurements,
    };
    let peers = peer_models.iter().zip(build_ms).zip(outcome.peers).map(peer_row).collect();
    let cached_ns = cached_ns(&model, &protocol.course(&model));
    ObjectReport { shape, triangles, flat_share, cached_ns, rows, peers }
}

/// Every peer's model of the mesh with the milliseconds that it took, as median over the rounds.
fn prepared<'p>(peers: &'p [Peer], mesh: &Mesh, rounds: usize) -> Vec<(f64, PeerModel<'p>)> {
    let input = PeerMesh::of(mesh);
    let prepare = |peer: &'p Peer| {
        let mut times = Vec::new();
        let mut model = None;
        for _ in 0..rounds.max(1) {
            drop(model.take());
            let start = Instant::now();
            model = peer.prepare(&input);
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        model.map(|model| (median(times), model))
    };
    peers.iter().filter_map(prepare).collect()
}

fn flat_share(mesh: &Mesh) -> f64 {
    let is_flat = |face: &u32| {
        let size = Aabb::around(mesh.corners(*face).map(|vertex| mesh.vertex(vertex))).size();
        // The object was scaled, so its flat faces are so up to rounding.
        size.min_element() <= 1e-12
    };
    let flat = (0..mesh.face_count() as u32).filter(is_flat).count();
    flat as f64 / mesh.face_count().max(1) as f64
}

/// Milliseconds to build each tree, and its bytes.
fn builds(mesh: &Mesh, rounds: usize) -> Vec<(f64, usize)> {
    let mut times = vec![Vec::new(); Contender::ALL.len()];
    let mut bytes = vec![0; Contender::ALL.len()];
    for _ in 0..rounds.max(1) {
        let model = Model::new(mesh.clone());
        for (i, contender) in Contender::ALL.iter().enumerate() {
            let (nanoseconds, tree) = contender.build(&model);
            times[i].push(nanoseconds / 1e6);
            bytes[i] = tree.bytes(&model);
        }
    }
    times.into_iter().map(median).zip(bytes).collect()
}

impl ObjectReport {
    /// What explains the counts: the room around faces, and the counts of the tilted object.
    fn add_geometry(&mut self, mesh: &Mesh, protocol: &Protocol) {
        let model = Model::new(tilted(mesh));
        // Counts need fewer rotations than times, and one round.
        let protocol = Protocol { rotations: protocol.rotations.min(100), rounds: 1, ..*protocol };
        let three = &Contender::ALL[..3];
        let counts = run_all(&model, &protocol, three);
        let straight = fitted(mesh);
        let rooms = [room::<6>(&straight), room::<8>(&straight), room::<14>(&straight)];
        for ((row, measurements), room) in self.rows.iter_mut().zip(counts).zip(rooms) {
            let tests = measurements.iter().map(|m| m.face_tests).sum::<f64>();
            row.tilted_face_tests = Some(tests / measurements.len() as f64);
            row.room = Some(room);
        }
    }

    /// The name of the shape with the number of triangles.
    pub fn name(&self) -> String {
        format!("{} {}", self.shape, self.triangles)
    }

    /// Whether every number of directions found the same at every rotation.
    pub fn agrees(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.measurements).all(|m| m.disagreements == 0)
    }
}

impl Row {
    /// What tells the row from others, for legends.
    pub fn label(&self) -> String {
        match self.tree {
            TreeKind::Dop => format!("k = {}", self.k),
            TreeKind::DopOfPaper => format!("k = {}, built as in the paper", self.k),
            TreeKind::Obb => "OBB".to_owned(),
        }
    }

    /// The label as one word, for tables and files.
    pub fn key(&self) -> String {
        match self.tree {
            TreeKind::Dop => self.k.to_string(),
            TreeKind::DopOfPaper => format!("{}-paper", self.k),
            TreeKind::Obb => "obb".to_owned(),
        }
    }
}
