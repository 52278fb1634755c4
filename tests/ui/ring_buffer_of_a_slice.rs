//! E0277: A ring that is forgotten outlives what it would have borrowed.
use passthru::{NvmeNamespace, NvmeRing, nvme::io::Read};

fn main() {
    let mut ring = NvmeRing::builder().build().unwrap();
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    let drive = ring.add_namespace(namespace).unwrap();
    let mut block = [0u8; 512];
    ring.read(drive, &Read::new(0, 1), &mut block[..], 0).unwrap();
}
