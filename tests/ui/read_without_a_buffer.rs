//! E0277: READ moves data, so it has to go somewhere.
use passthru::{ScsiDevice, ScsiTransportExt, scsi::Read10};

fn main() {
    let disk = ScsiDevice::open("/dev/sda").unwrap();
    disk.execute(&Read10::new(0, 1)).unwrap();
}
