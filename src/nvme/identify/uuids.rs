//! The list of UUIDs (CNS 17h): what the UUID index of a command means.

use core::fmt;

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::{LENGTH, Uuid, entries, queries, sqe};
use crate::nvme::{Malformed, Sqe};

/// Asks for the UUIDs that vendor specific parts of commands go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("id-uuid", "nvme_id_uuid_list"))]
pub struct ListUuids;

impl ListUuids {
    #[allow(clippy::unused_self)] // as all others
    fn entry(&self) -> Sqe {
        sqe(0x17, None)
    }
}

queries!(ListUuids => UuidList);

/// Whose UUID it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UuidAssociation(u8);

impl UuidAssociation {
    /// Nobody's.
    pub const NONE: Self = Self(0);
    /// The vendor's that the PCI vendor id names.
    pub const VENDOR: Self = Self(1);
    /// The vendor's that the PCI subsystem vendor id names.
    pub const SUBSYSTEM_VENDOR: Self = Self(2);

    /// The number, 0 to 3.
    #[must_use]
    pub const fn raw(self) -> u8 {
        self.0
    }
}

impl fmt::Display for UuidAssociation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::NONE => "no association",
            Self::VENDOR => "vendor",
            Self::SUBSYSTEM_VENDOR => "subsystem vendor",
            Self(other) => return write!(f, "association {other}"),
        })
    }
}

/// An entry of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UuidEntry {
    /// What a command says for it, 1 to 127.
    pub index: u8,
    /// The UUID. `None` stands for an entry that is not valid any more, which
    /// is left in its place.
    pub uuid: Option<Uuid>,
    /// Whose it is.
    pub association: UuidAssociation,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    header: u8,
    reserved: [u8; 15],
    uuid: [u8; 16],
}

const _: () = assert!(size_of::<Wire>() == 32);

/// The UUID List. NVMe Base 2.1, 5.1.13.2, CNS 17h.
///
/// ```
/// use passthru::nvme::identify::{UuidAssociation, UuidList};
///
/// let mut bytes = vec![0; 4096];
/// bytes[32] = 1;
/// bytes[48..64].fill(0xab);
/// let list = UuidList::parse(&bytes)?;
/// assert_eq!(list.entries().len(), 1);
/// assert_eq!(list.entries()[0].association, UuidAssociation::VENDOR);
/// assert_eq!(list.index_of(list.entries()[0].uuid.unwrap()), Some(1));
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_id_uuid_list")]
pub struct UuidList(Vec<UuidEntry>);

impl UuidList {
    /// Reads the list, up to its end, a UUID of zeros, or its 127th entry.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 64 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        if bytes.len() < 64 {
            return Err(Malformed::Short {
                need: 64,
                got: bytes.len(),
            });
        }
        let count = bytes.len().min(LENGTH) / 32 - 1;
        let wire = entries::<Wire>(bytes, 32, count)?;
        let entries = wire
            .iter()
            .zip(1..)
            .map_while(|(entry, index)| {
                let uuid = Uuid::not_zero(entry.uuid)?;
                Some(UuidEntry {
                    index,
                    // Ones mark what was taken away.
                    uuid: (uuid.0 != [0xff; 16]).then_some(uuid),
                    association: UuidAssociation(entry.header & 0x03),
                })
            })
            .collect();
        Ok(Self(entries))
    }

    /// The entries.
    #[must_use]
    pub fn entries(&self) -> &[UuidEntry] {
        &self.0
    }

    /// The index of a UUID, for commands that take one.
    #[must_use]
    #[doc(alias = "UIDX")]
    pub fn index_of(&self, uuid: Uuid) -> Option<u8> {
        let found = self.0.iter().find(|entry| entry.uuid == Some(uuid));
        found.map(|entry| entry.index)
    }
}
