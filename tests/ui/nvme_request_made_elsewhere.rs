//! E0451: A request whose buffers nobody has compared with its entry.
use passthru::{
    Data, Metadata, NvmeNamespace, NvmeRequest, NvmeTransport,
    nvme::{Queue, Sqe},
};

fn main() {
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    let mut block = [0u8; 512];
    let request = NvmeRequest {
        queue: Queue::Io,
        sqe: Sqe::new(0x02),
        data: Data::In(&mut block),
        metadata: Metadata::None,
        timeout: None,
        name: "mine",
        format: None,
    };
    namespace.submit(request).unwrap();
}
