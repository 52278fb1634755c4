//! E0277: Several devices would write to one buffer.
use passthru::{AlignedBuf, NvmeNamespace, NvmeRing, nvme::io::Read};

fn main() {
    let mut ring = NvmeRing::builder().build().unwrap();
    let namespace = NvmeNamespace::open_rw("/dev/ng0n1").unwrap();
    let drive = ring.add_namespace(namespace).unwrap();
    let buffer = AlignedBuf::new(512).unwrap();
    ring.write_to_all(&[(drive, Read::new(0, 1)), (drive, Read::new(1, 1))], buffer, 0).unwrap();
}
