//! What the drive tells of itself meanwhile, whichever command it is told to.
//!
//! A unit attention is told once. A command whose outcome does not matter, a seek or a
//! question about the speed, can be the one that hears of another disc; so it is
//! looked at every outcome.

use std::{cell::Cell, path::Path};

use passthru::{
    Data, Options, Outcome, Result, ScsiTransport,
    scsi::{Cdb, DeviceType, Sense, SenseKey, sense::Condition},
};

use crate::problem::{Code, Problem};

/// What has happened since it was last [forgotten](Events::forget).
#[derive(Debug, Default)]
pub(crate) struct Events {
    /// The drive said that there may be another disc, or that there is none.
    other_disc: Cell<bool>,
    /// A unit attention, and how many: settings may be lost.
    attention: Cell<bool>,
    attentions: Cell<u64>,
    /// It was not ready.
    not_ready: Cell<bool>,
}

/// What was not taken care of yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pending {
    pub(crate) attention: bool,
    pub(crate) not_ready: bool,
}

impl Events {
    /// Nothing has happened.
    pub(crate) fn forget(&self) {
        self.other_disc.set(false);
        self.attention.set(false);
        self.attentions.set(0);
        self.not_ready.set(false);
    }

    /// How many unit attentions there were.
    pub(crate) fn attentions(&self) -> u64 {
        self.attentions.get()
    }

    /// Whether there is something to be taken care of.
    pub(crate) fn is_pending(&self) -> bool {
        self.other_disc.get() || self.attention.get() || self.not_ready.get()
    }

    /// What is to be taken care of, and is from then on.
    pub(crate) fn take(&self) -> Result<Pending, Problem> {
        if self.other_disc.get() {
            return Err(another_disc(
                "the drive told of another disc, or of none, meanwhile",
            ));
        }
        Ok(Pending {
            attention: self.attention.take(),
            not_ready: self.not_ready.take(),
        })
    }

    /// Looks at what a command told.
    pub(crate) fn see(&self, sense: Sense<'_>) {
        let condition = sense.condition();
        match condition {
            // Of an earlier command.
            Condition::Deferred => return,
            Condition::MediumChanged | Condition::ElementsChanged | Condition::NoMedium => {
                self.other_disc.set(true);
            }
            _ => {}
        }
        match sense.key() {
            Some(SenseKey::UNIT_ATTENTION) => {
                self.attention.set(true);
                self.attentions.set(self.attentions.get().saturating_add(1));
            }
            Some(SenseKey::NOT_READY) => self.not_ready.set(true),
            _ => {}
        }
    }
}

/// Sectors of two discs do not belong into one output.
pub(crate) fn another_disc(why: &str) -> Problem {
    Problem::own(
        Code::Device,
        "another_disc",
        format!("this may be another disc than the one that the reading began with: {why}"),
    )
}

/// A transport, watched.
pub(crate) struct Watched<'a, T: ?Sized> {
    transport: &'a T,
    events: &'a Events,
}

impl<'a, T: ScsiTransport + ?Sized> Watched<'a, T> {
    pub(crate) const fn new(transport: &'a T, events: &'a Events) -> Self {
        Self { transport, events }
    }
}

impl<T: ScsiTransport + ?Sized> ScsiTransport for Watched<'_, T> {
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
        let outcome = self.transport.send(cdb, data, options)?;
        if !outcome.sense_bytes().is_empty() {
            self.events.see(outcome.sense());
        }
        Ok(outcome)
    }

    fn path(&self) -> &Path {
        self.transport.path()
    }

    fn default_options(&self) -> Options {
        self.transport.default_options()
    }

    fn device_type(&self) -> Option<DeviceType> {
        self.transport.device_type()
    }
}
