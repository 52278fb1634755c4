//! E0597: The buffer is the device's.
use passthru::SgDevice;

fn main() {
    let reserve = {
        let mut device = SgDevice::open("/dev/sg0").unwrap();
        device.map_reserve(4096).unwrap()
    };
    println!("{}", reserve.len());
}
