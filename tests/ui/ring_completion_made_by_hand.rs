//! E0639: Only a ring says what has ended.
use passthru::{
    device::{Completed, Target},
    nvme::Completion,
};

fn made(target: Target, completion: Completion) -> Completed {
    Completed {
        token: 0,
        target,
        result: Ok(completion),
        buffer: None,
        metadata: None,
        buffers: Vec::new(),
    }
}

fn main() {
    let _ = made;
}
