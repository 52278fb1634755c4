//! The commands of the I/O queues: what a namespace is there for. NVM Command
//! Set 1.1, 3.3.

mod read;
mod write;

pub use read::Read;
pub use write::Write;

use super::{LengthMismatch, Lengths};

/// Checks the buffers of a command that moves `blocks` blocks. `without_metadata`:
/// the controller makes and checks the metadata itself (PRACT).
fn check_blocks(
    lengths: Lengths,
    blocks: u32,
    without_metadata: bool,
) -> Result<(), LengthMismatch> {
    if !(1..=65536).contains(&blocks) {
        return Err(LengthMismatch::Blocks { blocks });
    }
    let format = lengths.format.ok_or(LengthMismatch::NoFormat)?;
    let format = if without_metadata && format.is_pure_protection() {
        format.metadata(0, false)
    } else {
        format
    };
    let (data, metadata) = (format.data_len(blocks), format.metadata_len(blocks));
    if lengths.data as u64 != data {
        return Err(LengthMismatch::Data {
            len: lengths.data,
            expected: data,
        });
    }
    if lengths.metadata as u64 != metadata {
        return Err(LengthMismatch::Metadata {
            len: lengths.metadata,
            expected: metadata,
        });
    }
    Ok(())
}
