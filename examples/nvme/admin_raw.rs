//! `admin-raw`: an admin command given by its dwords.

use passthru::{
    AlignedBuf, Data, NvmeController, OpenOptions,
    nvme::{Completion, Queue, Sqe, is_read_only},
};

use crate::{
    arguments::AdminRaw,
    output::{self, dump},
    problem::{Code, Problem},
    sink::{self, Sink},
    value::{Fields, Value, explained, field, hex},
};

/// What came of it; the problem if the status is not 0.
pub(crate) fn send(arguments: &AdminRaw) -> Result<(Option<Fields>, Option<Problem>), Problem> {
    let json = arguments.common.json;
    let sqe = entry(arguments);
    check(arguments, &sqe)?;
    // It takes whole pages: there are controllers that move a page whatever
    // they are asked for.
    let len = arguments.data_len.unwrap_or(0);
    let mut memory = AlignedBuf::new(len).map_err(|error| Problem::file("memory", &error))?;
    if let Some(input) = &arguments.input {
        let bytes = sink::input(input)?;
        if bytes.len() != len {
            let name = input.display();
            let message = format!("{name} has {} bytes, not --data-len", bytes.len());
            return Err(Problem::usage(message));
        }
        memory.copy_from_slice(&bytes);
    }
    let options = OpenOptions::new().write(arguments.write);
    let device = NvmeController::open_with(&arguments.common.device, &options)?;
    let mut to = Sink::open(arguments.output.as_deref(), json)?;
    let data = match (sqe.moves_in(), sqe.moves_out()) {
        _ if len == 0 => Data::None,
        (true, _) => Data::In(&mut memory),
        (_, true) => Data::Out(&memory),
        _ => Data::None,
    };
    let completion = submit(&device, &sqe, data)?;
    let status = completion.status();
    let failed = (!status.is_success()).then(|| {
        let path = arguments.common.device.display();
        Problem::own(Code::Device, "status", format!("{path}: {sqe}: {status}"))
    });
    let came = match failed {
        None if sqe.moves_in() && len > 0 => Some(&*memory),
        _ => None,
    };
    if let (Some(sink), Some(data)) = (&mut to, came) {
        sink.write(data)?;
        if sink.is_stdout() {
            return Ok((None, failed));
        }
    }
    let shown = came.filter(|_| to.is_none());
    let name = status.name().filter(|_| !status.is_success());
    let mut fields = vec![
        field("opcode", Value::Bits(sqe.opcode.into())),
        explained(
            "status",
            Value::Bits(status.raw().into()),
            status.to_string(),
        ),
        field("status_name", name.map_or(Value::Null, Value::text)),
        field("result", Value::Bits(completion.result().into())),
    ];
    if json {
        fields.push(field(
            "data",
            shown.map_or(Value::Null, |data| Value::text(hex(data))),
        ));
    } else if let Some(data) = shown {
        output::result(|out| dump(out, data))?;
    }
    Ok((Some(fields), failed))
}

fn entry(arguments: &AdminRaw) -> Sqe {
    Sqe {
        opcode: arguments.opcode,
        nsid: arguments.nsid,
        cdw2: arguments.cdw2,
        cdw3: arguments.cdw3,
        cdw10: arguments.cdw10,
        cdw11: arguments.cdw11,
        cdw12: arguments.cdw12,
        cdw13: arguments.cdw13,
        cdw14: arguments.cdw14,
        cdw15: arguments.cdw15,
    }
}

/// What can be told before anything is opened.
fn check(arguments: &AdminRaw, sqe: &Sqe) -> Result<(), Problem> {
    let (inward, outward) = (sqe.moves_in(), sqe.moves_out());
    let wrong = match sqe.opcode {
        _ if inward && outward => "moves data both ways, which the kernel cannot do",
        0x00 | 0x01 | 0x04 | 0x05 => "makes or deletes queues, which are the kernel's",
        0x0c => "waits for an event, which the kernel does",
        0x7c => "gives the controller memory to keep",
        0x09 if sqe.cdw10 & 0xff == 0x0d => "gives the controller memory to keep",
        _ if (inward || outward) && arguments.data_len.is_none() => {
            "moves data, by its opcode: say how much by --data-len, 0 if it moves none"
        }
        0x02 | 0x06 if arguments.data_len == Some(0) => {
            "always moves data: it would go to bus address 0"
        }
        _ if !inward && !outward && arguments.data_len.is_some_and(|len| len > 0) => {
            "moves no data, by its opcode: --data-len makes no sense"
        }
        _ if outward && arguments.data_len > Some(0) && arguments.input.is_none() => {
            "sends data: say which by --input"
        }
        _ if !outward && arguments.input.is_some() => "sends no data: --input makes no sense",
        _ if !inward && arguments.output.is_some() => "gets no data: --output makes no sense",
        _ if !arguments.write && !is_read_only(Queue::Admin, sqe) => {
            "is not known to change nothing: add --write to send it all the same"
        }
        _ => return Ok(()),
    };
    Err(Problem::usage(format!(
        "command {:02x}h {wrong}; nothing was sent",
        sqe.opcode
    )))
}

fn submit(device: &NvmeController, sqe: &Sqe, data: Data<'_>) -> Result<Completion, Problem> {
    // SAFETY: who runs this program has promised, in so many words of --help,
    // that the command moves no more than --data-len bytes, in the direction of
    // its opcode, and `data` has those. It lies in whole pages that hold nothing
    // else, so a controller that moves a page whatever it is asked for stays in
    // them; without --data-len, or with 0, there is no memory of this program
    // that the controller knows. `check` has refused the commands of the
    // standard by which a controller keeps addresses; that a vendor's keeps none
    // is promised too. No namespace is open here whose format could change.
    let completion = unsafe { device.submit_raw(sqe, data, None) };
    Ok(completion?)
}
