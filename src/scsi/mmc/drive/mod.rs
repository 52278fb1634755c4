//! The drive: speeds, events, loading, structures and keys.

mod buffer_capacity;
mod events;
mod key;
mod key_reply;
mod load;
mod mechanism;
mod performance;
mod performance_reply;
mod speed;
mod start_stop;
mod streaming;
mod structure;
mod structure_reply;
mod sub_channel;
mod sub_channel_reply;

pub use buffer_capacity::{BufferCapacity, ReadBufferCapacity};
pub use events::{
    EventClass, EventClasses, EventStatus, GetEventStatus, MediaEvent, MediaEventCode,
};
pub use key::{Agid, InvalidateAgid, KeyClass, KeyFormat, ReportKey};
pub use key_reply::{KeyReply, RpcState, RpcType};
pub use load::LoadUnload;
pub use mechanism::{ChangerState, MechanismState, MechanismStatus, Slot, SlotTable};
pub use performance::{GetPerformance, PerformanceList, PerformanceType};
pub use performance_reply::{
    PerformanceData, PerformanceException, PerformanceRange, WriteSpeedRange,
};
pub use speed::{RotationControl, SetCdSpeed, cd_speed};
pub use start_stop::{PowerCondition, PreventAllow, StartStop};
pub use streaming::{SetStreaming, StreamingDescriptor};
pub use structure::{DiscStructureFormat, DiscStructureMedia, ReadDiscStructure};
pub use structure_reply::{
    BdDiscInformation, DiscStructure, DvdBookType, DvdCopyright, DvdPhysical,
};
pub use sub_channel::{ReadSubChannel, SubChannelFormat};
pub use sub_channel_reply::{AudioStatus, SubChannel, SubChannelAddress, SubChannelPosition};

use super::{Isrc, Lba, Mcn, Msf, TrackControl};

#[cfg(test)]
mod tests;
