//! `features`: what a controller is set to.

use passthru::{
    Error, NvmeErrorKind, NvmeTransport, NvmeTransportExt,
    nvme::{
        Nsid,
        features::{
            Capabilities, DwordFeature, FeatureId, GetFeature, HostThermalManagement,
            KeepAliveTimer, NumberOfQueues, PowerManagement, Select, TemperatureThreshold,
            VolatileWriteCache,
        },
    },
};

use crate::{
    arguments::{Features, Sel},
    device::Device,
    meaning::{kelvin, yes},
    problem::Problem,
    value::{Fields, Value, explained, field, hex},
};

/// The answer to one Get Features.
struct Answer {
    id: FeatureId,
    /// Dword 0 and the data, or the status with which it was refused.
    got: Result<(u32, Vec<u8>), u16>,
}

/// All that have a name.
fn known() -> impl Iterator<Item = FeatureId> {
    (0..0xc0)
        .map(FeatureId)
        .filter(|feature| feature.name().is_some())
}

pub(crate) fn fields(arguments: &Features) -> Result<Fields, Problem> {
    let device = Device::open(&arguments.of.common.device)?;
    let transport = device.transport();
    let nsid = device.maybe_nsid(arguments.of.namespace);
    let json = arguments.of.common.json;
    let mut answers = Vec::new();
    match arguments.fid {
        Some(id) => answers.push(Answer {
            id: FeatureId(id),
            got: Ok(get(transport, FeatureId(id), arguments, nsid)?),
        }),
        None => {
            for id in known() {
                let got = refused(get(transport, id, arguments, nsid))?;
                answers.push(Answer { id, got });
            }
        }
    }
    let answers = answers.iter().filter(|answer| json || answer.got.is_ok());
    let list = answers.map(|answer| Value::Object(one(answer, arguments.sel)));
    Ok(vec![
        field("sel", Value::text(arguments.sel.name())),
        field("nsid", Value::or_null(nsid.map(Nsid::get))),
        field("features", Value::List(list.collect())),
    ])
}

fn get(
    transport: &dyn NvmeTransport,
    id: FeatureId,
    arguments: &Features,
    nsid: Option<Nsid>,
) -> Result<(u32, Vec<u8>), Error> {
    let mut get = GetFeature::new(id)
        .select(arguments.sel.select())
        .dword11(arguments.cdw11);
    if let Some(nsid) = nsid {
        get = get.namespace(nsid);
    }
    let mut data = vec![0; get.data_len()];
    let completion = if data.is_empty() {
        transport.execute(&get)?
    } else {
        transport.read(&get, &mut data)?
    };
    if arguments.sel.select() == Select::Supported {
        // What the controller can do is the dword alone.
        data.clear();
    }
    Ok((completion.dword0(), data))
}

/// A status is an answer; all else is none.
fn refused<T>(got: Result<T, Error>) -> Result<Result<T, u16>, Error> {
    match got {
        Ok(got) => Ok(Ok(got)),
        Err(Error::Nvme(error)) => match error.kind() {
            NvmeErrorKind::Status(completion) => Ok(Err(completion.status().raw())),
            _ => Err(Error::Nvme(error)),
        },
        Err(error) => Err(error),
    }
}

fn one(answer: &Answer, sel: Sel) -> Fields {
    let id = answer.id;
    let (value, data, status, meaning) = match &answer.got {
        Ok((dword, data)) => {
            let data = match &**data {
                [] => Value::Null,
                data => Value::text(hex(data)),
            };
            let value = Value::Bits((*dword).into());
            (value, data, 0, meaning(id, *dword, sel))
        }
        Err(status) => (Value::Null, Value::Null, *status, String::new()),
    };
    let name = id.name().map(Value::text);
    vec![
        field("fid", Value::Bits(id.0.into())),
        field("name", name.unwrap_or(Value::Null)),
        explained("value", value, meaning),
        field("data", data),
        field("status", status),
    ]
}

/// What a dword means, for the features that people ask for most.
fn meaning(id: FeatureId, dword: u32, sel: Sel) -> String {
    if sel == Sel::Supported {
        let can = Capabilities::from_dword(dword);
        return format!(
            "saveable: {}, by namespace: {}, changeable: {}",
            yes(can.is_saveable()),
            yes(can.is_by_namespace()),
            yes(can.is_changeable()),
        );
    }
    match id {
        FeatureId::POWER_MANAGEMENT => {
            let power = PowerManagement::from_dword(dword);
            format!(
                "power state {}, workload {}",
                power.state(),
                power.workload_hint()
            )
        }
        FeatureId::TEMPERATURE_THRESHOLD => {
            kelvin(TemperatureThreshold::from_dword(dword).kelvin())
        }
        FeatureId::VOLATILE_WRITE_CACHE => {
            let cache = VolatileWriteCache::from_dword(dword);
            format!("used: {}", yes(cache.is_enabled()))
        }
        FeatureId::NUMBER_OF_QUEUES => {
            let queues = NumberOfQueues::from_dword(dword);
            format!(
                "{} submission, {} completion",
                queues.submission(),
                queues.completion()
            )
        }
        FeatureId::KEEP_ALIVE_TIMER => {
            format!("{} ms", KeepAliveTimer::from_dword(dword).milliseconds())
        }
        FeatureId::HOST_CONTROLLED_THERMAL_MANAGEMENT => {
            let limits = HostThermalManagement::from_dword(dword);
            format!(
                "light above {}, heavy above {}",
                kelvin(limits.light()),
                kelvin(limits.heavy())
            )
        }
        _ => String::new(),
    }
}
