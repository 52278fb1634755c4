use std::time::Duration;

use super::*;

/// Memory that is short, and segments that are too few, are about a
/// transfer's size only if it has one.
#[test]
fn a_short_transfer_is_never_too_large() {
    let core = Core {
        fd: std::fs::File::open("/dev/null").unwrap().into(),
        path: "/dev/null".into(),
        node: Node {
            kind: NodeKind::Sg,
            rdev: 0,
            device_type: None,
            device: "/nowhere".into(),
        },
        access: Access::ReadOnly,
        defaults: Options::new(),
    };
    let cdb = Cdb::from_array([0; 6]);
    for errno in [libc::ENOMEM, libc::EINVAL, libc::E2BIG, libc::EIO] {
        for (len, large) in [(0, false), (36, false), (4096, false), (1 << 20, true)] {
            let lost = Lost {
                sent: false,
                source: io::Error::from_raw_os_error(errno),
            };
            let error = core.send_error("write", &cdb, len, lost);
            // EIO says that only where a limit is known.
            let expected = large && errno != libc::EIO;
            let found = matches!(error, Error::TooLarge { .. });
            assert_eq!(found, expected, "{errno} {len}: {error}");
            assert_eq!(error.raw_os_error(), Some(errno));
        }
    }
}

/// Each error that names a command names it by the node's device type.
#[test]
fn a_refused_command_has_its_name_on_the_device() {
    let at = |kind, device_type| Core {
        fd: std::fs::File::open("/dev/null").unwrap().into(),
        path: "/dev/null".into(),
        node: Node {
            kind,
            rdev: 0,
            device_type: Some(device_type),
            device: "/nowhere".into(),
        },
        access: Access::ReadOnly,
        defaults: Options::new(),
    };
    let named = [
        (DeviceType::OPTICAL, 0xbb, "SET CD SPEED (bbh)"),
        (DeviceType::OPTICAL, 0x42, "READ SUB-CHANNEL (42h)"),
        (DeviceType::OPTICAL, 0xa1, "BLANK (a1h)"),
        (DeviceType::DISK, 0xbb, "REDUNDANCY GROUP (OUT) (bbh)"),
        (DeviceType::DISK, 0x42, "UNMAP (42h)"),
        (DeviceType::DISK, 0xa1, "ATA PASS-THROUGH(12) (a1h)"),
    ];
    for (device_type, opcode, name) in named {
        let mut bytes = [0; 12];
        bytes[0] = opcode;
        let cdb = Cdb::from_array(bytes);
        for kind in [NodeKind::Sg, NodeKind::Block, NodeKind::Bsg] {
            let core = at(kind, device_type);
            for errno in [libc::EPERM, libc::EACCES, libc::EDOM, libc::EINVAL] {
                let lost = Lost {
                    sent: false,
                    source: io::Error::from_raw_os_error(errno),
                };
                let error = core.send_error("SG_IO", &cdb, 1 << 20, lost);
                if !matches!(error, Error::Os { .. }) {
                    assert!(error.to_string().contains(name), "{error}");
                }
                // What the node's filter refused says what it would take.
                if errno == libc::EACCES || errno == libc::EPERM && kind != NodeKind::Sg {
                    assert!(error.to_string().contains("CAP_SYS_RAWIO"), "{error}");
                    assert!(!error.was_sent());
                }
            }
        }
        let mut large = vec![0; TOO_LONG];
        let mut writable = at(NodeKind::Sg, device_type);
        writable.access = Access::ReadWrite;
        let admitted = [
            at(NodeKind::Sg, device_type).admit(&cdb, &Data::None, &Options::new()),
            writable.admit(&cdb, &Data::In(&mut large), &Options::new()),
            writable.admit(&cdb, &Data::None, &Options::new().timeout(Duration::ZERO)),
        ];
        for error in admitted.into_iter().filter_map(Result::err) {
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}

#[test]
fn addresses_are_four_numbers() {
    let address = ScsiAddress::parse("2:0:1:16640").unwrap();
    assert_eq!((address.host, address.target, address.lun), (2, 1, 16640));
    assert_eq!(address.to_string(), "2:0:1:16640");
    for wrong in ["", "host2", "1:2:3", "1:2:3:4:5", "1:2:3:x", "device"] {
        assert_eq!(ScsiAddress::parse(wrong), None, "{wrong}");
    }
}
