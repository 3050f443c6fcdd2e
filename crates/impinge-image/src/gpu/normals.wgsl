// The normals of vertices that only the device knows: the mean of the normals of a vertex's faces, weighted by their areas.

@group(0) @binding(0) var<storage, read> positions: array<f32>;
// How many vertices there are, the bits of the factor that brings lengths near to 1, for each vertex where its faces begin
// and end, and the faces: three vertices each.
@group(0) @binding(1) var<storage, read> faces: array<u32>;
@group(0) @binding(2) var<storage, read_write> normals: array<f32>;

const GROUP = 64u;
// Groups of one row of a dispatch.
const ROW = 16384u;

fn vertex_at(index: u32) -> vec3<f32> {
    return vec3(positions[3u * index], positions[3u * index + 1u], positions[3u * index + 2u]);
}

@compute @workgroup_size(64)
fn vertex_normals(@builtin(global_invocation_id) id: vec3<u32>) {
    let vertex = id.y * ROW * GROUP + id.x;
    if vertex >= faces[0] {
        return;
    }
    // Products of very long or short sides would leave the range.
    let scale = bitcast<f32>(faces[1]);
    var sum = vec3(0.0);
    for (var at = faces[2u + 2u * vertex]; at < faces[3u + 2u * vertex]; at += 3u) {
        let a = vertex_at(faces[at]);
        sum += cross((vertex_at(faces[at + 1u]) - a) * scale, (vertex_at(faces[at + 2u]) - a) * scale);
    }
    let size = length(sum);
    let normal = select(vec3(0.0), sum / size, size > 0.0);
    normals[3u * vertex] = normal.x;
    normals[3u * vertex + 1u] = normal.y;
    normals[3u * vertex + 2u] = normal.z;
}
