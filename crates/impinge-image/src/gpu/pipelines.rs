//! The pipelines, made once: which fixed functions and which shaders a pass uses.

/// The stencil starts here, so that it can be counted down as well as up.
pub(super) const BIAS: u32 = 128;

pub(super) const DEPTHS: wgpu::TextureFormat = wgpu::TextureFormat::Depth32FloatStencil8;
pub(super) const IDS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;
pub(super) const WEIGHTS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;
pub(super) const PIXELS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Uint;
/// Sums of ones stay at 2048 when they get there, so a tally never wraps.
pub(super) const TALLY: wgpu::TextureFormat = wgpu::TextureFormat::R16Float;

/// Plain, and for objects whose placement mirrors.
pub(super) type Both = [wgpu::RenderPipeline; 2];

pub(super) struct Pipelines {
    pub(super) scene: wgpu::BindGroupLayout,
    pub(super) shape: wgpu::BindGroupLayout,
    /// The edges of a layer.
    pub(super) layer: wgpu::BindGroupLayout,
    /// A layer, the sums before it, and a list.
    pub(super) hits: wgpu::BindGroupLayout,
    /// Lists of edges.
    pub(super) lists: wgpu::BindGroupLayout,
    /// Lists of edges, and a list of hits.
    pub(super) gathering: wgpu::BindGroupLayout,
    pub(super) tally: wgpu::BindGroupLayout,
    /// Places, faces around vertices, and normals.
    pub(super) normals: wgpu::BindGroupLayout,
    /// Where there are compute passes.
    pub(super) vertex_normals: Option<wgpu::ComputePipeline>,
    pub(super) first_edges: wgpu::RenderPipeline,
    pub(super) next_edges: wgpu::RenderPipeline,
    pub(super) shown_edges: wgpu::RenderPipeline,
    pub(super) count: Both,
    pub(super) weigh: Option<Both>,
    pub(super) positive: wgpu::RenderPipeline,
    pub(super) negative: wgpu::RenderPipeline,
    pub(super) write_hits: Option<wgpu::RenderPipeline>,
    pub(super) collect_all: wgpu::RenderPipeline,
    pub(super) tallied: wgpu::RenderPipeline,
    pub(super) too_many: wgpu::RenderPipeline,
    /// For all layers at once, where fragments can write to storage.
    pub(super) listing: Option<Listing>,
}

/// The passes over lists of edges.
pub(super) struct Listing {
    pub(super) edges: wgpu::RenderPipeline,
    pub(super) faces: Both,
    pub(super) forget: wgpu::ComputePipeline,
    pub(super) gather: wgpu::ComputePipeline,
}

/// What an adapter can do.
#[derive(Clone, Copy)]
pub(super) struct Abilities {
    /// Sums in colors of `f32`, to tell pairs apart in peeled layers.
    pub(super) blends_floats: bool,
    /// Fragments that write to storage, to look at all layers together.
    pub(super) writes_storage: bool,
}

/// What differs between pipelines.
struct Recipe<'r> {
    module: &'r wgpu::ShaderModule,
    groups: &'r [&'r wgpu::BindGroupLayout],
    vertex: &'static str,
    fragment: &'static str,
    target: Option<wgpu::ColorTargetState>,
    depth: Option<wgpu::DepthStencilState>,
    front: wgpu::FrontFace,
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, abilities: Abilities) -> Pipelines {
        let scene = layout(device, &[uniform(0), storage(1), storage(2)]);
        let shape = layout(device, &[storage(0), storage(1), storage(2)]);
        let layer = layout(device, &[texture(0, wgpu::TextureSampleType::Uint)]);
        let floats = wgpu::TextureSampleType::Float { filterable: false };
        let tally = layout(device, &[texture(0, floats)]);
        let written = wgpu::BindGroupLayoutEntry {
            visibility: wgpu::ShaderStages::FRAGMENT,
            ..buffer(2, wgpu::BufferBindingType::Storage { read_only: false })
        };
        let rewritten = |binding, visibility| wgpu::BindGroupLayoutEntry {
            visibility,
            ..buffer(binding, wgpu::BufferBindingType::Storage { read_only: false })
        };
        let both = [0, 1].map(|binding| rewritten(binding, wgpu::ShaderStages::FRAGMENT));
        let lists = layout(device, &both);
        let both = [0, 1].map(|binding| rewritten(binding, wgpu::ShaderStages::COMPUTE));
        let gathering = layout(device, &both);
        let edges_of_layer = texture(0, wgpu::TextureSampleType::Uint);
        let hits = layout(device, &[edges_of_layer, texture(1, floats), written]);
        let passes = device.create_shader_module(wgpu::include_wgsl!("passes.wgsl"));
        let list_passes = device.create_shader_module(wgpu::include_wgsl!("lists.wgsl"));
        let tally_passes = device.create_shader_module(wgpu::include_wgsl!("tally.wgsl"));
        let bare = [&scene, &shape];
        let with_layer = [&scene, &shape, &layer];
        let with_hits = [&scene, &shape, &hits];
        let with_lists = [&scene, &shape, &lists];
        let base = || Recipe {
            module: &passes,
            groups: &with_layer,
            vertex: "face_corner",
            fragment: "counted_face",
            target: None,
            depth: Some(testing(wgpu::CompareFunction::Always, false, wgpu::StencilState::default())),
            front: wgpu::FrontFace::Ccw,
        };
        let make = |recipe: Recipe<'_>| recipe.make(device);
        let edges = |fragment, groups| Recipe {
            vertex: "edge_strip",
            fragment,
            groups,
            target: Some(IDS.into()),
            depth: Some(testing(wgpu::CompareFunction::Less, true, wgpu::StencilState::default())),
            ..base()
        };
        let count = |front| Recipe {
            depth: Some(testing(wgpu::CompareFunction::Less, false, counting())),
            front,
            ..base()
        };
        let weigh = |front| Recipe {
            fragment: "weighed_front",
            target: Some(adding(WEIGHTS)),
            depth: Some(testing(wgpu::CompareFunction::Less, false, wgpu::StencilState::default())),
            front,
            ..base()
        };
        let pixels = |fragment, groups, compare, target: Option<wgpu::ColorTargetState>| Recipe {
            vertex: "whole_image",
            fragment,
            groups,
            target,
            depth: Some(testing(wgpu::CompareFunction::Always, false, comparing(compare))),
            ..base()
        };
        // Nothing is drawn to the target that a pass needs.
        let unseen = wgpu::ColorTargetState { write_mask: wgpu::ColorWrites::empty(), ..TALLY.into() };
        let listing = |vertex, fragment, front| Recipe {
            vertex,
            fragment,
            groups: &with_lists,
            target: Some(unseen.clone()),
            depth: None,
            front,
            ..base()
        };
        let over_entries = |entry_point| computing(device, &gathering, &list_passes, entry_point);
        let normal_passes = device.create_shader_module(wgpu::include_wgsl!("normals.wgsl"));
        let read = |binding| wgpu::BindGroupLayoutEntry {
            visibility: wgpu::ShaderStages::COMPUTE,
            ..storage(binding)
        };
        let normals = layout(device, &[read(0), read(1), rewritten(2, wgpu::ShaderStages::COMPUTE)]);
        let sides = [wgpu::FrontFace::Ccw, wgpu::FrontFace::Cw];
        Pipelines {
            first_edges: make(edges("first_edge", &bare)),
            next_edges: make(edges("next_edge", &with_layer)),
            shown_edges: make(Recipe {
                target: None,
                depth: Some(testing(
                    wgpu::CompareFunction::Always,
                    false,
                    comparing(wgpu::CompareFunction::Less),
                )),
                ..edges("shown_edge", &with_layer)
            }),
            count: sides.map(|front| make(count(front))),
            weigh: abilities.blends_floats.then(|| sides.map(|front| make(weigh(front)))),
            positive: make(pixels("has_edge", &with_layer, wgpu::CompareFunction::Less, None)),
            negative: make(pixels("has_edge", &with_layer, wgpu::CompareFunction::Greater, None)),
            write_hits: abilities.writes_storage.then(|| {
                make(Recipe {
                    vertex: "whole_layer",
                    ..pixels("write_hit", &with_hits, wgpu::CompareFunction::Less, None)
                })
            }),
            collect_all: make(pixels(
                "what_is_there",
                &with_layer,
                wgpu::CompareFunction::Always,
                Some(PIXELS.into()),
            )),
            tallied: make(Recipe {
                fragment: "tallied_face",
                groups: &bare,
                target: Some(adding(TALLY)),
                depth: None,
                ..base()
            }),
            listing: abilities.writes_storage.then(|| Listing {
                edges: make(listing("edge_strip", "listed_edge", wgpu::FrontFace::Ccw)),
                faces: sides.map(|front| make(listing("face_corner", "face_before_edges", front))),
                forget: over_entries("forget"),
                gather: over_entries("gather"),
            }),
            // Whoever can write to storage in fragments can do so in compute passes.
            vertex_normals: abilities
                .writes_storage
                .then(|| computing(device, &normals, &normal_passes, "vertex_normals")),
            too_many: make(Recipe {
                module: &tally_passes,
                groups: &[&tally],
                vertex: "whole_image",
                fragment: "too_many",
                target: Some(wgpu::ColorTargetState {
                    write_mask: wgpu::ColorWrites::empty(),
                    ..wgpu::ColorTargetState::from(PIXELS)
                }),
                depth: None,
                ..base()
            }),
            scene,
            shape,
            layer,
            hits,
            lists,
            gathering,
            tally,
            normals,
        }
    }
}

fn computing(
    device: &wgpu::Device,
    group: &wgpu::BindGroupLayout,
    module: &wgpu::ShaderModule,
    entry_point: &'static str,
) -> wgpu::ComputePipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        bind_group_layouts: &[Some(group)],
        ..wgpu::PipelineLayoutDescriptor::default()
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(entry_point),
        layout: Some(&layout),
        module,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    })
}

impl Recipe<'_> {
    fn make(self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let groups: Vec<Option<&wgpu::BindGroupLayout>> =
            self.groups.iter().map(|group| Some(*group)).collect();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.fragment),
            bind_group_layouts: &groups,
            ..wgpu::PipelineLayoutDescriptor::default()
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.fragment),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState { front_face: self.front, ..wgpu::PrimitiveState::default() },
            depth_stencil: self.depth,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: self.module,
                entry_point: Some(self.fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: self.target.map(Some).as_slice(),
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

fn layout(device: &wgpu::Device, entries: &[wgpu::BindGroupLayoutEntry]) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries })
}

fn entry(binding: u32, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::VERTEX_FRAGMENT, ty, count: None }
}

fn buffer(binding: u32, ty: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    entry(binding, wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None })
}

fn uniform(binding: u32) -> wgpu::BindGroupLayoutEntry {
    buffer(binding, wgpu::BufferBindingType::Uniform)
}

fn storage(binding: u32) -> wgpu::BindGroupLayoutEntry {
    buffer(binding, wgpu::BufferBindingType::Storage { read_only: true })
}

fn texture(binding: u32, sample_type: wgpu::TextureSampleType) -> wgpu::BindGroupLayoutEntry {
    let view_dimension = wgpu::TextureViewDimension::D2;
    entry(binding, wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false })
}

fn testing(
    compare: wgpu::CompareFunction,
    writes: bool,
    stencil: wgpu::StencilState,
) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTHS,
        depth_write_enabled: Some(writes),
        depth_compare: Some(compare),
        stencil,
        bias: wgpu::DepthBiasState::default(),
    }
}

/// Fronts count up, backs count down. They wrap, so only the last count must be within the range, not what comes between.
fn counting() -> wgpu::StencilState {
    let face = |pass_op| wgpu::StencilFaceState { pass_op, ..wgpu::StencilFaceState::IGNORE };
    wgpu::StencilState {
        front: face(wgpu::StencilOperation::IncrementWrap),
        back: face(wgpu::StencilOperation::DecrementWrap),
        read_mask: 0xff,
        write_mask: 0xff,
    }
}

/// Passes where [`BIAS`] compares so with the stencil.
fn comparing(compare: wgpu::CompareFunction) -> wgpu::StencilState {
    let face = wgpu::StencilFaceState { compare, ..wgpu::StencilFaceState::IGNORE };
    wgpu::StencilState { front: face, back: face, read_mask: 0xff, write_mask: 0 }
}

fn adding(format: wgpu::TextureFormat) -> wgpu::ColorTargetState {
    let sum = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    wgpu::ColorTargetState {
        format,
        blend: Some(wgpu::BlendState { color: sum, alpha: sum }),
        write_mask: wgpu::ColorWrites::ALL,
    }
}
