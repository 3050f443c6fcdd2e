//! What the shaders read: shapes, which stay on the device, and where the objects are, which is written for each look.

use std::sync::{Arc, Weak};

use bytemuck::{Pod, Zeroable};
use impinge::glam::{DMat3, DMat4, DVec3};

use super::normals::Normals;
use super::pipelines::Pipelines;
use crate::ImageError;
use crate::look::{Draw, Instance, Own};
use crate::scene::{Shape, Surface, Vertices};

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ViewData {
    side: f32,
    depth_in_pixels: f32,
    nearest: f32,
    farthest: f32,
    offset: f32,
    other_count: u32,
    ignore_own: u32,
    padding: u32,
    image_from_world: [f32; 16],
    others: [[f32; 4]; MOST_OTHERS],
}

const MOST_OTHERS: usize = 12;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct InstanceData {
    image_from_model: [f32; 16],
    world_from_normal: [f32; 12],
    object: u32,
    weight_slot: u32,
    padding: [u32; 2],
}

/// Where the vertices of an uploaded shape came from.
enum Source {
    Here(Weak<Vec<DVec3>>),
    OnDevice(wgpu::Buffer),
}

/// A shape on the device.
struct Uploaded {
    surface: Weak<Surface>,
    source: Source,
    /// Vertices are stored relative to this, so that they keep their digits.
    origin: DVec3,
    positions: wgpu::Buffer,
    edges: wgpu::Buffer,
    normals: Option<wgpu::Buffer>,
    /// Where only the device knows the vertices.
    computed_normals: Option<Normals>,
    indices: wgpu::Buffer,
    group: wgpu::BindGroup,
}

/// Instances of one shape that are drawn by one call.
pub(super) struct Batch {
    pub(super) group: wgpu::BindGroup,
    pub(super) indices: wgpu::Buffer,
    /// How many vertices of edge strips, or how many indices.
    pub(super) count: u32,
    pub(super) instances: std::ops::Range<u32>,
    pub(super) mirrored: bool,
}

/// What a look draws.
pub(super) struct Prepared {
    pub(super) edges: Vec<Batch>,
    pub(super) faces: Vec<Batch>,
    /// Number of the first instance of faces.
    pub(super) first_face: u32,
    /// The instances of edges and of faces, as they are numbered on the device.
    pub(super) edge_list: Vec<Instance>,
    pub(super) face_list: Vec<Instance>,
    pub(super) triangles: u64,
}

/// Buffers that are kept from look to look.
pub(super) struct Uploads {
    shapes: Vec<Uploaded>,
    view: wgpu::Buffer,
    instances: wgpu::Buffer,
    weights: wgpu::Buffer,
    group: Option<wgpu::BindGroup>,
}

impl Uploads {
    pub(super) fn new(device: &wgpu::Device) -> Uploads {
        let uniform = wgpu::BufferUsages::UNIFORM;
        Uploads {
            shapes: Vec::new(),
            view: buffer(device, size_of::<ViewData>() as u64, uniform),
            instances: buffer(device, 64 * size_of::<InstanceData>() as u64, wgpu::BufferUsages::STORAGE),
            weights: buffer(device, 64 * 16, wgpu::BufferUsages::STORAGE),
            group: None,
        }
    }

    /// Brings all that a look needs onto the device.
    pub(super) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        draw: &Draw<'_>,
    ) -> Result<Prepared, ImageError> {
        self.shapes.retain(|shape| shape.surface.strong_count() > 0);
        let edge_list = sorted(draw.edges);
        let face_list = sorted(draw.faces);
        let first_face = edge_list.len() as u32;
        let mut data: Vec<InstanceData> = Vec::with_capacity(edge_list.len() + face_list.len());
        let edges = self.batches(device, queue, pipelines, draw, &edge_list, 0, true, &mut data)?;
        let faces = self.batches(device, queue, pipelines, draw, &face_list, first_face, false, &mut data)?;
        self.write_instances(device, queue, &data);
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view_data(draw)));
        let triangles = |instance: &Instance| draw.shapes[instance.shape].surface.triangles.len() as u64;
        Ok(Prepared {
            edges,
            faces,
            first_face,
            triangles: face_list.iter().map(triangles).sum(),
            edge_list,
            face_list,
        })
    }

    /// What the shaders know of the scene.
    pub(super) fn group(&mut self, device: &wgpu::Device, pipelines: &Pipelines) -> wgpu::BindGroup {
        let group = self.group.get_or_insert_with(|| {
            bind(device, &pipelines.scene, &[&self.view, &self.instances, &self.weights])
        });
        group.clone()
    }

    pub(super) fn write_weights(&self, queue: &wgpu::Queue, weights: &[[f32; 4]]) {
        queue.write_buffer(&self.weights, 0, bytemuck::cast_slice(weights));
    }

    /// Instances, and room for as many weights.
    fn write_instances(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, data: &[InstanceData]) {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        if self.instances.size() < bytes.len() as u64 {
            self.instances = buffer(device, 2 * bytes.len() as u64, wgpu::BufferUsages::STORAGE);
            self.weights = buffer(device, 32 * data.len() as u64, wgpu::BufferUsages::STORAGE);
            self.group = None;
        }
        queue.write_buffer(&self.instances, 0, bytes);
    }

    #[expect(clippy::too_many_arguments, reason = "the device, its queue and its pipelines go together")]
    fn batches(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        draw: &Draw<'_>,
        list: &[Instance],
        first: u32,
        as_edges: bool,
        data: &mut Vec<InstanceData>,
    ) -> Result<Vec<Batch>, ImageError> {
        let mut batches = Vec::new();
        let alike = |a: &Instance, b: &Instance| {
            a.shape == b.shape && a.placement.is_mirrored() == b.placement.is_mirrored()
        };
        let mut number = first;
        for run in list.chunk_by(alike) {
            let shape = &draw.shapes[run[0].shape];
            let with_normals = as_edges && matches!(draw.own, Own::Offset { .. });
            let known = self.shape(device, queue, pipelines, shape, with_normals)?;
            let instances = number..number + run.len() as u32;
            number = instances.end;
            for (instance, slot) in run.iter().zip(instances.start - first..) {
                data.push(instance_data(draw, instance, known.origin, slot));
            }
            let count = if as_edges { 6 * shape.edges().len() } else { 3 * shape.surface.triangles.len() };
            if count > 0 {
                batches.push(Batch {
                    group: known.group.clone(),
                    indices: known.indices.clone(),
                    count: count as u32,
                    instances,
                    mirrored: run[0].placement.is_mirrored(),
                });
            }
        }
        Ok(batches)
    }

    /// The shape as it is on the device; brought there where it is not, its buffers used again where they can be.
    fn shape(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        shape: &Shape,
        with_normals: bool,
    ) -> Result<&Uploaded, ImageError> {
        let same = |known: &Uploaded| known.surface.as_ptr() == Arc::as_ptr(&shape.surface);
        let current = |known: &Uploaded| match (&known.source, &shape.vertices) {
            (Source::Here(then), Vertices::Here(now)) => then.as_ptr() == Arc::as_ptr(now),
            (Source::OnDevice(then), Vertices::OnDevice(now)) => then == now,
            _ => false,
        };
        let outdated =
            |known: &Uploaded| matches!(&known.source, Source::Here(then) if then.strong_count() == 0);
        let found = self.shapes.iter().position(|known| same(known) && current(known));
        let place = match (found, &shape.vertices) {
            (Some(place), _) => place,
            (None, Vertices::Here(vertices)) => {
                match self.shapes.iter().position(|known| same(known) && outdated(known)) {
                    Some(place) => {
                        let known = &mut self.shapes[place];
                        known.origin = shape.bounds.center();
                        let places = relative(vertices, known.origin);
                        queue.write_buffer(&known.positions, 0, bytemuck::cast_slice(&places));
                        known.source = Source::Here(Arc::downgrade(vertices));
                        known.normals = None;
                        place
                    }
                    None => self.bring(device, queue, pipelines, shape),
                }
            }
            (None, Vertices::OnDevice(_)) => self.bring(device, queue, pipelines, shape),
        };
        let known = &mut self.shapes[place];
        if with_normals {
            known.add_normals(device, queue, pipelines, shape)?;
        }
        Ok(known)
    }

    fn bring(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        shape: &Shape,
    ) -> usize {
        let storage = wgpu::BufferUsages::STORAGE;
        let (origin, positions, source) = match &shape.vertices {
            Vertices::Here(vertices) => {
                let origin = shape.bounds.center();
                let places = filled(device, queue, &relative(vertices, origin), storage);
                (origin, places, Source::Here(Arc::downgrade(vertices)))
            }
            Vertices::OnDevice(buffer) => (DVec3::ZERO, buffer.clone(), Source::OnDevice(buffer.clone())),
        };
        let edges = filled(device, queue, &shape.surface.edges, storage);
        let indices = filled(device, queue, &shape.surface.triangles, wgpu::BufferUsages::INDEX);
        // Normals are bound only where edges are moved along them.
        let group = bind(device, &pipelines.shape, &[&positions, &edges, &positions]);
        let surface = Arc::downgrade(&shape.surface);
        self.shapes.push(Uploaded {
            surface,
            source,
            origin,
            positions,
            edges,
            normals: None,
            computed_normals: None,
            indices,
            group,
        });
        self.shapes.len() - 1
    }
}

impl Uploaded {
    /// Binds normals: those of vertices that are known here once, those of vertices on the device as they are now.
    fn add_normals(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        shape: &Shape,
    ) -> Result<(), ImageError> {
        let group =
            |normals: &wgpu::Buffer| bind(device, &pipelines.shape, &[&self.positions, &self.edges, normals]);
        if let Vertices::Here(vertices) = &shape.vertices {
            if self.normals.is_none() {
                let normals = relative(&shape.normals(vertices), DVec3::ZERO);
                let normals = filled(device, queue, &normals, wgpu::BufferUsages::STORAGE);
                self.group = group(&normals);
                self.normals = Some(normals);
            }
            return Ok(());
        }
        let Some(pipeline) = &pipelines.vertex_normals else {
            let what =
                "compute passes, which edges that are moved need where only the device knows the vertices";
            return Err(ImageError::Lacks { adapter: device.adapter_info().name, what });
        };
        if self.computed_normals.is_none() {
            let computed = Normals::new(device, queue, pipelines, shape, &self.positions);
            self.group = group(&computed.normals);
            self.computed_normals = Some(computed);
        }
        if let Some(computed) = &self.computed_normals {
            computed.compute(device, queue, pipeline, shape);
        }
        Ok(())
    }
}

fn sorted(list: &[Instance]) -> Vec<Instance> {
    let mut list = list.to_vec();
    list.sort_by_key(|instance| (instance.shape, instance.placement.is_mirrored(), instance.object));
    list
}

fn relative(points: &[DVec3], origin: DVec3) -> Vec<[f32; 3]> {
    points.iter().map(|point| (*point - origin).as_vec3().to_array()).collect()
}

fn view_data(draw: &Draw<'_>) -> ViewData {
    let view = &draw.view;
    let mut others = [[0.0; 4]; MOST_OTHERS];
    let seen = draw.others_seen();
    for (place, other) in others.iter_mut().zip(&seen) {
        *place = other.as_vec3().extend(0.0).to_array();
    }
    ViewData {
        side: view.side as f32,
        depth_in_pixels: view.depth_in_pixels as f32,
        nearest: view.edge_depths[0] as f32,
        farthest: view.edge_depths[1] as f32,
        offset: match draw.own {
            Own::Ignored => 0.0,
            Own::Offset { pixels } => (pixels * view.largest_pixel) as f32,
        },
        other_count: seen.len().min(MOST_OTHERS) as u32,
        ignore_own: u32::from(draw.ignores_own()),
        padding: 0,
        image_from_world: single(&(centered(draw) * view.image_from_world)),
        others,
    }
}

/// Pixels from the middle of the image.
fn centered(draw: &Draw<'_>) -> DMat4 {
    let half = 0.5 * f64::from(draw.view.side);
    DMat4::from_translation(DVec3::new(-half, -half, 0.0))
}

fn instance_data(draw: &Draw<'_>, instance: &Instance, origin: DVec3, slot: u32) -> InstanceData {
    let placement = &instance.placement;
    let image = draw.view.image_from(placement.world_from_model());
    let normals: DMat3 = placement.model_from_world_linear().transpose();
    let mut world_from_normal = [0.0; 12];
    for (place, column) in
        world_from_normal.chunks_exact_mut(4).zip([normals.x_axis, normals.y_axis, normals.z_axis])
    {
        // Lengths do not matter, and very large or small scales would not fit. What points outwards in the model still does so
        // where the placement mirrors.
        let column = column / normals.determinant().abs().cbrt();
        place[..3].copy_from_slice(&column.as_vec3().to_array());
    }
    InstanceData {
        image_from_model: single(&(centered(draw) * image * DMat4::from_translation(origin))),
        world_from_normal,
        object: instance.object,
        weight_slot: slot,
        padding: [0; 2],
    }
}

fn single(matrix: &DMat4) -> [f32; 16] {
    matrix.to_cols_array().map(|number| number as f32)
}

pub(super) fn buffer(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let usage = usage | wgpu::BufferUsages::COPY_DST;
    device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        // A shape may have no edge or no face; a buffer cannot be empty.
        size: size.max(16).next_multiple_of(4),
        usage,
        mapped_at_creation: false,
    })
}

pub(super) fn filled<T: Pod>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    data: &[T],
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    let bytes: &[u8] = bytemuck::cast_slice(data);
    let made = buffer(device, bytes.len() as u64, usage);
    queue.write_buffer(&made, 0, bytes);
    made
}

/// A group of whole buffers, bound in their order.
pub(super) fn bind(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    buffers: &[&wgpu::Buffer],
) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = buffers
        .iter()
        .zip(0..)
        .map(|(buffer, binding)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}
