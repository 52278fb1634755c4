//! E0382: The buffer is the queue's until its completion.
use passthru::{AlignedBuf, SgDevice, device::SgQueue, scsi::Read10};

fn main() {
    let mut queue = SgQueue::new(SgDevice::open("/dev/sg0").unwrap());
    let buffer = AlignedBuf::new(512).unwrap();
    queue.submit_read(&Read10::new(0, 1), buffer).unwrap();
    println!("{}", buffer[0]);
}
