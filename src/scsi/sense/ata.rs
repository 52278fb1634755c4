//! ATA registers that a SCSI to ATA translation layer returns as sense data (SAT-5 12.2.2).

use super::bytes_at;

/// The registers of an ATA drive after an ATA PASS-THROUGH command.
///
/// Whether the ATA command worked is said by [`status`](Self::status), not by the sense key:
/// translation layers report success under key 1h with 00h/1Dh, and some kernels under key 5h or Bh.
/// Many USB bridges return no registers, or only zeros ([`all_zero`](Self::all_zero)), or old ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct AtaRegisters {
    /// Which bytes of the sense data they were found in.
    pub layout: AtaLayout,
    /// True when the command was a 48-bit one, so that `count` and `lba` have their upper halves.
    pub extend: bool,
    /// The ERROR register.
    pub error: u8,
    /// The COUNT register. Without `extend`, and in the fixed layouts, only the low 8 bits.
    pub count: u16,
    /// True when a fixed layout says that COUNT had a non-zero upper half, which is lost.
    pub count_upper_lost: bool,
    /// The LBA registers: 48 bits with `extend`, else 24. The fixed layouts hold only the low 24.
    /// A 28-bit command has the bits 24 to 27 in the low half of `device`.
    ///
    /// `None` when the old layout of libata put them beyond the bytes that arrived.
    pub lba: Option<u64>,
    /// True when a fixed layout says that LBA had non-zero bits above 24, which are lost.
    pub lba_upper_lost: bool,
    /// The DEVICE register.
    pub device: u8,
    /// The STATUS register: bit 0 ERR, bit 3 DRQ, bit 5 DF, bit 6 DRDY, bit 7 BSY.
    pub status: u8,
    /// Fixed layouts: which entry of the ATA PASS-THROUGH RESULTS log page (16h) holds the whole
    /// registers, 0 if none; `None` in the descriptor layout.
    pub log_index: Option<u8>,
}

/// Where [`AtaRegisters`] were found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AtaLayout {
    /// The ATA Status Return descriptor (type 09h): nothing is lost.
    Descriptor,
    /// Fixed format as SAT-2 and later define it: ERROR, STATUS, DEVICE and COUNT in the
    /// INFORMATION field, flags and LBA in the COMMAND-SPECIFIC INFORMATION field.
    Fixed,
    /// Fixed format as libata of Linux before 6.11 (and of stable kernels before mid 2024) wrote
    /// it: everything shifted, from byte 8 on.
    ///
    /// A guess: bytes 3 to 6 are zero and VALID is not set, but bytes 8 to 11 are not zero.
    OldLibata,
}

impl AtaRegisters {
    /// The LBA LOW register (bits 0 to 7).
    #[must_use]
    pub fn lba_low(&self) -> Option<u8> {
        let [.., low] = self.lba?.to_be_bytes();
        Some(low)
    }

    /// The LBA MID register (bits 8 to 15).
    #[must_use]
    pub fn lba_mid(&self) -> Option<u8> {
        let [.., mid, _] = self.lba?.to_be_bytes();
        Some(mid)
    }

    /// The LBA HIGH register (bits 16 to 23).
    #[must_use]
    pub fn lba_high(&self) -> Option<u8> {
        let [.., high, _, _] = self.lba?.to_be_bytes();
        Some(high)
    }

    /// True when ERR or DF is set: the ATA command failed.
    ///
    /// False is a success only if there is a status at all: with BSY (bit 7) the drive has not
    /// answered and the other bits mean nothing, and with [`all_zero`](Self::all_zero) nobody
    /// filled it in.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        self.status & 0x21 != 0
    }

    /// For SMART RETURN STATUS: true when the drive's health is good (4Fh, C2h in LBA MID and HIGH),
    /// false when a threshold is exceeded (F4h, 2Ch), `None` for everything else, as bridges
    /// return that have no registers, or stale ones.
    ///
    /// ```
    /// use passthru::scsi::Sense;
    ///
    /// let sense = Sense::parse(&[
    ///     0x72, 1, 0, 0x1D, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0, 0, 0, 0, 0x4F, 0, 0xC2, 0, 0x50,
    /// ]);
    /// assert_eq!(sense.ata_registers().and_then(|ata| ata.smart_passed()), Some(true));
    /// ```
    #[must_use]
    #[doc(alias = "SMART RETURN STATUS")]
    pub fn smart_passed(&self) -> Option<bool> {
        match (self.lba_mid()?, self.lba_high()?) {
            (0x4F, 0xC2) => Some(true),
            (0xF4, 0x2C) => Some(false),
            _ => None,
        }
    }

    /// True when every register is zero. A drive has DRDY set in STATUS, so this comes from a
    /// translation layer that did not fill the registers in: nothing is known.
    #[must_use]
    pub const fn all_zero(&self) -> bool {
        self.error == 0
            && self.count == 0
            && matches!(self.lba, None | Some(0))
            && self.device == 0
            && self.status == 0
    }

    /// Reads a whole ATA Status Return descriptor, its two header bytes included.
    pub(super) fn from_descriptor(descriptor: &[u8]) -> Option<Self> {
        let &[
            _,
            _,
            flags,
            error,
            count_high,
            count_low,
            l3,
            l0,
            l4,
            l1,
            l5,
            l2,
            device,
            status,
        ] = bytes_at::<14>(descriptor, 0)?;
        let extend = flags & 0x01 != 0;
        let (count, lba) = if extend {
            ([count_high, count_low], [0, 0, l5, l4, l3, l2, l1, l0])
        } else {
            ([0, count_low], [0, 0, 0, 0, 0, l2, l1, l0])
        };
        Some(Self {
            layout: AtaLayout::Descriptor,
            extend,
            error,
            count: u16::from_be_bytes(count),
            count_upper_lost: false,
            lba: Some(u64::from_be_bytes(lba)),
            lba_upper_lost: false,
            device,
            status,
            log_index: None,
        })
    }

    /// Reads fixed format sense data. `usable` ends where the device said that it ends; `given` is
    /// all that arrived, because old libata wrote past the end that it announced.
    pub(super) fn from_fixed(usable: &[u8], given: &[u8]) -> Option<Self> {
        let &[response, ..] = usable else { return None };
        let valid = response & 0x80 != 0;
        let information = bytes_at::<4>(usable, 3)?;
        let specific = bytes_at::<4>(usable, 8)?;
        let (layout, &[error, status, device, count], tail) = if valid || *information != [0; 4] {
            (AtaLayout::Fixed, information, Some(specific))
        } else if *specific != [0; 4] {
            (AtaLayout::OldLibata, specific, bytes_at::<4>(given, 16))
        } else {
            return None;
        };
        let flags = tail.map_or(0, |&[flags, ..]| flags);
        Some(Self {
            layout,
            extend: flags & 0x80 != 0,
            error,
            count: u16::from(count),
            count_upper_lost: flags & 0x40 != 0,
            lba: tail
                .map(|&[_, low, mid, high]| u64::from_be_bytes([0, 0, 0, 0, 0, high, mid, low])),
            lba_upper_lost: flags & 0x20 != 0,
            device,
            status,
            log_index: Some(flags & 0x0F),
        })
    }
}
