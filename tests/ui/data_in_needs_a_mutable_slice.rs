//! E0308: The device would write into a slice that others may read.
use passthru::{ScsiDevice, ScsiTransportExt, scsi::Read16};

fn main() {
    let disk = ScsiDevice::open("/dev/sda").unwrap();
    let buffer = [0u8; 512];
    disk.read(&Read16::new(0, 1), &buffer);
}
