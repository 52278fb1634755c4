//! The nodes of a namespace: `/dev/ngXnY`, `/dev/nvmeXnY`.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use super::{core::Core, node::Kind};
use crate::{
    Access, Error, NvmeErrorKind, OpenOptions, Result,
    nvme::{
        Completion, Format, Nsid, Queue, StatusCode,
        identify::{CommandSet, IdentifyDescriptors, IdentifyNamespace, IdentifyNvmNamespace},
    },
    syscall,
    transport::{NvmeRequest, NvmeTransport, NvmeTransportExt},
};

/// What protection information with a guard of 32 or 64 bits has, in bytes.
const LONG_PROTECTION: u16 = 16;

/// An NVMe namespace, by its generic node `/dev/ngXnY` or its block node
/// `/dev/nvmeXnY`: it takes I/O commands, and admin commands for its controller.
///
/// # Its format
///
/// How many bytes a READ moves is a matter of the namespace's LBA format, and
/// the kernel does not check it. So the crate does, by the format that the
/// namespace tells (Identify Namespace, and once more for its command set and for
/// how long guards are; sent when the format is first needed, and again after any
/// command of this process that may change formats). Commands that may change
/// formats wait for those in flight, and are sent alone.
///
/// Somebody else who formats a namespace while this process reads it can still
/// make a controller move more than was asked for: do not let that happen.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransport, NvmeTransportExt, nvme::io::Read};
///
/// let namespace = NvmeNamespace::open("/dev/ng0n1")?;
/// if let Some(format) = namespace.format()? {
///     let mut block = vec![0; format.data_len(1) as usize];
///     namespace.read(&Read::new(0, 1), &mut block)?;
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Debug)]
#[doc(alias("ng0n1", "nvme0n1"))]
pub struct NvmeNamespace {
    pub(super) core: Core,
    nsid: Nsid,
    format: Mutex<Known>,
}

/// The format, and the count of changes at which it was asked for.
#[derive(Clone, Copy, Debug)]
struct Known {
    at: u64,
    format: Option<Format>,
}

impl NvmeNamespace {
    /// Opens it (`O_RDONLY`) for commands that change nothing
    /// ([`is_read_only`](crate::nvme::is_read_only)). No command is sent.
    ///
    /// # Errors
    /// As [`NvmeController::open`](super::NvmeController::open), and
    /// [`Error::Partition`](crate::Error::Partition).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new())
    }

    /// Opens it (`O_RDWR`) for every command.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_rw(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new().write(true))
    }

    /// Opens it as `options` say. Of their defaults only the timeout has a
    /// meaning here.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        let core = Core::open(path.as_ref(), Kind::Namespace, options)?;
        let nsid = syscall::nvme_id(core.fd())
            .map_err(|source| core.control_error("NVME_IOCTL_ID", source))?;
        Ok(Self {
            core,
            nsid,
            format: Mutex::new(Known {
                at: 0,
                format: None,
            }),
        })
    }

    /// Which namespace it is (`NVME_IOCTL_ID`).
    #[must_use]
    #[doc(alias = "NVME_IOCTL_ID")]
    pub const fn nsid(&self) -> Nsid {
        self.nsid
    }

    /// What this handle lets through.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.core.access()
    }

    fn known(&self) -> Known {
        *self.format.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks a namespace for its format; `None` if it has none. `is_disk`: whether the
/// kernel has made a disk of it.
fn ask(
    transport: &impl NvmeTransport,
    nsid: Nsid,
    is_disk: impl FnOnce() -> bool,
) -> Result<Option<Format>> {
    let data = transport.query(&IdentifyNamespace::new(nsid))?;
    let Some(format) = data.format() else {
        return Ok(None);
    };
    match has_blocks(transport, nsid) {
        Ok(true) => {}
        Ok(false) => return Ok(None),
        // The kernel lets only root ask that. It has asked itself, and makes
        // disks only of what has blocks.
        Err(Error::Nvme(error))
            if matches!(error.kind(), NvmeErrorKind::NotPermitted { .. }) && is_disk() => {}
        Err(error) => return Err(error),
    }
    // Where the metadata has room for a longer guard, what guard there is: PRACT
    // moves no metadata that is nothing but protection information.
    if format.protection_information().is_none() || format.metadata_size() < LONG_PROTECTION {
        return Ok(Some(format));
    }
    match transport.query(&IdentifyNvmNamespace::new(nsid)) {
        Ok(nvm) => Ok(data.format_with(&nvm)),
        // A controller that does not know the question has guards of 16 bits.
        Err(Error::Nvme(error)) if error.status().is_some() => Ok(Some(format)),
        Err(error) => Err(error),
    }
}

/// Whether a namespace is of a command set that has blocks. In others the opcodes
/// of Read and Write are those of commands that say their lengths otherwise: the
/// low half of a Read's address is what a Retrieve of a key value namespace is
/// told of its buffer's length. Identify Namespace may be answered for all.
fn has_blocks(transport: &impl NvmeTransport, nsid: Nsid) -> Result<bool> {
    let status = match transport.query(&IdentifyDescriptors::new(nsid)) {
        Ok(descriptors) => {
            let set = descriptors.command_set().unwrap_or(CommandSet::NVM);
            return Ok(set == CommandSet::NVM || set == CommandSet::ZONED);
        }
        Err(Error::Nvme(error)) => match error.kind() {
            NvmeErrorKind::Status(completion) => completion.status(),
            // Controllers are known that answer nonsense; one that has several
            // command sets has to have a list that says so.
            NvmeErrorKind::Malformed(_) => return Ok(true),
            _ => return Err(Error::Nvme(error)),
        },
        Err(error) => return Err(error),
    };
    // A controller before 1.3 does not know the question, and others refuse it
    // for good. What may be answered another time is no answer now.
    let unknown = [StatusCode::INVALID_OPCODE, StatusCode::INVALID_FIELD];
    if status.do_not_retry() || unknown.contains(&status.status_code()) {
        return Ok(true);
    }
    let completion = Completion::new(status, 0);
    Err(transport.nvme_error::<IdentifyDescriptors>(None, NvmeErrorKind::Status(completion)))
}

impl NvmeTransport for NvmeNamespace {
    fn submit(&self, mut request: NvmeRequest<'_>) -> Result<Completion> {
        if request.queue() == Queue::Io {
            request.set_nsid(self.nsid);
        }
        let Some(wanted) = request.format() else {
            return self.core.submit(request);
        };
        let count = self.core.formats().keep();
        let known = self.known();
        if known.at != *count || known.format != Some(wanted) {
            let changed = NvmeErrorKind::Unsupported {
                what: "the namespace may have been formatted since the command was made: try again",
            };
            return Err(self.core.error(&request, changed));
        }
        self.core.submit(request)
    }

    fn path(&self) -> &Path {
        self.core.path()
    }

    /// Identify Namespace is sent if it is not known, or may have changed.
    fn format(&self) -> Result<Option<Format>> {
        let at = *self.core.formats().keep();
        let known = self.known();
        if known.at == at && known.format.is_some() {
            return Ok(known.format);
        }
        let format = ask(self, self.nsid, || self.core.is_disk(self.nsid))?;
        *self.format.lock().unwrap_or_else(PoisonError::into_inner) = Known { at, format };
        Ok(format)
    }

    fn max_transfer(&self) -> Option<usize> {
        self.core.max_transfer()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::{
        Data,
        device::nvme::core,
        nvme::{NvmeStatus, Protection, io::Read},
    };

    /// A namespace of 4096 bytes with metadata and protection of type 1.
    struct Namespace {
        metadata: u8,
        /// The guard (PIF) of its format; `None` for one that knows no CNS 05h.
        guard: Option<u8>,
        /// What its identification descriptors are, or their status.
        descriptors: std::result::Result<[u8; 5], u16>,
        asked: Cell<u32>,
    }

    /// In place of a status: the kernel lets nobody ask.
    const NOT_PERMITTED: u16 = u16::MAX;

    /// A descriptor of a command set (CSI).
    const fn set(csi: u8) -> [u8; 5] {
        [4, 1, 0, 0, csi]
    }

    impl NvmeTransport for Namespace {
        fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
            self.asked.set(self.asked.get() + 1);
            let (cns, mut bytes) = (request.sqe().cdw10 & 0xff, vec![0; 4096]);
            let mut status = 0;
            match (cns, self.guard) {
                (0, _) => {
                    (bytes[0], bytes[29]) = (1, 1); // NSZE, DPS
                    (bytes[128], bytes[130]) = (self.metadata, 12); // MS, LBADS
                }
                (3, _) => match self.descriptors {
                    Ok(list) => bytes[..5].copy_from_slice(&list),
                    Err(NOT_PERMITTED) => {
                        let source = std::io::Error::from_raw_os_error(libc::EACCES);
                        let kind = NvmeErrorKind::NotPermitted { source };
                        return Err(self.nvme_error::<IdentifyDescriptors>(None, kind));
                    }
                    Err(refused) => status = refused,
                },
                // ELBAF, whose bits 8:7 are the guard.
                (5, Some(guard)) => (bytes[12], bytes[13]) = (guard << 7, guard >> 1),
                _ => status = 0x4002,
            }
            if let (Data::In(buffer), _) = request.into_buffers() {
                buffer.copy_from_slice(&bytes);
            }
            Ok(Completion::new(NvmeStatus::from_raw(status), 0))
        }

        fn path(&self) -> &Path {
            Path::new("namespace")
        }
    }

    #[test]
    fn the_length_of_protection_information_follows_from_the_guard() {
        let size = |metadata, guard| {
            let namespace = Namespace {
                metadata,
                guard,
                descriptors: Ok(set(0)),
                asked: Cell::new(0),
            };
            let format = ask(&namespace, Nsid::new(1).unwrap(), || false).unwrap();
            let protection = format.and_then(|format| format.protection_information());
            (
                namespace.asked.get(),
                protection.map(|Protection { size, .. }| size),
            )
        };
        assert_eq!(
            size(8, Some(2)),
            (2, Some(8)),
            "there is no room for another"
        );
        assert_eq!(size(16, Some(0)), (3, Some(8)));
        assert_eq!(size(16, Some(1)), (3, Some(16)), "32 bits");
        assert_eq!(size(16, Some(2)), (3, Some(16)), "64 bits");
        assert_eq!(size(64, Some(3)), (3, None), "not known: no block is moved");
        assert_eq!(size(16, None), (3, Some(8)), "a controller before 2.0");
    }

    /// Key value namespaces have a Retrieve with the opcode of Read.
    #[test]
    fn a_namespace_without_blocks_has_no_format() {
        let found_by = |descriptors, is_disk| {
            let namespace = Namespace {
                metadata: 0,
                guard: None,
                descriptors,
                asked: Cell::new(0),
            };
            ask(&namespace, Nsid::new(1).unwrap(), || is_disk).map(|format| format.is_some())
        };
        let found = |descriptors| found_by(descriptors, false);
        assert!(found(Ok(set(0))).unwrap());
        assert!(found(Ok(set(2))).unwrap(), "zones are made of blocks");
        for other in [1, 3, 4, 0x30] {
            assert!(!found(Ok(set(other))).unwrap(), "{other}");
        }
        assert!(found(Ok([1, 0, 0, 0, 0])).unwrap(), "none is said");
        for before_1_3 in [0x0002, 0x4002, 0x4001, 0x400b] {
            assert!(found(Err(before_1_3)).unwrap(), "{before_1_3:#x}");
        }
        assert!(found_by(Err(NOT_PERMITTED), true).unwrap());
        found_by(Err(NOT_PERMITTED), false).unwrap_err();
        for not_now in [0x0303, 0x0082] {
            found_by(Err(not_now), true).unwrap_err();
        }
    }

    /// A transport of somebody's own that says a format and passes commands on.
    struct Claims<'a>(&'a NvmeNamespace, Format);

    impl NvmeTransport for Claims<'_> {
        fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
            self.0.submit(request)
        }

        fn path(&self) -> &Path {
            self.0.path()
        }

        fn format(&self) -> Result<Option<Format>> {
            Ok(Some(self.1))
        }
    }

    #[test]
    fn only_the_format_that_is_known_now_moves_blocks() {
        let format = Format::new(512);
        let namespace = NvmeNamespace {
            core: core::tests::node(Kind::Namespace),
            nsid: Nsid::new(1).unwrap(),
            format: Mutex::new(Known {
                at: 0,
                format: Some(format),
            }),
        };
        let refusal = |claimed: Format| {
            let mut buffer = vec![0; usize::try_from(claimed.data_len(1)).unwrap()];
            let read = Claims(&namespace, claimed).read(&Read::new(0, 1), &mut buffer);
            match read.unwrap_err() {
                Error::Nvme(error) => error.to_string(),
                other => panic!("{other}"),
            }
        };
        let (sent, changed) = ("this node does not take", "may have been formatted");
        assert!(refusal(format).contains(sent));
        assert!(refusal(Format::new(4096)).contains(changed));
        assert!(refusal(Format::new(256)).contains(changed));
        assert!(refusal(format.metadata(8, true)).contains(changed));
        // A Format NVM of this process, also if it failed.
        let sqe = crate::nvme::Sqe::new(0x80);
        let buffers = (Data::None, crate::transport::Metadata::None);
        let request = NvmeRequest::unchecked(Queue::Admin, sqe, buffers, None);
        namespace.core.submit(request).unwrap_err();
        assert!(refusal(format).contains(changed));
    }
}
