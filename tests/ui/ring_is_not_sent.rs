//! E0277: The kernel takes commands from the thread that made the ring.
use passthru::NvmeRing;

fn main() {
    let ring = NvmeRing::builder().build().unwrap();
    std::thread::spawn(move || drop(ring));
}
