//! What is believed to have arrived.

use proptest::prelude::*;

use super::*;
use crate::scsi::Malformed;

/// 24 sectors with C2 by one command; what is claimed of them.
fn by(fake: &Fake<'_>) -> (u32, Option<usize>, bool) {
    let request = raw().c2(C2::Pointers294);
    let mut buffer = vec![0xaa; 24 * 2646];
    match OpticalDrive::new(fake).read(&request, Lba(100), &mut buffer) {
        Ok(read) => (read.sectors(), None, read.residual_lied()),
        Err(partial) => {
            let &ReadFault::MissingBytes {
                sectors_complete,
                bytes,
                ..
            } = partial.fault()
            else {
                panic!("{partial:?}")
            };
            assert_eq!(sectors_complete, partial.sectors());
            assert_eq!(partial.read().of(&buffer).len(), sectors_complete as usize);
            (
                sectors_complete,
                Some(bytes),
                partial.read().residual_lied(),
            )
        }
    }
}

#[test]
fn residuals_are_believed_where_they_can_be_true() {
    // (bytes that do not come, residual, node) to (sectors, missing, a lie).
    let len = 24 * 2646;
    for (short_by, residual, node, result) in [
        (0, Residual::Right, Node::Block, (24, None, false)),
        (0, Residual::Right, Node::Sg, (24, None, false)),
        (0, Residual::Zero, Node::Block, (24, None, false)),
        (1, Residual::Right, Node::Block, (23, Some(1), false)),
        (100, Residual::Right, Node::Block, (23, Some(100), false)),
        (100, Residual::Right, Node::Sg, (23, Some(100), false)),
        (2646, Residual::Right, Node::Sg, (23, Some(2646), false)),
        (len, Residual::Right, Node::Block, (0, Some(len), false)),
        (len, Residual::Right, Node::Sg, (0, Some(len), false)),
        // The residual says that all came; on a block node the buffer knows better.
        (2646, Residual::Zero, Node::Block, (23, Some(2646), true)),
        (3000, Residual::Zero, Node::Block, (22, Some(5292), true)),
        (len, Residual::Zero, Node::Block, (0, Some(len), true)),
        // It says that nothing came, but there is data.
        (0, Residual::Whole, Node::Block, (24, None, true)),
        (0, Residual::Whole, Node::Sg, (24, None, true)),
        (2646, Residual::Whole, Node::Block, (23, Some(2646), true)),
        (2 * 2646, Residual::Whole, Node::Sg, (22, Some(5292), true)),
        (0, Residual::Negative, Node::Block, (24, None, true)),
        (
            2646,
            Residual::Negative,
            Node::Block,
            (23, Some(2646), true),
        ),
    ] {
        let fake = Fake {
            node,
            residual,
            short_by,
            ..Fake::new()
        };
        assert_eq!(by(&fake), result, "{short_by} {}", node == Node::Sg);
    }
    // Silence that the residual does not vouch for.
    let fake = Fake {
        silence: true,
        residual: Residual::Whole,
        ..Fake::new()
    };
    assert_eq!(by(&fake), (0, Some(len), false));
    let fake = Fake {
        silence: true,
        ..Fake::new()
    };
    assert_eq!(by(&fake), (24, None, false));
}

#[test]
fn a_residual_that_claims_more_than_came_is_a_lie() {
    let fake = Fake::answering(|_, data| {
        let Data::In(bytes) = data else { panic!() };
        bytes[..21 * 2646].fill(0x33);
        let mut outcome = Outcome::new(Status::GOOD, data.len());
        outcome.set_residual(100);
        Some(Ok(outcome))
    });
    assert_eq!(by(&fake), (21, Some(3 * 2646), true));
    // It stays one if the next command tells the truth.
    let count = Cell::new(0);
    let fake = Fake::answering(|_, data| {
        count.set(count.get() + 1);
        let mut outcome = good(data, &vec![0x33; data.len()])?.ok()?;
        if count.get() == 1 {
            outcome.set_residual(-8);
        }
        Some(Ok(outcome))
    });
    let mut buffer = vec![0; 60 * 2352];
    let read = OpticalDrive::new(&fake).read(&raw(), Lba(0), &mut buffer);
    assert!(read.unwrap().residual_lied() && count.get() > 1);
}

#[test]
fn c2_that_was_ignored_is_missing() {
    // As QEMU's IDE drive: 2352 bytes for each sector, and a residual of 0.
    let fake = Fake {
        ignores: true,
        c2: &[C2::None],
        residual: Residual::Zero,
        ..Fake::new()
    };
    assert_eq!(by(&fake).0, 21);
    let mut buffer = vec![0; 2646];
    let request = raw().c2(C2::Pointers294);
    let partial = OpticalDrive::new(&fake)
        .read(&request, Lba(0), &mut buffer)
        .unwrap_err();
    let text = partial.to_string();
    assert!(
        text.contains("2646 bytes are missing (after 0 sectors)"),
        "{text}"
    );
    let Error::Malformed { failure, reason } = Error::from(partial) else {
        panic!()
    };
    assert_eq!(reason, Malformed::Short { need: 2646, got: 0 });
    assert_eq!(failure.cdb().byte(9), 0xfa);
    assert_eq!(failure.device_type(), Some(DeviceType::OPTICAL));
    assert!(text.starts_with("fake: READ CD (beh)"), "{text}");
}

#[test]
fn missing_bytes_end_the_reading_after_the_sectors_before() {
    let count = Cell::new(0);
    let fake = Fake::answering(|_, data| {
        count.set(count.get() + 1);
        let sent = if count.get() == 2 {
            5 * 2352 + 7
        } else {
            data.len()
        };
        good(data, &vec![0x33; sent])
    });
    let drive = OpticalDrive::new(&fake);
    let partial = drive
        .read(&raw(), Lba(-10), &mut vec![0; 81 * 2352])
        .unwrap_err();
    assert_eq!((partial.sectors(), partial.next()), (32, Lba(22)));
    assert_eq!(partial.failed(), None);
    assert_eq!(count.get(), 2);
}

proptest! {
    /// What is claimed has come, whatever the node and the residual do.
    #[test]
    fn nothing_is_claimed_that_was_not_sent(
        lba in -200..200_i32,
        sectors in 1..60_u32,
        short_by in 0..70_000_usize,
        limit in 0..100_000_usize,
        residual in prop_oneof![
            Just(Residual::Right),
            Just(Residual::Zero),
            Just(Residual::Whole),
            Just(Residual::Negative),
        ],
        bad in proptest::option::of(-200..260_i32),
    ) {
        // So few bytes are seen by the residual alone.
        prop_assume!(short_by == 0 || short_by >= 4 || residual == Residual::Right);
        let fake = Fake {
            residual,
            short_by,
            bad: bad.map(|bad| (bad, medium_error(bad))),
            ..Fake::new()
        };
        let mut drive = OpticalDrive::new(&fake);
        drive.set_max_transfer(limit);
        let mut buffer = vec![0; sectors as usize * 2352];
        let result = drive.read(&raw(), Lba(lba), &mut buffer);
        let (claimed, all) = match &result {
            Ok(read) => (read.sectors(), true),
            Err(partial) => (partial.sectors() + partial.agreed(), false),
        };
        prop_assert_eq!(all, claimed == sectors);
        for (index, sector) in buffer.chunks(2352).take(claimed as usize).enumerate() {
            prop_assert!(sector == main(lba + i32::try_from(index).unwrap()));
        }
    }
}
