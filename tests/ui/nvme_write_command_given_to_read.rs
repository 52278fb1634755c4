//! E0277: A Write through the call that fills its slice.
use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::Write};

fn main() {
    let namespace = NvmeNamespace::open_rw("/dev/ng0n1").unwrap();
    namespace.read(&Write::new(0, 1), &mut [0u8; 512]).unwrap();
}
