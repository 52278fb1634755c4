//! What Directive Receive brings.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32},
};

use super::DirectiveType;
use crate::nvme::Malformed;

/// Which directives a namespace knows and uses: the Identify directive's Return
/// Parameters. NVMe Base 2.1, 8.1.8.
///
/// ```
/// use passthru::nvme::admin::{DirectiveSupport, DirectiveType};
///
/// let mut bytes = [0; 4096];
/// bytes[0] = 3;
/// bytes[32] = 1;
/// let support = DirectiveSupport::parse(&bytes)?;
/// assert!(support.supports(DirectiveType::STREAMS));
/// assert!(!support.is_enabled(DirectiveType::STREAMS));
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
#[doc(alias = "nvme_id_directives")]
pub struct DirectiveSupport {
    supported: [u8; 32],
    enabled: [u8; 32],
    persistent: [u8; 32],
}

const _: () = assert!(size_of::<DirectiveSupport>() == 96);

impl DirectiveSupport {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 96 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        read(bytes)
    }

    /// Whether the namespace knows the directive.
    #[must_use]
    pub fn supports(&self, kind: DirectiveType) -> bool {
        bit(&self.supported, kind)
    }

    /// Whether the namespace uses the directive.
    #[must_use]
    pub fn is_enabled(&self, kind: DirectiveType) -> bool {
        bit(&self.enabled, kind)
    }

    /// Whether it stays so over a reset.
    #[must_use]
    pub fn is_persistent(&self, kind: DirectiveType) -> bool {
        bit(&self.persistent, kind)
    }
}

fn bit(bits: &[u8; 32], kind: DirectiveType) -> bool {
    let byte = bits.get(usize::from(kind.0 >> 3)).copied().unwrap_or(0);
    byte >> (kind.0 & 7) & 1 != 0
}

fn read<T: FromBytes + Immutable + KnownLayout>(bytes: &[u8]) -> Result<T, Malformed> {
    let short = Malformed::Short {
        need: size_of::<T>(),
        got: bytes.len(),
    };
    T::read_from_prefix(bytes)
        .map(|(wire, _)| wire)
        .map_err(|_| short)
}

/// What streams there may be: the Streams directive's Return Parameters. NVMe
/// Base 2.1, 8.1.8.
///
/// ```
/// use passthru::nvme::admin::StreamParameters;
///
/// let mut bytes = [0; 32];
/// bytes[..6].copy_from_slice(&[8, 0, 6, 0, 2, 0]);
/// let parameters = StreamParameters::parse(&bytes)?;
/// assert_eq!((parameters.most(), parameters.available(), parameters.open()), (8, 6, 2));
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
#[doc(alias = "nvme_streams_directive_params")]
pub struct StreamParameters {
    msl: U16,
    nssa: U16,
    nsso: U16,
    nssc: u8,
    reserved7: [u8; 9],
    sws: U32,
    sgs: U16,
    nsa: U16,
    nso: U16,
    reserved26: [u8; 6],
}

const _: () = assert!(size_of::<StreamParameters>() == 32);

impl StreamParameters {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 32 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        read(bytes)
    }

    /// The most streams of the NVM subsystem (MSL).
    #[must_use]
    #[doc(alias = "MSL")]
    pub fn most(&self) -> u16 {
        self.msl.get()
    }

    /// How many of the NVM subsystem can be allocated (NSSA).
    #[must_use]
    #[doc(alias = "NSSA")]
    pub fn available(&self) -> u16 {
        self.nssa.get()
    }

    /// How many of the NVM subsystem are open (NSSO).
    #[must_use]
    #[doc(alias = "NSSO")]
    pub fn open(&self) -> u16 {
        self.nsso.get()
    }

    /// Whether hosts with the same host identifier share streams (NSSC bit 0).
    #[must_use]
    #[doc(alias = "NSSC")]
    pub fn is_shared(&self) -> bool {
        self.nssc & 1 != 0
    }

    /// The size that writes do best with, in blocks (SWS).
    #[must_use]
    #[doc(alias = "SWS")]
    pub fn write_size(&self) -> u32 {
        self.sws.get()
    }

    /// The size that is given away at a time, in units of the
    /// [write size](Self::write_size) (SGS).
    #[must_use]
    #[doc(alias = "SGS")]
    pub fn granularity(&self) -> u16 {
        self.sgs.get()
    }

    /// How many are allocated for the namespace alone (NSA).
    #[must_use]
    #[doc(alias = "NSA")]
    pub fn allocated(&self) -> u16 {
        self.nsa.get()
    }

    /// How many of the namespace are open (NSO).
    #[must_use]
    #[doc(alias = "NSO")]
    pub fn namespace_open(&self) -> u16 {
        self.nso.get()
    }
}

/// The streams that are open: the Streams directive's Get Status. NVMe Base 2.1,
/// 8.1.8.
///
/// ```
/// use passthru::nvme::admin::StreamStatus;
///
/// let status = StreamStatus::parse(&[3, 0, 7, 0, 9, 0])?;
/// assert_eq!((status.count(), status.streams()), (3, &[7, 9][..]));
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_streams_directive_status")]
pub struct StreamStatus {
    count: u16,
    streams: Vec<u16>,
}

impl StreamStatus {
    /// Reads the data, of which the caller may have asked for the beginning
    /// only.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 2 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let Some((count, rest)) = bytes.split_first_chunk() else {
            return Err(Malformed::Short {
                need: 2,
                got: bytes.len(),
            });
        };
        let count = u16::from_le_bytes(*count);
        let streams = rest.chunks_exact(2).take(usize::from(count));
        let streams = streams.filter_map(|pair| pair.try_into().ok());
        Ok(Self {
            count,
            streams: streams.map(u16::from_le_bytes).collect(),
        })
    }

    /// How many are open, which may be more than the data had room for.
    #[must_use]
    pub const fn count(&self) -> u16 {
        self.count
    }

    /// Their identifiers, as many as there are in the data.
    #[must_use]
    pub fn streams(&self) -> &[u16] {
        &self.streams
    }
}
