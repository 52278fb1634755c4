//! What a drive gives, and what it only says.

use super::*;
use crate::scsi::mmc::SectorOrder;

const SUB: SubChannels = SubChannels::Raw96;

fn probe(fake: &Fake<'_>) -> ProbedLayouts {
    OpticalDrive::new(fake).layouts().probe(Lba(1000)).unwrap()
}

/// `g` given, `u` unproven, `m` missing, `l` too long, `r` refused; in the order of
/// trying.
fn letters(probed: &ProbedLayouts) -> String {
    probed
        .as_slice()
        .iter()
        .map(|one| match one.answer() {
            LayoutAnswer::Given => 'g',
            LayoutAnswer::Unproven => 'u',
            LayoutAnswer::Missing { .. } => 'm',
            LayoutAnswer::TooLong { .. } => 'l',
            LayoutAnswer::Refused(_) => 'r',
        })
        .collect()
}

#[test]
fn a_good_drive_gives_all() {
    for node in [Node::Block, Node::Sg] {
        let fake = Fake {
            node,
            ..Fake::new()
        };
        let drive = OpticalDrive::new(&fake);
        let layouts = drive.layouts();
        assert_eq!(fake.opcodes(), [], "not before it is asked");
        let probed = layouts.probe(Lba(1000)).unwrap();
        assert_eq!(letters(&probed), "gggggggg");
        assert_eq!((probed.lba(), probed.sectors()), (Lba(1000), 4));
        let sent: Vec<_> = fake
            .sent
            .take()
            .iter()
            .map(|cdb| (range(cdb), cdb.byte(9), cdb.byte(10)))
            .collect();
        let bits = [
            (0xf8, 0),
            (0xfa, 0),
            (0xfc, 0),
            (0xf8, 1),
            (0xf8, 2),
            (0xfa, 1),
            (0xfc, 1),
            (0xfa, 2),
            (0xfc, 2),
        ];
        assert_eq!(sent, bits.map(|(main, sub)| ((1000, 4), main, sub)));
        let both = probed.get(C2::Pointers294, SUB).unwrap();
        assert_eq!((both.valid_q(), both.residual()), (4, Some(0)));
        assert_eq!(both.layout(), both.request().layout().unwrap());
        assert_eq!(
            probed.with_c2(SUB).unwrap().layout().c2_kind(),
            C2::Pointers294
        );
        assert!(probed.get(C2::None, SubChannels::None).is_none());
    }
    let fake = Fake::new();
    for (sectors, taken) in [(0, 2), (2, 2), (16, 16), (17, 16)] {
        let probed = OpticalDrive::new(&fake)
            .layouts()
            .sectors(sectors)
            .probe(Lba(-9))
            .unwrap();
        assert_eq!(
            (letters(&probed).as_str(), probed.sectors()),
            ("gggggggg", taken)
        );
    }
}

#[test]
fn the_order_is_found_by_the_subchannel() {
    let fake = Fake {
        sub_before_c2: true,
        ..Fake::new()
    };
    let probed = probe(&fake);
    assert_eq!(letters(&probed), "gggggggg");
    let both = probed.get(C2::Block296, SUB).unwrap();
    let layout = both.layout();
    assert_eq!(
        layout,
        both.request()
            .layout()
            .unwrap()
            .order(SectorOrder::MainSubC2)
    );
    assert_eq!((both.valid_q(), layout.sub()), (4, Some(2352..2448)));
    let alone = probed.get(C2::Block296, SubChannels::None).unwrap();
    assert_eq!(alone.layout(), alone.request().layout().unwrap());
    // With that layout the parts are found when reading.
    let mut buffer = vec![0; 3 * 2744];
    let read = OpticalDrive::new(&fake)
        .read_with_layout(both.request(), layout, Lba(5), &mut buffer)
        .unwrap();
    let q = read.of(&buffer).get(2).unwrap().q().unwrap();
    assert_eq!((q.as_bytes(), q.crc()), (&super::q(7), QCrc::Valid));
}

#[test]
fn without_a_valid_subchannel_the_order_is_that_of_the_standard() {
    let fake = Fake::new();
    let no_crc = Fake::answering(|cdb, data| {
        let outcome = fake.read_cd(cdb, data);
        let sectors = usize::try_from(range(cdb).1).unwrap();
        if let Data::In(bytes) = data {
            let length = bytes.len() / sectors;
            let ends = bytes.chunks_mut(length).map(|sector| &mut sector[2352..]);
            ends.for_each(|end| end.fill(0));
        }
        Some(Ok(outcome))
    });
    for one in probe(&no_crc).as_slice() {
        assert!(matches!(one.answer(), LayoutAnswer::Given));
        assert_eq!(one.layout(), one.request().layout().unwrap());
        assert_eq!(one.valid_q(), 0);
    }
}

#[test]
fn what_is_refused_is_told_with_its_sense_data() {
    let fake = Fake {
        c2: &[C2::None, C2::Block296],
        ..Fake::new()
    };
    let probed = probe(&fake);
    assert_eq!(letters(&probed), "rgggrgrg");
    let LayoutAnswer::Refused(failure) = probed.as_slice()[0].answer() else {
        panic!()
    };
    assert_eq!(failure.outcome().sense().additional(), Some(ILLEGAL.1));
    assert_eq!(
        probed.as_slice()[0].answer().to_string(),
        "refused: CHECK CONDITION (02h), ILLEGAL REQUEST: Invalid field in CDB (24h/00h)"
    );
    assert_eq!(probed.as_slice()[0].residual(), None);
    assert_eq!(
        probed
            .with_c2(SubChannels::None)
            .unwrap()
            .layout()
            .c2_kind(),
        C2::Block296
    );
    // One that refuses C2 beside a subchannel, by a medium error.
    let fake = Fake::answering(|cdb, data| {
        let both = cdb.byte(9) & 6 != 0 && cdb.byte(10) != 0;
        both.then(|| {
            Ok(refused(
                data.len(),
                SenseKey::MEDIUM_ERROR,
                AdditionalSense::UNRECOVERED_READ_ERROR,
            ))
        })
    });
    let probed = probe(&fake);
    assert_eq!(letters(&probed), "ggggrrrr");
    assert!(probed.with_c2(SUB).is_none());
}

#[test]
fn what_is_ignored_is_missing_on_every_node() {
    for node in [Node::Block, Node::Sg] {
        for residual in [
            Residual::Right,
            Residual::Zero,
            Residual::Whole,
            Residual::Negative,
        ] {
            let fake = Fake {
                node,
                residual,
                ignores: true,
                c2: &[C2::None],
                subs: &[SubChannels::None],
                ..Fake::new()
            };
            let probed = probe(&fake);
            assert_eq!(letters(&probed), "mmmmmmmm");
            for one in probed.as_slice() {
                let &LayoutAnswer::Missing { bytes } = one.answer() else {
                    panic!()
                };
                assert_eq!(bytes, 4 * (one.layout().sector_length() - 2352));
            }
        }
    }
    // It sends 294 bytes whichever C2 it is asked for.
    let fake = Fake {
        node: Node::Sg,
        residual: Residual::Zero,
        ..Fake::new()
    };
    let always_294 = Fake::answering(|cdb, data| {
        let mut bytes: [u8; 12] = cdb.as_bytes().try_into().unwrap();
        if bytes[9] == 0xfc {
            bytes[9] = 0xfa;
        }
        Some(Ok(fake.read_cd(&Cdb::from_array(bytes), data)))
    });
    let probed = probe(&always_294);
    let missing = probed.get(C2::Block296, SubChannels::None).unwrap();
    assert!(matches!(
        missing.answer(),
        LayoutAnswer::Missing { bytes: 8 }
    ));
    // And 296.
    let always_296 = Fake::answering(|cdb, data| {
        let mut bytes: [u8; 12] = cdb.as_bytes().try_into().unwrap();
        if bytes[9] == 0xfa {
            bytes[9] = 0xfc;
        }
        Some(Ok(fake.read_cd(&Cdb::from_array(bytes), data)))
    });
    let probed = probe(&always_296);
    let long = probed.get(C2::Pointers294, SubChannels::None).unwrap();
    assert!(matches!(
        long.answer(),
        LayoutAnswer::TooLong {
            sector_length: 2648
        }
    ));
}

/// The subchannel comes, so that the first sector's is where it would be if C2 were
/// to follow.
#[test]
fn c2_that_is_left_out_beside_a_subchannel_is_missing() {
    for node in [Node::Block, Node::Sg] {
        for (residual, silence, expected) in [
            (Residual::Right, false, "mmggmmmm"),
            (Residual::Right, true, "mmggmmmm"),
            (Residual::Zero, false, "mmggmmmm"),
        ] {
            let fake = Fake {
                node,
                residual,
                silence,
                ignores: true,
                c2: &[C2::None],
                ..Fake::new()
            };
            let probed = probe(&fake);
            assert_eq!(letters(&probed), expected);
            let both = probed.get(C2::Pointers294, SUB).unwrap();
            assert!(matches!(
                both.answer(),
                LayoutAnswer::Missing { bytes: 1176 }
            ));
        }
    }
    let fake = Fake {
        node: Node::Sg,
        residual: Residual::Zero,
        silence: true,
        ignores: true,
        c2: &[C2::None],
        ..Fake::new()
    };
    assert_eq!(letters(&probe(&fake)), "uugguuuu");
}

#[test]
fn a_canary_and_a_residual_tell_of_missing_bytes() {
    for (short_by, node, residual, letter) in [
        (4, Node::Block, Residual::Zero, 'm'),
        (1, Node::Block, Residual::Right, 'm'),
        (1, Node::Sg, Residual::Right, 'm'),
        (0, Node::Sg, Residual::Whole, 'g'),
        (0, Node::Block, Residual::Negative, 'g'),
    ] {
        let fake = Fake {
            short_by,
            node,
            residual,
            ..Fake::new()
        };
        let short = Fake::answering(|cdb, data| {
            (cdb.byte(9) != 0xf8 || cdb.byte(10) != 0).then(|| Ok(fake.read_cd(cdb, data)))
        });
        assert_eq!(letters(&probe(&short)), letter.to_string().repeat(8));
    }
    // Not one byte: the residual is believed where nothing is seen.
    let nothing = Fake {
        node: Node::Sg,
        residual: Residual::Whole,
        silence: true,
        ..Fake::new()
    };
    let silent =
        Fake::answering(|cdb, data| (cdb.byte(9) & 6 != 0).then(|| Ok(nothing.read_cd(cdb, data))));
    let probed = probe(&silent);
    let first = probed.as_slice()[0].answer();
    assert!(
        matches!(first, LayoutAnswer::Missing { bytes: 10_584 }),
        "{first:?}"
    );
}

#[test]
fn silence_proves_nothing_but_a_subchannel_does() {
    let fake = Fake {
        silence: true,
        node: Node::Sg,
        ..Fake::new()
    };
    let probed = probe(&fake);
    assert_eq!(letters(&probed), "uugggggg");
    assert!(probed.with_c2(SubChannels::None).is_none());
    assert!(probed.with_c2(SUB).is_some());
}

#[test]
fn answers_say_what_came() {
    let texts = [
        LayoutAnswer::Given,
        LayoutAnswer::Unproven,
        LayoutAnswer::Missing { bytes: 1176 },
        LayoutAnswer::TooLong {
            sector_length: 2744,
        },
    ]
    .map(|answer| answer.to_string());
    assert_eq!(
        texts,
        [
            "given",
            "GOOD, but nothing proves the layout",
            "GOOD, but 1176 bytes are missing",
            "GOOD, but a sector has 2744 bytes",
        ]
    );
}

#[test]
fn what_is_no_answer_ends_the_probe() {
    for (key, additional) in [
        (SenseKey::NOT_READY, AdditionalSense::MEDIUM_NOT_PRESENT),
        (
            SenseKey::UNIT_ATTENTION,
            AdditionalSense::MEDIUM_MAY_HAVE_CHANGED,
        ),
        (SenseKey::NO_SENSE, AdditionalSense::NONE),
    ] {
        let fake = Fake::answering(move |cdb, data| {
            (cdb.byte(9) == 0xfc).then(|| Ok(refused(data.len(), key, additional)))
        });
        let error = OpticalDrive::new(&fake)
            .layouts()
            .probe(Lba(0))
            .unwrap_err();
        assert!(matches!(error, Error::Check(_)), "{error:?}");
        assert_eq!(fake.opcodes().len(), 3);
    }
    // An error of an earlier command is no refusal of this one.
    let fake = Fake::answering(|cdb, data| {
        let mut outcome = refused(data.len(), ILLEGAL.0, ILLEGAL.1);
        let mut sense = outcome.sense_bytes().to_vec();
        sense[0] = 0x71;
        *outcome.sense_mut() = SenseBuffer::from_slice(&sense);
        (cdb.byte(9) == 0xfc).then_some(Ok(outcome))
    });
    assert!(OpticalDrive::new(&fake).layouts().probe(Lba(0)).is_err());
    let fake = Fake::answering(|_, _| Some(Err(not_permitted())));
    let error = OpticalDrive::new(&fake)
        .layouts()
        .probe(Lba(0))
        .unwrap_err();
    assert!(matches!(error, Error::NotPermitted { .. }));
    // The main channel itself cannot be read.
    let fake = Fake {
        bad: Some((1, medium_error(1))),
        ..Fake::new()
    };
    assert!(OpticalDrive::new(&fake).layouts().probe(Lba(0)).is_err());
    assert_eq!(fake.opcodes(), [0xbe]);
}
