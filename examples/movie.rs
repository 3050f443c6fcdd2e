//! Films of moving bodies: one HTML page that needs nothing else, with the 3D view of the reports.

use impinge::Mesh;
use impinge::math::{DAffine3, DVec3};
use impinge_report::{Animation, Film, Identity, Invalid, Kind, Matrix, Model, Part, Report, Track};

/// So many frames are shown in a second.
pub const FRAME_RATE: f64 = 30.0;

/// A body in the picture.
pub struct Actor<'m> {
    /// What it is called.
    pub name: String,
    /// Its shape.
    pub mesh: &'m Mesh,
    /// Red, green and blue, from 0 to 255.
    pub color: [u8; 3],
    /// Which of its faces are drawn.
    pub look: Look,
}

impl<'m> Actor<'m> {
    /// A body of which all faces are drawn, from their front.
    pub fn new(name: impl Into<String>, mesh: &'m Mesh, color: [u8; 3]) -> Actor<'m> {
        Actor { name: name.into(), mesh, color, look: Look::Solid }
    }
}

/// Which faces of a body are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// All, from their front.
    Solid,
    /// All, from both sides.
    Sheet,
    /// Those that face what the camera looks at: a wall that one looks through from behind.
    Wall,
}

/// Where the film is taken from.
pub struct Camera {
    /// Where it stands.
    pub place: DVec3,
    /// What is in the middle.
    pub target: DVec3,
    /// The actor that it goes along with.
    pub follows: Option<usize>,
    /// The distance before the followed actor from which on everything nearer to the camera is cut away; `None` cuts nothing.
    pub cutaway: Option<f64>,
}

/// The report of a film: every actor in the pose that it has in each frame, under a title and a sentence on what is seen.
pub fn film(
    [title, caption]: [&str; 2],
    actors: &[Actor<'_>],
    frames: &[Vec<DAffine3>],
    camera: &Camera,
) -> Report {
    let (mut models, mut drawn): (_, Vec<(&Mesh, Look)>) = (Vec::new(), Vec::new());
    let mut parts = Vec::new();
    for (number, actor) in actors.iter().enumerate() {
        let pose = frames.first().and_then(|frame| frame.get(number)).copied().unwrap_or_default();
        // Actors of one mesh share its numbers; what is seen of a wall is its own.
        let is_same = |(mesh, look): &(&Mesh, Look)| {
            std::ptr::eq(*mesh, actor.mesh) && *look == actor.look && *look != Look::Wall
        };
        let model = drawn.iter().position(is_same).unwrap_or_else(|| {
            drawn.push((actor.mesh, actor.look));
            models.push(shape(actor, pose.inverse().transform_point3(camera.target)));
            models.len() - 1
        });
        parts.push(Part {
            name: actor.name.clone(),
            path: actor.name.clone(),
            model: Some(model),
            world_from_model: rows(&pose),
            identity: Identity::default(),
            closed: None,
        });
    }
    let tracks = (0..actors.len()).filter_map(|number| track(number, frames)).collect();
    let filmed = Film {
        camera: camera.place.to_array(),
        target: camera.target.to_array(),
        cutaway: camera.cutaway,
        colors: actors.iter().map(|actor| actor.color).collect(),
    };
    let animation = Animation {
        name: title.to_owned(),
        duration: frames.len().saturating_sub(1) as f64 / FRAME_RATE,
        tracks,
        followed: camera.follows.into_iter().collect(),
        film: Some(filmed),
    };
    Report {
        kind: Kind::Arena,
        title: title.to_owned(),
        z_up: true,
        notes: vec![caption.to_owned()],
        models,
        parts,
        animation: Some(animation),
        ..Report::default()
    }
}

/// The page of a film.
pub fn page(
    texts: [&str; 2],
    actors: &[Actor<'_>],
    frames: &[Vec<DAffine3>],
    camera: &Camera,
) -> Result<String, Invalid> {
    film(texts, actors, frames, camera).html()
}

/// The faces of a body that are drawn, as triangles; the target is in the body's frame.
fn shape(actor: &Actor<'_>, target: DVec3) -> Model {
    let mesh = actor.mesh;
    let faces = 0..mesh.face_count() as u32;
    let triangles = faces.flat_map(|face| mesh.fan(face).map(move |corners| (mesh.label(face), corners)));
    let faces_target = |[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|corner| mesh.vertex(corner));
        (b - a).cross(c - a).dot(target - a) > 0.0
    };
    let sides = triangles.flat_map(|(face, corners @ [a, b, c])| {
        let front = (actor.look != Look::Wall || faces_target(corners)).then_some((face, corners));
        let back = (actor.look == Look::Sheet).then_some((face, [c, b, a]));
        front.into_iter().chain(back)
    });
    Model::of_triangles(mesh.vertices().map(|vertex| vertex.to_array()), sides)
}

/// How an actor moves: a key for every frame in which it does, and where it begins and ends to. None for one that stands still.
fn track(part: usize, frames: &[Vec<DAffine3>]) -> Option<Track> {
    let pose = |frame: usize| frames.get(frame)?.get(part);
    let differs = |frame: usize| frame + 1 < frames.len() && pose(frame) != pose(frame + 1);
    let keys: Vec<usize> =
        (0..frames.len()).filter(|&frame| differs(frame) || (frame > 0 && differs(frame - 1))).collect();
    (!keys.is_empty()).then(|| Track {
        part,
        times: keys.iter().map(|&frame| frame as f64 / FRAME_RATE).collect(),
        world_from_model: keys.iter().map(|&frame| pose(frame).map(rows)).collect(),
    })
}

/// A matrix row by row.
fn rows(map: &DAffine3) -> Matrix {
    impinge::glam::DMat4::from(*map).transpose().to_cols_array()
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::shapes;

    #[test]
    fn a_film_is_a_valid_report_that_says_how_it_is_filmed() {
        let ball = impinge::Model::new(shapes::icosphere(0.5, 1).expect("a ball"));
        let wall = shapes::cuboid_of_quads([-0.1, -3.0, -3.0], [0.1, 3.0, 3.0]).expect("a wall");
        let wall = impinge::Model::new(wall);
        let pane = Mesh::polygon([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
            .expect("a pane");
        let actors = [
            Actor::new("ball", ball.mesh(), [200, 0, 0]),
            Actor::new("other ball", ball.mesh(), [0, 200, 0]),
            Actor { look: Look::Wall, ..Actor::new("left", wall.mesh(), [0; 3]) },
            Actor { look: Look::Wall, ..Actor::new("right", wall.mesh(), [0; 3]) },
            Actor { look: Look::Sheet, ..Actor::new("pane", &pane, [0; 3]) },
        ];
        let at = |x: f64| DAffine3::from_translation(DVec3::X * x);
        // The first ball waits, moves for two frames and stays there.
        let frames: Vec<Vec<DAffine3>> = [0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0]
            .map(|x| vec![at(x), at(2.0), at(-4.0), at(4.0), at(0.0)])
            .into();
        let camera = Camera {
            place: DVec3::new(0.0, -9.0, 5.0),
            target: DVec3::ZERO,
            follows: Some(0),
            cutaway: None,
        };
        let report = film(["title", "caption"], &actors, &frames, &camera);
        assert_eq!(report.check(), Ok(()));

        let animation = report.animation.as_ref().expect("it moves");
        assert_eq!((animation.duration, animation.followed.as_slice()), (0.2, &[0][..]));
        let [track] = animation.tracks.as_slice() else { panic!("one moves: {:?}", animation.tracks) };
        assert_eq!(
            (track.part, track.times.as_slice()),
            (0, &[2.0, 3.0, 4.0].map(|frame| frame / FRAME_RATE)[..])
        );
        let places: Vec<f64> = track.world_from_model.iter().flatten().map(|matrix| matrix[3]).collect();
        assert_eq!(places, [0.0, 0.5, 1.0]);
        let colors = &animation.film.as_ref().expect("a film").colors;
        assert_eq!(colors[..2], [[200, 0, 0], [0, 200, 0]]);

        // Balls share a model; of either wall only the side towards the middle is drawn; of a pane both sides.
        let models: Vec<Option<usize>> = report.parts.iter().map(|part| part.model).collect();
        assert_eq!(models, [0, 0, 1, 2, 3].map(Some));
        assert_eq!(
            report.models.iter().map(|model| model.triangles.len()).collect::<Vec<_>>(),
            [ball.mesh().face_count(), 2, 2, 4]
        );
        for (model, side) in [(1, 0.1), (2, -0.1)] {
            let model = &report.models[model];
            assert!(
                model
                    .triangles
                    .as_flattened()
                    .iter()
                    .all(|&corner| model.positions[corner as usize][0] == side)
            );
        }
    }
}
