//! The drive in memory, with something done before a command, or in its place.

use std::{cell::Cell, path::Path};

use passthru::{
    Data, Options, Outcome, Result, ScsiTransport,
    scsi::{Cdb, DeviceType},
};

use crate::fake::Fake;

/// The first sector of a READ CD.
pub(crate) fn read_at(cdb: &Cdb) -> Option<i32> {
    let [0xbe, _, a, b, c, d, ..] = *cdb.as_bytes() else {
        return None;
    };
    Some(i32::from_be_bytes([a, b, c, d]))
}

pub(crate) struct Hooked<'f, F> {
    fake: &'f Fake,
    before: F,
}

impl<'f, F: Fn(&Cdb) -> Option<Result<Outcome>>> Hooked<'f, F> {
    /// `before` gives the end of a command that does not reach the drive.
    pub(crate) const fn new(fake: &'f Fake, before: F) -> Self {
        Self { fake, before }
    }
}

/// Does something once, at the first READ CD from this sector on.
pub(crate) fn once_at(lba: i32, act: impl Fn()) -> impl Fn(&Cdb) -> Option<Result<Outcome>> {
    let done = Cell::new(false);
    move |cdb| {
        if read_at(cdb).is_some_and(|first| first >= lba) && !done.replace(true) {
            act();
        }
        None
    }
}

impl<F: Fn(&Cdb) -> Option<Result<Outcome>>> ScsiTransport for Hooked<'_, F> {
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
        match (self.before)(cdb) {
            Some(result) => result,
            None => self.fake.send(cdb, data, options),
        }
    }

    fn path(&self) -> &Path {
        self.fake.path()
    }

    fn device_type(&self) -> Option<DeviceType> {
        self.fake.device_type()
    }
}
