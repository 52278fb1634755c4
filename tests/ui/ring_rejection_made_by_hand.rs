//! E0639: Only a ring says what it has not taken.
use passthru::{Error, device::RingRejected};

fn made(error: Error) -> RingRejected {
    RingRejected {
        error: Box::new(error),
        buffer: None,
        metadata: None,
        buffers: Vec::new(),
    }
}

fn main() {
    let _ = made;
}
