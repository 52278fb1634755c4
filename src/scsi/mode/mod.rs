//! Mode pages (SPC-4 7.5): the settings of a device, read by MODE SENSE and changed
//! by MODE SELECT.
//!
//! [`ModeSense10`] gives a [`ModeData`], which walks its pages. A [`ModePage`] is
//! bytes; those of optical drives have types ([`ErrorRecovery`],
//! [`WriteParameters`], [`CdDeviceParameters`], [`CdAudioControl`],
//! [`Capabilities`]). To change one: read it, set fields, put it into a
//! [`ModeList`], and send that with [`ModeSelect10`]. What has no name here goes
//! back to the device as it came. Which bits it lets change is a page as well, that
//! of [`PageControl::Changeable`].
//!
//! Settings belong to the drive, and so to all its users: put back what was there.

mod capabilities;
mod capabilities_speed;
mod cd_audio;
mod cd_device;
mod code;
mod data;
mod error_recovery;
mod loading;
mod page;
mod select;
mod sense;
mod write_parameters;
mod write_types;

pub use capabilities::Capabilities;
pub use capabilities_speed::{WriteSpeed, WriteSpeeds};
pub use cd_audio::{AudioPort, CdAudioControl};
pub use cd_device::CdDeviceParameters;
pub use code::{PageCode, PageControl};
pub use data::{BlockDescriptor, ModeData, ModeForm};
pub use error_recovery::ErrorRecovery;
pub use loading::LoadingMechanism;
pub use page::{ModePage, ModePages, NotInPage, OwnedPage, TypedPage};
pub use select::{ModeList, ModeSelect6, ModeSelect10};
pub use sense::{ModeSense6, ModeSense10};
pub use write_parameters::WriteParameters;
pub use write_types::{DataBlockType, MultiSession, SessionFormat, WriteType};

/// The conversions of a page that is a name around its bytes.
macro_rules! typed_page {
    ($name:ident, $code:expr) => {
        impl From<$crate::scsi::mode::OwnedPage> for $name {
            fn from(page: $crate::scsi::mode::OwnedPage) -> Self {
                Self(page)
            }
        }

        impl From<$name> for $crate::scsi::mode::OwnedPage {
            fn from(page: $name) -> Self {
                page.0
            }
        }

        impl AsRef<$crate::scsi::mode::OwnedPage> for $name {
            fn as_ref(&self) -> &$crate::scsi::mode::OwnedPage {
                &self.0
            }
        }

        impl $crate::scsi::mode::TypedPage for $name {
            const CODE: $crate::scsi::mode::PageCode = $code;
        }
    };
}
use typed_page;

#[cfg(test)]
mod tests;
