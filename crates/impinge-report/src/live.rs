//! How the page speaks with a server that computes while somebody drags a part.
//!
//! A program that serves [`Report::html`](crate::Report::html) of a report with `live` set, two parts (0 is A, 1 is B) and no
//! clashes needs to answer two requests, on loopback only:
//!
//! - `GET /` is the page.
//! - `POST /pose` asks how the parts stand to each other once one of them stands elsewhere. The page sends at most one such
//!   request at a time, and the latest pose as soon as the answer is there; poses in between are skipped. So a server that is
//!   slower than the hand stays in step with it, and needs no queue.
//!
//! The request is JSON (`Content-Type: application/json`, which a server should insist on, as it should on a `Host` that is
//! loopback: so pages from elsewhere cannot ask), the matrices row by row:
//!
//! ```json
//! {"part":0,"world_from_model":[1,0,0,0.5, 0,1,0,0, 0,0,1,0, 0,0,0,1],
//!  "world_from_other":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}
//! ```
//!
//! The page always says where the other part stands as well, so that a server remembers nothing, and two pages may ask the same
//! one. Where a request does not say it, the other part stands where the report put it.
//!
//! The answer is JSON with status 200. All but the verdict may be missing or null; points are in the world, faces are the numbers
//! of [`Model::faces`](crate::Model::faces):
//!
//! ```json
//! {"verdict":"clear|touching|overlapping|inside","contained":"a|b"|null,
//!  "curve":[{"points":[[x,y,z],…],"closed":true}],"faces_a":[3,5],"faces_b":[2],"face_pairs":n,
//!  "point":[x,y,z],"distance":d,"closest":[[x,y,z],[x,y,z]]}
//! ```
//!
//! Any other status shows its text as an error, and the page goes on: `400` for a pose that cannot be, such as a singular
//! matrix. The page asks once when it is opened, so that the first picture has its answer.
