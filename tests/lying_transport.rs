//! A transport that says whatever it likes: no panic, no byte beyond those that
//! arrived, and success only for a successful verdict.

use std::{cell::Cell, error::Error as _, path::Path, time::Duration};

use passthru::{
    Data, Error, Options, Outcome, Result, ScsiTransport, ScsiTransportExt,
    scsi::vpd::{BlockLimits, DeviceIdentification, SerialNumber, SupportedPages},
    scsi::{
        Cdb, DriverStatus, HostStatus, Inquiry, Query, RawCdb, Read10, ReadCapacity10,
        ReadCapacity16, RequestSense, Status, TestUnitReady, Write10,
    },
};
use proptest::prelude::*;

/// What it answers to everything.
#[derive(Clone, Debug)]
struct Liar {
    status: u8,
    host: u16,
    driver: u16,
    residual: i32,
    /// What is said of the length, if not the truth.
    requested: Option<usize>,
    sense: Vec<u8>,
    sense_len: usize,
    data: Vec<u8>,
    calls: Cell<usize>,
}

impl ScsiTransport for Liar {
    fn send(&self, _cdb: &Cdb, data: Data<'_>, _options: &Options) -> Result<Outcome> {
        self.calls.set(self.calls.get() + 1);
        let requested = self.requested.unwrap_or(data.len());
        let mut outcome = Outcome::new(Status(self.status), requested);
        outcome.set_host(HostStatus(self.host));
        outcome.set_driver(DriverStatus(self.driver));
        outcome.set_residual(self.residual);
        outcome.set_duration(Duration::MAX);
        for (to, from) in outcome
            .sense_mut()
            .as_mut_array()
            .iter_mut()
            .zip(&self.sense)
        {
            *to = *from;
        }
        outcome.sense_mut().set_len(self.sense_len);
        if let Data::In(buffer) = data {
            for (to, from) in buffer.iter_mut().zip(&self.data) {
                *to = *from;
            }
        }
        Ok(outcome)
    }

    fn path(&self) -> &Path {
        Path::new("liar")
    }
}

/// Numbers at the edges, and any.
fn residuals() -> impl Strategy<Value = i32> {
    prop_oneof![
        Just(0),
        Just(i32::MIN),
        Just(i32::MAX),
        Just(-1),
        -600..600i32,
        any::<i32>()
    ]
}

fn liars() -> impl Strategy<Value = Liar> {
    (
        prop_oneof![Just(0u8), Just(2), Just(4), any::<u8>()],
        prop_oneof![Just(0u16), 0..0x20u16, any::<u16>()],
        prop_oneof![Just(0u16), Just(8), any::<u16>()],
        residuals(),
        prop_oneof![
            3 => Just(None),
            1 => Just(Some(usize::MAX)),
            1 => (0..2000usize).prop_map(Some)
        ],
        prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..300),
            (0x70..0x74u8, proptest::collection::vec(any::<u8>(), 0..260)).prop_map(
                |(code, mut rest)| {
                    rest.insert(0, code);
                    rest
                }
            ),
        ],
        prop_oneof![Just(0), 0..300usize, any::<usize>()],
        proptest::collection::vec(any::<u8>(), 0..600),
    )
        .prop_map(
            |(status, host, driver, residual, requested, sense, sense_len, data)| Liar {
                status,
                host,
                driver,
                residual,
                requested,
                sense,
                sense_len,
                data,
                calls: Cell::new(0),
            },
        )
}

/// The outcome that the liar gives for `len` bytes.
fn plain(liar: &Liar, len: usize) -> Outcome {
    let cdb = Cdb::from_array([0x12, 0, 0, 0, 0, 0]);
    liar.send(&cdb, Data::In(&mut vec![0; len]), &Options::new())
        .unwrap()
}

fn texts(error: &Error) {
    assert!(!error.to_string().is_empty());
    assert!(!format!("{error:?}").is_empty());
    let _ = (error.source(), error.raw_os_error(), error.was_sent());
}

/// One query: the reply, and what a failure keeps.
fn ask<Q: Query>(liar: &Liar, query: &Q) {
    let len = query.reply_length();
    let expected = plain(liar, len);
    let claimed = expected.claimed().min(len);
    liar.calls.set(0);
    match liar.query(query) {
        Ok(_) => assert!(expected.verdict().is_success(), "{expected:?}"),
        Err(error) => {
            texts(&error);
            assert!(error.was_sent());
            let failure = error.failure().expect("the outcome is kept");
            assert_eq!(failure.outcome().residual(), liar.residual);
            if expected.verdict().is_success() {
                assert!(matches!(error, Error::Malformed { .. }), "{error:?}");
            } else {
                assert_eq!(failure.data().len(), claimed);
            }
        }
    }
    assert_eq!(liar.calls.get(), 1, "one call, one command");
}

proptest! {
    #[test]
    fn whatever_is_said_is_taken_for_no_more_than_it_is(liar in liars()) {
        ask(&liar, &Inquiry::standard());
        ask(&liar, &Inquiry::standard().allocation_length(300));
        ask(&liar, &Inquiry::vpd(SupportedPages));
        ask(&liar, &Inquiry::vpd(SerialNumber));
        ask(&liar, &Inquiry::vpd(DeviceIdentification));
        ask(&liar, &Inquiry::vpd(BlockLimits));
        ask(&liar, &ReadCapacity10);
        ask(&liar, &ReadCapacity16::new());
        ask(&liar, &RequestSense::new());
    }

    #[test]
    fn a_reply_holds_no_byte_that_did_not_arrive(liar in liars()) {
        let len = 300;
        let outcome = plain(&liar, len);
        if let Ok(reply) = liar.query(&Inquiry::standard().allocation_length(300)) {
            let arrived = outcome.claimed().min(len);
            prop_assert!(reply.as_bytes().len() <= arrived);
            let mut all = liar.data.clone();
            all.resize(len.max(all.len()), 0);
            prop_assert_eq!(reply.as_bytes(), &all[..reply.as_bytes().len()]);
        }
    }

    #[test]
    fn success_is_a_matter_of_the_verdict_alone(liar in liars()) {
        let mut buffer = [0; 512];
        let outcome = plain(&liar, 512);
        let success = outcome.verdict().is_success();
        prop_assert!(liar.host == 0 || !success, "{:?}", outcome);
        prop_assert!(outcome.transferred() <= outcome.requested());
        prop_assert!(success || outcome.transferred() == 0);
        prop_assert!(!outcome.to_string().is_empty());
        let raw = RawCdb::from(Cdb::from_array([0xc0; 10]));
        for result in [
            liar.execute(&TestUnitReady),
            liar.execute(&raw),
            liar.read(&Read10::new(0, 1), &mut buffer),
            liar.read(&raw, &mut buffer[..7]),
            liar.write(&Write10::new(0, 1), &[0; 512]),
        ] {
            prop_assert_eq!(result.is_ok(), success);
            if let Err(error) = result {
                texts(&error);
                prop_assert!(error.was_sent());
                prop_assert!(matches!(
                    error,
                    Error::Transport(_) | Error::Check(_) | Error::Status(_)
                ));
            }
        }
    }
}

#[test]
fn good_with_the_sense_of_an_error_is_an_error() {
    let liar = Liar {
        status: 0,
        host: 0,
        driver: 8,
        residual: 0,
        requested: None,
        sense: vec![0x70, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x24, 0, 0, 0, 0, 0],
        sense_len: 18,
        data: vec![0; 36],
        calls: Cell::new(0),
    };
    let error = liar.query(&Inquiry::standard()).unwrap_err();
    assert!(matches!(error, Error::Check(_)), "{error:?}");
    assert_eq!(error.failure().unwrap().data().len(), 36);
}
