//! Errors that devices and adapters report, as they reach the caller.

use std::{fs, time::Duration};

use passthru::{
    Data, Error, Options, ScsiDevice, ScsiTransport, ScsiTransportExt, SgDevice, Verdict,
    device::Reset,
    scsi::{Cdb, DeviceType, HostStatus, Inquiry, Read10, SenseKey, Status, TestUnitReady, vpd},
};

use crate::lab::{ScsiDebug, Unit};

/// A command with data: the kernel itself sends one without data again and again
/// after a reset (`DID_RESET`), until the timeout.
const INQUIRY: Cdb = Cdb::from_array([0x12, 0, 0, 0, 36, 0]);

/// A unit attention is the caller's to see: one command, one answer. Nobody
/// sends it again, neither the kernel nor this crate.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_unit_attention_reaches_the_caller_once() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let resetter = SgDevice::open_rw(&lab.unit().sg).unwrap();
    for device in lab.unit().open_all() {
        resetter.reset(Reset::Device).unwrap();
        let before = lab.unit().commands();
        let error = device.read(&Read10::new(0, 1), &mut [0; 512]).unwrap_err();
        assert_eq!(lab.unit().commands() - before, 1, "{:?}", device.kind());
        let Error::Check(failure) = error else {
            panic!("{error:?}")
        };
        let sense = failure.outcome().sense();
        assert_eq!(sense.key(), Some(SenseKey::UNIT_ATTENTION), "{failure}");
        assert_eq!(sense.asc(), Some(0x29), "{failure}");
        device.read(&Read10::new(0, 1), &mut [0; 512]).unwrap();
        assert_eq!(lab.unit().commands() - before, 2, "{:?}", device.kind());
    }
}

/// `scsi_debug` with opts=2 cannot read block 1234h.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_medium_error_names_its_block() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        lab.set("opts", "2");
        let before = lab.unit().commands();
        let error = device
            .read(&Read10::new(0x1230, 8), &mut [0; 4096])
            .unwrap_err();
        let sent = lab.unit().commands() - before;
        lab.set("opts", "0");
        let Error::Check(failure) = error else {
            panic!("{error:?}")
        };
        assert_eq!(sent, 1, "sent once, though it failed");
        let outcome = failure.outcome();
        let sense = outcome.sense();
        assert_eq!(sense.key(), Some(SenseKey::MEDIUM_ERROR), "{failure}");
        assert_eq!((sense.asc(), sense.ascq()), (Some(0x11), Some(0)));
        assert_eq!(sense.information(), Some(0x1234));
        assert_eq!(outcome.transferred(), 0);
        assert!(
            failure.to_string().contains("information 4660"),
            "{failure}"
        );
    }
}

/// Lets `scsi_debug` end every INQUIRY so (kernel 6.12 has the file).
struct Injection<'a>(&'a Unit);

impl<'a> Injection<'a> {
    fn new(unit: &'a Unit, host: u16, status: u8, sense: [u8; 3]) -> Self {
        let [key, asc, ascq] = sense;
        let this = Self(unit);
        this.write(&format!(
            "2 1000 0x12 {host:#x} 0x0 {status:#x} {key:#x} {asc:#x} {ascq:#x}"
        ));
        this
    }

    fn write(&self, line: &str) {
        let address = self.0.sysfs.file_name().unwrap().to_str().unwrap();
        let file = format!("/sys/kernel/debug/scsi_debug/{address}/error");
        fs::write(&file, line).unwrap_or_else(|error| panic!("{file}: {line}: {error}"));
    }
}

impl Drop for Injection<'_> {
    fn drop(&mut self) {
        self.write("- 2 0x12");
    }
}

/// How often the kernel sends a command whose result may be a passing one
/// (`DID_BUS_BUSY`, say). For bsg nodes it does not set the number of retries, so
/// that it may be that of the disk driver's last command: 5.
fn most(device: &ScsiDevice) -> u64 {
    match device {
        ScsiDevice::Bsg(_) => 6,
        _ => 1,
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn every_host_status_reaches_the_caller_by_injection() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        // PASSTHROUGH (0Ah), IMM_RETRY (0Ch) and REQUEUE (0Dh) are for the
        // kernel, which tries again.
        for host in (1..=0x14).filter(|host| ![0x0a, 0x0c, 0x0d].contains(host)) {
            let _injection = Injection::new(lab.unit(), host, 0, [0, 0, 0]);
            let before = lab.unit().commands();
            let outcome = device
                .send(&INQUIRY, Data::In(&mut [0; 36]), &Options::new())
                .unwrap();
            let sent = lab.unit().commands() - before;
            assert!(
                sent <= most(&device),
                "{:?} {host:02x} {sent}",
                device.kind()
            );
            assert_eq!(outcome.host(), HostStatus(host), "{outcome:?}");
            assert_eq!(outcome.verdict(), Verdict::Transport, "{outcome:?}");
            assert_eq!(outcome.transferred(), 0);
            let error = device.query(&Inquiry::standard()).unwrap_err();
            assert!(matches!(error, Error::Transport(_)), "{error:?}");
            let name = HostStatus(host).name().unwrap();
            assert!(error.to_string().contains(name), "{error}");
        }
        device.execute(&TestUnitReady).unwrap();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn every_scsi_status_reaches_the_caller_by_injection() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        // The simulation adds sense data with NO SENSE to each.
        for (status, verdict) in [
            (0x04, Verdict::GoodWithSense),
            (0x14, Verdict::GoodWithSense),
            (0x18, Verdict::Status),
            (0x22, Verdict::Status),
            (0x30, Verdict::Status),
            (0x40, Verdict::Status),
        ] {
            let _injection = Injection::new(lab.unit(), 0, status, [0, 0, 0]);
            let before = lab.unit().commands();
            let outcome = device
                .send(&INQUIRY, Data::In(&mut [0; 36]), &Options::new())
                .unwrap();
            let sent = lab.unit().commands() - before;
            assert!(
                sent <= most(&device),
                "{:?} {status:02x} {sent}",
                device.kind()
            );
            assert_eq!(outcome.status(), Status(status), "{outcome:?}");
            assert_eq!(outcome.verdict(), verdict, "{outcome:?}");
        }
    }
    // BUSY and TASK SET FULL are tried again by the kernel until the timeout.
    let device = ScsiDevice::open(&lab.unit().sg).unwrap();
    for status in [Status::BUSY, Status::TASK_SET_FULL] {
        let _injection = Injection::new(lab.unit(), 0, status.0, [0, 0, 0]);
        let options = Options::new().timeout(Duration::from_secs(1));
        let error = device
            .with_options(options)
            .query(&Inquiry::standard())
            .unwrap_err();
        let Error::Status(failure) = error else {
            panic!("{error:?}")
        };
        assert_eq!(failure.outcome().status(), status);
    }
}

/// The adapters differ in the residual that they report; what the typed replies
/// say does not.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn replies_are_the_same_whatever_the_residual() {
    for (model, kind, serial) in [
        ("QEMU HARDDISK", DeviceType::DISK, Some("PTDISK01")),
        ("QEMU CD-ROM", DeviceType::OPTICAL, Some("PTCD01")),
        ("QEMU DVD-ROM", DeviceType::OPTICAL, None),
    ] {
        let unit = Unit::only(model);
        for node in unit.nodes() {
            let device = ScsiDevice::open(node).unwrap();
            let ask = |bytes| {
                let inquiry = Inquiry::standard().allocation_length(bytes);
                let reply = device.query(&inquiry).unwrap();
                assert_eq!(reply.product(), model);
                assert_eq!(reply.device_type(), kind);
                assert_eq!(reply.length_field_lies(), None, "{model} {bytes}");
                (reply.vendor_specific().len(), reply.needed_length())
            };
            let (none, needed) = ask(36);
            assert_eq!(none, 0);
            let (rest, complete) = ask(needed.unwrap_or(96));
            assert_eq!(complete, None, "{model}");
            assert_eq!(ask(255), (rest, None), "{model}");

            let pages = device.query(&Inquiry::vpd(vpd::SupportedPages)).unwrap();
            assert!(pages.contains(vpd::VpdCode::SUPPORTED_PAGES), "{model}");
            let identity = device
                .query(&Inquiry::vpd(vpd::DeviceIdentification))
                .unwrap();
            assert!(identity.designators().all(|one| one.is_ok()), "{model}");
            assert!(identity.designators().count() > 0, "{model}");
            if let Some(serial) = serial {
                let page = device.query(&Inquiry::vpd(vpd::SerialNumber)).unwrap();
                assert_eq!(page.serial(), serial);
            }
        }
    }
}
