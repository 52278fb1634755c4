//! E0133: Nobody checks what a raw command moves.
use passthru::{AlignedBuf, NvmeNamespace, NvmeRing, nvme::Sqe};

fn main() {
    let mut ring = NvmeRing::builder().build().unwrap();
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    let drive = ring.add_namespace(namespace).unwrap();
    let read = Sqe { cdw12: 7, ..Sqe::new(0x02) };
    let buffer = AlignedBuf::new(512).unwrap().into();
    ring.submit_raw(drive, &read, Some(buffer), None, None, 0).unwrap();
}
