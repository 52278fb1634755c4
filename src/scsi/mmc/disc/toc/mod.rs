//! READ TOC/PMA/ATIP (43h): tables of contents, and what else is in the
//! lead-in.

mod atip;
mod fault;
mod full;
mod mismatch;
mod pma;
mod q;
mod sessions;
mod tracks;

pub use atip::Atip;
pub use fault::TocFault;
pub use full::{FullToc, TocSession};
pub use pma::Pma;
pub use q::{TocPoint, TocQEntry};
pub use sessions::LastSession;
pub use tracks::{Toc, TocEntry, TocTrack};

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use super::{
    Bcd, CdText, Cdb, Command, DataIn, Lba, LengthLie, LengthMismatch, Malformed, Msf,
    NumberEncoding, Query, ReplyBytes, SizedReply, TrackControl, lengths, wire,
};

/// The header of every format, in bytes.
const HEADER: usize = 4;

/// One of the formats of READ TOC/PMA/ATIP: [`TocTracks`], [`TocSessions`],
/// [`TocFull`], [`TocPma`], [`TocAtip`] and [`TocCdText`].
pub trait TocFormat: sealed::Sealed {
    /// The parsed reply.
    type Reply<'a>;
}

mod sealed {
    use super::{Malformed, SizedReply};

    pub trait Sealed: Sized {
        /// The number of the format.
        const FORMAT: u8;

        /// Reads a reply that is long enough for its header and is none of
        /// another format.
        fn read<'a>(
            command: &super::ReadToc<Self>,
            reply: SizedReply<'a>,
        ) -> Result<Self::Reply<'a>, Malformed>
        where
            Self: super::TocFormat;
    }
}

/// Format 0: the tracks, with their starts. The reply is a [`Toc`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TocTracks;

/// Format 1: where the last complete session begins. The reply is a
/// [`LastSession`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TocSessions;

/// Format 2: all entries of all lead-ins. The reply is a [`FullToc`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TocFull;

/// Format 3: the program memory area of a recordable CD. The reply is a
/// [`Pma`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TocPma;

/// Format 4: the absolute time in pre-groove of a recordable CD. The reply is an
/// [`Atip`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TocAtip;

/// Format 5: CD-TEXT. The reply is a [`CdText`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TocCdText;

/// READ TOC/PMA/ATIP (43h, MMC-5 6.26): reads a table of contents, or what else
/// a CD has in its lead-in. Every format has its own type of reply.
///
/// The format is written in two places, byte 2 and the two upper bits of byte 9,
/// because drives older than MMC look only at the latter (as QEMU's IDE drive
/// does), and answer GOOD with format 0 to whatever stands in byte 2. Bits 7 and
/// 6 of byte 9 are the vendor's today, so [`legacy_format`] switches that off
/// for a drive that refuses it (05/24/00). Byte 9 has room for formats 0 to 3;
/// for 4 and 5 it stays 0. A reply that is of another format than the one asked
/// for is [`Malformed::OtherFormat`].
///
/// Addresses of formats 2 to 5 are always minutes, seconds and frames; the MSF
/// bit is set for them, because some drives have block addresses there without
/// it.
///
/// Where a drive's residual cannot be trusted, ask for 4 bytes first, and then
/// for [as many as there are](SizedReply::needed_length).
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes, mmc::{Lba, ReadToc}};
///
/// let command = ReadToc::full();
/// assert_eq!(
///     command.cdb_for(48)?.as_bytes(),
///     [0x43, 0x02, 0x02, 0, 0, 0, 0, 0, 48, 0x80],
/// );
///
/// // A CD with one track and a lead-out.
/// let reply = [
///     0x00, 0x2e, 0x01, 0x01, // one session
///     0x01, 0x14, 0x00, 0xa0, 0, 0, 0, 0, 1, 0, 0, // the first track is 1
///     0x01, 0x14, 0x00, 0xa1, 0, 0, 0, 0, 1, 0, 0, // and so is the last
///     0x01, 0x14, 0x00, 0xa2, 0, 0, 0, 0, 0, 4, 25, // the lead-out: 00:04.25
///     0x01, 0x14, 0x00, 0x01, 0, 0, 0, 0, 0, 2, 0, // track 1: 00:02.00
/// ];
/// let toc = command.parse(ReplyBytes::borrowed(&reply)).unwrap();
/// assert!(toc.faults().is_empty());
/// let track = toc.tracks().remove(0);
/// assert_eq!((track.number, track.start, track.length), (1, Lba(0), Some(175)));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
///
/// [`legacy_format`]: Self::legacy_format
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("READ_TOC", "READ_TOC_PMA_ATIP", "GPCMD_READ_TOC_PMA_ATIP", "TOC"))]
pub struct ReadToc<F> {
    format: F,
    msf: bool,
    start: u8,
    legacy: bool,
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    flags: u8,
    format: u8,
    reserved: [u8; 3],
    start: u8,
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

const MSF: u8 = 0x02;

impl<F> ReadToc<F> {
    const fn of(format: F, msf: bool, start: u8, allocation_length: u16) -> Self {
        Self {
            format,
            msf,
            start,
            legacy: true,
            allocation_length,
        }
    }

    /// How many bytes to ask for: 4 to 65,535. Without this it is what the
    /// longest usual reply of the format has.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }

    /// Whether byte 9 says the format too, for drives that look only there.
    /// It does without this.
    #[must_use]
    #[doc(alias = "SFF-8020i")]
    pub const fn legacy_format(mut self, yes: bool) -> Self {
        self.legacy = yes;
        self
    }
}

impl ReadToc<TocTracks> {
    /// Format 0000b: all tracks, as block addresses.
    #[must_use]
    pub const fn tracks() -> Self {
        // 99 tracks, the lead-out, and the header.
        Self::of(TocTracks, false, 0, 804)
    }

    /// Asks for minutes, seconds and frames in place of block addresses.
    #[must_use]
    pub const fn msf(mut self, yes: bool) -> Self {
        self.msf = yes;
        self
    }

    /// Asks for this track and those after it; 0 is all, and `AAh` the lead-out
    /// alone.
    #[must_use]
    pub const fn starting_track(mut self, track: u8) -> Self {
        self.start = track;
        self
    }
}

impl ReadToc<TocSessions> {
    /// Format 0001b: the last complete session, as a block address.
    #[must_use]
    pub const fn last_session() -> Self {
        Self::of(TocSessions, false, 0, 12)
    }

    /// Asks for minutes, seconds and frames in place of the block address.
    #[must_use]
    pub const fn msf(mut self, yes: bool) -> Self {
        self.msf = yes;
        self
    }
}

impl ReadToc<TocFull> {
    /// Format 0010b: the entries of all sessions' lead-ins.
    #[must_use]
    pub const fn full() -> Self {
        Self::of(TocFull, true, 0, 4096)
    }

    /// Asks for this session and those after it; 0 is all.
    #[must_use]
    pub const fn starting_session(mut self, session: u8) -> Self {
        self.start = session;
        self
    }
}

impl ReadToc<TocPma> {
    /// Format 0011b: the program memory area.
    #[must_use]
    pub const fn pma() -> Self {
        Self::of(TocPma, true, 0, 4096)
    }
}

impl ReadToc<TocAtip> {
    /// Format 0100b: the ATIP.
    #[must_use]
    pub const fn atip() -> Self {
        Self::of(TocAtip, true, 0, 32)
    }
}

impl ReadToc<TocCdText> {
    /// Format 0101b: the CD-TEXT of the lead-in. The default length has room for
    /// all 2,048 packs that there can be.
    #[must_use]
    pub const fn cd_text() -> Self {
        Self::of(TocCdText, true, 0, 36_868)
    }
}

impl<F: TocFormat> Command for ReadToc<F> {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let legacy = if self.legacy && F::FORMAT < 4 {
            F::FORMAT << 6
        } else {
            0
        };
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x43,
            flags: if self.msf { MSF } else { 0 },
            format: F::FORMAT,
            reserved: [0; 3],
            start: self.start,
            allocation_length: U16::new(lengths::two_bytes(data_len, HEADER)?),
            control: legacy,
        })))
    }
}

impl<F: TocFormat> DataIn for ReadToc<F> {}

impl<F: TocFormat> Query for ReadToc<F> {
    type Reply<'a> = F::Reply<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<F::Reply<'a>, Malformed> {
        let reply = SizedReply::with_16_bits(reply, self.reply_length(), HEADER, HEADER)?;
        match mismatch::other_format(F::FORMAT, reply.list(HEADER)) {
            Some(got) => Err(Malformed::OtherFormat {
                asked: F::FORMAT,
                got,
            }),
            None => F::read(self, reply),
        }
    }
}

impl TocFormat for TocTracks {
    type Reply<'a> = Toc<'a>;
}

impl sealed::Sealed for TocTracks {
    const FORMAT: u8 = 0;

    fn read<'a>(command: &ReadToc<Self>, reply: SizedReply<'a>) -> Result<Toc<'a>, Malformed> {
        Ok(Toc::new(reply, command.msf))
    }
}

impl TocFormat for TocSessions {
    type Reply<'a> = LastSession<'a>;
}

impl sealed::Sealed for TocSessions {
    const FORMAT: u8 = 1;

    fn read<'a>(
        command: &ReadToc<Self>,
        reply: SizedReply<'a>,
    ) -> Result<LastSession<'a>, Malformed> {
        Ok(LastSession::new(reply, command.msf))
    }
}

impl TocFormat for TocFull {
    type Reply<'a> = FullToc<'a>;
}

impl sealed::Sealed for TocFull {
    const FORMAT: u8 = 2;

    fn read<'a>(_: &ReadToc<Self>, reply: SizedReply<'a>) -> Result<FullToc<'a>, Malformed> {
        Ok(FullToc::new(reply))
    }
}

impl TocFormat for TocPma {
    type Reply<'a> = Pma<'a>;
}

impl sealed::Sealed for TocPma {
    const FORMAT: u8 = 3;

    fn read<'a>(_: &ReadToc<Self>, reply: SizedReply<'a>) -> Result<Pma<'a>, Malformed> {
        Ok(Pma::new(reply))
    }
}

impl TocFormat for TocAtip {
    type Reply<'a> = Atip<'a>;
}

impl sealed::Sealed for TocAtip {
    const FORMAT: u8 = 4;

    fn read<'a>(_: &ReadToc<Self>, reply: SizedReply<'a>) -> Result<Atip<'a>, Malformed> {
        Ok(Atip::new(reply))
    }
}

impl TocFormat for TocCdText {
    type Reply<'a> = CdText<'a>;
}

impl sealed::Sealed for TocCdText {
    const FORMAT: u8 = 5;

    fn read<'a>(_: &ReadToc<Self>, reply: SizedReply<'a>) -> Result<CdText<'a>, Malformed> {
        Ok(CdText::new(reply))
    }
}

#[cfg(test)]
mod tests;
