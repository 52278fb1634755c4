//! Reading sectors: READ CD, addresses, layouts, subchannels.
//!
//! A [`SectorRequest`] says which parts of each sector are wanted, and computes
//! the [`SectorLayout`] in which they arrive. [`ReadCd`] takes the request and
//! insists on a buffer of just that size. [`Sectors`] then finds the parts in
//! the buffer: main channel, [C2 pointers](C2Field), [subchannels](SubQ).

mod c2;
mod layout;
mod q_data;
mod raw_sector;
mod read_cd;
mod request;
mod sectors;
mod select;
mod subchannel;

pub use c2::{BlockErrorPlace, C2Bits, C2Field};
pub use layout::{SectorLayout, SectorOrder};
pub use q_data::{Isrc, Mcn, QData, QLeadIn, QPosition};
pub use raw_sector::{RawSector, SectorHeader, descramble};
pub use read_cd::{ReadCd, ReadCdChunks, ReadCdMsf};
pub use request::{SectorRequest, SectorRequestError};
pub use sectors::{Sector, Sectors};
pub use select::{C2, MainChannel, SectorType, SubChannels};
pub use subchannel::{QCrc, RawSubChannels, SubQ};

use super::{Bcd, Lba, Msf, NumberEncoding, TrackControl, TrackNumber};

#[cfg(test)]
mod tests;
