//! `read`, `write` and `zones`: what goes to the blocks of a namespace.

use passthru::{
    AlignedBuf, NvmeNamespace, NvmeTransport, NvmeTransportExt, OpenOptions,
    nvme::{
        Format,
        identify::{IdentifyNamespace, IdentifyZonedNamespace},
        io::{self, ReportZones, Zone, split},
    },
};

use crate::{
    arguments::{Read, Write, Zones},
    device::Device,
    guard,
    output::{self, dump},
    problem::{Code, Problem},
    sink::{self, Sink},
    value::{Fields, Value, explained, field, hex},
};

/// As much as one command moves if the device does not say less.
const MOST: usize = 1 << 20;

/// As much as is shown or is put into an object.
const MOST_SHOWN: u64 = 1 << 20;

fn format_of(namespace: &NvmeNamespace) -> Result<Format, Problem> {
    namespace.format()?.ok_or_else(|| {
        let path = namespace.path().display();
        let message = format!("{path}: the namespace has a format that is not known");
        Problem::own(Code::System, "unsupported", message)
    })
}

fn most(namespace: &NvmeNamespace) -> usize {
    namespace.max_transfer().unwrap_or(MOST).min(MOST)
}

fn length(bytes: u64) -> Result<usize, Problem> {
    usize::try_from(bytes).map_err(|_| Problem::usage("more than fits into memory"))
}

fn buffer(bytes: u64) -> Result<AlignedBuf, Problem> {
    AlignedBuf::new(length(bytes)?).map_err(|error| Problem::file("memory", &error))
}

/// The fields that tell how the blocks look.
fn head(namespace: &NvmeNamespace, slba: u64, blocks: u64, format: &Format) -> Fields {
    vec![
        field("nsid", namespace.nsid().get()),
        field("slba", slba),
        field("blocks", blocks),
        field("block_size", format.data_len(1)),
        field("metadata_size", format.metadata_len(1)),
    ]
}

/// Reads, and gives what is to be shown; `None` if all of it went to stdout.
pub(crate) fn read(arguments: &Read) -> Result<Option<Fields>, Problem> {
    let json = arguments.common.json;
    if arguments.blocks == 0 {
        return Err(Problem::usage("--blocks is at least 1"));
    }
    let namespace = Device::namespace(&arguments.common.device, &OpenOptions::new())?;
    let format = format_of(&namespace)?;
    if arguments.output.is_none()
        && arguments.blocks.saturating_mul(format.data_len(1)) > MOST_SHOWN
    {
        return Err(Problem::usage(format!(
            "more than {MOST_SHOWN} bytes: say where to by --output"
        )));
    }
    let mut to = Sink::open(arguments.output.as_deref(), json)?;
    let mut metadata_to = Sink::open(arguments.metadata_file.as_deref(), json)?;
    let to_stdout = to.as_ref().is_some_and(Sink::is_stdout);
    let (mut kept, mut kept_metadata) = (Vec::new(), Vec::new());
    let mut shown = 0;
    for piece in split(arguments.slba, arguments.blocks, &format, most(&namespace)) {
        let mut data = buffer(format.data_len(piece.blocks))?;
        let mut metadata = vec![0; length(format.metadata_len(piece.blocks))?];
        let command = io::Read::new(piece.slba, piece.blocks);
        if metadata.is_empty() {
            namespace.read(&command, &mut data)?;
        } else {
            namespace.read_with_metadata(&command, &mut data, &mut metadata)?;
        }
        shown += data.len();
        match &mut to {
            Some(sink) => sink.write(&data)?,
            None => kept.extend_from_slice(&data),
        }
        match &mut metadata_to {
            Some(sink) => sink.write(&metadata)?,
            None => kept_metadata.extend_from_slice(&metadata),
        }
    }
    if to_stdout {
        return Ok(None);
    }
    let bytes = |bytes: &[u8]| match bytes {
        [] => Value::Null,
        bytes => Value::text(hex(bytes)),
    };
    let mut fields = head(&namespace, arguments.slba, arguments.blocks, &format);
    if json {
        fields.push(field("data", bytes(&kept)));
        fields.push(field("metadata", bytes(&kept_metadata)));
        return Ok(Some(fields));
    }
    if let Some(path) = &arguments.output {
        let to = path.display();
        fields.push(explained("data", shown as u64, format!("bytes, to {to}")));
        return Ok(Some(fields));
    }
    output::result(|out| {
        dump(out, &kept)?;
        if !kept_metadata.is_empty() {
            writeln!(out, "metadata")?;
            dump(out, &kept_metadata)?;
        }
        Ok(())
    })?;
    Ok(None)
}

/// Writes; the fields say how far it came, also when it failed.
pub(crate) fn write(arguments: &Write) -> Result<(Fields, Option<Problem>), Problem> {
    let data = sink::input(&arguments.input)?;
    let metadata = arguments.metadata_file.as_deref().map(sink::input);
    let metadata = metadata.transpose()?.unwrap_or_default();
    if !arguments.write {
        return Err(Problem::usage(
            "write overwrites blocks: add --write to do it; nothing was sent",
        ));
    }
    let options = OpenOptions::new().write(true);
    let namespace = Device::namespace(&arguments.common.device, &options)?;
    let format = format_of(&namespace)?;
    let block = format.data_len(1).max(1);
    let blocks = data.len() as u64 / block;
    if blocks == 0 || blocks * block != data.len() as u64 {
        return Err(Problem::usage(format!(
            "{} has {} bytes: blocks of this namespace have {block}",
            arguments.input.display(),
            data.len(),
        )));
    }
    let expected = blocks * format.metadata_len(1);
    if metadata.len() as u64 != expected {
        return Err(Problem::usage(format!(
            "{blocks} blocks have {expected} bytes of separate metadata, not {}",
            metadata.len(),
        )));
    }
    // Held to the end, so that nobody mounts it meanwhile.
    let _claim = match arguments.force {
        true => None,
        false => guard::claim(&arguments.common.device)?,
    };
    let mut fields = head(&namespace, arguments.slba, blocks, &format);
    let (mut written, mut failed) = (0, None);
    let (mut data, mut metadata) = (&*data, &*metadata);
    for piece in split(arguments.slba, blocks, &format, most(&namespace)) {
        let (part, rest) = data.split_at(length(format.data_len(piece.blocks))?);
        let (part_metadata, rest_metadata) =
            metadata.split_at(length(format.metadata_len(piece.blocks))?);
        (data, metadata) = (rest, rest_metadata);
        let mut own = buffer(part.len() as u64)?;
        own.copy_from_slice(part);
        let command = io::Write::new(piece.slba, piece.blocks);
        let sent = if part_metadata.is_empty() {
            namespace.write(&command, &own)
        } else {
            namespace.write_with_metadata(&command, &own, part_metadata)
        };
        if let Err(error) = sent {
            failed = Some(error.into());
            break;
        }
        written += u64::from(piece.blocks);
    }
    fields.push(field("written", written));
    Ok((fields, failed))
}

/// How many zones one report has: 64 KiB of them.
const ZONES: u16 = 1023;

pub(crate) fn zones(arguments: &Zones) -> Result<Fields, Problem> {
    let namespace = Device::namespace(&arguments.common.device, &OpenOptions::new())?;
    let nsid = namespace.nsid();
    let zoned = namespace.query(&IdentifyZonedNamespace::new(nsid))?;
    let format = namespace
        .query(&IdentifyNamespace::new(nsid))?
        .format_index();
    let size = zoned.zone_size(format).filter(|size| *size > 0);
    let size = size.ok_or_else(|| {
        let path = namespace.path().display();
        let message = format!("{path}: the namespace says no zone size for its format");
        Problem::own(Code::Device, "malformed", message)
    })?;
    let all = namespace.query(&ReportZones::new(arguments.slba, 1).partial(false))?;
    let total = all.count();
    let mut left = arguments.limit.unwrap_or(total).min(total);
    let mut list = Vec::new();
    let mut slba = arguments.slba;
    while left > 0 {
        let wanted = u16::try_from(left).unwrap_or(ZONES).min(ZONES);
        let report = namespace.query(&ReportZones::new(slba, wanted))?;
        let Some(last) = report.zones().last() else {
            break;
        };
        // A report that does not get further would never end.
        let next = last.start().saturating_add(size);
        list.extend(report.zones().iter().map(|zone| Value::Object(one(zone))));
        left = left.saturating_sub(report.zones().len() as u64);
        if next <= slba {
            break;
        }
        slba = next;
    }
    Ok(vec![
        field("nsid", nsid.get()),
        explained("nr_zones", total, "zones from --slba on"),
        field("zone_list", Value::List(list)),
    ])
}

fn one(zone: &Zone) -> Fields {
    vec![
        field("slba", zone.start()),
        field("wp", Value::or_null(zone.write_pointer())),
        field("cap", zone.capacity()),
        field("state", zone.state().0),
        field("state_name", zone.state().to_string()),
        explained("type", zone.kind().0, zone.kind().to_string()),
        field("attrs", Value::Bits(zone.attributes().0.into())),
        field("ai", Value::Bits(zone.attributes_information().into())),
    ]
}

/// Zones, one in a line.
pub(crate) fn print_zones(out: &mut dyn std::io::Write, fields: &Fields) -> std::io::Result<()> {
    for field in fields {
        let Value::List(zones) = &field.value else {
            continue;
        };
        for zone in zones {
            let Value::Object(zone) = zone else { continue };
            let words: Vec<_> = zone
                .iter()
                .filter(|field| !matches!(&*field.key, "state" | "type"))
                .map(|field| match &field.value {
                    Value::Number(number) => format!("{} {number}", field.key),
                    Value::Bits(number) => format!("{} 0x{number:x}", field.key),
                    Value::Text(text) => output::escaped(text),
                    _ => format!("{} -", field.key),
                })
                .collect();
            writeln!(out, "{}", words.join("  "))?;
        }
    }
    Ok(())
}
