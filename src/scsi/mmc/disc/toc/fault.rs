//! What is wrong with a table of contents.

use super::{HEADER, Lba, LengthLie, SizedReply};

/// Something in a table of contents that cannot be, or that a whole one has.
///
/// None of them makes the rest of the reply unusable, so they are reported and
/// no error: real discs with a copy protection have some on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum TocFault {
    /// The reply's length field contradicts the transfer.
    #[error("{0}")]
    Length(LengthLie),
    /// The list is no whole number of entries.
    #[error("the list ends with {bytes} of the {entry} bytes of an entry")]
    PartialEntry {
        /// How many bytes are left over.
        bytes: usize,
        /// How many an entry has.
        entry: usize,
    },
    /// The reply has no lead-out (`AAh` in format 0, A2h in format 2).
    #[error("session {session} has no lead-out")]
    NoLeadOut {
        /// The session, 1 in format 0.
        session: u8,
    },
    /// A session has no entry for its first track (A0h).
    #[error("session {session} does not say which track is its first")]
    NoFirstTrack {
        /// The session.
        session: u8,
    },
    /// A session has no entry for its last track (A1h).
    #[error("session {session} does not say which track is its last")]
    NoLastTrack {
        /// The session.
        session: u8,
    },
    /// The header has a session of which there is no entry.
    #[error("session {session} has no entries")]
    NoSession {
        /// The session.
        session: u8,
    },
    /// An entry is of session 0, or of one that the header does not have.
    #[error("there is an entry of session {session}, which is none of the disc's")]
    OtherSession {
        /// The session in the entry.
        session: u8,
    },
    /// There is no such track: they are 1 to 99.
    #[error("track {number} cannot be")]
    TrackNumber {
        /// The number in the entry, as it came.
        number: u8,
    },
    /// There are more tracks than 99 in the list, or one of them twice.
    #[error("track {number} comes after track {after}")]
    TrackOrder {
        /// The number of the track.
        number: u8,
        /// The number of the track before it in the list.
        after: u8,
    },
    /// A track that the disc has is not in the list.
    #[error("track {number} is missing")]
    MissingTrack {
        /// The number of the first track that is missing.
        number: u8,
    },
    /// A track does not begin after the one before it, or it begins after the
    /// lead-out.
    #[error("track {number} begins at {start}, which is not where it can")]
    Address {
        /// The number of the track; `AAh` is the lead-out.
        number: u8,
        /// The block address.
        start: Lba,
    },
    /// No time: seconds are less than 60, frames less than 75.
    #[error("{}:{}.{} of track or point {number:02x}h is no time", .msf[0], .msf[1], .msf[2])]
    Time {
        /// The track or the point, as it came.
        number: u8,
        /// Minute, second and frame, as they came.
        msf: [u8; 3],
    },
}

/// What is wrong with the length of a list of entries of `entry` bytes.
pub(super) fn of_list(reply: &SizedReply<'_>, entry: usize) -> Vec<TocFault> {
    let lie = reply.length_field_lies().map(TocFault::Length);
    let bytes = reply.list(HEADER).len() % entry;
    let partial =
        (!reply.is_truncated() && bytes != 0).then_some(TocFault::PartialEntry { bytes, entry });
    lie.into_iter().chain(partial).collect()
}
