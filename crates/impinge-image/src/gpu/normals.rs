//! Normals of vertices that only the device knows. They are computed for each look, because whoever owns the buffer may have written
//! to it since the last.

use super::pipelines::Pipelines;
use super::upload::{bind, buffer, filled};
use crate::scene::Shape;

/// Vertices of a group, and groups of a row, of the pass.
const GROUP: u32 = 64;
const ROW: u32 = 16_384;

/// What a shape needs for it.
pub(super) struct Normals {
    faces: wgpu::Buffer,
    pub(super) normals: wgpu::Buffer,
    group: wgpu::BindGroup,
    vertices: u32,
}

impl Normals {
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        shape: &Shape,
        positions: &wgpu::Buffer,
    ) -> Normals {
        let faces = filled(device, queue, &shape.faces_around_vertices(), wgpu::BufferUsages::STORAGE);
        let normals = buffer(device, 12 * shape.vertex_count as u64, wgpu::BufferUsages::STORAGE);
        let group = bind(device, &pipelines.normals, &[positions, &faces, &normals]);
        Normals { faces, normals, group, vertices: shape.vertex_count as u32 }
    }

    pub(super) fn compute(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipeline: &wgpu::ComputePipeline,
        shape: &Shape,
    ) {
        let longest = shape.bounds.size().max_element();
        let factor = if longest > 0.0 { (1.0 / longest).min(f64::from(f32::MAX)) } else { 1.0 };
        queue.write_buffer(&self.faces, 4, &(factor as f32).to_ne_bytes());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        let groups = self.vertices.div_ceil(GROUP);
        pass.dispatch_workgroups(groups.min(ROW), groups.div_ceil(ROW), 1);
        drop(pass);
        queue.submit([encoder.finish()]);
    }
}
