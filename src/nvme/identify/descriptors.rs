//! Namespace Identification Descriptors (CNS 03h).

use super::{CommandSet, Eui64, LENGTH, Nguid, Uuid, queries, sqe};
use crate::nvme::{Malformed, Nsid, Sqe};

/// Asks for all identifiers of a namespace, its UUID and its command set among
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("ns-descs", "nvme_ns_id_desc"))]
pub struct IdentifyDescriptors {
    nsid: Nsid,
}

impl IdentifyDescriptors {
    /// Of the namespace `nsid`.
    #[must_use]
    pub const fn new(nsid: Nsid) -> Self {
        Self { nsid }
    }

    fn entry(&self) -> Sqe {
        sqe(0x03, Some(self.nsid))
    }
}

queries!(IdentifyDescriptors => NamespaceIdentifiers);

/// An identifier of a namespace. NVMe Base 2.1, 5.1.13.2, CNS 03h.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NamespaceIdentifier {
    /// IEEE Extended Unique Identifier (NIDT 1h).
    Eui64(Eui64),
    /// Globally Unique Identifier (NIDT 2h).
    Nguid(Nguid),
    /// UUID (NIDT 3h).
    Uuid(Uuid),
    /// The command set of the namespace (NIDT 4h).
    CommandSet(CommandSet),
    /// Another type, or one of these with a length that it cannot have.
    Other {
        /// NIDT.
        kind: u8,
        /// NID.
        bytes: Vec<u8>,
    },
}

/// The identifiers of a namespace, in the order in which they came.
///
/// ```
/// use passthru::nvme::identify::{CommandSet, NamespaceIdentifiers};
///
/// let found = NamespaceIdentifiers::parse(&[4, 1, 0, 0, 2, 0, 0, 0, 0])?;
/// assert_eq!(found.command_set(), Some(CommandSet::ZONED));
/// assert_eq!(found.uuid(), None);
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_ns_id_desc")]
pub struct NamespaceIdentifiers(Vec<NamespaceIdentifier>);

impl NamespaceIdentifiers {
    /// Reads descriptors up to the end, or to one with a length of 0.
    ///
    /// # Errors
    /// [`Malformed::Length`] if a descriptor reaches beyond the end.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut rest = bytes.get(..LENGTH).unwrap_or(bytes);
        let mut found = Vec::new();
        while let [kind, length, _, _, behind @ ..] = rest {
            if *length == 0 {
                break;
            }
            let Some((id, next)) = behind.split_at_checked(usize::from(*length)) else {
                return Err(Malformed::Length {
                    named: u64::from(*length),
                    max: behind.len() as u64,
                });
            };
            found.push(identifier(*kind, id));
            rest = next;
        }
        Ok(Self(found))
    }

    /// All of them.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &NamespaceIdentifier> {
        self.0.iter()
    }

    /// The EUI-64, if there is one.
    #[must_use]
    pub fn eui64(&self) -> Option<Eui64> {
        self.0.iter().find_map(|id| match id {
            NamespaceIdentifier::Eui64(id) => Some(*id),
            _ => None,
        })
    }

    /// The NGUID, if there is one.
    #[must_use]
    pub fn nguid(&self) -> Option<Nguid> {
        self.0.iter().find_map(|id| match id {
            NamespaceIdentifier::Nguid(id) => Some(*id),
            _ => None,
        })
    }

    /// The UUID, if there is one.
    #[must_use]
    pub fn uuid(&self) -> Option<Uuid> {
        self.0.iter().find_map(|id| match id {
            NamespaceIdentifier::Uuid(id) => Some(*id),
            _ => None,
        })
    }

    /// The command set, if it is said. A controller that knows no other than
    /// the NVM Command Set does not say it.
    #[must_use]
    #[doc(alias = "CSI")]
    pub fn command_set(&self) -> Option<CommandSet> {
        self.0.iter().find_map(|id| match id {
            NamespaceIdentifier::CommandSet(set) => Some(*set),
            _ => None,
        })
    }
}

fn identifier(kind: u8, id: &[u8]) -> NamespaceIdentifier {
    let sixteen = || <[u8; 16]>::try_from(id).ok();
    let known = match kind {
        1 => id
            .try_into()
            .ok()
            .map(Eui64)
            .map(NamespaceIdentifier::Eui64),
        2 => sixteen().map(Nguid).map(NamespaceIdentifier::Nguid),
        3 => sixteen().map(Uuid).map(NamespaceIdentifier::Uuid),
        4 => match id {
            [set] => Some(NamespaceIdentifier::CommandSet(CommandSet::from_raw(*set))),
            _ => None,
        },
        _ => None,
    };
    known.unwrap_or_else(|| NamespaceIdentifier::Other {
        kind,
        bytes: id.to_vec(),
    })
}
