mod command;
mod drive;
mod lists;
mod pages;
mod pieces;
mod robust;

use super::LogReply;

/// Bytes of which some are set.
fn page(length: usize, parts: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; length];
    for (at, part) in parts {
        bytes[*at..at + part.len()].copy_from_slice(part);
    }
    bytes
}

/// Each byte of the page has a value of its own, so that no two fields can be
/// taken for each other.
fn numbered(length: usize) -> Vec<u8> {
    (0..251).cycle().take(length).collect()
}

fn parse<R: LogReply>(bytes: &[u8]) -> R {
    match R::from_bytes(bytes.to_vec()) {
        Ok(reply) => reply,
        Err(reason) => panic!("{reason}"),
    }
}
