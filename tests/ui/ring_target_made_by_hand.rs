//! E0451: A number that no ring gave could be anything's.
use passthru::device::Target;

fn main() {
    drop(Target { ring: 0, index: 0 });
}
