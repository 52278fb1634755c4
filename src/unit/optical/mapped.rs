//! Reading sectors into the mapped reserve buffer of an sg node.

use super::{
    PartialRead, ReadSectors, mark,
    read::{failed, take, without_addresses},
};
use crate::{
    device::ReserveBuffer,
    error::Error,
    scsi::{
        LengthMismatch,
        mmc::{Lba, ReadCd, SectorLayout, SectorRequest},
    },
    transport::ScsiTransport,
};

impl ReserveBuffer<'_> {
    /// Reads `sectors` whole sectors of an optical drive from `lba` on, to the
    /// beginning of the buffer: one READ CD, whose data is not copied.
    ///
    /// `layout` is how a sector arrives: that of the request
    /// ([`SectorRequest::layout`]), or what a
    /// [probe](super::ProbedLayout::layout) has found.
    ///
    /// What counts as arrived is as at
    /// [`OpticalDrive::read`](super::OpticalDrive::read). Unlike there the kernel
    /// does not write over what did not come, although it is an sg node: sectors
    /// that a drive leaves out are found by their marks, even if the residual is
    /// 0.
    ///
    /// ```no_run
    /// use passthru::{SgDevice, scsi::mmc::{C2, Lba, MainChannel, SectorRequest, SectorType}};
    ///
    /// let mut device = SgDevice::open("/dev/sg1")?;
    /// let request = SectorRequest::new(SectorType::Any, MainChannel::RAW).c2(C2::Pointers294);
    /// let layout = request.layout().expect("all of the main channel has a length");
    /// let sectors = 24;
    /// let mut reserve = device.map_reserve(sectors as usize * layout.sector_length())?;
    /// let read = reserve.read_sectors(&request, layout, Lba(0), sectors)?;
    /// for sector in read.of(&reserve).iter() {
    ///     println!("{:?}", sector.c2().map(|c2| c2.bits().count()));
    /// }
    /// # Ok::<(), passthru::Error>(())
    /// ```
    ///
    /// The table of contents is read before the buffer is mapped, or by an
    /// [`OpticalDrive`](super::OpticalDrive) on [`device`](ReserveBuffer::device).
    /// Other nodes have no such buffer, and
    /// [`OpticalDrive::read`](super::OpticalDrive::read) is for them:
    ///
    /// ```no_run
    /// use passthru::ScsiDevice;
    /// use passthru::scsi::mmc::{Lba, MainChannel, SectorRequest, SectorType};
    /// use passthru::unit::{OPTICAL_TRANSFER, OpticalDrive};
    ///
    /// let drive = OpticalDrive::open("/dev/sg1")?;
    /// let disc = drive.disc()?;
    /// let audio = SectorRequest::new(SectorType::CdDa, MainChannel::USER_DATA);
    /// let layout = audio.layout().expect("audio has one length");
    /// let start = disc.track(1).map_or(Lba(0), |track| track.start);
    /// match drive.into_transport() {
    ///     ScsiDevice::Sg(mut node) => {
    ///         let mut reserve = node.map_reserve(OPTICAL_TRANSFER)?;
    ///         let read = reserve.read_sectors(&audio, layout, start, 27)?;
    ///         println!("{} bytes", read.of(&reserve).as_bytes().len());
    ///     }
    ///     node => {
    ///         let mut buffer = vec![0; 27 * layout.sector_length()];
    ///         let read = OpticalDrive::new(node).read(&audio, start, &mut buffer)?;
    ///         println!("{} bytes", read.of(&buffer).as_bytes().len());
    ///     }
    /// }
    /// # Ok::<(), passthru::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`PartialRead`], as of [`OpticalDrive::read`](super::OpticalDrive::read);
    /// [`Error::Length`] if the sectors do not fit into the buffer, or have no
    /// length, and [`Error::OutOfRange`] if they end behind the last address that
    /// there is, before anything is sent.
    pub fn read_sectors(
        &mut self,
        request: &SectorRequest,
        layout: SectorLayout,
        lba: Lba,
        sectors: u32,
    ) -> Result<ReadSectors, PartialRead> {
        let mut read = ReadSectors::none(lba, layout);
        if sectors == 0 {
            return Ok(read);
        }
        let beyond = without_addresses(self.parts().0.path(), lba, sectors.into());
        let length = layout.sector_length();
        let len = usize::try_from(sectors)
            .ok()
            .and_then(|sectors| sectors.checked_mul(length))
            .filter(|_| length != 0);
        let room = self.len();
        let Some(chunk) = len.and_then(|len| self.get_mut(..len)) else {
            let mismatch = LengthMismatch::TooLong {
                len: len.unwrap_or(usize::MAX),
                max: room,
            };
            let error = Error::Length {
                path: self.parts().0.path().to_path_buf(),
                command: "a transfer of whole sectors",
                mismatch,
            };
            return Err(PartialRead::new(read, error.into()));
        };
        if let Some(error) = beyond {
            return Err(PartialRead::new(read, error.into()));
        }
        let len = chunk.len();
        mark::put(chunk, length);
        let command = ReadCd::with_layout(lba, sectors, *request, layout);
        let result = self.read(&command, len);
        let (device, bytes) = self.parts();
        let chunk = bytes.get(..len).unwrap_or_default();
        match result {
            Ok(outcome) => take(device, &mut read, &command, chunk, &outcome).map(|()| read),
            Err(error) => Err(failed(read, &command, chunk, error)),
        }
    }
}
