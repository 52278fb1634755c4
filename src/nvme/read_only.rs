//! Which commands surely change nothing, and which may change what others move.

use super::{Queue, Sqe};

/// Whether a command may be sent through a handle that was opened read-only.
///
/// This is a list of what is allowed; everything else, vendor commands
/// included, is refused. The kernel does not stop root from writing through a
/// descriptor that was opened for reading.
///
/// Of Get Log Page those that make the controller take a new snapshot
/// (telemetry, host-initiated) are refused. A log page that is read without
/// "retain asynchronous event" takes an event away from who waits for it, which
/// changes nothing in the drive.
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
pub fn is_read_only(queue: Queue, sqe: &Sqe) -> bool {
    match queue {
        Queue::Admin => match sqe.opcode {
            // Get Log Page: telemetry (07h) creates data with LSP bit 0.
            0x02 => sqe.cdw10 & 0xff != 0x07 || sqe.cdw10 & 0x100 == 0,
            // Identify, Get Features, Directive Receive, NVMe-MI Receive,
            // Security Receive, Get LBA Status
            0x06 | 0x0a | 0x1a | 0x1e | 0x82 | 0x86 => true,
            _ => false,
        },
        // Read, Compare, Verify, Reservation Report, I/O Management Receive,
        // Zone Management Receive
        Queue::Io => matches!(sqe.opcode, 0x02 | 0x05 | 0x0c | 0x0e | 0x12 | 0x7a),
    }
}

/// Whether a command may change the format of a namespace, or which namespace an
/// NSID means: Namespace Management and Attachment, Capacity Management, Format
/// NVM, and what only its vendor knows.
#[must_use]
pub(crate) const fn may_change_formats(queue: Queue, sqe: &Sqe) -> bool {
    matches!(queue, Queue::Admin) && matches!(sqe.opcode, 0x0d | 0x15 | 0x20 | 0x80 | 0xc0..=0xff)
}
