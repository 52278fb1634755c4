//! The drive: speeds, mode pages, events, loading, structures and keys.
