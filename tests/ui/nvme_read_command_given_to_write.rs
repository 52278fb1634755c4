//! E0277: A Read through the call that only reads its slice.
use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::Read};

fn main() {
    let namespace = NvmeNamespace::open_rw("/dev/ng0n1").unwrap();
    namespace.write(&Read::new(0, 1), &[0u8; 512]).unwrap();
}
