//! What a drive is sent, whatever it answers.

use super::*;

/// Asks a drive for everything that it can be asked for.
fn ask_everything(drive: &Drive<'_>) -> Vec<Result<()>> {
    let unit = OpticalDrive::new(drive);
    let mut buffer = vec![0; 3 * 2352];
    let done = |result: Result<_>| result;
    vec![
        unit.wait_ready(Duration::ZERO).map(drop),
        unit.profile().map(drop),
        unit.capacity().map(drop),
        unit.speed().map(drop),
        done(unit.set_speed(7056)),
        done(unit.load()),
        unit.lock().and_then(|lock| lock.unlock()),
        unit.toc().map(drop),
        unit.full_toc().map(drop),
        unit.disc().map(drop),
        unit.recovery().and_then(|mut recovery| {
            recovery.send_bad_sectors(3)?;
            recovery.restore()
        }),
        unit.layouts().probe(Lba(16)).map(drop),
        unit.read(&raw(), Lba(16), &mut buffer)
            .map(drop)
            .map_err(Error::from),
        done(unit.eject()),
    ]
}

/// What MMC-6 and SPC-4 define for optical drives, of what is asked for here: no vendor's
/// command, and not A1h, which blanks a disc.
const STANDARD: [u8; 12] = [
    0x00, 0x1b, 0x1e, 0x25, 0x43, 0x46, 0x51, 0x52, 0x55, 0x5a, 0xbb, 0xbe,
];

#[test]
fn no_refusal_leads_to_a_command_that_was_not_asked_for() {
    let mut seen = BTreeSet::new();
    for key in 0x0..=0xf {
        for (asc, ascq) in [
            (0x00, 0x00),
            (0x04, 0x01),
            (0x11, 0x05),
            (0x20, 0x00),
            (0x21, 0x00),
            (0x24, 0x00),
            (0x28, 0x00),
            (0x30, 0x02),
            (0x3a, 0x01),
            (0x64, 0x00),
            (0x02, 0x82),
        ] {
            let drive = Drive::refusing(key, asc, ascq);
            for result in ask_everything(&drive) {
                // Under the other keys nothing was done.
                assert!(result.is_err() || matches!(key, 0x1 | 0xf), "{key:x}");
            }
            seen.extend(drive.sent().iter().map(|(cdb, _)| cdb.opcode()));
        }
    }
    assert!(
        seen.iter().all(|opcode| STANDARD.contains(opcode)),
        "{seen:02x?}"
    );
    assert!(seen.contains(&0xbe) && seen.contains(&0xbb) && seen.contains(&0x43));
}

proptest! {
    /// The same of answers with any bytes.
    #[test]
    fn no_answer_leads_to_a_command_that_was_not_asked_for(
        replies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..64), 1..8),
        residual in prop_oneof![Just(0), -8..4096],
    ) {
        let at = Cell::new(0);
        let drive = Drive::new(|_, data| {
            let reply = &replies[at.get() % replies.len()];
            at.set(at.get() + 1);
            let mut outcome = good(data, reply);
            outcome.set_residual(residual);
            Ok(outcome)
        });
        let asked = ask_everything(&drive).len();
        let sent = drive.sent();
        prop_assert!(sent.iter().all(|(cdb, _)| STANDARD.contains(&cdb.opcode())));
        // A table of contents is asked for at most thrice, and a probe has nine commands.
        prop_assert!(sent.len() < asked + 30, "{}", sent.len());
    }
}

/// EPERM from the kernel's filter, for each command that a drive is sent: nothing swallows it, and
/// it names the command, its opcode and the remedy.
#[test]
fn what_the_kernel_refuses_is_an_error_with_a_name() {
    let page = [0x01, 10, 0xc4, 3, 0, 0, 0, 0, 0, 0, 0, 0];
    let speeds = [
        0x2a, 20, 0, 0, 0, 0, 0, 0, 0x22, 0x60, 0, 0, 8, 0, 0x0b, 0, 0, 0, 0, 0, 0, 0,
    ];
    for (opcode, name) in [
        (0x00, "TEST UNIT READY (00h)"),
        (0x1b, "START STOP UNIT (1bh)"),
        (0x1e, "PREVENT ALLOW MEDIUM REMOVAL (1eh)"),
        (0x25, "READ CAPACITY (25h)"),
        (0x43, "READ TOC/PMA/ATIP (43h)"),
        (0x46, "GET CONFIGURATION (46h)"),
        (0x55, "MODE SELECT(10) (55h)"),
        (0x5a, "MODE SENSE(10) (5ah)"),
        (0xbb, "SET CD SPEED (bbh)"),
        (0xbe, "READ CD (beh)"),
    ] {
        let drive = Drive::new(|cdb, data| {
            if cdb.opcode() == opcode {
                return Err(Error::NotPermitted {
                    path: "drive".into(),
                    cdb: *cdb,
                    device_type: Some(DeviceType::OPTICAL),
                    needs: "CAP_SYS_RAWIO",
                    source: io::Error::from_raw_os_error(1),
                });
            }
            let mode = |page: &[u8]| [&[0, 6, 0, 0, 0, 0, 0, 0], page].concat();
            let mut long = vec![0; data.len()];
            let reply = match (cdb.opcode(), cdb.as_bytes()[2] & 0x3f) {
                (0x5a, 0x01) => mode(&page),
                (0x5a, _) => mode(&speeds),
                _ => std::mem::take(&mut long),
            };
            let mut reply = reply;
            if cdb.opcode() == 0x5a {
                reply[1] = u8::try_from(reply.len() - 2).unwrap();
            }
            Ok(good(data, &reply))
        });
        let refused: Vec<_> = ask_everything(&drive)
            .into_iter()
            .filter_map(|result| match result {
                Err(error @ Error::NotPermitted { .. }) => Some(error),
                _ => None,
            })
            .collect();
        assert!(!refused.is_empty(), "{name} was swallowed");
        for error in refused {
            let said = error.to_string();
            for part in ["drive: ", name, "does not permit", "CAP_SYS_RAWIO"] {
                assert!(said.contains(part), "{said}: {part}");
            }
            assert!(!error.was_sent() && error.raw_os_error() == Some(1));
        }
    }
}
