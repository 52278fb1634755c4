//! E0505: Nor can a part of it be kept.
use passthru::{AlignedBuf, NvmeNamespace, NvmeRing, nvme::io::Read};

fn main() {
    let mut ring = NvmeRing::builder().build().unwrap();
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    let drive = ring.add_namespace(namespace).unwrap();
    let buffer = AlignedBuf::new(512).unwrap();
    let part = &buffer[..16];
    ring.read(drive, &Read::new(0, 1), buffer, 0).unwrap();
    println!("{part:?}");
}
