//! E0308: The controller would write where the program only reads.
use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::Read};

fn main() {
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    let block = [0u8; 512];
    namespace.read(&Read::new(0, 1), &block).unwrap();
}
