//! E0277: A descriptor in other hands could be mapped once more, or take a command's result.
use passthru::SgDevice;

fn main() {
    let device = SgDevice::open("/dev/sg0").unwrap();
    let _ = std::os::fd::AsFd::as_fd(&device);
}
