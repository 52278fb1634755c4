//! Where sectors come to: the mapped buffer of an sg node, or memory of the program's
//! own.
//!
//! A mapped buffer saves a copy, and what a drive leaves out is seen in it, which the
//! kernel else writes zeros over on sg nodes.

use passthru::{
    AlignedBuf, Error, Outcome, ReserveBuffer, ScsiDevice, ScsiTransport, SgDevice, Verdict,
    scsi::{
        SenseKey,
        mmc::{Lba, SectorLayout, SectorRequest, Sectors},
        sense::Condition,
    },
    unit::{OpticalDrive, ReadSectors},
};

use crate::{events::Events, problem::Problem};

/// The sg node of `device` opened once more, for its mapped buffer: no other command
/// may pass that descriptor meanwhile. Nothing if it is no sg node.
pub(crate) fn open_again(device: &ScsiDevice) -> Option<SgDevice> {
    let ScsiDevice::Sg(device) = device else {
        return None;
    };
    let again = SgDevice::open(device.path()).ok()?;
    // The path may lead to another device by now.
    let (here, there) = (device.address()?, again.address()?);
    (here == there).then_some(again)
}

pub(crate) struct Memory<'m> {
    own: AlignedBuf,
    mapped: Option<ReserveBuffer<'m>>,
    /// The last sectors came to the mapped buffer.
    is_in_mapped: bool,
}

impl<'m> Memory<'m> {
    pub(crate) fn new(len: usize, device: Option<&'m mut SgDevice>) -> Result<Self, Problem> {
        let own =
            AlignedBuf::new(len).map_err(|error| Problem::file("memory for a buffer", &error))?;
        Ok(Self {
            own,
            // Without it goes well, too.
            mapped: device.and_then(|device| device.map_reserve(len).ok()),
            is_in_mapped: false,
        })
    }

    pub(crate) const fn empty() -> Self {
        Self {
            own: AlignedBuf::empty(),
            mapped: None,
            is_in_mapped: false,
        }
    }

    /// Reads sectors. What the drive says is in `events`.
    pub(crate) fn read<T: ScsiTransport>(
        &mut self,
        drive: &OpticalDrive<T>,
        events: &Events,
        (request, layout): (&SectorRequest, SectorLayout),
        (lba, sectors): (Lba, u32),
    ) -> Result<ReadSectors, Error> {
        self.is_in_mapped = false;
        if let Some(mapped) = &mut self.mapped {
            let error = match mapped.read_sectors(request, layout, lba, sectors) {
                Ok(read) => {
                    for remark in read.remarks() {
                        events.see(remark.sense());
                    }
                    self.is_in_mapped = true;
                    return Ok(read);
                }
                Err(partial) => Error::from(partial),
            };
            match (error.outcome(), &error) {
                (Some(outcome), _) => {
                    events.see(outcome.sense());
                    if !is_waited_for(outcome) {
                        return Err(error);
                    }
                    // The drive's transport waits.
                }
                (None, Error::Gone { .. }) => return Err(error),
                // The kernel has no use for this buffer; with the other it goes well, or
                // it is told why not.
                (None, _) => self.mapped = None,
            }
        }
        self.own.set_len(sectors as usize * layout.sector_length());
        drive
            .read_with_layout(request, layout, lba, &mut self.own)
            .map_err(Error::from)
    }

    /// The sectors that were read last: so many.
    pub(crate) fn sectors(&self, layout: SectorLayout, sectors: u32) -> Sectors<'_> {
        let bytes: &[u8] = match &self.mapped {
            Some(mapped) if self.is_in_mapped => mapped,
            _ => &self.own,
        };
        let len = sectors as usize * layout.sector_length();
        Sectors::new(bytes.get(..len).unwrap_or(bytes), layout)
    }
}

/// Whether the policy of the drive's transport waits for the end of it
/// ([`policy`](crate::drive::policy)).
pub(crate) fn is_waited_for(outcome: &Outcome) -> bool {
    let sense = outcome.sense();
    match outcome.verdict() {
        Verdict::Status => outcome.status().is_busy(),
        Verdict::Check if sense.key() == Some(SenseKey::NOT_READY) => matches!(
            sense.condition(),
            Condition::BecomingReady(_)
                | Condition::OperationInProgress(_)
                | Condition::LongWriteInProgress(_)
        ),
        _ => false,
    }
}
