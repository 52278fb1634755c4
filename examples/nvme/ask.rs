//! The commands behind the subcommands: what is sent, and what comes back.

use passthru::{
    NvmeTransport, NvmeTransportExt,
    nvme::{
        Malformed,
        identify::{IdentifyController, IdentifyDescriptors, IdentifyNamespace},
        log::{GetLog, SmartHealth},
    },
};

use crate::{
    arguments::{Common, OfNamespace},
    device::Device,
    id_ctrl, id_ns, logs, output,
    problem::{Code, Problem},
    value::{Fields, field},
};

/// What Identify moves.
const IDENTIFY: usize = 4096;

/// A reply that is no answer.
pub(crate) fn malformed(transport: &dyn NvmeTransport, reason: &Malformed) -> Problem {
    let message = format!("{}: {reason}", transport.path().display());
    Problem::own(Code::Device, "malformed", message)
}

pub(crate) fn id_ctrl(common: &Common) -> Result<Fields, Problem> {
    let device = Device::open(&common.device)?;
    let transport = device.transport();
    let mut reply = vec![0; IDENTIFY];
    transport.read(&IdentifyController, &mut reply)?;
    id_ctrl::fields(&reply, !common.json).map_err(|reason| malformed(transport, &reason))
}

pub(crate) fn id_ns(of: &OfNamespace) -> Result<Fields, Problem> {
    let device = Device::open(&of.common.device)?;
    let nsid = device.nsid(of.namespace)?;
    let transport = device.transport();
    let mut reply = vec![0; IDENTIFY];
    transport.read(&IdentifyNamespace::new(nsid), &mut reply)?;
    let mut fields =
        id_ns::fields(&reply, !of.common.json).map_err(|reason| malformed(transport, &reason))?;
    fields.insert(0, field("nsid", nsid.get()));
    Ok(fields)
}

pub(crate) fn ns_descs(of: &OfNamespace) -> Result<Fields, Problem> {
    let device = Device::open(&of.common.device)?;
    let nsid = device.nsid(of.namespace)?;
    let transport = device.transport();
    let mut reply = vec![0; IDENTIFY];
    transport.read(&IdentifyDescriptors::new(nsid), &mut reply)?;
    let mut fields = id_ns::descriptors(&reply).map_err(|reason| malformed(transport, &reason))?;
    fields.insert(0, field("nsid", nsid.get()));
    Ok(fields)
}

/// The bytes of a log page.
pub(crate) fn log(
    transport: &dyn NvmeTransport,
    log: GetLog,
    length: usize,
) -> Result<Vec<u8>, Problem> {
    Ok(transport.query(&log.bytes(length))?)
}

pub(crate) fn smart(of: &OfNamespace) -> Result<Fields, Problem> {
    let device = Device::open(&of.common.device)?;
    let transport = device.transport();
    let mut page = SmartHealth::page().command();
    if of.namespace.is_some() {
        page = page.namespace(of.namespace);
    }
    let reply = log(transport, page, 512)?;
    if logs::smart_is_blank(&reply) {
        output::complain(
            "nvme",
            "warning: the page is blank, as no drive's is that runs",
        );
    }
    logs::smart(&reply, !of.common.json).map_err(|reason| malformed(transport, &reason))
}
