//! E0603: The seal is not to be had.
use passthru::nvme::command::sealed::Sealed;

struct Mine;

impl Sealed for Mine {}

fn main() {}
