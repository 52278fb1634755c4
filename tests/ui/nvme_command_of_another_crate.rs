//! E0277: Whose lengths are right only this crate can promise.
use passthru::nvme::{Command, LengthMismatch, Lengths, Queue, Sqe};

struct Mine;

impl Command for Mine {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, _: Lengths) -> Result<Sqe, LengthMismatch> {
        Ok(Sqe::new(0x02))
    }
}

fn main() {}
