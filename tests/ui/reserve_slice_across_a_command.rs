//! E0502: The device writes to the bytes that are looked at.
use passthru::{SgDevice, scsi::Read10};

fn main() {
    let mut device = SgDevice::open("/dev/sg0").unwrap();
    let mut reserve = device.map_reserve(4096).unwrap();
    let bytes = &reserve[..512];
    reserve.read(&Read10::new(0, 1), 512).unwrap();
    println!("{}", bytes[0]);
}
