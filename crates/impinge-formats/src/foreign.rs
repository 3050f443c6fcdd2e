//! Formats that are not read, but known by name: the error tells which program converts them.

use crate::error::ReadErrorKind;

struct Foreign {
    format: &'static str,
    converter: &'static str,
    extensions: &'static [&'static str],
    /// What such files start with.
    marks: &'static [&'static [u8]],
}

/// IFC files are STEP files by their first bytes, so that they come first.
const KNOWN: [Foreign; 5] = [
    Foreign {
        format: "an IFC file",
        converter: "IfcConvert of IfcOpenShell (`IfcConvert in.ifc out.glb`)",
        extensions: &["ifc", "ifczip", "ifcxml"],
        marks: &[],
    },
    Foreign {
        format: "a STEP file",
        converter: "FreeCAD or Mayo (`mayo-conv in.step --export out.glb`)",
        extensions: &["step", "stp", "p21", "stpz"],
        marks: &[b"ISO-10303-21"],
    },
    Foreign {
        format: "an IGES file",
        converter: "FreeCAD or Mayo (`mayo-conv in.iges --export out.glb`)",
        extensions: &["iges", "igs"],
        marks: &[],
    },
    Foreign {
        format: "an FBX file",
        converter: "Blender or FBX2glTF (`FBX2glTF --binary in.fbx`)",
        extensions: &["fbx"],
        marks: &[b"Kaydara FBX Binary", b"; FBX"],
    },
    Foreign {
        format: "a USD file",
        converter: "Blender",
        extensions: &["usd", "usda", "usdc", "usdz"],
        marks: &[b"PXR-USDC", b"#usda"],
    },
];

/// Bytes in which a STEP file names its schema.
const HEADER: usize = 4096;

/// What to say about a file of a format that is not read; `None` if it is of none of these.
pub(crate) fn recognize(extension: Option<&str>, bytes: &[u8]) -> Option<ReadErrorKind> {
    let is_named = |name: &&str| extension.is_some_and(|extension| extension.eq_ignore_ascii_case(name));
    let by_name = KNOWN.iter().find(|known| known.extensions.iter().any(is_named));
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let by_mark = || KNOWN.iter().find(|known| known.marks.iter().any(|mark| start.starts_with(mark)));
    let head = &start[..start.len().min(HEADER)];
    let is_ifc = || head.windows(5).any(|word| word == b"('IFC");
    let known = by_name.or_else(by_mark)?;
    let known =
        if by_name.is_none() && known.format == KNOWN[1].format && is_ifc() { &KNOWN[0] } else { known };
    Some(ReadErrorKind::ForeignFormat { format: known.format, converter: known.converter })
}
