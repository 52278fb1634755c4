//! Device Self-test.

use super::no_data_command;
use crate::nvme::{Nsid, Sqe};

/// Device Self-test (14h): begins a test, or ends it. NVMe Base 2.1, 5.1.5.
///
/// The command ends when the test has begun; the Device Self-test log page has
/// its progress and its result.
///
/// ```
/// use passthru::nvme::{Command, Lengths, Nsid, admin::SelfTest};
///
/// let sqe = SelfTest::extended(Nsid::ALL).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.nsid, sqe.cdw10), (0x14, 0xffff_ffff, 2));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("device-self-test", "nvme_admin_dev_self_test", "STC"))]
pub struct SelfTest {
    nsid: u32,
    code: u8,
    parameter: u16,
}

impl SelfTest {
    /// The short test, of the controller and a namespace or all of them.
    pub const fn short(nsid: Nsid) -> Self {
        Self::of(nsid.get(), 1)
    }

    /// The extended test.
    pub const fn extended(nsid: Nsid) -> Self {
        Self::of(nsid.get(), 2)
    }

    /// Refreshes the data of the medium (2.1 and later).
    pub const fn refresh() -> Self {
        Self::of(0, 3)
    }

    /// A test of the vendor's, with its parameter.
    #[doc(alias = "DSTP")]
    pub const fn vendor(nsid: Nsid, parameter: u16) -> Self {
        Self {
            parameter,
            ..Self::of(nsid.get(), 0xe)
        }
    }

    /// Ends the test that is under way.
    pub const fn abort() -> Self {
        Self::of(Nsid::ALL.get(), 0xf)
    }

    /// The controller alone, without any namespace.
    pub const fn controller_only(mut self) -> Self {
        self.nsid = 0;
        self
    }

    const fn of(nsid: u32, code: u8) -> Self {
        Self {
            nsid,
            code,
            parameter: 0,
        }
    }

    fn entry(&self) -> Sqe {
        Sqe {
            nsid: self.nsid,
            cdw10: u32::from(self.code),
            cdw15: u32::from(self.parameter),
            ..Sqe::new(0x14)
        }
    }
}

no_data_command!(SelfTest, |test| test.entry(), None);
