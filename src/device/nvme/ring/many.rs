//! One buffer for several commands, and commands that this crate has no type for.

#![allow(unsafe_code)]

use std::time::Duration;

use super::{
    NvmeRing, RingBuf, RingRejected, Target,
    admit::{self, Order},
    calls::data_len,
    flight::{Memory, Nothing, WithExtra},
};
use crate::{
    Error, NvmeErrorKind,
    nvme::{DataOut, Sqe},
    syscall::Registered,
};

impl NvmeRing {
    /// Queues one buffer to be written to several targets, or by several
    /// commands: all of them, or none. Each has a completion of its own; the last
    /// one has the buffer.
    ///
    /// ```no_run
    /// # use passthru::{AlignedBuf, NvmeNamespace, NvmeRing, nvme::io::Write};
    /// let mut ring = NvmeRing::builder().build()?;
    /// let one = ring.add_namespace(NvmeNamespace::open_rw("/dev/ng0n1")?)?;
    /// let other = ring.add_namespace(NvmeNamespace::open_rw("/dev/ng1n1")?)?;
    /// let buffer = AlignedBuf::new(4096).expect("memory");
    /// ring.write_to_all(&[(one, Write::new(0, 8)), (other, Write::new(64, 8))], buffer, 7)?;
    /// while let Some(done) = ring.complete()? {
    ///     done.result?;
    /// }
    /// # Ok::<(), passthru::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`write`](Self::write); [`Error::Ring`] for more commands than fit
    /// between two submissions ([`batch`](super::NvmeRingBuilder::batch)).
    pub fn write_to_all<C: DataOut>(
        &mut self,
        commands: &[(Target, C)],
        buffer: impl Into<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        let buffer = buffer.into();
        if let Err(error) = self.check_all(commands, &buffer) {
            self.settle();
            return Err(buffer.rejected(error));
        }
        // All but the target, the timeout and what a command makes of the length is
        // the same for all of them.
        let len = buffer.len();
        let place = commands
            .first()
            .map(|(target, command)| self.order(*target, command, &buffer, token));
        let (Some(place), Some(vacant)) = (place, self.groups.vacant()) else {
            self.settle();
            return Err(buffer.rejected(Box::new(no_room())));
        };
        let number = vacant.number();
        let group = vacant.take();
        (group.left, group.buffer) = (0, Some(buffer));
        let mut failed = None;
        for (target, command) in commands {
            let order = Order {
                target: *target,
                timeout: command.timeout(),
                data: data_len(command, len),
                ..place
            };
            let mut extra = self.spare.pop().unwrap_or_default();
            extra.group = Some(number);
            let shared = WithExtra(None, extra);
            // SAFETY: as in `moving`; the buffer stays in the group until the last of
            // its commands has ended. Data-out commands only read it.
            let queued =
                unsafe { self.queue::<true, _>(&order, |lengths| command.sqe(lengths), shared) };
            match queued {
                Ok(()) => {
                    if let Some(mut taken) = self.groups.taken(number.into()) {
                        taken.value().left += 1;
                    }
                }
                // All was checked, so this is the kernel's doing.
                Err((error, _)) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        self.settle();
        let Some(error) = failed else { return Ok(()) };
        // What is queued keeps the buffer.
        let mut buffer = None;
        if let Some(mut taken) = self.groups.taken(number.into()) {
            if taken.value().left == 0 {
                buffer = taken.value().buffer.take();
                taken.free();
            }
        }
        Err(RingRejected::new(error, buffer))
    }

    /// Lets the formats go of targets that have no command in flight.
    fn settle(&mut self) {
        for state in &mut self.targets {
            state.settle();
        }
    }

    /// Whether all of them can be queued. The formats of targets may be held then.
    fn check_all<C: DataOut>(
        &mut self,
        commands: &[(Target, C)],
        buffer: &RingBuf,
    ) -> Result<(), Box<Error>> {
        let none = |what| Box::new(Error::Ring { what, source: None });
        if commands.is_empty() {
            return Err(none("no target was given to write to"));
        }
        if commands.len() > self.uring.entries() as usize {
            return Err(none(
                "more targets than fit between two submissions: raise the ring's `batch`",
            ));
        }
        for (target, command) in commands {
            let order = self.order(*target, command, buffer, 0);
            // SAFETY: without `SEND` nothing is queued, so no memory is used.
            let checked =
                unsafe { self.queue::<false, _>(&order, |lengths| command.sqe(lengths), Nothing) };
            checked.map_err(|(error, _)| error)?;
        }
        if commands.len() > self.flights.room() {
            let first = commands.first().map(|(target, _)| target.index as usize);
            let state = first.and_then(|index| self.targets.get(index));
            let kind = NvmeErrorKind::QueueFull { depth: self.depth };
            return Err(state.map_or_else(
                || Box::new(no_room()),
                |state| admit::error(state, std::any::type_name::<C>(), None, kind),
            ));
        }
        if self.uring.room() < commands.len() {
            let made = self.uring.make_room(commands.len());
            made.map_err(|source| Box::new(super::not_entered(source)))?;
        }
        Ok(())
    }

    /// Queues any command; an I/O command's `nsid` is replaced by the
    /// namespace's own. The direction is what the opcode says.
    ///
    /// # Errors
    /// As [`read`](Self::read), but a buffer's length is not checked.
    ///
    /// # Safety
    /// Nobody checks what the command moves. The caller promises that it moves no
    /// more bytes than `buffer` and `metadata` have
    /// ([`capacity`](RingBuf::capacity) may be more than their length, which is
    /// what the kernel is told), by the command set and the format that the
    /// namespace has when the command reaches it; that a command which moves data
    /// has a buffer; that the controller keeps no address beyond the command's end
    /// (not Create I/O Queue, Asynchronous Event Request, Doorbell Buffer Config,
    /// Set Features with a host memory buffer); and that it changes no format of a
    /// namespace that this process has open.
    pub unsafe fn submit_raw(
        &mut self,
        target: Target,
        sqe: &Sqe,
        buffer: Option<RingBuf>,
        metadata: Option<RingBuf>,
        timeout: Option<Duration>,
        token: u64,
    ) -> Result<(), RingRejected> {
        let len = buffer.as_ref().map_or(0, |buffer| buffer.len());
        let mut order = Order {
            target,
            queue: None,
            by_format: false,
            name: "a raw command",
            timeout,
            address: 0,
            data: len,
            metadata: metadata.as_ref().map_or(0, |metadata| metadata.len()),
            capacity: len,
            registered: Registered::NONE,
            token,
        };
        if let Some(buffer) = &buffer {
            order.address = buffer.address();
            order.registered = buffer.registration(self.uring.pool());
        }
        let mut extra = self.spare.pop().unwrap_or_default();
        extra.metadata = metadata;
        let memory = WithExtra(buffer, extra);
        // SAFETY: the memory is what `memory` has; that the command moves no more than
        // that is what this function asks of its caller.
        let queued = unsafe { self.queue::<true, _>(&order, |_| Ok(*sqe), memory) };
        queued.map_err(|(error, memory)| memory.rejected(error))
    }
}

#[cold]
fn no_room() -> Error {
    Error::Ring {
        what: "more commands would be in flight than the ring was made for: complete some \
               first, or make it deeper",
        source: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        AlignedBuf,
        device::nvme::{NvmeController, core, node::Kind},
        nvme::admin::{MiOpcode, MiSend},
    };

    /// Of one length, and of a page whatever the buffer's length is.
    #[test]
    fn each_command_has_its_own_length() {
        let mut ring = NvmeRing::builder().depth(4).build().unwrap();
        let controller = NvmeController {
            core: core::tests::node(Kind::Controller),
        };
        let target = ring.add_controller(controller).unwrap();
        let vpd = MiSend::new(MiOpcode::VPD_WRITE, [0, 100]).unwrap();
        let page = MiSend::new(MiOpcode::CONFIGURATION_SET, [0, 0]).unwrap();
        for commands in [[vpd, page], [page, vpd]] {
            let buffer = AlignedBuf::new(100).unwrap();
            let commands = commands.map(|command| (target, command));
            ring.write_to_all(&commands, buffer, 0).unwrap();
            let mut lengths = [0, 1].map(|number| {
                let mut flight = ring.flights.taken(number).unwrap();
                flight.value().len
            });
            lengths.sort_unstable();
            assert_eq!(lengths, [100, 4096]);
            ring.wait(2).unwrap();
            while ring.pop().is_some() {}
            assert_eq!(ring.in_flight(), 0);
        }
    }
}
