//! E0499: The kernel maps the same pages twice.
use passthru::SgDevice;

fn main() {
    let mut device = SgDevice::open("/dev/sg0").unwrap();
    let first = device.map_reserve(4096).unwrap();
    let second = device.map_reserve(4096).unwrap();
    println!("{}", first.len() + second.len());
}
