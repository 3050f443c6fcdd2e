//! GUIDs that are made from ids.

/// The GUID of something by what it is and its id: always the same, as of version 8 of RFC 9562, which leaves the bits to whoever makes it.
pub(crate) fn guid(kind: &str, id: &str) -> String {
    // FNV-1a of 128 bits, written out as that of clash ids is.
    let bytes = b"impinge\n".iter().chain(kind.as_bytes()).chain(b"\n").chain(id.as_bytes());
    let hash = bytes.fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, &byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    });
    let version = hash & !(0xf << 76) | (8 << 76);
    let variant = version & !(0x3 << 62) | (0x2 << 62);
    let digits = format!("{variant:032x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// The GUID of the topic of a group or a clash.
pub(crate) fn topic_guid(id: &str) -> String {
    guid("topic", id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guids_are_made_of_ids_alone() {
        // Written down: a change would orphan every topic that somebody works on.
        assert_eq!(topic_guid("0123456789abcdef"), "b82b1932-75f8-8bf2-96fa-61a6029e352f");
        assert_ne!(topic_guid("a"), topic_guid("b"));
        assert_ne!(topic_guid("a"), guid("viewpoint", "a"));
    }
}
