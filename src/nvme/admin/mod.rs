//! Admin commands that change a drive: firmware, formatting, erasing, tests,
//! namespaces, and what else the admin queue takes. NVMe Base 2.1, 5.1.
//!
//! | what | types |
//! |---|---|
//! | firmware | [`FirmwareDownload`], [`FirmwareCommit`], [`firmware_pieces`] |
//! | erasing | [`FormatNvm`], [`Sanitize`] |
//! | tests | [`SelfTest`] |
//! | namespaces | [`CreateNamespace`], [`DeleteNamespace`], [`AttachNamespace`], [`CapacityManagement`] |
//! | directives | [`DirectiveReceive`], [`DirectiveSend`], [`DirectiveAction`] |
//! | security protocols | [`SecurityReceive`], [`SecuritySend`], [`Lockdown`] |
//! | virtual functions | [`VirtualizationManagement`] |
//! | NVMe-MI in band | [`MiReceive`], [`MiSend`] |
//!
//! [`FormatNvm`], [`Sanitize`] and [`DeleteNamespace`] destroy data. Make sure of
//! the drive first: names such as `/dev/nvme0` go to another one after a restart.
//!
//! ```no_run
//! use passthru::{NvmeController, NvmeTransportExt, nvme::{Nsid, admin::{FormatNvm, SelfTest}}};
//!
//! let drive = NvmeController::open_rw("/dev/nvme0")?;
//! drive.execute(&SelfTest::short(Nsid::ALL))?;
//! drive.execute(&FormatNvm::new(Nsid::new(1).unwrap(), 0))?;
//! # Ok::<(), passthru::Error>(())
//! ```

mod capacity;
mod directive_data;
mod directives;
mod firmware;
mod format;
mod lockdown;
mod management;
mod namespace_data;
mod namespaces;
mod sanitize;
mod security;
mod self_test;
#[cfg(test)]
mod tests;
mod virtualization;

pub use capacity::CapacityManagement;
pub use directive_data::{DirectiveSupport, StreamParameters, StreamStatus};
pub use directives::{DirectiveAction, DirectiveReceive, DirectiveSend, DirectiveType};
pub use firmware::{
    Committed, FirmwareAction, FirmwareCommit, FirmwareDownload, FirmwareImageError, FirmwarePiece,
    FirmwarePieces, firmware_pieces,
};
pub use format::{FormatNvm, SecureErase};
pub use lockdown::{Lockdown, LockdownInterface, LockdownScope};
pub use management::{MiOpcode, MiReceive, MiResponse, MiSend};
pub use namespace_data::NamespaceParameters;
pub use namespaces::{AttachNamespace, CreateNamespace, DeleteNamespace, controller_list};
pub use sanitize::{Overwrite, Sanitize};
pub use security::{SecurityReceive, SecuritySend};
pub use self_test::SelfTest;
pub use virtualization::{VirtualResource, VirtualizationManagement};

use core::time::Duration;

use super::{LengthMismatch, Lengths};

/// For what takes as long as the drive is large.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Checks that there is no data.
const fn no_data(lengths: Lengths) -> Result<(), LengthMismatch> {
    exactly(lengths, 0)
}

/// Checks that the data has `expected` bytes.
const fn exactly(lengths: Lengths, expected: usize) -> Result<(), LengthMismatch> {
    if lengths.data == expected {
        return Ok(());
    }
    Err(LengthMismatch::Data {
        len: lengths.data,
        expected: expected as u64,
    })
}

/// Checks that the data is whole dwords, and gives their number less one.
fn dwords_less_one(lengths: Lengths) -> Result<u32, LengthMismatch> {
    // The kernel's length has 32 bits.
    const MAX: usize = u32::MAX as usize;
    let len = lengths.data;
    if len == 0 {
        return Err(LengthMismatch::TooShort { len, min: 4 });
    }
    if len % 4 != 0 {
        return Err(LengthMismatch::Unit { len, unit: 4 });
    }
    match u32::try_from(len / 4 - 1) {
        Ok(dwords) if len <= MAX => Ok(dwords),
        _ => Err(LengthMismatch::TooLong { len, max: MAX }),
    }
}

/// The type of a command that moves no data, and its entry.
macro_rules! no_data_command {
    ($name:ident, |$this:ident| $sqe:expr, $timeout:expr) => {
        impl $crate::nvme::command::sealed::Sealed for $name {}

        impl $crate::nvme::Command for $name {
            const QUEUE: $crate::nvme::Queue = $crate::nvme::Queue::Admin;

            fn sqe(
                &self,
                lengths: $crate::nvme::Lengths,
            ) -> Result<$crate::nvme::Sqe, $crate::nvme::LengthMismatch> {
                super::no_data(lengths)?;
                let $this = self;
                Ok($sqe)
            }

            fn timeout(&self) -> Option<core::time::Duration> {
                let $this = self;
                let _ = $this;
                $timeout
            }
        }

        impl $crate::nvme::NoData for $name {}
    };
}

use no_data_command;
