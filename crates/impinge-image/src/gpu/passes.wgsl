// The passes of an image: edges, one layer behind the other; faces before them, counted; what is to be known of a pixel.
//
// Places in the image are in pixels from its middle, to the right and down. docs/math/image.md says what an edge covers and why.

struct View {
    // Pixels a side.
    side: f32,
    // How many pixels a depth of 1 is.
    depth_in_pixels: f32,
    // Depths between which edges are drawn.
    nearest: f32,
    farthest: f32,
    // By how much edges are moved outwards, in the world.
    offset: f32,
    other_count: u32,
    // Whether an edge is not held against faces of its own object.
    ignore_own: u32,
    padding: u32,
    // From the world to the image, for the way out of an edge.
    image_from_world: mat4x4<f32>,
    // Other directions of view, as seen here.
    others: array<vec4<f32>, 12>,
}

struct Instance {
    image_from_model: mat4x4<f32>,
    world_from_normal: mat3x3<f32>,
    object: u32,
    weight_slot: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> weights: array<vec4<f32>>;

@group(1) @binding(0) var<storage, read> positions: array<f32>;
@group(1) @binding(1) var<storage, read> edge_ends: array<vec2<u32>>;
@group(1) @binding(2) var<storage, read> normals: array<f32>;

// The layer before, for edges; this layer, for faces and for pixels. An edge is the number of its instance plus 1, its own number, and the
// bits of its depth, which GL cannot read from depths themselves; 0 is none.
@group(2) @binding(0) var layer_edges: texture_2d<u32>;
// The sums of weights before this layer, and where what was found is written.
@group(2) @binding(1) var layer_sums: texture_2d<f32>;
@group(2) @binding(2) var<storage, read_write> found: Found;

struct Found {
    count: atomic<u32>,
    // What is found beyond this is counted, not written.
    room: u32,
    padding: vec2<u32>,
    more_padding: vec4<u32>,
    list: array<Hit>,
}

struct Hit {
    pixel: vec2<u32>,
    layer: u32,
    depth: f32,
    edge: vec2<u32>,
    padding: vec2<u32>,
    sums: vec4<f32>,
}

fn vertex_at(index: u32) -> vec3<f32> {
    return vec3(positions[3u * index], positions[3u * index + 1u], positions[3u * index + 2u]);
}

// ---------------------------------------------------------------- edges

struct EdgeFragment {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) first: vec3<f32>,
    @location(1) @interpolate(flat) last: vec3<f32>,
    @location(2) @interpolate(flat) id: vec2<u32>,
    // 0 where the edge is longer to the right, 1 where it is longer down.
    @location(3) @interpolate(flat) long: u32,
}

fn edge_end(instance: u32, index: u32) -> vec3<f32> {
    var place = instances[instance].image_from_model * vec4(vertex_at(index), 1.0);
    if view.offset > 0.0 {
        let normal = vec3(normals[3u * index], normals[3u * index + 1u], normals[3u * index + 2u]);
        let out = instances[instance].world_from_normal * normal;
        let size = length(out);
        if size > 0.0 {
            place += view.image_from_world * vec4(out * (view.offset / size), 0.0);
        }
    }
    return place.xyz / place.w;
}

@vertex
fn edge_strip(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> EdgeFragment {
    let edge = vertex / 6u;
    let ends = edge_ends[edge];
    let a = edge_end(instance, ends.x);
    let b = edge_end(instance, ends.y);
    let way = b - a;
    let pixels = vec3(way.xy, way.z * view.depth_in_pixels);
    var drawn = true;
    for (var other = 0u; other < view.other_count; other++) {
        drawn = drawn && abs(pixels.z) <= abs(dot(pixels, view.others[other].xyz)) * 1.001 + 0.01;
    }
    let long = select(1u, 0u, abs(way.x) >= abs(way.y));
    let short = 1u - long;
    var first = a;
    var last = b;
    if way[long] < 0.0 {
        first = b;
        last = a;
    }
    // What is beside the image or before or behind all that can matter need not be drawn.
    let half = 0.5 * view.side + 2.0;
    drawn = drawn && all(max(a.xy, b.xy) >= vec2(-half)) && all(min(a.xy, b.xy) <= vec2(half));
    drawn = drawn && max(a.z, b.z) >= view.nearest && min(a.z, b.z) <= view.farthest;
    var result: EdgeFragment;
    if !drawn {
        result.position = vec4(2.0, 2.0, 0.5, 1.0);
        return result;
    }
    let run = last[long] - first[long];
    let slope = select(0.0, (last[short] - first[short]) / run, run > 0.0);
    // Corners 0 1 2, 2 1 3: the even ones half a pixel to one side, the odd ones to the other.
    var corners = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u);
    let corner = corners[vertex % 6u];
    var place = vec2(0.0);
    if corner < 2u {
        place[long] = first[long] - 0.5;
        place[short] = first[short] - 0.5 * slope;
    } else {
        place[long] = last[long] + 0.5;
        place[short] = last[short] + 0.5 * slope;
    }
    place[short] += select(-0.5, 0.5, (corner & 1u) == 1u);
    let scale = 2.0 / view.side;
    result.position = vec4(place.x * scale, -place.y * scale, 0.5, 1.0);
    result.first = first;
    result.last = last;
    result.id = vec2(instance + 1u, edge);
    result.long = long;
    return result;
}

struct EdgePixel {
    @location(0) id: vec4<u32>,
    @builtin(frag_depth) depth: f32,
}

fn edge_depth(edge: EdgeFragment) -> f32 {
    let place = edge.position.xy - 0.5 * view.side;
    let run = edge.last[edge.long] - edge.first[edge.long];
    var share = 0.5;
    if run > 0.0 {
        share = clamp((place[edge.long] - edge.first[edge.long]) / run, 0.0, 1.0);
    }
    return edge.first.z + (edge.last.z - edge.first.z) * share;
}

@fragment
fn first_edge(edge: EdgeFragment) -> EdgePixel {
    let depth = edge_depth(edge);
    if depth < view.nearest || depth > view.farthest {
        discard;
    }
    return EdgePixel(vec4(edge.id, bitcast<u32>(depth), 0u), depth);
}

// Behind the layer before; at the same depth, what was drawn after it.
@fragment
fn next_edge(edge: EdgeFragment) -> EdgePixel {
    let depth = edge_depth(edge);
    if depth < view.nearest || depth > view.farthest {
        discard;
    }
    let pixel = vec2<i32>(edge.position.xy);
    let before = textureLoad(layer_edges, pixel, 0);
    let depth_before = bitcast<f32>(before.z);
    let is_later = edge.id.x > before.x || (edge.id.x == before.x && edge.id.y > before.y);
    if before.x == 0u || depth < depth_before || (depth == depth_before && !is_later) {
        discard;
    }
    return EdgePixel(vec4(edge.id, bitcast<u32>(depth), 0u), depth);
}

// An edge where this layer shows it.
@fragment
fn shown_edge(edge: EdgeFragment) {
    if any(textureLoad(layer_edges, vec2<i32>(edge.position.xy), 0).xy != edge.id) {
        discard;
    }
}

// ---------------------------------------------------------------- faces

struct FaceFragment {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) instance: u32,
}

@vertex
fn face_corner(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> FaceFragment {
    let place = instances[instance].image_from_model * vec4(vertex_at(vertex), 1.0);
    let scale = 2.0 / view.side;
    return FaceFragment(vec4(place.x * scale, -place.y * scale, place.zw), instance);
}

fn counts(face: FaceFragment) -> bool {
    let edge = textureLoad(layer_edges, vec2<i32>(face.position.xy), 0).x;
    let is_own = edge > 0u && instances[max(edge, 1u) - 1u].object == instances[face.instance].object;
    return edge > 0u && !(view.ignore_own == 1u && is_own);
}

@fragment
fn counted_face(face: FaceFragment) {
    if !counts(face) {
        discard;
    }
}

@fragment
fn weighed_front(face: FaceFragment, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    if !counts(face) {
        discard;
    }
    let weight = weights[instances[face.instance].weight_slot];
    return select(-weight, weight, is_front);
}

@fragment
fn tallied_face() -> @location(0) vec4<f32> {
    return vec4(1.0, 0.0, 0.0, 0.0);
}

// ---------------------------------------------------------------- pixels

// One triangle that covers the image.
fn covering(vertex: u32) -> vec4<f32> {
    return vec4(f32(vertex & 1u) * 4.0 - 1.0, f32(vertex >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}

@vertex
fn whole_image(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return covering(vertex);
}

@fragment
fn has_edge(@builtin(position) position: vec4<f32>) {
    if textureLoad(layer_edges, vec2<i32>(position.xy), 0).x == 0u {
        discard;
    }
}

@fragment
fn what_is_there(@builtin(position) position: vec4<f32>) -> @location(0) vec4<u32> {
    let edge = textureLoad(layer_edges, vec2<i32>(position.xy), 0);
    if edge.x == 0u {
        discard;
    }
    return edge;
}

struct WholeImage {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) layer: u32,
}

// The number of the instance is the number of the layer.
@vertex
fn whole_layer(@builtin(vertex_index) vertex: u32, @builtin(instance_index) layer: u32) -> WholeImage {
    return WholeImage(covering(vertex), layer);
}

@fragment
fn write_hit(image: WholeImage) {
    let pixel = vec2<u32>(image.position.xy);
    let edge = textureLoad(layer_edges, pixel, 0);
    if edge.x == 0u {
        discard;
    }
    let place = atomicAdd(&found.count, 1u);
    if place < found.room {
        let sums = textureLoad(layer_sums, pixel, 0);
        found.list[place] = Hit(pixel, image.layer, bitcast<f32>(edge.z), edge.xy, vec2(0u), sums);
    }
}

// ---------------------------------------------------------------- all layers at once

// An edge at a pixel, and what lies before it.
struct Entry {
    // Number of the next entry of the pixel plus 1; 0 is none.
    next: u32,
    pixel: u32,
    edge: vec2<u32>,
    depth: f32,
    count: atomic<i32>,
    low: atomic<i32>,
    high: atomic<i32>,
    members: atomic<i32>,
}

struct Entries {
    count: atomic<u32>,
    // What comes beyond this is counted, not listed.
    room: u32,
    list: array<Entry>,
}

// For each pixel the number of its first entry plus 1.
@group(2) @binding(0) var<storage, read_write> firsts: array<atomic<u32>>;
@group(2) @binding(1) var<storage, read_write> entries: Entries;

@fragment
fn listed_edge(edge: EdgeFragment) {
    let depth = edge_depth(edge);
    if depth < view.nearest || depth > view.farthest {
        return;
    }
    let place = atomicAdd(&entries.count, 1u);
    if place >= entries.room {
        return;
    }
    let at = vec2<u32>(edge.position.xy);
    let pixel = at.y * u32(view.side) + at.x;
    entries.list[place].pixel = pixel;
    entries.list[place].edge = edge.id;
    entries.list[place].depth = depth;
    atomicStore(&entries.list[place].count, 0);
    atomicStore(&entries.list[place].low, 0);
    atomicStore(&entries.list[place].high, 0);
    atomicStore(&entries.list[place].members, 0);
    entries.list[place].next = atomicExchange(&firsts[pixel], place + 1u);
}

// A face counts for every edge behind it. Sums of whole numbers of 32 bits: what comes between may wrap.
@fragment
fn face_before_edges(face: FaceFragment, @builtin(front_facing) is_front: bool) {
    let at = vec2<u32>(face.position.xy);
    var next = atomicLoad(&firsts[at.y * u32(view.side) + at.x]);
    let sign = select(-1, 1, is_front);
    let object = instances[face.instance].object;
    let weight = weights[instances[face.instance].weight_slot];
    while next > 0u {
        let place = next - 1u;
        next = entries.list[place].next;
        let is_own = view.ignore_own == 1u && instances[entries.list[place].edge.x - 1u].object == object;
        if face.position.z < entries.list[place].depth && !is_own {
            atomicAdd(&entries.list[place].count, sign);
            if weight.w > 0.0 {
                atomicAdd(&entries.list[place].members, sign);
                atomicAdd(&entries.list[place].low, sign * i32(weight.x));
                atomicAdd(&entries.list[place].high, sign * i32(weight.y));
            }
        }
    }
}
