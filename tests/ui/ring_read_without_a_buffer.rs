//! E0277: A Read has to have a place for its data.
use passthru::{NvmeNamespace, NvmeRing, nvme::io::Read};

fn main() {
    let mut ring = NvmeRing::builder().build().unwrap();
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    let drive = ring.add_namespace(namespace).unwrap();
    ring.execute(drive, &Read::new(0, 1), 0).unwrap();
}
