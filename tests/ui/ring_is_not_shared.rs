//! E0277: Nor from others at the same time.
use passthru::NvmeRing;

fn main() {
    let ring = NvmeRing::builder().build().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| ring.in_flight());
    });
}
