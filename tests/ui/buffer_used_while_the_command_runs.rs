//! E0503: Another thread looks at the buffer that the device is filling.
use passthru::{ScsiDevice, ScsiTransportExt, scsi::Read16};

fn main() {
    let disk = ScsiDevice::open("/dev/sda").unwrap();
    let mut buffer = [0u8; 512];
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| disk.read(&Read16::new(0, 1), &mut buffer));
        let early = buffer[0];
        reading.join().unwrap().unwrap();
        early
    });
}
