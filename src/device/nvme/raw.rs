//! Commands that this crate has no type for.
//!
//! This file declares `unsafe` functions and has no unsafe block.

#![allow(unsafe_code)]

use std::time::Duration;

use super::{NvmeController, NvmeNamespace};
use crate::{
    Data, Result,
    nvme::{Completion, Queue, Sqe},
    transport::{Metadata, NvmeRequest, NvmeTransport},
};

impl NvmeController {
    /// Sends any admin command. `data` is `None`, `In` or `Out`. A status that
    /// is not 0 is no error here.
    ///
    /// A read-only handle lets through what
    /// [`is_read_only`](crate::nvme::is_read_only) allows.
    ///
    /// # Errors
    /// [`Error::Nvme`](crate::Error::Nvme), [`Error::Gone`](crate::Error::Gone).
    ///
    /// # Safety
    /// Nobody checks what the command moves. The caller promises that
    /// * the command moves no more bytes than `data` has, in its direction (of a
    ///   command with data that is given `Data::None`, or a length of 0, the
    ///   controller reads or writes bus address 0);
    /// * that holds for what the controller really does: Identify moves 4096
    ///   bytes whatever was asked for, and there are drives that return 4096
    ///   bytes of a log page of which 512 were asked for;
    /// * the controller keeps no address beyond the command's end: not Create or
    ///   Delete I/O Queue (00h, 01h, 04h, 05h), Asynchronous Event Request
    ///   (0Ch), Doorbell Buffer Config (7Ch), Set Features with a host memory
    ///   buffer (0Dh);
    /// * if it changes the format of a namespace in a way that its opcode does
    ///   not say, nobody in this process has that namespace open.
    pub unsafe fn submit_raw(
        &self,
        sqe: &Sqe,
        data: Data<'_>,
        timeout: Option<Duration>,
    ) -> Result<Completion> {
        let buffers = (data, Metadata::None);
        self.submit(NvmeRequest::unchecked(Queue::Admin, *sqe, buffers, timeout))
    }
}

impl NvmeNamespace {
    /// Sends any I/O command to this namespace; the entry's `nsid` is replaced
    /// by its own. A status that is not 0 is no error here.
    ///
    /// A read-only handle lets through what
    /// [`is_read_only`](crate::nvme::is_read_only) allows.
    ///
    /// # Errors
    /// [`Error::Nvme`](crate::Error::Nvme), [`Error::Gone`](crate::Error::Gone).
    ///
    /// # Safety
    /// Nobody checks what the command moves. The caller promises that it moves no
    /// more bytes than `data` and `metadata` have, in their direction, by the
    /// command set and the format that the namespace has when the command reaches
    /// it; that the controller keeps no address beyond the command's end; and that
    /// it changes no format of a namespace that this process has open.
    pub unsafe fn submit_raw<'a>(
        &self,
        sqe: &Sqe,
        data: Data<'a>,
        metadata: Metadata<'a>,
        timeout: Option<Duration>,
    ) -> Result<Completion> {
        let buffers = (data, metadata);
        self.submit(NvmeRequest::unchecked(Queue::Io, *sqe, buffers, timeout))
    }

    /// As [`NvmeController::submit_raw`]: any admin command, for the controller
    /// of this namespace.
    ///
    /// # Errors
    /// [`Error::Nvme`](crate::Error::Nvme), [`Error::Gone`](crate::Error::Gone).
    ///
    /// # Safety
    /// As [`NvmeController::submit_raw`].
    pub unsafe fn submit_raw_admin(
        &self,
        sqe: &Sqe,
        data: Data<'_>,
        timeout: Option<Duration>,
    ) -> Result<Completion> {
        let buffers = (data, Metadata::None);
        self.submit(NvmeRequest::unchecked(Queue::Admin, *sqe, buffers, timeout))
    }
}
