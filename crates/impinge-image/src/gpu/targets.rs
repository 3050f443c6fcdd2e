//! The textures of one size: a ring of layers, and what is read back.

use super::pipelines::{DEPTHS, IDS, PIXELS, Pipelines, TALLY, WEIGHTS};

/// Pixels that all layers together may have.
const LAYER_PIXELS: u64 = 1 << 22;
const MOST_LAYERS: u64 = 16;

/// One layer of edges.
pub(super) struct LayerTarget {
    pub(super) ids: wgpu::TextureView,
    pub(super) depth_stencil: wgpu::TextureView,
    /// For the next layer, for faces and for pixels.
    pub(super) edges: wgpu::BindGroup,
}

pub(super) struct Targets {
    pub(super) side: u32,
    pub(super) layers: Vec<LayerTarget>,
    pub(super) weights: wgpu::Texture,
    pub(super) weights_view: wgpu::TextureView,
    pub(super) pixels: wgpu::Texture,
    pub(super) pixels_view: wgpu::TextureView,
    pub(super) tally_view: wgpu::TextureView,
    pub(super) tally: wgpu::BindGroup,
    /// What textures are copied to, to be read: as long as both textures.
    pub(super) staging: wgpu::Buffer,
    /// Bytes of a row of 16 bytes a pixel, as copies want them.
    pub(super) row_bytes: u32,
}

impl Targets {
    pub(super) fn new(device: &wgpu::Device, pipelines: &Pipelines, side: u32) -> Targets {
        let pixels = u64::from(side) * u64::from(side);
        let count = (LAYER_PIXELS / pixels).clamp(2, MOST_LAYERS);
        let layer = |_| {
            let ids = view(&texture(device, side, IDS));
            let depth_stencil = view(&texture(device, side, DEPTHS));
            let edges = group(device, &pipelines.layer, &[&ids]);
            LayerTarget { ids, depth_stencil, edges }
        };
        // Where there can be no sums in colors, nothing is ever drawn to this.
        let sums = if pipelines.weigh.is_some() { WEIGHTS } else { PIXELS };
        let weights = texture(device, side, sums);
        let collected = texture(device, side, PIXELS);
        let tally_view = view(&texture(device, side, TALLY));
        let row_bytes = (16 * side).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        Targets {
            side,
            layers: (0..count).map(layer).collect(),
            weights_view: view(&weights),
            weights,
            pixels_view: view(&collected),
            pixels: collected,
            tally: group(device, &pipelines.tally, &[&tally_view]),
            tally_view,
            staging: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("read back"),
                size: 2 * u64::from(row_bytes) * u64::from(side),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            row_bytes,
        }
    }
}

fn texture(device: &wgpu::Device, side: u32, format: wgpu::TextureFormat) -> wgpu::Texture {
    let mut usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
    if format != DEPTHS {
        usage |= wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
    }
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

fn view(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    views: &[&wgpu::TextureView],
) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = views
        .iter()
        .zip(0..)
        .map(|(view, binding)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::TextureView(view),
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}
