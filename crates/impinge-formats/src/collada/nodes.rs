//! The nodes of the visual scene, and the transforms that they are made of.

use impinge::math::{DAffine3, DMat3, DVec3};
use roxmltree::Node;

use super::{Reader, too_deep};
use crate::error::Fault;
use crate::map_rounding::MapRounding;
use crate::xml;

/// Nodes within nodes, at most.
const MOST_LEVELS: usize = 128;

impl<'a, 'i> Reader<'a, 'i> {
    /// Places everything of the scene that the file shows: the one it names, or else the first.
    pub(super) fn scene(&mut self, root: Node<'a, 'i>) -> Result<(), Fault> {
        let named = xml::child(root, "scene").and_then(|scene| xml::child(scene, "instance_visual_scene"));
        let scene = match named {
            Some(instance) => Some(self.target(instance, "url", "visual_scene")?),
            None => xml::child(root, "library_visual_scenes")
                .and_then(|library| xml::child(library, "visual_scene")),
        };
        let Some(scene) = scene else { return Err(Fault::no_faces()) };
        for node in xml::children(scene, "node") {
            self.node(node, None, &mut Vec::new())?;
        }
        Ok(())
    }

    /// Adds a node and all below it. The nodes above it are given, so that none is within itself.
    fn node(
        &mut self,
        node: Node<'a, 'i>,
        parent: Option<usize>,
        above: &mut Vec<Node<'a, 'i>>,
    ) -> Result<(), Fault> {
        let place = xml::place(node);
        if above.contains(&node) {
            return Err(Fault::malformed(place, "the node is among its own ancestors"));
        }
        if above.len() >= MOST_LEVELS {
            return Err(too_deep(place, MOST_LEVELS));
        }
        let mut at = parent;
        for element in node.children().filter(Node::is_element) {
            if let Some(transform) = transform(element)? {
                at = Some(self.tree.push(at, None, transform, &xml::place(element))?);
            }
        }
        let name = node.attribute("name").or_else(|| node.attribute("id"));
        let at = self.tree.push(at, name, (DAffine3::IDENTITY, MapRounding::default()), &place)?;
        above.push(node);
        for element in node.children().filter(Node::is_element) {
            match element.tag_name().name() {
                "node" => self.node(element, Some(at), above)?,
                "instance_node" => {
                    let inner = self.target(element, "url", "node")?;
                    self.node(inner, Some(at), above)?;
                }
                "instance_geometry" => {
                    if let Some(mesh) = self.geometry(element)? {
                        self.tree.place(at, mesh);
                    }
                }
                "instance_controller" => self.controllers.add(xml::place(element)),
                _ => {}
            }
        }
        above.pop();
        Ok(())
    }
}

/// The map that an element of a node stands for, and how far it may be off; none where it is no transform.
fn transform(element: Node<'_, '_>) -> Result<Option<(DAffine3, MapRounding)>, Fault> {
    let text = element.text().unwrap_or_default();
    let vector = |numbers: &[(f64, f64)]| DVec3::new(numbers[0].0, numbers[1].0, numbers[2].0);
    let rounding = |numbers: &[(f64, f64)]| DVec3::new(numbers[0].1, numbers[1].1, numbers[2].1);
    let fault = |what: &str| Fault::malformed(xml::place(element), what);
    Ok(Some(match element.tag_name().name() {
        "translate" => {
            let numbers = xml::numbers::<3>(text, element)?;
            let off = MapRounding { length: rounding(&numbers).length(), share: 0.0 };
            (DAffine3::from_translation(vector(&numbers)), off)
        }
        "scale" => {
            let numbers = xml::numbers::<3>(text, element)?;
            let off = MapRounding { length: 0.0, share: rounding(&numbers).max_element() };
            (DAffine3::from_scale(vector(&numbers)), off)
        }
        "rotate" => {
            let numbers = xml::numbers::<4>(text, element)?;
            let axis = vector(&numbers);
            let (length, angle) = (axis.length(), numbers[3]);
            if !(length > 0.0 && length.is_finite()) {
                // Exporters write a turn by nothing about nothing.
                if angle.0 == 0.0 {
                    return Ok(Some((DAffine3::IDENTITY, MapRounding::default())));
                }
                return Err(fault("the axis of a rotation has no direction"));
            }
            let share = angle.1.to_radians() + 2.0 * rounding(&numbers).length() / length;
            (DAffine3::from_mat3(rotation(axis / length, angle.0)), MapRounding { length: 0.0, share })
        }
        "matrix" => {
            let n = xml::numbers::<16>(text, element)?;
            // Row by row; exporters round the last number at times.
            let divisor = n[15].0;
            if [n[12].0, n[13].0, n[14].0] != [0.0; 3] || divisor == 0.0 {
                return Err(fault("the last row of the matrix is not 0 0 0 1"));
            }
            let entry = |at: usize| (n[at].0 / divisor, n[at].1 / divisor.abs());
            let column = |at: usize| [entry(at), entry(at + 4), entry(at + 8)];
            xml::affine([column(0), column(1), column(2), column(3)])
        }
        "lookat" => {
            let numbers = xml::numbers::<9>(text, element)?;
            let [eye, target, up] = [0, 3, 6].map(|at| vector(&numbers[at..]));
            let map = look_at(eye, target, up).ok_or_else(|| fault("<lookat> has no direction"))?;
            let off = [0, 3, 6].map(|at| rounding(&numbers[at..]).length());
            // Where it looks turns by what its ends are off, the nearer they are the more.
            let share = 2.0 * ((off[0] + off[1]) / eye.distance(target) + off[2] / up.length());
            (map, MapRounding { length: off[0], share })
        }
        "skew" => return Err(Fault::unsupported(xml::place(element), "<skew> is not supported")),
        _ => return Ok(None),
    }))
}

/// A camera at one point that looks along its third axis, backwards, at another; none where it has no direction.
fn look_at(eye: DVec3, target: DVec3, up: DVec3) -> Option<DAffine3> {
    let back = (eye - target).try_normalize()?;
    let right = up.cross(back).try_normalize()?;
    Some(DAffine3 { matrix3: DMat3::from_cols(right, back.cross(right), back), translation: eye })
}

/// A rotation about an axis of length 1, by degrees; quarter turns are exact.
fn rotation(axis: DVec3, degrees: f64) -> DMat3 {
    let quarters = degrees / 90.0;
    let (sine, cosine) = if quarters == quarters.round() && quarters.abs() < 1e9 {
        [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][(quarters as i64).rem_euclid(4) as usize]
    } else {
        degrees.to_radians().sin_cos()
    };
    let DVec3 { x, y, z } = axis;
    let rest = 1.0 - cosine;
    DMat3::from_cols(
        DVec3::new(x * x * rest + cosine, x * y * rest + z * sine, x * z * rest - y * sine),
        DVec3::new(x * y * rest - z * sine, y * y * rest + cosine, y * z * rest + x * sine),
        DVec3::new(x * z * rest + y * sine, y * z * rest - x * sine, z * z * rest + cosine),
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail so")]
mod tests {
    use super::*;

    #[test]
    fn cameras_look_along_their_third_axis() {
        assert_eq!(look_at(DVec3::ZERO, -DVec3::Z, DVec3::Y), Some(DAffine3::IDENTITY));
        let map = look_at(DVec3::new(1.0, 2.0, 3.0), DVec3::new(6.0, 2.0, 3.0), DVec3::Z).unwrap();
        assert_eq!(map.transform_point3(-5.0 * DVec3::Z), DVec3::new(6.0, 2.0, 3.0));
        assert_eq!(map.transform_vector3(DVec3::Y), DVec3::Z);
        assert_eq!(look_at(DVec3::X, DVec3::X, DVec3::Y), None);
        assert_eq!(look_at(DVec3::ZERO, DVec3::Y, DVec3::Y), None);
    }

    #[test]
    fn turns_follow_the_right_hand_rule() {
        assert_eq!(rotation(DVec3::Z, 90.0) * DVec3::X, DVec3::Y);
        assert_eq!(rotation(DVec3::X, -90.0) * DVec3::Y, -DVec3::Z);
        assert_eq!(rotation(DVec3::Y, 180.0) * DVec3::X, -DVec3::X);
        let found = rotation(DVec3::new(0.6, 0.0, 0.8), 33.0) * DVec3::new(1.0, 2.0, 3.0);
        let angle = 33.0_f64.to_radians();
        let expected = impinge::math::DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), angle)
            * DVec3::new(1.0, 2.0, 3.0);
        assert!(found.distance(expected) < 1e-15);
    }
}
