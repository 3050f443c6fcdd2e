//! The textures of one size: a ring of layers, and what is read back.

use super::pipelines::{DEPTHS, IDS, PIXELS, Pipelines, TALLY, WEIGHTS};

/// Pixels that all layers together may have.
const LAYER_PIXELS: u64 = 1 << 22;
const MOST_LAYERS: u64 = 16;

/// One layer of edges.
pub(super) struct LayerTarget {
    pub(super) ids: wgpu::TextureView,
    pub(super) depth: wgpu::TextureView,
    pub(super) depth_stencil: wgpu::TextureView,
    /// Edges and depths, for the next layer and for pixels.
    pub(super) all: wgpu::BindGroup,
    /// Edges only, for faces.
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
            let ids = view(&texture(device, side, IDS), wgpu::TextureAspect::All);
            let depth_stencil = texture(device, side, DEPTHS);
            let depth = view(&depth_stencil, wgpu::TextureAspect::DepthOnly);
            let all = group(device, &pipelines.layer, &[&ids, &depth]);
            let edges = group(device, &pipelines.layer_edges, &[&ids]);
            let depth_stencil = view(&depth_stencil, wgpu::TextureAspect::All);
            LayerTarget { ids, depth, depth_stencil, all, edges }
        };
        let weights = texture(device, side, WEIGHTS);
        let collected = texture(device, side, PIXELS);
        let tally_view = view(&texture(device, side, TALLY), wgpu::TextureAspect::All);
        let row_bytes = (16 * side).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        Targets {
            side,
            layers: (0..count).map(layer).collect(),
            weights_view: view(&weights, wgpu::TextureAspect::All),
            weights,
            pixels_view: view(&collected, wgpu::TextureAspect::All),
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
    let copied = match format {
        WEIGHTS | PIXELS => wgpu::TextureUsages::COPY_SRC,
        _ => wgpu::TextureUsages::empty(),
    };
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING | copied,
        view_formats: &[],
    })
}

fn view(texture: &wgpu::Texture, aspect: wgpu::TextureAspect) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor { aspect, ..wgpu::TextureViewDescriptor::default() })
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
