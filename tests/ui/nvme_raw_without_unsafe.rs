//! E0133: Nobody checks what a raw command moves.
use passthru::{Data, Metadata, NvmeNamespace, nvme::Sqe};

fn main() {
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    let mut block = [0u8; 512];
    let read = Sqe { cdw12: 7, ..Sqe::new(0x02) };
    namespace
        .submit_raw(&read, Data::In(&mut block), Metadata::None, None)
        .unwrap();
}
