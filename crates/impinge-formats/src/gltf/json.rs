//! The parts of a glTF document that say where surfaces are. Everything else in it is passed over.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) asset: Asset,
    pub(super) scene: Option<usize>,
    #[serde(default)]
    pub(super) scenes: Vec<SceneRoots>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<MeshEntry>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default)]
    pub(super) animations: Vec<AnimationEntry>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default)]
    pub(super) extensions_used: Vec<String>,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Asset {
    pub(super) version: String,
}

#[derive(Deserialize)]
pub(super) struct SceneRoots {
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    /// Sixteen numbers, column by column.
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) weights: Option<Vec<f64>>,
    #[serde(default)]
    pub(super) extensions: NodeExtensions,
    /// As it stands in the file: it may be anything, and large.
    pub(super) extras: Option<Box<RawValue>>,
}

#[derive(Deserialize, Default)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Instancing>,
    #[serde(rename = "KHR_node_visibility")]
    pub(super) visibility: Option<Visibility>,
}

#[derive(Deserialize)]
pub(super) struct Instancing {
    /// Accessors by the names of attributes. Names other than those of transforms are the application's own.
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, usize>,
}

#[derive(Deserialize)]
pub(super) struct Visibility {
    pub(super) visible: Option<bool>,
}

#[derive(Deserialize)]
pub(super) struct MeshEntry {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) primitives: Vec<Primitive>,
    #[serde(default)]
    pub(super) weights: Vec<f64>,
    pub(super) extras: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    pub(super) mode: Option<u64>,
    #[serde(default)]
    pub(super) targets: Vec<Target>,
    #[serde(default)]
    pub(super) extensions: PrimitiveExtensions,
}

#[derive(Deserialize, Default)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<DracoStream>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DracoStream {
    pub(super) buffer_view: usize,
    /// Numbers in the stream by the names of attributes.
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, u32>,
}

#[derive(Deserialize, Default)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
    #[serde(rename = "JOINTS_0")]
    pub(super) joints_0: Option<usize>,
    #[serde(rename = "WEIGHTS_0")]
    pub(super) weights_0: Option<usize>,
    #[serde(rename = "JOINTS_1")]
    pub(super) joints_1: Option<usize>,
    #[serde(rename = "WEIGHTS_1")]
    pub(super) weights_1: Option<usize>,
}

#[derive(Deserialize)]
pub(super) struct Target {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: Option<usize>,
    #[serde(default)]
    pub(super) joints: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct AnimationEntry {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) channels: Vec<Channel>,
    #[serde(default)]
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Deserialize)]
pub(super) struct ChannelTarget {
    pub(super) node: Option<usize>,
    pub(super) path: String,
}

#[derive(Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u64,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Sparse>,
}

/// Elements that replace some of an accessor's own.
#[derive(Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
    #[serde(default)]
    pub(super) extensions: ViewExtensions,
}

#[derive(Deserialize, Default)]
pub(super) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(super) meshopt: Option<MeshoptView>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeshoptView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: usize,
    pub(super) count: usize,
    pub(super) mode: String,
    pub(super) filter: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}
