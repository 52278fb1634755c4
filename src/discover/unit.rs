//! A SCSI logical unit in sysfs.

use std::{
    fmt,
    fs::{self},
    path::{Path, PathBuf},
};

use super::{
    Sysfs, TextBuf, Transport,
    sysfs::{attribute, number},
    transport,
};
use crate::{
    ScsiAddress,
    scsi::{
        DeviceType, Query, ReplyBytes, StandardInquiry, Text, Vpd, VpdCode, VpdPage,
        vpd::SerialNumber,
    },
};

/// A SCSI logical unit that the kernel knows: its address, its names, and its
/// nodes.
///
/// ```no_run
/// use passthru::{SgDevice, discover, scsi::DeviceType};
///
/// let units = discover::scsi()?;
/// let changer = units.iter().find(|unit| unit.device_type() == DeviceType::CHANGER);
/// if let Some(sg) = changer.and_then(|unit| unit.sg()) {
///     let changer = SgDevice::open(sg);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct ScsiUnit {
    pub(super) address: ScsiAddress,
    pub(super) device_type: DeviceType,
    pub(super) names: Names,
    pub(super) nodes: Nodes,
    pub(super) folder: PathBuf,
    pub(super) sysfs: Sysfs,
}

/// What the unit calls itself.
#[derive(Clone, Copy, Default)]
pub(super) struct Names {
    removable: Option<bool>,
    vendor: [u8; 8],
    model: [u8; 16],
    revision: [u8; 4],
}

impl Names {
    /// The bytes of standard INQUIRY data that hold them.
    pub(super) const INQUIRY: usize = 36;

    pub(super) fn from_inquiry(bytes: &[u8; Self::INQUIRY]) -> Self {
        let mut names = Self {
            removable: Some(bytes[1] & 0x80 != 0),
            ..Self::default()
        };
        let (_, fields) = bytes.split_at(8);
        let mut from = fields.iter();
        for (_, field) in names.fields() {
            field
                .iter_mut()
                .zip(&mut from)
                .for_each(|(to, from)| *to = *from);
        }
        names
    }

    /// The fields in their order, with the names that sysfs has for them.
    pub(super) fn fields(&mut self) -> [(&'static str, &mut [u8]); 3] {
        [
            ("vendor", &mut self.vendor),
            ("model", &mut self.model),
            ("rev", &mut self.revision),
        ]
    }
}

#[derive(Clone, Default)]
pub(super) struct Nodes {
    pub(super) sg: Option<Box<Path>>,
    pub(super) bsg: Option<Box<Path>>,
    pub(super) block: Option<Box<Path>>,
    pub(super) tape: Option<Box<Path>>,
    pub(super) tape_no_rewind: Option<Box<Path>>,
    pub(super) changer: Option<Box<Path>>,
}

impl Nodes {
    fn all(&self) -> impl Iterator<Item = &Path> {
        [
            &self.sg,
            &self.bsg,
            &self.block,
            &self.tape,
            &self.tape_no_rewind,
            &self.changer,
        ]
        .into_iter()
        .filter_map(Option::as_deref)
    }
}

impl ScsiUnit {
    /// Host, channel, target and LUN.
    #[must_use]
    pub const fn address(&self) -> ScsiAddress {
        self.address
    }

    /// What kind of device the kernel takes it for (file `type`).
    #[must_use]
    pub const fn device_type(&self) -> DeviceType {
        self.device_type
    }

    /// The vendor, from the standard INQUIRY data that the kernel keeps.
    #[must_use]
    pub const fn vendor(&self) -> Text<'_> {
        Text::new(&self.names.vendor)
    }

    /// The product, which sysfs calls model.
    #[must_use]
    #[doc(alias = "product")]
    pub const fn model(&self) -> Text<'_> {
        Text::new(&self.names.model)
    }

    /// The revision, often that of the firmware.
    #[must_use]
    #[doc(alias = "firmware")]
    pub const fn revision(&self) -> Text<'_> {
        Text::new(&self.names.revision)
    }

    /// Whether the medium can be taken out; `None` on kernels that do not give
    /// the INQUIRY data.
    #[must_use]
    pub const fn is_removable(&self) -> Option<bool> {
        self.names.removable
    }

    /// `/dev/sgN`, for [`SgDevice`](crate::SgDevice); `None` if the module `sg`
    /// is not there.
    #[must_use]
    pub fn sg(&self) -> Option<&Path> {
        self.nodes.sg.as_deref()
    }

    /// `/dev/bsg/H:C:T:L`, for [`BsgDevice`](crate::BsgDevice).
    #[must_use]
    pub fn bsg(&self) -> Option<&Path> {
        self.nodes.bsg.as_deref()
    }

    /// `/dev/sdX` or `/dev/srN`, for [`BlockDevice`](crate::BlockDevice).
    #[must_use]
    pub fn block(&self) -> Option<&Path> {
        self.nodes.block.as_deref()
    }

    /// `/dev/stN`, which rewinds the tape when it is closed.
    #[must_use]
    pub fn tape(&self) -> Option<&Path> {
        self.nodes.tape.as_deref()
    }

    /// `/dev/nstN`, which does not rewind the tape.
    #[must_use]
    pub fn tape_no_rewind(&self) -> Option<&Path> {
        self.nodes.tape_no_rewind.as_deref()
    }

    /// `/dev/schN`, a medium changer.
    #[must_use]
    pub fn changer(&self) -> Option<&Path> {
        self.nodes.changer.as_deref()
    }

    /// All its nodes.
    pub fn nodes(&self) -> impl Iterator<Item = &Path> {
        self.nodes.all()
    }

    /// Its folder in sysfs, without symbolic links in it.
    #[must_use]
    pub fn sysfs(&self) -> &Path {
        &self.folder
    }

    /// The standard INQUIRY data of the time when the kernel found the device
    /// (file `inquiry`, `show_inquiry` in `drivers/scsi/scsi_sysfs.c`). Read
    /// now.
    #[must_use]
    pub fn inquiry(&self) -> Option<StandardInquiry<'static>> {
        let bytes = fs::read(self.folder.join("inquiry")).ok()?;
        let reply = ReplyBytes::borrowed(&bytes).into_owned();
        crate::scsi::Inquiry::standard().parse(reply).ok()
    }

    /// A vital product data page that the kernel keeps (files `vpd_pg0`,
    /// `vpd_pg80`, `vpd_pg83`, `vpd_pg89`, `vpd_pgb0`, `vpd_pgb1`, `vpd_pgb2`;
    /// which, depends on its version). Read now; `None` if the kernel has not
    /// kept it or its bytes cannot be that page.
    #[must_use]
    pub fn vpd(&self, code: VpdCode) -> Option<VpdPage<'static>> {
        let name = format!("vpd_pg{:x}", code.0);
        let bytes = fs::read(self.folder.join(name)).ok()?;
        let reply = ReplyBytes::borrowed(&bytes).into_owned();
        VpdPage::parse(code, reply).ok()
    }

    /// The serial number, from page 80h ([`vpd`](Self::vpd)). Read now.
    #[must_use]
    pub fn serial(&self) -> Option<TextBuf> {
        let page = self.vpd(VpdCode::SERIAL_NUMBER)?;
        let page = SerialNumber.read(page).ok()?;
        let serial = page.serial();
        (!serial.is_empty()).then(|| TextBuf::new(serial.as_bytes()))
    }

    /// The best name by which page 83h identifies the unit in the world:
    /// `naa.`, `eui.`, `uuid.` or `t10.` and the name (file `wwid`,
    /// `scsi_vpd_lun_id` in `drivers/scsi/scsi_lib.c`). Read now.
    #[must_use]
    #[doc(alias = "WWN")]
    pub fn wwid(&self) -> Option<TextBuf> {
        attribute(&self.folder, "wwid")
    }

    /// What the device is attached by. Read now.
    #[must_use]
    pub fn transport(&self) -> Transport {
        transport::of(&self.folder, self.address)
    }

    /// Where the device is on its transport: a SAS address, the name of an
    /// iSCSI target or of a Fibre Channel port, a USB port, an ATA port. Read
    /// now.
    #[must_use]
    pub fn transport_address(&self) -> Option<TextBuf> {
        transport::address(&self.sysfs, &self.folder, self.address)
    }

    /// What the kernel thinks of the device: `running`, `offline`, `blocked`
    /// and others (file `state`, `scsi_device_state_name`). Read now.
    #[must_use]
    pub fn state(&self) -> Option<TextBuf> {
        attribute(&self.folder, "state")
    }

    /// The size in bytes, if there is a block node (file `size`, in units of
    /// 512 bytes whatever the block length: Documentation/ABI/stable/
    /// sysfs-block). Of a drive whose medium can be taken out it is what the
    /// kernel saw last. Read now.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        number(&self.block_folder()?, "size")?.checked_mul(512)
    }

    /// The length of a logical block in bytes, if there is a block node. Read
    /// now.
    #[must_use]
    pub fn logical_block_size(&self) -> Option<u32> {
        let size = number(&self.block_folder()?, "queue/logical_block_size")?;
        u32::try_from(size).ok()
    }

    fn block_folder(&self) -> Option<PathBuf> {
        let name = self.nodes.block.as_ref()?.file_name()?;
        let mut folder = self.folder.join("block");
        folder.push(name);
        Some(folder)
    }
}

impl fmt::Display for ScsiUnit {
    /// Address, kind, names and nodes in one line, control characters escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.address)?;
        match self.device_type.name() {
            Some(name) => write!(f, " {name}")?,
            None => write!(f, " {}", self.device_type)?,
        }
        for name in [self.vendor(), self.model(), self.revision()] {
            if !name.is_empty() {
                write!(f, " {name}")?;
            }
        }
        for node in self.nodes() {
            write!(f, " {}", node.display())?;
        }
        Ok(())
    }
}

impl fmt::Debug for ScsiUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScsiUnit")
            .field("address", &self.address)
            .field("device_type", &self.device_type)
            .field("vendor", &self.vendor())
            .field("model", &self.model())
            .field("revision", &self.revision())
            .field("nodes", &self.nodes().collect::<Vec<_>>())
            .field("sysfs", &self.folder)
            .finish()
    }
}
