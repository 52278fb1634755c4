use std::time::Duration;

use super::*;
use crate::scsi::command_name;

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

/// Each error that names a command names it by the node's device type, whatever the opcode, and
/// what the kernel's filter refuses says what it would take.
#[test]
fn a_refused_command_has_its_name_on_the_device() {
    let at = |kind, device_type, access| Core {
        fd: std::fs::File::open("/dev/null").unwrap().into(),
        path: "/dev/null".into(),
        node: Node {
            kind,
            rdev: 0,
            device_type: Some(device_type),
            device: "/nowhere".into(),
        },
        access,
        defaults: Options::new(),
    };
    let mut large = vec![0; TOO_LONG];
    for device_type in [0x00, 0x01, 0x05, 0x08].map(DeviceType) {
        for opcode in 0x00..=0xff {
            let mut bytes = [0; 12];
            bytes[0] = opcode;
            let cdb = Cdb::from_array(bytes);
            let name = match command_name(&bytes, Some(device_type.0)) {
                Some(name) => format!("{name} ({opcode:02x}h)"),
                None => format!("command {opcode:02x}h"),
            };
            let named = |error: &Error| {
                let said = error.to_string();
                let own = said.contains(&format!(": {name}"));
                assert!(own || said.contains(&format!(" permit {name}")), "{said}");
            };
            for kind in [NodeKind::Sg, NodeKind::Block, NodeKind::Bsg] {
                let core = at(kind, device_type, Access::ReadWrite);
                for errno in [libc::EPERM, libc::EACCES, libc::EDOM, libc::EINVAL] {
                    let lost = Lost {
                        sent: false,
                        source: io::Error::from_raw_os_error(errno),
                    };
                    let error = core.send_error("SG_IO", &cdb, 1 << 20, lost);
                    let other = matches!(error, Error::Os { .. });
                    assert_eq!(other, errno == libc::EDOM && kind != NodeKind::Sg);
                    if !other {
                        named(&error);
                    }
                    // EPERM on an sg node is about credentials, and no rights are the remedy.
                    let credentials = errno == libc::EPERM && kind == NodeKind::Sg;
                    let changed = matches!(error, Error::CredentialsChanged { .. });
                    assert_eq!(changed, credentials, "{error}");
                    let filter = errno == libc::EACCES || errno == libc::EPERM;
                    if filter && !credentials {
                        assert!(matches!(error, Error::NotPermitted { .. }), "{error}");
                        assert!(error.to_string().contains("CAP_SYS_RAWIO"), "{error}");
                    }
                    assert!(!error.was_sent());
                    assert_eq!(error.raw_os_error(), Some(errno));
                }
            }
            let core = at(NodeKind::Sg, device_type, Access::ReadWrite);
            let none = Options::new().timeout(Duration::ZERO);
            named(
                &core
                    .admit(&cdb, &Data::None, &none)
                    .err()
                    .expect("no timeout"),
            );
            let data = Data::In(&mut large);
            named(
                &core
                    .admit(&cdb, &data, &Options::new())
                    .err()
                    .expect("too long"),
            );
            let core = at(NodeKind::Sg, device_type, Access::ReadOnly);
            let admitted = core.admit(&cdb, &Data::None, &Options::new()).err();
            let allowed = is_read_only(&cdb, Some(device_type));
            assert_eq!(admitted.is_none(), allowed, "{opcode:02x}");
            if let Some(error) = admitted {
                named(&error);
            }
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
