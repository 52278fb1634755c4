//! E0599: Two handles of one descriptor would have one reserve buffer.
use passthru::SgDevice;

fn main() {
    let device = SgDevice::open("/dev/sg0").unwrap();
    let _second: SgDevice = device.clone();
}
