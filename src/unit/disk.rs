//! A disk over any transport.

use super::{Layout, Partial};
use crate::{
    Outcome,
    error::{Error, OutOfRange, Result},
    scsi::{
        Capacity10, Capacity16, Command, Inquiry, LengthMismatch, Malformed, ReadCapacity10,
        ReadCapacity16, ScsiVersion, SenseKey, SynchronizeCache10,
        vpd::{BlockLimits, SupportedPages, VpdCode},
    },
    transport::{ScsiTransport, ScsiTransportExt, cdb_of, failure_of},
};

/// How many bytes a command moves unless less is taken: 512 KiB, from where on
/// drives get no faster.
pub const DEFAULT_TRANSFER: usize = 512 << 10;

/// The most blocks of one VERIFY: the device reads them all before it answers.
const VERIFY_BLOCKS: u64 = 65_535;

/// A disk, or any device with blocks of one length: reads, writes and verifies
/// ranges of any length.
///
/// Ranges are checked against the capacity before anything is sent, and split
/// to [`max_transfer`](Self::max_transfer). Nothing is retried; when a command
/// fails, [`Partial`] says how many blocks were done before it.
///
/// ```no_run
/// use passthru::unit::Disk;
///
/// let disk = Disk::open_rw("/dev/sg1")?;
/// let mut blocks = vec![0; 100 * disk.block_length() as usize];
/// disk.read(0, &mut blocks)?;
/// disk.write(disk.blocks() - 100, &blocks)?;
/// disk.flush()?;
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Disk<T> {
    transport: T,
    layout: Layout,
    /// In bytes; at least a block.
    max_transfer: usize,
}

impl<T: ScsiTransport> Disk<T> {
    /// Asks the device for its capacity: READ CAPACITY(10); then, unless the
    /// answer is saturated, INQUIRY; then READ CAPACITY(16) if the answer was
    /// saturated or the device claims SPC-3 or later. (Old devices hang on the
    /// long command.) A device that claims SPC-3 and refuses the command is
    /// taken by its short answer.
    ///
    /// A UNIT ATTENTION that stands makes the first of them fail, as any
    /// command: send [`TestUnitReady`](crate::scsi::TestUnitReady) before, or
    /// call it again.
    ///
    /// # Errors
    /// [`Error::Capacity`] if the two answers differ, if a block cannot be so
    /// long, or if there are 2^64 blocks; any error of the three commands.
    pub fn new(transport: T) -> Result<Self> {
        let short = transport.query(&ReadCapacity10)?;
        let long = ask_long(&transport, &short)?;
        let fault = |what| {
            Err(Error::Capacity {
                path: transport.path().to_path_buf(),
                short,
                long,
                what,
            })
        };
        if long.is_some_and(|long| !long.agrees_with(&short)) {
            return fault("the device tells two capacities");
        }
        if !short.is_plausible() {
            return fault("no device has such blocks");
        }
        let blocks = match long {
            Some(long) => long.blocks(),
            None => short.blocks(),
        };
        match blocks {
            Some(blocks) => {
                let layout = Layout::new(short.block_length(), blocks);
                Ok(Self::with_layout(transport, layout))
            }
            None => fault("no device has so many blocks"),
        }
    }

    /// A disk of which the caller knows the layout; sends nothing. For devices
    /// that lie, and for block lengths that are changed by the mode of reading.
    #[must_use]
    pub fn with_layout(transport: T, layout: Layout) -> Self {
        Self {
            transport,
            layout,
            max_transfer: DEFAULT_TRANSFER.max(layout.block_length() as usize),
        }
    }

    /// Asks for the limits of the device's own: the list of VPD pages, and page
    /// B0h if it is in it; then no transfer is longer than its MAXIMUM TRANSFER
    /// LENGTH. A device that has no such pages is as it was.
    ///
    /// # Errors
    /// Any error of the INQUIRY commands, other than that the device refuses
    /// them or answers something else.
    pub fn ask_limits(&mut self) -> Result<()> {
        let listed = optional(self.transport.query(&Inquiry::vpd(SupportedPages)))?
            .is_some_and(|list| list.contains(VpdCode::BLOCK_LIMITS));
        if !listed {
            return Ok(());
        }
        let limits = optional(self.transport.query(&Inquiry::vpd(BlockLimits)))?;
        let blocks = limits.and_then(|page| page.maximum_transfer_length());
        if let Some(blocks) = blocks {
            self.limit(u64::from(blocks) * u64::from(self.layout.block_length()));
        }
        Ok(())
    }

    /// Lowers [`max_transfer`](Self::max_transfer) to `bytes`.
    pub(super) fn limit(&mut self, bytes: u64) {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.set_max_transfer(self.max_transfer.min(bytes));
    }

    /// Has commands move at most `bytes`, rounded down to whole blocks, at least
    /// one. What the device or the host adapter does not take fails when it is
    /// sent.
    pub fn set_max_transfer(&mut self, bytes: usize) {
        self.max_transfer = bytes.max(self.block());
    }

    /// How many bytes a command moves at most: 512 KiB
    /// ([`DEFAULT_TRANSFER`]) or less, unless
    /// [set](Self::set_max_transfer).
    #[must_use]
    pub fn max_transfer(&self) -> usize {
        self.max_transfer / self.block() * self.block()
    }

    /// How many bytes a block has.
    #[must_use]
    pub const fn block_length(&self) -> u32 {
        self.layout.block_length()
    }

    /// How many blocks there are.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.layout.blocks()
    }

    /// Both, as a value that makes commands.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// What carries the commands.
    #[must_use]
    pub const fn transport(&self) -> &T {
        &self.transport
    }

    /// Gives the transport back.
    #[must_use]
    pub fn into_transport(self) -> T {
        self.transport
    }

    /// Reads whole blocks from block `lba` on, until `buffer` is full.
    ///
    /// # Errors
    /// [`Error::Length`] and [`Error::OutOfRange`] before anything is sent; any
    /// error of [`ScsiTransportExt::read`]; [`Error::Malformed`] when a command
    /// succeeded and moved less than was asked for.
    pub fn read(&self, lba: u64, buffer: &mut [u8]) -> Result<(), Partial> {
        self.check(lba, buffer.len())?;
        let mut at = lba;
        for chunk in buffer.chunks_mut(self.max_transfer()) {
            self.read_once(at, chunk)
                .map_err(|error| stopped(at - lba, error))?;
            at += u64::from(self.count(chunk.len()));
        }
        Ok(())
    }

    /// Writes whole blocks from block `lba` on.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn write(&self, lba: u64, buffer: &[u8]) -> Result<(), Partial> {
        self.check(lba, buffer.len())?;
        let mut at = lba;
        for chunk in buffer.chunks(self.max_transfer()) {
            self.write_once(at, chunk)
                .map_err(|error| stopped(at - lba, error))?;
            at += u64::from(self.count(chunk.len()));
        }
        Ok(())
    }

    /// Has the device read `blocks` blocks from block `lba` on and check them;
    /// no data is moved.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn verify(&self, lba: u64, blocks: u64) -> Result<(), Partial> {
        self.in_range(self.layout.check(lba, blocks))
            .map_err(|error| stopped(0, error))?;
        let mut done = 0;
        while done < blocks {
            let count = (blocks - done).min(VERIFY_BLOCKS);
            let short = u32::try_from(count).unwrap_or(u32::MAX);
            self.in_range(self.layout.verify(lba + done, short))
                .and_then(|command| self.transport.execute(&command))
                .map_err(|error| stopped(done, error))?;
            done += count;
        }
        Ok(())
    }

    /// Has the device bring its cache to the medium.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::execute`]. Devices without a cache may refuse it.
    pub fn flush(&self) -> Result<()> {
        self.transport.execute(&SynchronizeCache10::all())?;
        Ok(())
    }

    fn read_once(&self, lba: u64, chunk: &mut [u8]) -> Result<()> {
        let command = self.in_range(self.layout.read(lba, self.count(chunk.len())))?;
        let outcome = self.transport.read(&command, chunk)?;
        self.whole(&command, &outcome)
    }

    fn write_once(&self, lba: u64, chunk: &[u8]) -> Result<()> {
        let command = self.in_range(self.layout.write(lba, self.count(chunk.len())))?;
        let outcome = self.transport.write(&command, chunk)?;
        self.whole(&command, &outcome)
    }

    fn block(&self) -> usize {
        // A caller's own layout may have blocks of nothing.
        (self.layout.block_length() as usize).max(1)
    }

    /// How many blocks `len` bytes are; a transfer has less than 2^32 of them.
    fn count(&self, len: usize) -> u32 {
        u32::try_from(len / self.block()).unwrap_or(u32::MAX)
    }

    fn check(&self, lba: u64, len: usize) -> Result<(), Partial> {
        let fit = if len % self.block() == 0 {
            let blocks = (len / self.block()) as u64;
            self.in_range(self.layout.check(lba, blocks))
        } else {
            Err(Error::Length {
                path: self.transport.path().to_path_buf(),
                command: "a transfer of whole blocks",
                mismatch: LengthMismatch::Unit {
                    len,
                    block_length: self.layout.block_length(),
                },
            })
        };
        fit.map_err(|error| stopped(0, error))
    }

    fn in_range<V>(&self, result: Result<V, OutOfRange>) -> Result<V> {
        result.map_err(|range| Error::OutOfRange {
            path: self.transport.path().to_path_buf(),
            range,
        })
    }

    /// A command that is a success has moved all blocks or has failed.
    fn whole<C: Command>(&self, command: &C, outcome: &Outcome) -> Result<()> {
        let (need, got) = (outcome.requested(), outcome.transferred());
        if got == need {
            return Ok(());
        }
        let cdb = cdb_of(&self.transport, command, need)?;
        Err(Error::Malformed {
            failure: Box::new(failure_of(&self.transport, &cdb, outcome)),
            reason: Malformed::Short { need, got },
        })
    }
}

fn stopped(done: u64, error: Error) -> Partial {
    Partial { done, error }
}

fn ask_long<T: ScsiTransport>(transport: &T, short: &Capacity10) -> Result<Option<Capacity16>> {
    if short.is_saturated() {
        return transport.query(&ReadCapacity16::new()).map(Some);
    }
    let inquiry = transport.query(&Inquiry::standard())?;
    // Not by order: in old versions of the byte the high bits mean other
    // standards.
    if !matches!(
        inquiry.version(),
        ScsiVersion::SPC_3 | ScsiVersion::SPC_4 | ScsiVersion::SPC_5 | ScsiVersion::SPC_6
    ) {
        return Ok(None);
    }
    optional(transport.query(&ReadCapacity16::new()))
}

/// `None` for what the device does not know or answers wrongly.
pub(super) fn optional<V>(answer: Result<V>) -> Result<Option<V>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(Error::Malformed { .. }) => Ok(None),
        Err(Error::Check(failure))
            if failure.outcome().sense().key() == Some(SenseKey::ILLEGAL_REQUEST) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[path = "disk_tests.rs"]
mod tests;
