//! What a SCSI device is attached by.

use std::{
    fmt, fs,
    path::{Component, Path, PathBuf},
};

use super::{
    Sysfs, TextBuf,
    sysfs::{attribute, digits},
};
use crate::ScsiAddress;

/// What a SCSI device is attached by, as far as sysfs tells.
///
/// ```
/// use passthru::discover::Transport;
///
/// assert_eq!(Transport::FibreChannel.to_string(), "fc");
/// assert_eq!(Transport::Other("scsi_debug".to_owned()).to_string(), "scsi_debug");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Transport {
    /// SATA or parallel ATA, by libata.
    Ata,
    /// Serial Attached SCSI; a SATA drive behind a SAS adapter too.
    Sas,
    /// Fibre Channel, over Ethernet too.
    FibreChannel,
    /// iSCSI, in software or by an adapter.
    Iscsi,
    /// SCSI over RDMA.
    Srp,
    /// Parallel SCSI.
    Spi,
    /// USB, Bulk-Only and UAS.
    Usb,
    /// IEEE 1394 (SBP).
    #[doc(alias = "SBP")]
    FireWire,
    /// Universal Flash Storage.
    Ufs,
    /// A drive of a virtual machine (virtio-scsi).
    Virtio,
    /// What the driver of the host adapter calls itself (file `proc_name`), or
    /// nothing if it does not.
    Other(String),
}

impl Transport {
    /// A short name: `ata`, `sas`, `fc`, `iscsi`, `srp`, `spi`, `usb`, `sbp`,
    /// `ufs`, `virtio`, or that of the driver as it came.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Ata => "ata",
            Self::Sas => "sas",
            Self::FibreChannel => "fc",
            Self::Iscsi => "iscsi",
            Self::Srp => "srp",
            Self::Spi => "spi",
            Self::Usb => "usb",
            Self::FireWire => "sbp",
            Self::Ufs => "ufs",
            Self::Virtio => "virtio",
            Self::Other(driver) => driver,
        }
    }
}

impl fmt::Display for Transport {
    /// The name, control characters escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::scsi::Text::new(self.name().as_bytes()).fmt(f)
    }
}

/// The folders of transport classes in that of a host adapter
/// (`drivers/scsi/scsi_transport_*.c`).
const CLASSES: [(&str, Transport); 5] = [
    ("sas_host", Transport::Sas),
    ("fc_host", Transport::FibreChannel),
    ("iscsi_host", Transport::Iscsi),
    ("srp_host", Transport::Srp),
    ("spi_host", Transport::Spi),
];

/// The names, each with a number, of devices above a host adapter: libata's
/// port (`ata_tport_add` in `drivers/ata/libata-transport.c`), a USB bus, a
/// virtio device, an IEEE 1394 node.
const PARENTS: [(&str, Transport); 4] = [
    ("ata", Transport::Ata),
    ("usb", Transport::Usb),
    ("virtio", Transport::Virtio),
    ("fw", Transport::FireWire),
];

/// A path split at a device: what is above it, and its own folder.
fn split_at<'p>(folder: &'p Path, name: &str) -> Option<(&'p Path, &'p Path)> {
    let own = folder
        .ancestors()
        .find(|part| part.file_name().is_some_and(|found| found == name))?;
    Some((own.parent()?, own))
}

fn host(folder: &Path, address: ScsiAddress) -> Option<(&Path, &Path)> {
    split_at(folder, &format!("host{}", address.host))
}

pub(super) fn of(folder: &Path, address: ScsiAddress) -> Transport {
    let Some((above, host)) = host(folder, address) else {
        return Transport::Other(String::new());
    };
    let mut classes = fs::read_dir(host).into_iter().flatten().flatten();
    let class = classes.find_map(|entry| {
        let name = entry.file_name();
        let found = CLASSES.iter().find(|(class, _)| name == *class)?;
        Some(found.1.clone())
    });
    if let Some(transport) = class {
        return transport;
    }
    for (prefix, transport) in PARENTS {
        if numbered_part(above, prefix).is_some() {
            return transport;
        }
    }
    let class = host
        .join("scsi_host")
        .join(host.file_name().unwrap_or_default());
    let driver = attribute(&class, "proc_name").unwrap_or_default();
    match driver.trimmed().as_ref() {
        "ufshcd" => Transport::Ufs,
        // What a driver that gives no name has in this file.
        "(null)" | "<NULL>" => Transport::Other(String::new()),
        name => Transport::Other(name.to_owned()),
    }
}

/// The last part of a path that is a prefix and a number.
fn numbered_part<'p>(path: &'p Path, prefix: &str) -> Option<&'p str> {
    path.components().rev().find_map(|part| {
        let Component::Normal(name) = part else {
            return None;
        };
        let name = name.to_str()?;
        digits::<u32>(name.strip_prefix(prefix)?).and(Some(name))
    })
}

/// The last part of a path that begins with this.
fn part_with<'p>(path: &'p Path, prefix: &str) -> Option<&'p str> {
    path.components().rev().find_map(|part| {
        let name = part.as_os_str().to_str()?;
        name.starts_with(prefix).then_some(name)
    })
}

pub(super) fn address(sysfs: &Sysfs, folder: &Path, address: ScsiAddress) -> Option<TextBuf> {
    let (above, _) = host(folder, address)?;
    let class = |class: &str, name: &str| -> PathBuf {
        let mut path = sysfs.path("class");
        path.push(class);
        path.push(name);
        path
    };
    match of(folder, address) {
        Transport::Ata => numbered_part(above, "ata").map(TextBuf::new),
        Transport::Virtio => numbered_part(above, "virtio").map(TextBuf::new),
        Transport::FireWire => above.file_name()?.to_str().map(TextBuf::new),
        // An interface of a device at a port: 1-1:1.0.
        Transport::Usb => above.file_name()?.to_str().map(TextBuf::new),
        // Some RAID adapters give the address with the unit itself.
        Transport::Sas => part_with(folder, "end_device-")
            .and_then(|end| attribute(&class("sas_device", end), "sas_address"))
            .or_else(|| attribute(folder, "sas_address")),
        Transport::FibreChannel => {
            let target = part_with(folder, "target")?;
            attribute(&class("fc_transport", target), "port_name")
        }
        Transport::Iscsi => {
            let session = numbered_part(folder, "session")?;
            attribute(&class("iscsi_session", session), "targetname")
        }
        _ => None,
    }
}
