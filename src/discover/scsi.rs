//! Finding SCSI logical units.
//!
//! For a unit with an sg and a block node this takes two links and one file,
//! beside the listing of four folders for all units: `drivers/scsi/scsi_sysfs.c`
//! (class `scsi_device`, the file `inquiry`), `sg.c`, `sd.c`, `sr.c`, `st.c`,
//! `ch.c` and `block/bsg.c` make them.

use std::{
    fmt::Write,
    io,
    os::fd::{AsFd, BorrowedFd},
    path::Path,
};

use super::{
    ScsiUnit, Sysfs,
    sysfs::{
        Links, digits, gone_is_none, node, open_below, parse_number, read_below, without_line_end,
    },
    unit::{Names, Nodes},
};
use crate::{ScsiAddress, scsi::DeviceType};

/// A unit whose names have not been read yet.
struct Draft {
    address: ScsiAddress,
    /// Its folder, as a path from the root of sysfs; empty if no link told it.
    folder: String,
    nodes: Nodes,
}

pub(super) fn list(sysfs: &Sysfs) -> io::Result<Vec<ScsiUnit>> {
    let Some(devices) = sysfs.links("class/scsi_device")? else {
        return Ok(Vec::new());
    };
    let mut drafts = Drafts(Vec::new());
    devices.for_each_name(|name| {
        drafts
            .0
            .extend(ScsiAddress::parse(name).map(|address| Draft {
                address,
                folder: String::new(),
                nodes: Nodes::default(),
            }));
        Ok(())
    })?;
    drafts.0.sort_unstable_by_key(|draft| draft.address);
    drafts.find_nodes(sysfs)?;
    for draft in &mut drafts.0 {
        if draft.folder.is_empty() {
            let target = devices.target(&draft.address.to_string())?;
            if let Some((_, folder)) = target.as_deref().and_then(unit_of) {
                draft.folder.push_str(folder);
            }
        }
    }
    identify(sysfs, drafts.0)
}

/// Sorted by address.
struct Drafts(Vec<Draft>);

impl Drafts {
    fn find_nodes(&mut self, sysfs: &Sysfs) -> io::Result<()> {
        if let Some(links) = sysfs.links("class/scsi_generic")? {
            self.attach(&links, numbered("sg"), |nodes, node| nodes.sg = Some(node))?;
        }
        if let Some(links) = sysfs.links("class/bsg")? {
            // Logical units are named by their address there, other nodes (of
            // hosts, ports and expanders) are not.
            links.for_each_name(|name| {
                let address = ScsiAddress::parse(name);
                if let Some(draft) = address.and_then(|address| self.get(address)) {
                    draft.nodes.bsg = Some(node(&format!("bsg/{name}")));
                }
                Ok(())
            })?;
        }
        if let Some(links) = sysfs.links("block")? {
            let is_scsi = |name: &str| name.starts_with("sd") || name.starts_with("sr");
            self.attach(&links, is_scsi, |nodes, node| nodes.block = Some(node))?;
        }
        // st0l, nst0a and so on are other settings of the same two.
        if let Some(links) = sysfs.links("class/scsi_tape")? {
            self.attach(&links, numbered("st"), |nodes, node| {
                nodes.tape = Some(node);
            })?;
            self.attach(&links, numbered("nst"), |nodes, node| {
                nodes.tape_no_rewind = Some(node);
            })?;
        }
        if let Some(links) = sysfs.links("class/scsi_changer")? {
            self.attach(&links, numbered("sch"), |nodes, node| {
                nodes.changer = Some(node);
            })?;
        }
        Ok(())
    }

    fn attach(
        &mut self,
        links: &Links,
        takes: impl Fn(&str) -> bool,
        put: impl Fn(&mut Nodes, Box<Path>),
    ) -> io::Result<()> {
        links.for_each_name(|name| {
            if !takes(name) {
                return Ok(());
            }
            let target = links.target(name)?;
            let found = target.as_deref().and_then(unit_of);
            let Some((address, folder)) = found else {
                return Ok(());
            };
            if let Some(draft) = self.get(address) {
                if draft.folder.is_empty() {
                    draft.folder.push_str(folder);
                }
                put(&mut draft.nodes, node(name));
            }
            Ok(())
        })
    }

    fn get(&mut self, address: ScsiAddress) -> Option<&mut Draft> {
        let found = self.0.binary_search_by(|draft| draft.address.cmp(&address));
        self.0.get_mut(found.ok()?)
    }
}

/// Names of this prefix and a number.
fn numbered(prefix: &str) -> impl Fn(&str) -> bool {
    move |name| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| digits::<u32>(rest).is_some())
    }
}

/// The address and the folder of the logical unit to which a node's folder
/// belongs: `devices/.../0:0:0:0/scsi_generic/sg0`.
fn unit_of(target: &str) -> Option<(ScsiAddress, &str)> {
    let (class, _) = target.rsplit_once('/')?;
    let (folder, _) = class.rsplit_once('/')?;
    let (_, name) = folder.rsplit_once('/')?;
    Some((ScsiAddress::parse(name)?, folder))
}

/// Reads the names of the units; those that have vanished are left out.
fn identify(sysfs: &Sysfs, drafts: Vec<Draft>) -> io::Result<Vec<ScsiUnit>> {
    let mut units = Vec::with_capacity(drafts.len());
    let Some(root) = gone_is_none(sysfs.open_root())? else {
        return Ok(units);
    };
    // The folder of the host in which several units are, and its path. Lookups
    // begin there.
    let mut host = None;
    let mut file = String::new();
    let mut rest = drafts.into_iter().peekable();
    while let Some(draft) = rest.next() {
        if draft.folder.is_empty() {
            continue;
        }
        let known = |host: &Option<(String, _)>| {
            host.as_ref()
                .is_some_and(|(path, _)| below(&draft.folder, path).is_some())
        };
        if !known(&host) {
            host = match (host_of(&draft), rest.peek()) {
                (Some(path), Some(next)) if below(&next.folder, path).is_some() => {
                    let fd = gone_is_none(open_below(root.as_fd(), path))?;
                    fd.map(|fd| (path.to_owned(), fd))
                }
                _ => None,
            };
        }
        let (folder, path) = match &host {
            Some((path, fd)) => (fd.as_fd(), below(&draft.folder, path)),
            None => (root.as_fd(), None),
        };
        file.clear();
        file.push_str(path.unwrap_or(&draft.folder));
        if let Some((device_type, names)) = read_names(folder, &mut file, &draft)? {
            units.push(ScsiUnit {
                address: draft.address,
                device_type,
                names,
                nodes: draft.nodes,
                folder: sysfs.path(&draft.folder),
                sysfs: sysfs.clone(),
            });
        }
    }
    Ok(units)
}

/// What remains of a path below a folder.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// The folder of the host adapter: the part `hostN` and what is before it.
fn host_of(draft: &Draft) -> Option<&str> {
    let mut name = String::with_capacity(16);
    let _ = write!(name, "/host{}/", draft.address.host);
    let at = draft.folder.find(&name)?;
    draft.folder.get(..at + name.len() - 1)
}

/// What kind of device it is, and its names; `None` if it has vanished.
///
/// `file` is the path of its folder from `folder`, and a buffer for longer ones.
fn read_names(
    folder: BorrowedFd<'_>,
    file: &mut String,
    draft: &Draft,
) -> io::Result<Option<(DeviceType, Names)>> {
    let len = file.len();
    let mut attribute = |name: &str, buffer: &mut [u8]| {
        file.truncate(len);
        file.push('/');
        file.push_str(name);
        gone_is_none(read_below(folder, file, buffer)).map(|found| found.map(<[u8]>::len))
    };
    let mut buffer = [0; Names::INQUIRY];
    // The kernel replaces what is not printable in it, and its other files are
    // made from it. Not there before 3.19; EINVAL if the kernel has none.
    let inquiry = attribute("inquiry", &mut buffer).unwrap_or(None);
    if inquiry == Some(buffer.len()) {
        let device_type = DeviceType(buffer[0] & 0x1f);
        if let Some(device_type) = type_in_kernel(device_type, draft) {
            return Ok(Some((device_type, Names::from_inquiry(&buffer))));
        }
    }
    let mut line = [0; 64];
    let Some(len) = attribute("type", &mut line)? else {
        return Ok(None);
    };
    let number = line.get(..len).and_then(parse_number);
    let device_type = number.and_then(|number| u8::try_from(number).ok());
    let device_type = DeviceType(device_type.unwrap_or(DeviceType::NONE.0));
    if inquiry == Some(buffer.len()) {
        return Ok(Some((device_type, Names::from_inquiry(&buffer))));
    }
    let mut names = Names::default();
    for (name, field) in names.fields() {
        if let Some(len) = attribute(name, &mut line)? {
            let text = without_line_end(line.get(..len).unwrap_or_default());
            field
                .iter_mut()
                .zip(text)
                .for_each(|(to, from)| *to = *from);
        }
    }
    Ok(Some((device_type, names)))
}

/// What the kernel takes the device for, if that can be told from what it says
/// itself (`scsi_add_lun` in `drivers/scsi/scsi_scan.c`): a well known logical
/// unit by its LUN, and a few old CD drives that say they are something else.
/// The block driver that has taken the device tells those.
fn type_in_kernel(said: DeviceType, draft: &Draft) -> Option<DeviceType> {
    if draft.address.lun & 0xff00 == 0xc100 {
        return Some(DeviceType::WELL_KNOWN);
    }
    let by_sr = matches!(said, DeviceType::OPTICAL | DeviceType::WRITE_ONCE);
    let fits = match &draft.nodes.block {
        Some(block) => block.as_os_str().as_encoded_bytes().starts_with(b"/dev/sr") == by_sr,
        None => true,
    };
    fits.then_some(said)
}

#[cfg(test)]
#[path = "scsi_tests.rs"]
mod tests;
