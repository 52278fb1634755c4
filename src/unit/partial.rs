//! An error with what had been done before it.

use crate::Error;

/// A transfer of several commands that did not come to its end.
///
/// `?` makes an [`Error`] of it where only that is wanted.
#[derive(Debug, thiserror::Error)]
#[error("{error} (after {done} blocks)")]
pub struct Partial {
    /// How many blocks had been done, from the first on. The command that failed
    /// may have done some more.
    pub done: u64,
    /// Why it stopped.
    #[source]
    pub error: Error,
}

impl From<Partial> for Error {
    fn from(partial: Partial) -> Self {
        partial.error
    }
}
