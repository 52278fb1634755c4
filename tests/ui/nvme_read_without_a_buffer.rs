//! E0277: The controller would write to bus address 0.
use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::Read};

fn main() {
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    namespace.execute(&Read::new(0, 1)).unwrap();
}
