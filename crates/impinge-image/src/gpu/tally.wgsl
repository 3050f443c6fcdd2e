// Where more faces lie behind each other than the stencil can count.

@group(0) @binding(0) var tally: texture_2d<f32>;

@vertex
fn whole_image(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32(vertex & 1u) * 4.0 - 1.0, f32(vertex >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}

@fragment
fn too_many(@builtin(position) position: vec4<f32>) {
    if textureLoad(tally, vec2<i32>(position.xy), 0).x <= 254.0 {
        discard;
    }
}
