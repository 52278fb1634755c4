//! E0277: TEST UNIT READY moves nothing.
use passthru::{ScsiDevice, ScsiTransportExt, scsi::TestUnitReady};

fn main() {
    let disk = ScsiDevice::open("/dev/sda").unwrap();
    disk.read(&TestUnitReady, &mut [0u8; 512]).unwrap();
}
