//! Identify (06h): what a controller, its namespaces and its subsystem are.
//! NVMe Base 2.1, 5.1.13.
//!
//! | CNS | command | reply |
//! |---|---|---|
//! | 00h, 11h | [`IdentifyNamespace`] | [`NamespaceData`] |
//! | 01h | [`IdentifyController`] | [`ControllerData`] |
//! | 02h, 07h, 10h, 1Ah | [`ListNamespaces`] | [`NamespaceList`] |
//! | 03h | [`IdentifyDescriptors`] | [`NamespaceIdentifiers`] |
//! | 04h | [`ListNvmSets`] | [`NvmSetList`] |
//! | 05h, 1Bh, NVM | [`IdentifyNvmNamespace`] | [`NvmNamespaceData`] |
//! | 05h, 1Bh, zoned | [`IdentifyZonedNamespace`] | [`ZonedNamespaceData`] |
//! | 06h, NVM | [`IdentifyNvmController`] | [`NvmControllerData`] |
//! | 06h, zoned | [`IdentifyZonedController`] | [`ZonedControllerData`] |
//! | 08h, 1Fh | [`IdentifyIndependentNamespace`] | [`IndependentNamespaceData`] |
//! | 09h | [`IdentifyNamespaceFormat`] | [`NamespaceData`] |
//! | 0Ah | [`IdentifyNvmNamespaceFormat`] | [`NvmNamespaceData`] |
//! | 12h, 13h | [`ListControllers`] | [`ControllerList`] |
//! | 14h | [`IdentifyPrimaryController`] | [`PrimaryControllerData`] |
//! | 15h | [`ListSecondaryControllers`] | [`SecondaryControllerList`] |
//! | 16h | [`ListNamespaceGranularities`] | [`NamespaceGranularityList`] |
//! | 17h | [`ListUuids`] | [`UuidList`] |
//! | 18h | [`ListDomains`] | [`DomainList`] |
//! | 19h | [`ListEnduranceGroups`] | [`EnduranceGroupList`] |
//! | 1Ch | [`ListCommandSets`] | [`CommandSetList`] |
//!
//! Every list parses from as many bytes as there are, so a count in it that
//! names more than came is [`Malformed::Length`].

mod command_sets;
mod controller;
mod controllers;
mod descriptors;
mod granularity;
mod groups;
mod ids;
mod independent;
mod namespace;
mod namespaces;
mod nvm;
mod nvm_controller;
mod uuids;
mod virtualization;
mod zoned;

#[cfg(test)]
mod tests;

pub use command_sets::{CommandSet, CommandSetList, CommandSets, ListCommandSets};
pub use controller::*;
pub use controllers::{ControllerList, EnduranceGroupList, ListControllers, ListEnduranceGroups};
pub use descriptors::{IdentifyDescriptors, NamespaceIdentifier, NamespaceIdentifiers};
pub use granularity::{ListNamespaceGranularities, NamespaceGranularity, NamespaceGranularityList};
pub use groups::{Domain, DomainList, ListDomains, ListNvmSets, NvmSet, NvmSetList};
pub use ids::{Eui64, Nguid, Uuid};
pub use independent::{
    IdentifyIndependentNamespace, IndependentNamespaceData, IndependentNamespaceFeatures,
};
pub use namespace::*;
pub use namespaces::{ListNamespaces, NamespaceList};
pub use nvm::*;
pub use nvm_controller::{IdentifyNvmController, NvmControllerData};
pub use uuids::{ListUuids, UuidAssociation, UuidEntry, UuidList};
pub use virtualization::{
    ControllerResources, IdentifyPrimaryController, ListSecondaryControllers,
    PrimaryControllerData, SecondaryController, SecondaryControllerList,
};
pub use zoned::*;

use zerocopy::{FromBytes, Immutable, KnownLayout};

use super::{LengthMismatch, Lengths, Malformed, Nsid, Sqe};

/// Identify always moves so many bytes.
pub(super) const LENGTH: usize = 4096;

/// The entry of an Identify command.
fn sqe(cns: u8, nsid: Option<Nsid>) -> Sqe {
    Sqe {
        nsid: nsid.map_or(0, Nsid::get),
        cdw10: u32::from(cns),
        ..Sqe::new(0x06)
    }
}

/// With CNTID, bits 31:16 of dword 10.
fn with_controller(mut sqe: Sqe, controller: u16) -> Sqe {
    sqe.cdw10 |= u32::from(controller) << 16;
    sqe
}

/// With CSI, bits 31:24 of dword 11.
fn with_command_set(mut sqe: Sqe, set: CommandSet) -> Sqe {
    sqe.cdw11 |= u32::from(set.raw()) << 24;
    sqe
}

/// With the CNS Specific Identifier, bits 15:0 of dword 11.
fn with_identifier(mut sqe: Sqe, identifier: u16) -> Sqe {
    sqe.cdw11 |= u32::from(identifier);
    sqe
}

/// Identify moves 4096 bytes whatever is wanted of them.
fn check(lengths: Lengths) -> Result<(), LengthMismatch> {
    match lengths.data {
        LENGTH => Ok(()),
        len => Err(LengthMismatch::Data {
            len,
            expected: LENGTH as u64,
        }),
    }
}

/// Who wants less has the beginning of them.
fn buffer_len(len: usize) -> usize {
    match len {
        1..=LENGTH => LENGTH,
        _ => len,
    }
}

/// A limit that is a power of two of pages; `None` for no limit.
fn size_limit(exponent: u8, page_size: u32) -> Option<u64> {
    match exponent {
        0 => None,
        exponent => 1u64
            .checked_shl(u32::from(exponent))?
            .checked_mul(u64::from(page_size)),
    }
}

/// The structure at the beginning of the bytes.
fn prefix<T: FromBytes + KnownLayout + Immutable>(bytes: &[u8]) -> Result<(T, &[u8]), Malformed> {
    T::read_from_prefix(bytes).map_err(|_| Malformed::Short {
        need: size_of::<T>(),
        got: bytes.len(),
    })
}

/// `count` structures behind the first `header` bytes, all of which have to be
/// there.
fn entries<T>(bytes: &[u8], header: usize, count: usize) -> Result<Vec<T>, Malformed>
where
    T: FromBytes + KnownLayout + Immutable + Copy,
{
    let rest = bytes.get(header..).unwrap_or_default();
    // No reply has more, however long the bytes are.
    let room = rest.get(..LENGTH - header).unwrap_or(rest);
    let found: Vec<T> = room
        .chunks_exact(size_of::<T>())
        .filter_map(|chunk| T::read_from_bytes(chunk).ok())
        .take(count)
        .collect();
    if found.len() < count {
        return Err(Malformed::Length {
            named: count as u64,
            max: found.len() as u64,
        });
    }
    Ok(found)
}

/// Makes a type with `fn entry(&self) -> Sqe` a query whose reply has
/// `parse(&[u8])`; after `keep:` also `keep(Page)`.
macro_rules! queries {
    (keep: $($command:ty => $reply:ty),* $(,)?) => {$(
        queries!(@ $command, $reply, {
            fn parse_page(
                &self,
                page: crate::memory::Page,
            ) -> Result<Self::Reply, crate::nvme::Malformed> {
                <Self::Reply>::keep(page)
            }
        });
    )*};
    ($($command:ty => $reply:ty),* $(,)?) => {$(
        queries!(@ $command, $reply, {});
    )*};
    (@ $command:ty, $reply:ty, { $($more:tt)* }) => {
        impl crate::nvme::command::sealed::Sealed for $command {}

        impl crate::nvme::Command for $command {
            const QUEUE: crate::nvme::Queue = crate::nvme::Queue::Admin;

            fn sqe(
                &self,
                lengths: crate::nvme::Lengths,
            ) -> Result<crate::nvme::Sqe, crate::nvme::LengthMismatch> {
                crate::nvme::identify::check(lengths)?;
                Ok(self.entry())
            }

            fn buffer_len(&self, len: usize) -> usize {
                crate::nvme::identify::buffer_len(len)
            }
        }

        impl crate::nvme::DataIn for $command {}

        impl crate::nvme::Query for $command {
            type Reply = $reply;

            fn reply_length(&self) -> usize {
                crate::nvme::identify::LENGTH
            }

            fn parse(&self, bytes: &[u8]) -> Result<Self::Reply, crate::nvme::Malformed> {
                <$reply>::parse(bytes)
            }

            $($more)*
        }
    };
}

use queries;
