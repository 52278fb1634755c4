use super::*;
use crate::{
    Data,
    nvme::{Queue, Sqe},
    transport::Metadata,
};

/// A node whose descriptor is of a device that knows no ioctl.
pub(in crate::device::nvme) fn node(kind: Kind) -> Core {
    let path = Path::new("/dev/null");
    Core {
        fd: syscall::open(path, OFlag::O_RDONLY).unwrap(),
        path: path.to_path_buf(),
        node: Node {
            kind,
            rdev: 0,
            block: false,
            folder: PathBuf::from("/dev/null"),
        },
        access: Access::ReadWrite,
        timeout: None,
        formats: OnceLock::new(),
    }
}

/// Why a command is refused.
fn refusal(core: &Core, queue: Queue, data: Data<'_>) -> NvmeErrorKind {
    let request = NvmeRequest::unchecked(queue, Sqe::new(0x02), (data, Metadata::None), None);
    let Err(Error::Nvme(error)) = core.submit(request) else {
        panic!("another error");
    };
    match error.kind() {
        NvmeErrorKind::Unsupported { what } => NvmeErrorKind::Unsupported { what },
        NvmeErrorKind::TooLarge { len, limit, .. } => NvmeErrorKind::TooLarge {
            len: *len,
            limit: *limit,
            source: None,
        },
        other => panic!("{other:?}"),
    }
}

/// It cannot tell the format of a namespace, so it could not refuse a length
/// that somebody else reckoned; today's kernels have no such ioctl there.
#[test]
fn a_controller_takes_no_commands_on_blocks() {
    let NvmeErrorKind::Unsupported { what } =
        refusal(&node(Kind::Controller), Queue::Io, Data::Out(&[0; 512]))
    else {
        panic!("another error");
    };
    assert_eq!(what, "I/O commands go to a namespace's node");
    // These two reach the system call.
    for (kind, queue) in [
        (Kind::Controller, Queue::Admin),
        (Kind::Namespace, Queue::Io),
    ] {
        let NvmeErrorKind::Unsupported { what } = refusal(&node(kind), queue, Data::None) else {
            panic!("another error");
        };
        assert!(what.starts_with("this node does not take"), "{what}");
    }
}

/// The kernel cuts what is longer (`MAX_RW_COUNT`) and sends the command as it
/// is.
#[test]
#[cfg(target_pointer_width = "64")]
fn what_the_kernel_would_cut_is_refused() {
    let core = node(Kind::Namespace);
    // Nothing of it is touched.
    let memory = crate::AlignedBuf::new((2 << 30) + 1).unwrap();
    let (half, rest) = memory.split_at(1 << 30);
    let slices = [half, rest].map(std::io::IoSlice::new);
    for data in [Data::Out(&memory), Data::OutVectored(&slices)] {
        let kind = refusal(&core, Queue::Io, data);
        let NvmeErrorKind::TooLarge { len, limit, .. } = kind else {
            panic!("{kind:?}");
        };
        assert_eq!((len, limit), ((2 << 30) + 1, Some(0x7fff_0000)));
    }
    let kind = refusal(&core, Queue::Io, Data::Out(&memory[..0x7fff_0000]));
    assert!(
        matches!(kind, NvmeErrorKind::Unsupported { .. }),
        "{kind:?}"
    );
}
