//! The commands behind the subcommands: what is sent, and what comes back.

use passthru::{
    NvmeTransport, NvmeTransportExt, OpenOptions,
    nvme::{
        Malformed, Nsid,
        identify::{CommandSet, IdentifyController, IdentifyDescriptors, IdentifyNamespace},
        log::{GetLog, LogId, SmartHealth},
    },
};

use crate::{
    arguments::{self, Common, ErrorLog, OfNamespace},
    device::Device,
    id_ctrl, id_ns, logs,
    output::{self, dump},
    problem::{Code, Problem},
    sink::Sink,
    value::{Fields, Value, explained, field, hex},
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

pub(crate) fn error_log(arguments: &ErrorLog) -> Result<Fields, Problem> {
    let device = Device::open(&arguments.common.device)?;
    let transport = device.transport();
    // Some controllers refuse to give more than they keep.
    let kept = transport.query(&IdentifyController)?.error_log_entries();
    let entries = usize::from(arguments.entries.clamp(1, kept.max(1)));
    let page = GetLog::new(LogId::ERROR_INFORMATION);
    let reply = log(transport, page, entries * logs::ERROR)?;
    Ok(logs::errors(&reply, !arguments.common.json))
}

pub(crate) fn fw_log(common: &Common) -> Result<Fields, Problem> {
    let device = Device::open(&common.device)?;
    let transport = device.transport();
    let reply = log(transport, GetLog::new(LogId::FIRMWARE_SLOTS), 512)?;
    logs::firmware(&reply, !common.json).map_err(|reason| malformed(transport, &reason))
}

pub(crate) fn effects(arguments: &arguments::Effects) -> Result<Fields, Problem> {
    let device = Device::open(&arguments.common.device)?;
    let transport = device.transport();
    let page = GetLog::new(LogId::COMMAND_EFFECTS).command_set(arguments.csi);
    let reply = log(transport, page, 4096)?;
    let set = CommandSet::from_raw(arguments.csi);
    logs::effects(&reply, set, !arguments.common.json)
        .map_err(|reason| malformed(transport, &reason))
}

/// Gives what is to be shown; `None` if it is shown already.
pub(crate) fn get_log(arguments: &arguments::GetLog) -> Result<Option<Fields>, Problem> {
    let common = &arguments.of.common;
    let options = OpenOptions::new().write(arguments.write);
    let device = Device::open_with(&common.device, &options)?;
    let mut to = Sink::open(arguments.output.as_deref(), common.json)?;
    let id = LogId::new(arguments.lid);
    let nsid = arguments.of.namespace.unwrap_or(Nsid::ALL);
    let page = GetLog::new(id)
        .namespace(Some(nsid))
        .specific_field(arguments.lsp)
        .specific_identifier(arguments.lsi)
        .offset(arguments.offset)
        .command_set(arguments.csi)
        .uuid_index(arguments.uuid);
    let reply = log(device.transport(), page, arguments.len)?;
    match &mut to {
        Some(sink) => {
            sink.write(&reply)?;
            if sink.is_stdout() {
                return Ok(None);
            }
        }
        None if !common.json => {
            output::result(|out| dump(out, &reply))?;
            return Ok(None);
        }
        None => {}
    }
    let data = match to {
        Some(_) => Value::Null,
        None => Value::text(hex(&reply)),
    };
    Ok(Some(vec![
        field("lid", Value::Bits(arguments.lid.into())),
        field("name", id.name().map_or(Value::Null, Value::text)),
        explained("nsid", nsid.get(), nsid.to_string()),
        field("lsp", arguments.lsp),
        field("lsi", arguments.lsi),
        field("offset", arguments.offset),
        field("csi", arguments.csi),
        field("uuid", arguments.uuid),
        field("len", arguments.len as u64),
        field("data", data),
    ]))
}
