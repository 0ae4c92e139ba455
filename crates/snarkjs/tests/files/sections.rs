//! A second implementation of the binary formats' container, to take files apart and to put them together wrongly.

/// Returns the sections of a valid file.
pub fn split(file: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut rest = &file[12..];
    let mut sections = Vec::new();
    while let Some((head, tail)) = rest.split_first_chunk::<12>() {
        let id = u32::from_le_bytes(head[..4].try_into().unwrap());
        let length = u64::from_le_bytes(head[4..].try_into().unwrap()) as usize;
        sections.push((id, tail[..length].to_vec()));
        rest = &tail[length..];
    }
    sections
}

/// Appends sections to the magic bytes and the version.
pub fn join(file: &mut Vec<u8>, sections: &[(u32, Vec<u8>)]) {
    file.extend((sections.len() as u32).to_le_bytes());
    for (id, bytes) in sections {
        file.extend(id.to_le_bytes());
        file.extend((bytes.len() as u64).to_le_bytes());
        file.extend(bytes);
    }
}
