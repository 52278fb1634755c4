//! A message names the command by the device type, since one opcode is different commands
//! on different types.

use std::{io, path::Path, time::Duration};

use super::*;
use crate::{
    Data, Options, RetryPolicy, ScsiTransport, ScsiTransportExt,
    scsi::{HostStatus, RawCdb, Status, command_name, opcode_name},
    transport::failure_of,
};

/// Ends every command the same way.
struct Ends(Option<DeviceType>, Outcome);

impl ScsiTransport for Ends {
    fn send(&self, _: &Cdb, _: Data<'_>, _: &Options) -> Result<Outcome> {
        Ok(self.1)
    }

    fn path(&self) -> &Path {
        Path::new("node")
    }

    fn device_type(&self) -> Option<DeviceType> {
        self.0
    }
}

fn lost() -> Outcome {
    let mut outcome = Outcome::new(Status::GOOD, 0);
    outcome.set_host(HostStatus::TIME_OUT);
    outcome
}

/// With 00h behind the opcode, so that service action 0 is meant where there are some.
fn command(opcode: u8) -> Cdb {
    let mut bytes = [0; 32];
    bytes[0] = opcode;
    Cdb::from_array(bytes)
}

/// Each variant that names a command.
fn all_that_name(cdb: Cdb, device_type: Option<DeviceType>) -> Vec<Error> {
    let path = || PathBuf::from("node");
    let source = || io::Error::from_raw_os_error(1);
    let failed = |outcome| Failure::new(path(), cdb, outcome).with_device_type(device_type);
    vec![
        Error::TooLarge {
            path: path(),
            cdb,
            device_type,
            len: 1,
            limit: None,
            source: None,
        },
        Error::Timeout {
            path: path(),
            cdb,
            device_type,
            timeout: Duration::ZERO,
        },
        Error::ReadOnly {
            path: path(),
            cdb,
            device_type,
        },
        Error::NotPermitted {
            path: path(),
            cdb,
            device_type,
            needs: "",
            source: source(),
        },
        Error::CredentialsChanged {
            path: path(),
            cdb,
            device_type,
            sent: false,
            source: source(),
        },
        Error::QueueFull {
            path: path(),
            cdb,
            device_type,
            source: source(),
        },
        failed(lost()).into(),
        failed(Outcome::new(Status::BUSY, 0)).into(),
        failed(Outcome::new(Status::CHECK_CONDITION, 0)).into(),
        Error::Malformed {
            failure: Box::new(failed(Outcome::new(Status::GOOD, 0))),
            reason: Malformed::Short { need: 1, got: 0 },
        },
    ]
}

#[test]
fn every_opcode_has_its_name_on_every_type() {
    let types = (0..=0x1f).map(|number| Some(DeviceType(number)));
    for device_type in types.chain([None]) {
        for opcode in 0..=0xff {
            let cdb = command(opcode);
            let number = device_type.map(|known| known.0);
            let name = match command_name(cdb.as_bytes(), number) {
                Some(name) => format!(": {name} ({opcode:02x}h)"),
                None => format!(": command {opcode:02x}h"),
            };
            for error in all_that_name(cdb, device_type) {
                // One says first that the kernel does not permit it.
                let said = error.to_string().replace("the kernel does not permit ", "");
                assert!(said.starts_with(&format!("node{name}")), "{said}");
            }
        }
    }
}

/// Opcodes that an optical drive has for itself (MMC-6), beside what a disk has there.
#[test]
fn what_an_optical_drive_and_a_disk_call_it() {
    let table = [
        (
            0x23,
            Some("READ FORMAT CAPACITIES"),
            Some("READ FORMAT CAPACITIES"),
        ),
        (0x42, Some("READ SUB-CHANNEL"), Some("UNMAP")),
        (0x43, Some("READ TOC/PMA/ATIP"), None),
        (0x46, Some("GET CONFIGURATION"), None),
        (0x51, Some("READ DISC INFORMATION"), Some("XPWRITE(10)")),
        (0x52, Some("READ TRACK INFORMATION"), Some("XDREAD(10)")),
        (0x53, Some("RESERVE TRACK"), Some("XDWRITEREAD(10)")),
        (0x54, Some("SEND OPC INFORMATION"), None),
        (0x5b, Some("CLOSE TRACK/SESSION"), None),
        (0x5c, Some("READ BUFFER CAPACITY"), None),
        (0x5d, Some("SEND CUE SHEET"), None),
        (0xa1, Some("BLANK"), Some("ATA PASS-THROUGH(12)")),
        (0xac, Some("GET PERFORMANCE"), None),
        (0xad, Some("READ DISC STRUCTURE"), None),
        (0xb6, Some("SET STREAMING"), None),
        (0xb9, Some("READ CD MSF"), None),
        (0xbb, Some("SET CD SPEED"), Some("REDUNDANCY GROUP (OUT)")),
        (0xbd, Some("MECHANISM STATUS"), Some("SPARE (OUT)")),
        (0xbe, Some("READ CD"), Some("VOLUME SET (IN)")),
        (0xbf, Some("SEND DISC STRUCTURE"), Some("VOLUME SET (OUT)")),
    ];
    for (opcode, optical, disk) in table {
        let said = |device_type| {
            let failure = failure_of(&Ends(Some(device_type), lost()), &command(opcode), &lost());
            assert_eq!(failure.device_type(), Some(device_type));
            failure.to_string()
        };
        for (device_type, name) in [(DeviceType::OPTICAL, optical), (DeviceType::DISK, disk)] {
            let own = match name {
                Some(name) => format!("node: {name} ({opcode:02x}h)"),
                None => format!("node: command {opcode:02x}h"),
            };
            assert!(said(device_type).starts_with(&own), "{}", said(device_type));
        }
    }
}

/// However a command is sent, its error knows the type that the transport knows.
#[test]
fn every_way_to_send_passes_the_type_on() {
    let differ = |opcode: &u8| {
        let name = |number| opcode_name(*opcode, number);
        (0..0x20).any(|number| name(Some(number)) != name(None))
    };
    let opcodes: Vec<u8> = (0..=0xff).filter(differ).collect();
    assert!(opcodes.len() > 60 && opcodes.contains(&0xbb));
    let types = (0..=0x1f).map(|number| Some(DeviceType(number)));
    for device_type in types.chain([None]) {
        for outcome in [
            lost(),
            Outcome::new(Status::BUSY, 0),
            Outcome::new(Status::CHECK_CONDITION, 0),
        ] {
            for &opcode in &opcodes {
                let transport = Ends(device_type, outcome);
                let raw = RawCdb::from_array({
                    let mut bytes = [0; 12];
                    bytes[0] = opcode;
                    bytes
                });
                let boxed: Box<dyn ScsiTransport> = Box::new(Ends(device_type, outcome));
                let ways = [
                    transport.execute(&raw),
                    transport.read(&raw, &mut [0; 4]),
                    transport.write(&raw, &[0; 4]),
                    boxed.execute(&raw),
                    transport.with_options(Options::new()).execute(&raw),
                    RetryPolicy::new().on(&transport).execute(&raw),
                ];
                for way in ways {
                    let error = way.expect_err("every command fails here");
                    let failure = error.failure().expect("a device said so");
                    assert_eq!(failure.device_type(), device_type);
                }
            }
        }
        // A query has a way of its own, and so have replies that are none.
        let error = Ends(device_type, lost()).query(&crate::scsi::Inquiry::standard());
        let error = error.expect_err("it was lost");
        assert_eq!(error.failure().and_then(Failure::device_type), device_type);
        let good = Outcome::new(Status::GOOD, 0);
        let error = Ends(device_type, good).query(&crate::scsi::Inquiry::standard());
        let Err(Error::Malformed { failure, .. }) = error else {
            panic!("no bytes came: {error:?}");
        };
        assert_eq!(failure.device_type(), device_type);
    }
}
