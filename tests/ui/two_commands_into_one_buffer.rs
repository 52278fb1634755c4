//! E0499: Two threads have the device fill the same buffer.
use passthru::{SgDevice, ScsiTransportExt, scsi::Read16};

fn main() {
    let disk = SgDevice::open("/dev/sg0").unwrap();
    let mut buffer = [0u8; 512];
    std::thread::scope(|scope| {
        scope.spawn(|| disk.read(&Read16::new(0, 1), &mut buffer));
        scope.spawn(|| disk.read(&Read16::new(1, 1), &mut buffer));
    });
}
