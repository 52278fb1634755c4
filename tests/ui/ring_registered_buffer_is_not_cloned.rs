//! E0599: Two of one buffer would be two commands into it.
use passthru::NvmeRing;

fn main() {
    let ring = NvmeRing::builder().registered_buffers(1, 4096).build().unwrap();
    let buffer = ring.buffer().unwrap();
    drop(buffer.clone());
}
