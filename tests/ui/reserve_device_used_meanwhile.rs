//! E0502: Any command of the descriptor may pass through the mapped pages.
use passthru::{ScsiTransportExt, SgDevice, scsi::TestUnitReady};

fn main() {
    let mut device = SgDevice::open("/dev/sg0").unwrap();
    let reserve = device.map_reserve(4096).unwrap();
    device.execute(&TestUnitReady).unwrap();
    println!("{}", reserve.len());
}
