//! Small files of every format, and shorthands to read them.

use impinge::Mesh;
use impinge_formats::{Format, Scene, SceneMesh, read_bytes};

/// Reads a file that must be good.
pub(crate) fn scene(bytes: impl AsRef<[u8]>, format: Format) -> Scene {
    read_bytes(bytes.as_ref(), format, "good").unwrap_or_else(|error| panic!("{error}"))
}

/// Reads a file that must be good and have one mesh.
pub(crate) fn only(bytes: impl AsRef<[u8]>, format: Format) -> SceneMesh {
    let mut scene = scene(bytes, format);
    assert_eq!(scene.meshes.len(), 1);
    scene.meshes.remove(0)
}

/// The message about a file that must be bad.
pub(crate) fn error(bytes: impl AsRef<[u8]>, format: Format) -> String {
    match read_bytes(bytes.as_ref(), format, "bad.file") {
        Ok(_) => panic!("the file was read"),
        Err(error) => error.to_string(),
    }
}

/// The corners of all faces.
pub(crate) fn faces(mesh: &Mesh) -> Vec<Vec<u32>> {
    (0..mesh.face_count() as u32).map(|face| mesh.corners(face).collect()).collect()
}

pub(crate) fn vertices(mesh: &Mesh) -> Vec<[f64; 3]> {
    mesh.vertices().map(|point| point.to_array()).collect()
}

pub(crate) fn labels(mesh: &Mesh) -> Vec<u32> {
    (0..mesh.face_count() as u32).map(|face| mesh.label(face)).collect()
}

pub(crate) fn groups(mesh: &Mesh) -> Vec<(&str, u32)> {
    mesh.groups().iter().map(|group| (group.name.as_str(), group.first_face)).collect()
}

/// Two triangles.
pub(crate) const OBJ: &str = "\
# a square\nmtllib m.mtl\no square\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\nvt 0 0\nvn 0 0 1\n\
g left\nf 1/1/1 2//1 3/1\ng right\nf -4 \\\n -2 -1\nl 1 2\n";

pub(crate) const STL_TEXT: &str = "\
solid one\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1e0 0\n  endloop\n \
endfacet\nendsolid one\nsolid two\nfacet normal nan nan nan\nouter loop\nvertex 0 0 5\nvertex 1 0 5\nvertex 0 1 5\n\
endloop\nendfacet\nendsolid two\n";

pub(crate) const PLY_TEXT: &str = "\
ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty float y\nproperty double z\n\
property uchar red\nelement material 1\nproperty list uchar int stuff\nproperty float shine\nelement face 2\n\
property list uchar int vertex_indices\nproperty int flags\nend_header\n0 0 0 255\n1 0 0 255\n1 1 0 0\n0 1 0 0\n\
2 7 8 0.5\n3 0 1 2 9\n3 0 2 3 9\n";

pub(crate) const OFF: &str = "OFF # mine\n4 2 5\n\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3 255 0 0\n";

/// A binary STL of one triangle whose comment starts like a text file.
pub(crate) fn stl_binary() -> Vec<u8> {
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, 0);
    bytes.extend(1_u32.to_le_bytes());
    for value in [0.0_f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.1, 0.0] {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0, 0]);
    bytes
}

/// A binary PLY of either byte order, with properties of many types around those that matter.
pub(crate) fn ply_binary(big_endian: bool) -> Vec<u8> {
    let order = if big_endian { "big" } else { "little" };
    let mut bytes = format!(
        "ply\r\nformat binary_{order}_endian 1.0\r\nelement edge 2\r\nproperty short a\r\nproperty list uint16 float64 b\r\n\
         element vertex 4\r\nproperty double z\r\nproperty int8 c\r\nproperty float x\r\nproperty int16 y\r\nelement face 2\r\n\
         property float32 quality\r\nproperty list int uint32 vertex_index\r\nend_header\r\n"
    )
    .into_bytes();
    macro_rules! put {
        ($($value:expr),*) => {
            $(bytes.extend_from_slice(&if big_endian { $value.to_be_bytes() } else { $value.to_le_bytes() });)*
        };
    }
    put!(7_i16, 2_u16, 1.0_f64, 2.0_f64, 8_i16, 0_u16);
    put!(0.0_f64, 1_i8, 0.0_f32, 0_i16);
    put!(0.0_f64, 1_i8, 1.5_f32, 0_i16);
    put!(0.1_f64, -1_i8, 1.5_f32, -3_i16);
    put!(0.0_f64, 1_i8, 0.0_f32, 1_i16);
    put!(0.5_f32, 3_i32, 0_u32, 1_u32, 2_u32);
    put!(0.5_f32, 3_i32, 0_u32, 2_u32, 3_u32);
    bytes
}

/// The bytes of `f32` numbers.
pub(crate) fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A buffer for glTF: four corners of a square (48 bytes), then six indices of 16 bits (12 bytes).
pub(crate) fn square_buffer() -> Vec<u8> {
    let mut bytes = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    bytes.extend([0_u16, 1, 2, 0, 2, 3].iter().flat_map(|index| index.to_le_bytes()));
    bytes
}

/// A document over [`square_buffer`], whose buffer entry and further members are given.
pub(crate) fn square_document(buffer: &str, nodes: &str, primitive: &str) -> String {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
"meshes":[{{"name":"square","primitives":[{primitive}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}},
{{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":12}}],
"buffers":[{{{buffer}"byteLength":60}}]}}"#
    )
}

pub(crate) const SQUARE: &str = r#"{"attributes":{"POSITION":0},"indices":1}"#;

/// A buffer entry's URI with the data in it.
pub(crate) fn data_uri(bytes: &[u8]) -> String {
    use base64::Engine;
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    format!(r#""uri":"data:application/octet-stream;base64,{data}","#)
}

pub(crate) fn gltf() -> String {
    square_document(&data_uri(&square_buffer()), r#"{"mesh":0}"#, SQUARE)
}

pub(crate) fn glb_of(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + binary.len() as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

pub(crate) fn glb() -> Vec<u8> {
    glb_of(&square_document("", r#"{"mesh":0,"translation":[0,0,2]}"#, SQUARE), &square_buffer())
}

/// A COLLADA file: a square of two triangles in a node that is turned, and a quad in another.
pub(crate) const DAE: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries>
<geometry id="g" name="square"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/><p>0 9 1 9 2 9 0 9 2 9 3 9</p></triangles>
</mesh></geometry>
<geometry id="q" name="quad"><mesh>
<source id="r"><float_array id="ra" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source="#ra" count="4" stride="3"/></technique_common></source>
<vertices id="w"><input semantic="POSITION" source="#r"/></vertices>
<polylist count="1"><input semantic="VERTEX" source="#w" offset="0"/><vcount>4</vcount><p>0 1 2 3</p></polylist>
<lines count="1"><input semantic="VERTEX" source="#w" offset="0"/><p>0 1</p></lines>
</mesh></geometry></library_geometries>
<library_nodes><node id="shared" name="inner"><instance_geometry url="#q"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node name="outer"><translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 2 2</scale>
<instance_geometry url="#g"/><node name="copy"><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_node url="#shared"/></node></node>
<node><instance_node url="#shared"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"##;

/// The model of a 3MF package: a tetrahedron, and an object of two of them.
pub(crate) const MODEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<model unit="inch" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>
<object id="1" name="tip" type="model"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/><vertex x="0" y="0" z="1"/></vertices>
<triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/><triangle v1="1" v2="2" v3="3"/><triangle v1="2" v2="0" v3="3"/></triangles></mesh></object>
<object id="2" name="pair"><components><component objectid="1"/><component objectid="1" transform="0 1 0 -1 0 0 0 0 1 5 6 7"/></components></object>
</resources><build><item objectid="2" transform="2 0 0 0 2 0 0 0 2 100 0 0"/><item objectid="1"/></build></model>"#;

/// A ZIP archive of files.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::Write;
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A 3MF package of these parts.
pub(crate) fn three_mf(parts: &[(&str, &str)]) -> Vec<u8> {
    let relationships = r#"<Relationships><Relationship Target="/3D/3dmodel.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>"#;
    let mut files: Vec<(&str, &[u8])> = vec![("_rels/.rels", relationships.as_bytes())];
    files.extend(parts.iter().map(|(name, content)| (*name, content.as_bytes())));
    zip(&files)
}

/// A good file of every kind.
pub(crate) fn samples() -> Vec<(&'static str, Format, Vec<u8>)> {
    vec![
        ("text.obj", Format::Obj, OBJ.into()),
        ("text.stl", Format::Stl, STL_TEXT.into()),
        ("binary.stl", Format::Stl, stl_binary()),
        ("text.ply", Format::Ply, PLY_TEXT.into()),
        ("little.ply", Format::Ply, ply_binary(false)),
        ("big.ply", Format::Ply, ply_binary(true)),
        ("text.off", Format::Off, OFF.into()),
        ("data.gltf", Format::Gltf, gltf().into()),
        ("binary.glb", Format::Glb, glb()),
        ("scene.dae", Format::Collada, DAE.into()),
        ("model.3mf", Format::ThreeMf, three_mf(&[("3D/3dmodel.model", MODEL)])),
    ]
}
