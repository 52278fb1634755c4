//! E0502: A command with a buffer of its own passes through the mapped pages too.
use passthru::{ScsiTransportExt, SgDevice, scsi::Inquiry};

fn main() {
    let mut device = SgDevice::open("/dev/sg0").unwrap();
    let mut reserve = device.map_reserve(4096).unwrap();
    let bytes = &reserve[..512];
    reserve.device().query(&Inquiry::standard()).unwrap();
    println!("{}", bytes[0]);
}
