//! Lists of namespaces (CNS 02h, 07h, 10h, 1Ah).

use zerocopy::byteorder::little_endian::U32;

use super::{CommandSet, LENGTH, entries, queries, sqe, with_command_set};
use crate::nvme::{Malformed, Nsid, Sqe};

/// Asks for up to 1024 namespace identifiers, in ascending order.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::identify::ListNamespaces};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let mut next = Some(ListNamespaces::active());
/// while let Some(query) = next {
///     let list = drive.query(&query)?;
///     list.iter().for_each(|nsid| println!("{nsid}"));
///     next = query.following(&list);
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("list-ns", "ns-list", "nvme_ns_list"))]
pub struct ListNamespaces {
    allocated: bool,
    after: u32,
    command_set: Option<CommandSet>,
}

impl ListNamespaces {
    /// The active namespaces: those that are attached to the controller (CNS
    /// 02h).
    #[must_use]
    pub const fn active() -> Self {
        Self {
            allocated: false,
            after: 0,
            command_set: None,
        }
    }

    /// All namespaces of the NVM subsystem, attached or not (CNS 10h). For
    /// controllers that manage namespaces.
    #[must_use]
    pub const fn allocated() -> Self {
        Self {
            allocated: true,
            ..Self::active()
        }
    }

    /// Only those with a greater identifier. (A controller refuses
    /// [`Nsid::ALL`] and the identifier before it.)
    #[must_use]
    pub const fn after(mut self, nsid: Nsid) -> Self {
        self.after = nsid.get();
        self
    }

    /// Only those of an I/O command set (CNS 07h, 1Ah).
    #[must_use]
    pub const fn command_set(mut self, set: CommandSet) -> Self {
        self.command_set = Some(set);
        self
    }

    /// The query for what comes behind its reply `list`. `None` if that is the
    /// end, or if the controller repeats itself.
    #[must_use]
    pub fn following(&self, list: &NamespaceList) -> Option<Self> {
        let last = list.0.last().copied()?;
        let more = list.is_full() && last.get() > self.after && last.get() < 0xffff_fffe;
        more.then_some(self.after(last))
    }

    fn entry(&self) -> Sqe {
        let cns = match (self.allocated, self.command_set) {
            (false, None) => 0x02,
            (false, Some(_)) => 0x07,
            (true, None) => 0x10,
            (true, Some(_)) => 0x1a,
        };
        let sqe = sqe(cns, Nsid::new(self.after));
        match self.command_set {
            Some(set) => with_command_set(sqe, set),
            None => sqe,
        }
    }
}

queries!(ListNamespaces => NamespaceList);

/// A Namespace List. NVMe Base 2.1, 4.6.2.
///
/// ```
/// use passthru::nvme::identify::NamespaceList;
///
/// let list = NamespaceList::parse(&[1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0])?;
/// let numbers: Vec<_> = list.iter().map(|nsid| nsid.get()).collect();
/// assert_eq!(numbers, [1, 5]);
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_ns_list")]
pub struct NamespaceList(Vec<Nsid>);

impl NamespaceList {
    /// Reads a list, up to its end, the first zero, or its 1024th entry.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 4 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        if bytes.len() < 4 {
            return Err(Malformed::Short {
                need: 4,
                got: bytes.len(),
            });
        }
        let ids = entries::<U32>(bytes, 0, bytes.len().min(LENGTH) / 4)?;
        Ok(Self(
            ids.iter().map_while(|nsid| Nsid::new(nsid.get())).collect(),
        ))
    }

    /// The identifiers.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Nsid> + '_ {
        self.0.iter().copied()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the list has no room left, so that there may be more.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.len() == LENGTH / 4
    }
}
