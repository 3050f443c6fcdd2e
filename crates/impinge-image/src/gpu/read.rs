//! Reading back: answers of occlusion queries, and images.

use super::Gpu;
use super::targets::Targets;
use crate::ImageError;

/// For each pixel, in rows: the sums of weights, and what was collected.
pub(super) type Images = (Vec<[f32; 4]>, Vec<[u32; 4]>);

/// How many queries one set holds.
pub(super) const QUERIES: u32 = 1024;

/// Occlusion queries, and where their answers go.
pub(super) struct Queries {
    pub(super) set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    staging: wgpu::Buffer,
}

impl Queries {
    pub(super) fn new(device: &wgpu::Device) -> Queries {
        let size = 8 * u64::from(QUERIES);
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        Queries {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Occlusion,
                count: QUERIES,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            staging: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
        }
    }
}

impl Gpu {
    /// Ends an encoder with the answers of its first `count` queries, and waits for them.
    pub(super) fn answers(
        &self,
        mut encoder: wgpu::CommandEncoder,
        count: u32,
    ) -> Result<Vec<bool>, ImageError> {
        let Queries { set, resolved, staging } = &self.queries;
        encoder.resolve_query_set(set, 0..count, resolved, 0);
        let bytes = 8 * u64::from(count);
        encoder.copy_buffer_to_buffer(resolved, 0, staging, 0, bytes);
        self.queue.submit([encoder.finish()]);
        self.map(staging, bytes, |bytes| {
            bytes.chunks_exact(8).map(|answer| answer.iter().any(|byte| *byte != 0)).collect()
        })
    }

    /// Copies the weights and what was collected, and waits for them: for each pixel, in rows.
    pub(super) fn images(
        &self,
        mut encoder: wgpu::CommandEncoder,
        targets: &Targets,
    ) -> Result<Images, ImageError> {
        let size = wgpu::Extent3d { width: targets.side, height: targets.side, depth_or_array_layers: 1 };
        let image_bytes = u64::from(targets.row_bytes) * u64::from(targets.side);
        for (texture, offset) in [(&targets.weights, 0), (&targets.pixels, image_bytes)] {
            encoder.copy_texture_to_buffer(
                texture.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: &targets.staging,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset,
                        bytes_per_row: Some(targets.row_bytes),
                        rows_per_image: None,
                    },
                },
                size,
            );
        }
        self.queue.submit([encoder.finish()]);
        self.map(&targets.staging, 2 * image_bytes, |bytes| {
            let (weights, pixels) = bytes.split_at(image_bytes as usize);
            let used = 16 * targets.side as usize;
            let row_bytes = targets.row_bytes as usize;
            (rows(weights, row_bytes, used), rows(pixels, row_bytes, used))
        })
    }

    pub(super) fn map<R>(
        &self,
        buffer: &wgpu::Buffer,
        bytes: u64,
        read: impl FnOnce(&[u8]) -> R,
    ) -> Result<R, ImageError> {
        let failed = |reason: String| ImageError::Device { reason };
        let (send, receive) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, 0..bytes, move |outcome| {
            // Nobody waits any more only when waiting failed, which is reported below.
            let _ = send.send(outcome);
        });
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|refusal| failed(refusal.to_string()))?;
        let outcome = receive.recv().map_err(|gone| failed(gone.to_string()))?;
        outcome.map_err(|refusal| failed(refusal.to_string()))?;
        let range = buffer.get_mapped_range(0..bytes).map_err(|refusal| failed(refusal.to_string()))?;
        let result = read(&range);
        drop(range);
        buffer.unmap();
        Ok(result)
    }
}

fn rows<T: bytemuck::Pod>(bytes: &[u8], row_bytes: usize, used: usize) -> Vec<T> {
    bytes
        .chunks_exact(row_bytes)
        .flat_map(|row| bytemuck::pod_collect_to_vec::<u8, T>(&row[..used]))
        .collect()
}
