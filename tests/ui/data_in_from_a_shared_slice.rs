//! E0308: The data of a raw command has its direction too.
use passthru::{Data, Options, ScsiDevice, ScsiTransport, scsi::Cdb};

fn main() {
    let disk = ScsiDevice::open("/dev/sda").unwrap();
    let buffer = [0u8; 36];
    let inquiry = Cdb::from_array([0x12, 0, 0, 0, 36, 0]);
    disk.send(&inquiry, Data::In(&buffer), &Options::new()).unwrap();
}
