//! What a read-only handle refuses, as root too.

use passthru::{
    Data, Error, Options, ScsiDevice, ScsiTransport, ScsiTransportExt,
    scsi::{Cdb, DeviceType, Inquiry, Read10, Write10},
};

use crate::lab::{ScsiDebug, Unit};

const REFUSED: [(&str, [u8; 16]); 12] = [
    ("WRITE(10)", cdb(&[0x2a, 0, 0, 0, 0, 5, 0, 0, 1])),
    (
        "WRITE(16)",
        cdb(&[0x8a, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1]),
    ),
    ("UNMAP", cdb(&[0x42, 0, 0, 0, 0, 0, 0, 0, 24])),
    ("SANITIZE", cdb(&[0x48, 0x02])),
    ("FORMAT UNIT", cdb(&[0x04])),
    ("MODE SELECT(6)", cdb(&[0x15, 0x10, 0, 0, 4])),
    ("MODE SELECT(10)", cdb(&[0x55, 0x10, 0, 0, 0, 0, 0, 0, 8])),
    (
        "PERSISTENT RESERVE OUT",
        cdb(&[0x5f, 0, 0, 0, 0, 0, 0, 0, 24]),
    ),
    ("MAINTENANCE OUT", cdb(&[0xa4, 0x0a])),
    ("WRITE BUFFER", cdb(&[0x3b, 0x05])),
    ("a vendor command", cdb(&[0xd8])),
    ("another", cdb(&[0xea])),
];

const fn cdb(bytes: &[u8]) -> [u8; 16] {
    let mut cdb = [0; 16];
    let mut index = 0;
    while index < bytes.len() {
        cdb[index] = bytes[index];
        index += 1;
    }
    cdb
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nothing_that_writes_is_sent() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0 lbpu=1");
    // SAFETY: geteuid has no preconditions.
    let user = unsafe { libc::geteuid() };
    assert_eq!(user, 0, "as root, whom the kernel would let write");
    for node in lab.unit().nodes() {
        let device = ScsiDevice::open(node).unwrap();
        let before = lab.unit().commands();
        for (name, bytes) in REFUSED {
            let data = [0x55; 512];
            for data in [Data::None, Data::Out(&data)] {
                let error = device
                    .send(&Cdb::from_array(bytes), data, &Options::new())
                    .unwrap_err();
                assert!(
                    matches!(&error, Error::ReadOnly { path, cdb, device_type }
                        if path == node && cdb.opcode() == bytes[0]
                            && *device_type == Some(DeviceType::DISK)),
                    "{name}: {error:?}"
                );
                assert!(!error.was_sent());
            }
        }
        let error = device.write(&Write10::new(5, 1), &[0x55; 512]).unwrap_err();
        assert!(matches!(error, Error::ReadOnly { .. }), "{error:?}");
        assert!(error.to_string().contains("WRITE(10)"), "{error}");
        assert!(error.to_string().contains("change nothing"), "{error}");
        assert_eq!(lab.unit().commands(), before, "nothing was sent");
        // What reads still works.
        device.query(&Inquiry::standard()).unwrap();
        let mut block = [0xee; 512];
        device.read(&Read10::new(5, 1), &mut block).unwrap();
        assert_eq!(block, [0; 512]);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_opcode_is_judged_by_the_device_type() {
    let cd = Unit::only("QEMU DVD-ROM");
    let sub_channel = Cdb::from_array([0x42, 0, 0x40, 1, 0, 0, 0, 0, 24, 0]);
    for node in cd.nodes() {
        let device = ScsiDevice::open(node).unwrap();
        let before = cd.commands();
        // The drive does not know the command; that it says so shows that it
        // was sent.
        let outcome = device
            .send(&sub_channel, Data::In(&mut [0; 24]), &Options::new())
            .unwrap();
        assert_eq!(outcome.sense().key().map(|key| key.0), Some(5), "{outcome}");
        assert!(cd.commands() > before);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_read_write_handle_sends_them() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0 lbpu=1");
    for device in lab.unit().open_all() {
        let before = lab.unit().commands();
        let outcome = device
            .send(
                &Cdb::from_array([0xd8, 0, 0, 0, 0, 0]),
                Data::None,
                &Options::new(),
            )
            .unwrap();
        assert_eq!(lab.unit().commands() - before, 1);
        let additional = outcome.sense().additional().unwrap();
        assert_eq!((additional.asc, additional.ascq), (0x20, 0x00), "{outcome}");
    }
}
