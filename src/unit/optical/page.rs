//! Asking for one mode page.

use std::marker::PhantomData;

use crate::scsi::{
    Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes,
    mode::{ModeForm, ModeSense10, TypedPage},
};

/// MODE SENSE(10) of the page `P`, whose reply is that page, with at least so many
/// bytes.
pub(super) struct PageOf<P> {
    sense: ModeSense10,
    least: usize,
    page: PhantomData<P>,
}

impl<P: TypedPage> PageOf<P> {
    pub(super) fn new(least: usize) -> Self {
        Self {
            sense: ModeSense10::new(P::CODE),
            least,
            page: PhantomData,
        }
    }
}

impl<P: TypedPage> Command for PageOf<P> {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        self.sense.cdb_for(data_len)
    }
}

impl<P: TypedPage> DataIn for PageOf<P> {}

impl<P: TypedPage> Query for PageOf<P> {
    type Reply<'a> = P;

    fn reply_length(&self) -> usize {
        self.sense.reply_length()
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<P, Malformed> {
        let got = reply.len();
        let short = Malformed::Short {
            need: ModeForm::Ten.header() + self.least,
            got,
        };
        let page: P = self.sense.parse(reply)?.find()?.ok_or(short)?;
        if page.as_ref().as_bytes().len() < self.least {
            return Err(short);
        }
        Ok(page)
    }
}
