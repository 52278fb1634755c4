//! E0277: A Write is no data-in command.
use passthru::{AlignedBuf, NvmeNamespace, NvmeRing, nvme::io::Write};

fn main() {
    let mut ring = NvmeRing::builder().build().unwrap();
    let namespace = NvmeNamespace::open_rw("/dev/ng0n1").unwrap();
    let drive = ring.add_namespace(namespace).unwrap();
    let buffer = AlignedBuf::new(512).unwrap();
    ring.read(drive, &Write::new(0, 1), buffer, 0).unwrap();
}
