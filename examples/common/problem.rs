//! What went wrong: an exit code, a line for people, an object for programs.

use std::{error::Error as StdError, io, process::ExitCode};

use passthru::{Error, NvmeError, NvmeErrorKind};
use serde_json::{Value, json};

use crate::outcome;

/// The exit codes, which are those of all examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// The arguments make no sense; nothing was sent.
    Usage = 1,
    /// The device refused the command, failed it, or answered something else.
    Device = 2,
    /// The command was lost on the way: host or driver status, a timeout.
    Transport = 3,
    /// The operating system or this library refused: no such node, no
    /// permission, read-only, device gone, disk full.
    System = 4,
}

/// The exit codes as `--help` shows them.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  good, also when the device added a remark (RECOVERED ERROR)
  1  the arguments make no sense; nothing was sent
  2  the device failed the command (CHECK CONDITION, BUSY, RESERVATION CONFLICT,
     any other status), or its answer is not what was asked for
  3  the command was lost on the way (host or driver status, a timeout)
  4  the system refused: no such node, no permission, not let through read-only,
     device gone, output not written";

/// The error object and the outcome as `--help` shows them.
pub(crate) const ERROR_KEYS: &str = "\
error, an object:
  kind     os, not_found, open_denied, in_use, wrong_node, partition, not_logical_unit,
           not_permitted, read_only, too_large, gone, queue_full, reserve_busy,
           credentials_changed, unsupported, timeout, length, out_of_range, file;
           from the device: check, status, malformed, capacity, transport;
           or other
  message  the same line as on stderr
  outcome  null, or what came back for the command
outcome, an object:
  verdict  good, good_with_sense, check, deferred, check_without_sense, status,
           transport, other
  status, status_name, host_status, host_status_name, driver_status,
  driver_status_name, requested, transferred, claimed (bytes, by the residual
  alone), residual, duration_ms (null: not measured), io_path (indirect, direct,
  mixed, unknown), sense: null, or bytes, text, deferred, key, key_name, asc,
  ascq, information
Usage errors (exit code 1) print no object.";

/// Why the program did not do what it was asked for.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    kind: &'static str,
    pub(crate) message: String,
    outcome: Value,
}

impl Problem {
    /// Arguments that make no sense.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self {
            code: Code::Usage,
            kind: "usage",
            message: message.into(),
            outcome: Value::Null,
        }
    }

    /// A file that could not be read or written.
    pub(crate) fn file(what: &str, error: &io::Error) -> Self {
        Self {
            code: Code::System,
            kind: "file",
            message: format!("{what}: {error}"),
            outcome: Value::Null,
        }
    }

    /// What only one program has.
    #[allow(dead_code)] // not all of them have
    pub(crate) fn own(code: Code, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            kind,
            message: message.into(),
            outcome: Value::Null,
        }
    }

    /// For `"error"` in the output of `--json`.
    pub(crate) fn to_json(&self) -> Value {
        json!({"kind": self.kind, "message": self.message, "outcome": self.outcome})
    }

    /// The additional sense code of what the device answered.
    #[allow(dead_code)] // not all programs ask
    pub(crate) fn asc(&self) -> Option<u64> {
        self.outcome.pointer("/sense/asc")?.as_u64()
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code as u8)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let (code, kind) = classify(&error);
        Self {
            code,
            kind,
            message: chain(&error),
            outcome: match &error {
                Error::Nvme(error) => nvme_outcome(error),
                _ => error.outcome().map_or(Value::Null, outcome::to_json),
            },
        }
    }
}

fn classify(error: &Error) -> (Code, &'static str) {
    match error {
        Error::CdbLength(_) | Error::Length { .. } => (Code::Usage, "length"),
        Error::OutOfRange { .. } => (Code::Usage, "out_of_range"),
        Error::Timeout { .. } => (Code::Usage, "timeout"),
        Error::Check(_) => (Code::Device, "check"),
        Error::Status(_) => (Code::Device, "status"),
        Error::Malformed { .. } => (Code::Device, "malformed"),
        Error::Capacity { .. } => (Code::Device, "capacity"),
        Error::Transport(_) => (Code::Transport, "transport"),
        Error::Os { .. } => (Code::System, "os"),
        Error::NotFound { .. } => (Code::System, "not_found"),
        Error::OpenDenied { .. } => (Code::System, "open_denied"),
        Error::InUse { .. } => (Code::System, "in_use"),
        Error::WrongNode { .. } => (Code::System, "wrong_node"),
        Error::Partition { .. } => (Code::System, "partition"),
        Error::NotLogicalUnit { .. } => (Code::System, "not_logical_unit"),
        Error::TooLarge { .. } => (Code::System, "too_large"),
        Error::ReadOnly { .. } => (Code::System, "read_only"),
        Error::NotPermitted { .. } | Error::ControlDenied { .. } => (Code::System, "not_permitted"),
        Error::CredentialsChanged { .. } => (Code::System, "credentials_changed"),
        Error::QueueFull { .. } => (Code::System, "queue_full"),
        Error::ReserveBusy { .. } => (Code::System, "reserve_busy"),
        Error::Gone { .. } => (Code::System, "gone"),
        Error::Unsupported { .. } => (Code::System, "unsupported"),
        Error::Nvme(error) => classify_nvme(error.kind()),
        _ => (Code::System, "other"),
    }
}

fn classify_nvme(kind: &NvmeErrorKind) -> (Code, &'static str) {
    match kind {
        NvmeErrorKind::Length(_) => (Code::Usage, "length"),
        NvmeErrorKind::Status(_) => (Code::Device, "status"),
        NvmeErrorKind::Malformed(_) => (Code::Device, "malformed"),
        NvmeErrorKind::Cancelled { .. } => (Code::Transport, "cancelled"),
        NvmeErrorKind::NoPath { .. } => (Code::Transport, "no_path"),
        NvmeErrorKind::ReadOnly => (Code::System, "read_only"),
        NvmeErrorKind::NotPermitted { .. } => (Code::System, "not_permitted"),
        NvmeErrorKind::TooLarge { .. } => (Code::System, "too_large"),
        NvmeErrorKind::Unsupported { .. } => (Code::System, "unsupported"),
        NvmeErrorKind::Os { .. } => (Code::System, "os"),
        _ => (Code::System, "other"),
    }
}

/// How an NVMe command ended; null if it did not get that far.
fn nvme_outcome(error: &NvmeError) -> Value {
    let NvmeErrorKind::Status(completion) = error.kind() else {
        return Value::Null;
    };
    let status = completion.status();
    json!({
        "status": status.raw(),
        "status_name": status.name(),
        "sct": status.code_type().raw(),
        "sc": status.code(),
        "crd": status.retry_delay(),
        "more": status.more(),
        "dnr": status.do_not_retry(),
        "result": completion.result(),
    })
}

/// The error and its causes in one line. A cause that the line has already is
/// not repeated.
pub(crate) fn chain(error: &dyn StdError) -> String {
    let mut line = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !line.contains(&text) {
            line.push_str(": ");
            line.push_str(&text);
        }
        next = cause.source();
    }
    line
}
