//! E0277: A Flush moves nothing.
use passthru::{AlignedBuf, NvmeNamespace, NvmeRing, nvme::io::Flush};

fn main() {
    let mut ring = NvmeRing::builder().build().unwrap();
    let namespace = NvmeNamespace::open_rw("/dev/ng0n1").unwrap();
    let drive = ring.add_namespace(namespace).unwrap();
    let buffer = AlignedBuf::new(512).unwrap();
    ring.read(drive, &Flush, buffer, 0).unwrap();
}
