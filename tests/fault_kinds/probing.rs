//! A probe for layouts.

use super::*;

/// Gives every layout but the one of this number (0 is the main channel alone), which ends so.
fn refuses_one(number: usize, outcome: impl Fn(usize) -> Outcome) -> Drive<'static>
where
    Outcome: 'static,
{
    let (asked, outcome) = (Cell::new(0), outcome(0));
    Drive::new(move |cdb, data| {
        assert_eq!(cdb.opcode(), 0xbe);
        let at = asked.replace(asked.get() + 1);
        if at == number {
            return Ok(outcome);
        }
        let (lba, sectors) = range(cdb);
        let length = data.len() / sectors as usize;
        let all: Vec<u8> = (0..sectors)
            .flat_map(|index| {
                let mut sector = main_channel(lba.wrapping_add_unsigned(index));
                sector.resize(length, 0);
                sector
            })
            .collect();
        Ok(good(data, &all))
    })
}

/// For each layout of a probe: what is about the layout is told of it, and the others are tried
/// all the same, each once.
#[test]
fn a_refused_layout_is_one_of_nine_commands() {
    let codes = [
        (0x5, 0x20, 0x00),
        (0x5, 0x24, 0x00),
        (0x5, 0x26, 0x00),
        (0x5, 0x30, 0x02),
        (0x5, 0x64, 0x00),
        (0x3, 0x11, 0x05),
        (0x3, 0x02, 0x82),
        (0x4, 0x44, 0x00),
        (0xb, 0x00, 0x00),
    ];
    for (key, asc, ascq) in codes {
        for number in 1..=TRIED.len() {
            let drive = refuses_one(number, |len| refused(len, key, asc, ascq));
            let probed = OpticalDrive::new(&drive).layouts().probe(Lba(16)).unwrap();
            assert_eq!(drive.sent().len(), 9);
            for (index, (c2, sub)) in TRIED.into_iter().enumerate() {
                let one = probed.get(c2, sub).unwrap();
                let refused = matches!(one.answer(), LayoutAnswer::Refused(_));
                assert_eq!(refused, index + 1 == number, "{number} {c2:?} {sub:?}");
                assert_eq!(one.is_given(), !refused, "{number} {c2:?} {sub:?}");
            }
        }
    }
}

/// What is about the drive ends the probe there, for each layout and for the first command.
#[test]
fn a_state_of_the_drive_ends_a_probe_at_once() {
    let codes = [
        (0x2, 0x3a, 0x00),
        (0x2, 0x3a, 0x01),
        (0x2, 0x3a, 0x02),
        (0x2, 0x04, 0x01),
        (0x6, 0x28, 0x00),
        (0x6, 0x29, 0x00),
        (0x0, 0x00, 0x00),
    ];
    for number in 0..=TRIED.len() {
        for (key, asc, ascq) in codes {
            let drive = refuses_one(number, |len| refused(len, key, asc, ascq));
            let error = OpticalDrive::new(&drive)
                .layouts()
                .probe(Lba(16))
                .unwrap_err();
            assert!(matches!(error, Error::Check(_)), "{error}");
            assert_eq!(drive.sent().len(), number + 1);
        }
        // The layers above and beside the sense data.
        let lost = |len| {
            let mut outcome = Outcome::new(Status::GOOD, len);
            outcome.set_host(passthru::scsi::HostStatus::ERROR);
            outcome
        };
        let drive = refuses_one(number, lost);
        let error = OpticalDrive::new(&drive)
            .layouts()
            .probe(Lba(16))
            .unwrap_err();
        assert!(matches!(error, Error::Transport(_)), "{error}");
        assert_eq!(drive.sent().len(), number + 1);
        let drive = refuses_one(number, |len| {
            Outcome::new(Status::RESERVATION_CONFLICT, len)
        });
        let error = OpticalDrive::new(&drive)
            .layouts()
            .probe(Lba(16))
            .unwrap_err();
        assert!(matches!(error, Error::Status(_)), "{error}");
        assert_eq!(drive.sent().len(), number + 1);
    }
}
