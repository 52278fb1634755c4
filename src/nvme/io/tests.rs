//! The entries by the specifications' figures, the lengths, the replies.

mod data;
mod golden;
mod lengths;
mod replies;
