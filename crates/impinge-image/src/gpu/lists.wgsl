// After all edges were listed and all faces counted: which entries are inside of something.

struct Entry {
    next: u32,
    pixel: u32,
    edge: vec2<u32>,
    depth: f32,
    count: i32,
    low: i32,
    high: i32,
    members: i32,
}

struct Entries {
    count: u32,
    room: u32,
    list: array<Entry>,
}

struct Hit {
    pixel: vec2<u32>,
    layer: u32,
    depth: f32,
    edge: vec2<u32>,
    padding: vec2<u32>,
    sums: vec4<i32>,
}

struct Found {
    count: atomic<u32>,
    room: u32,
    // Whether a count is negative.
    negative: atomic<u32>,
    // Pixels a side.
    side: u32,
    // How many entries there would be, with room for all.
    entries: u32,
    padding_a: u32,
    padding_b: u32,
    padding_c: u32,
    list: array<Hit>,
}

@group(0) @binding(0) var<storage, read_write> entries: Entries;
@group(0) @binding(1) var<storage, read_write> found: Found;

const GROUP = 64u;
// Groups of one row of a dispatch.
const ROW = 16384u;

fn number(id: vec3<u32>) -> u32 {
    return id.y * ROW * GROUP + id.x;
}

@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = number(id);
    if at == 0u {
        found.entries = entries.count;
    }
    if at >= min(entries.count, entries.room) {
        return;
    }
    let entry = entries.list[at];
    if entry.count < 0 {
        atomicStore(&found.negative, 1u);
    }
    if entry.count <= 0 {
        return;
    }
    let place = atomicAdd(&found.count, 1u);
    if place < found.room {
        let pixel = vec2(entry.pixel % found.side, entry.pixel / found.side);
        let sums = vec4(entry.low, entry.high, entry.members, entry.count);
        found.list[place] = Hit(pixel, 0u, entry.depth, entry.edge, vec2(0u), sums);
    }
}

// Back to before any face was counted.
@compute @workgroup_size(64)
fn forget(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = number(id);
    if at >= min(entries.count, entries.room) {
        return;
    }
    entries.list[at].count = 0;
    entries.list[at].low = 0;
    entries.list[at].high = 0;
    entries.list[at].members = 0;
}
