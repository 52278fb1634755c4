//! E0423: A buffer is memory of whole pages that nobody else has.
use passthru::{AlignedBuf, device::RingBuf};

fn main() {
    drop(RingBuf(AlignedBuf::new(512).unwrap()));
}
