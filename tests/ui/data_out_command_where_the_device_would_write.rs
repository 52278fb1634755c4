//! E0277: A READ through the call that only reads its slice.
use passthru::{ScsiDevice, ScsiTransportExt, scsi::Read16};

fn main() {
    let disk = ScsiDevice::open("/dev/sda").unwrap();
    disk.write(&Read16::new(0, 1), &[0u8; 512]).unwrap();
}
