//! The drive: speeds, events, loading, structures and keys.

mod speed;

pub use speed::{RotationControl, SetCdSpeed, cd_speed};
