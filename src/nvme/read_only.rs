//! Which commands surely change nothing, and which may change what others move.

use super::{Queue, Sqe};

/// Whether a command may be sent through a handle that was opened read-only.
///
/// This is a list of what is allowed; everything else, vendor commands
/// included, is refused. The kernel does not stop root from writing through a
/// descriptor that was opened for reading.
///
/// Of commands that read and of which some forms do more, those forms are
/// refused: Get Log Page that makes the controller take a new snapshot
/// (telemetry, host-initiated) or measure (eye opening), Directive Receive that
/// allocates streams, NVMe-MI Receive that clears the flags of a health status.
/// A log page that is read without "retain asynchronous event" takes an event
/// away from who waits for it, and Security Receive an answer, which changes
/// nothing in the drive.
///
/// ```
/// use passthru::nvme::{Queue, Sqe, is_read_only};
///
/// assert!(is_read_only(Queue::Admin, &Sqe::new(0x06)), "Identify");
/// assert!(!is_read_only(Queue::Admin, &Sqe::new(0x80)), "Format NVM");
/// assert!(is_read_only(Queue::Io, &Sqe::new(0x02)), "Read");
/// assert!(!is_read_only(Queue::Io, &Sqe::new(0x01)), "Write");
/// ```
#[must_use]
#[inline]
pub fn is_read_only(queue: Queue, sqe: &Sqe) -> bool {
    match queue {
        Queue::Admin => match sqe.opcode {
            0x02 => log_only_reads(sqe),
            0x1a => directive_only_reads(sqe),
            0x1e => mi_only_reads(sqe),
            // Identify, Get Features, Security Receive, Get LBA Status
            0x06 | 0x0a | 0x82 | 0x86 => true,
            _ => false,
        },
        // Read, Compare, Verify, Reservation Report, I/O Management Receive,
        // Zone Management Receive
        Queue::Io => matches!(sqe.opcode, 0x02 | 0x05 | 0x0c | 0x0e | 0x12 | 0x7a),
    }
}

/// Get Log Page: with its specific parameter (LSP) telemetry (07h) creates data,
/// and the eye opening measurement of a physical interface (19h) is begun or
/// thrown away.
const fn log_only_reads(sqe: &Sqe) -> bool {
    match sqe.cdw10 & 0xff {
        0x07 => sqe.cdw10 & 0x100 == 0,
        0x19 => sqe.cdw10 & 0x7f00 == 0,
        _ => true,
    }
}

/// Directive Receive: type and operation. The third of streams allocates some.
const fn directive_only_reads(sqe: &Sqe) -> bool {
    matches!(sqe.cdw11 & 0xffff, 0x0001 | 0x0101 | 0x0102)
}

/// NVMe-MI Receive: of NVMe-MI commands (NMIMT 1h) those that read. Bit 31 of a
/// health status poll's second dword clears what it tells.
const fn mi_only_reads(sqe: &Sqe) -> bool {
    sqe.cdw10 >> 11 & 0xf == 1
        && match sqe.cdw11 & 0xff {
            0x00 | 0x04 | 0x05 | 0x08 => true,
            0x01 | 0x02 => sqe.cdw13 >> 31 == 0,
            _ => false,
        }
}

/// Whether a command may change the format of a namespace, or which namespace an
/// NSID means: Namespace Management and Attachment, Capacity Management, Format
/// NVM, and what only its vendor knows.
#[must_use]
pub(crate) const fn may_change_formats(queue: Queue, sqe: &Sqe) -> bool {
    matches!(queue, Queue::Admin) && matches!(sqe.opcode, 0x0d | 0x15 | 0x20 | 0x80 | 0xc0..=0xff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvme::{
        Command, Lengths, Nsid,
        admin::{DirectiveAction, DirectiveReceive, DirectiveType, MiOpcode, MiReceive},
        log::{GetLog, LogId},
    };

    fn reads(command: &impl Command, len: usize) -> bool {
        is_read_only(Queue::Admin, &command.sqe(Lengths::data(len)).unwrap())
    }

    #[test]
    fn directives_are_asked_for_and_not_changed() {
        let nsid = Nsid::new(1).unwrap();
        assert!(reads(&DirectiveReceive::support(nsid), 4096));
        assert!(reads(&DirectiveReceive::stream_parameters(nsid), 32));
        assert!(reads(&DirectiveReceive::stream_status(nsid), 4096));
        assert!(!reads(&DirectiveAction::allocate_streams(nsid, 4), 0));
        let allocate = DirectiveReceive::new(nsid, DirectiveType::STREAMS, 3, 0);
        assert!(!reads(&allocate, 4));
        let unknown = DirectiveReceive::new(nsid, DirectiveType(3), 1, 0);
        assert!(!reads(&unknown, 4));
    }

    #[test]
    fn management_flags_are_not_cleared() {
        let of = |opcode, dwords, len| reads(&MiReceive::new(opcode, dwords).unwrap(), len);
        for opcode in [MiOpcode::SUBSYSTEM_HEALTH, MiOpcode::CONTROLLER_HEALTH] {
            assert!(of(opcode, [0x8000_0000, 7], 4096));
            assert!(!of(opcode, [0, 0x8000_0000], 4096));
        }
        assert!(of(MiOpcode::READ_DATA_STRUCTURE, [0, 0], 4096));
        assert!(of(MiOpcode::CONFIGURATION_GET, [1, 0], 4096));
        assert!(of(MiOpcode::VPD_READ, [0, 256], 256));
        assert!(of(MiOpcode::SES_RECEIVE, [0, 256], 256));
        // By a raw call: a command that sets, and one of another kind.
        let set = Sqe {
            cdw10: 0x804,
            cdw11: 3,
            ..Sqe::new(0x1e)
        };
        let admin = Sqe {
            cdw10: 0x1004,
            ..Sqe::new(0x1e)
        };
        assert!(!is_read_only(Queue::Admin, &set) && !is_read_only(Queue::Admin, &admin));
    }

    #[test]
    fn a_measurement_is_read_and_not_begun() {
        let log = GetLog::new(LogId::new(0x19));
        assert!(reads(&log, 4096));
        assert!(!reads(&log.specific_field(1), 4096));
        assert!(!reads(&log.specific_field(0x40), 4096));
    }
}
