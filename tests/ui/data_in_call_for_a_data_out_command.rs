//! E0277: A WRITE through the call that fills its slice.
use passthru::{ScsiDevice, ScsiTransportExt, scsi::Write16};

fn main() {
    let disk = ScsiDevice::open_rw("/dev/sda").unwrap();
    disk.read(&Write16::new(0, 1), &mut [0u8; 512]).unwrap();
}
