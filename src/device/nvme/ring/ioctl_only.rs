//! Admin commands that a ring does not carry.

/// Whether a command needs the ioctl: that one freezes queues and looks for
/// changed namespaces around commands that may change them (`nvme_passthru_start`
/// and `_end`), which the way by `io_uring` does not. Namespace Management and
/// Attachment, Firmware Commit, Virtualization and Capacity Management, Format
/// NVM, Sanitize, and what only its vendor knows.
pub(super) const fn needs_ioctl(opcode: u8) -> bool {
    matches!(
        opcode,
        0x0d | 0x10 | 0x15 | 0x1c | 0x20 | 0x80 | 0x84 | 0xc0..=0xff
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nvme::{Queue, Sqe};

    #[test]
    fn what_may_change_formats_needs_the_ioctl() {
        for opcode in 0..=255 {
            let sqe = Sqe::new(opcode);
            let changes = crate::nvme::may_change_formats(Queue::Admin, &sqe);
            assert!(!changes || needs_ioctl(opcode), "{opcode:02x}");
        }
        for asks in [0x02, 0x06, 0x0a, 0x0c, 0x14] {
            assert!(!needs_ioctl(asks), "{asks:02x}");
        }
    }
}
