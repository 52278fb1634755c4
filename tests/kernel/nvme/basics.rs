//! The plain drive of the lab: opening, identifying, the traps of the ioctls.

use passthru::{
    Error, NvmeController, NvmeErrorKind, NvmeNamespace, NvmeTransport, NvmeTransportExt,
    nvme::{
        Format, Nsid, StatusCode,
        identify::{IdentifyController, IdentifyNamespace},
        io::Read,
    },
};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_drive_says_what_it_is() {
    let drive = NvmeController::open("/dev/nvme0").unwrap();
    let data = drive.query(&IdentifyController).unwrap();
    assert_eq!(data.model(), "QEMU NVMe Ctrl");
    assert_eq!(data.vendor_id(), 0x1b36);
    let nsid = Nsid::new(1).unwrap();
    let data = drive.query(&IdentifyNamespace::new(nsid)).unwrap();
    assert_eq!(data.size(), (64 << 20) / 512);
    for path in ["/dev/ng0n1", "/dev/nvme0n1"] {
        let namespace = NvmeNamespace::open(path).unwrap();
        assert_eq!(namespace.nsid(), nsid, "{path}");
        assert_eq!(
            namespace.format().unwrap(),
            Some(Format::new(512)),
            "{path}"
        );
        assert_eq!(namespace.max_transfer(), Some(512 << 10), "{path}");
    }
    assert_eq!(drive.max_transfer(), Some(512 << 10));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_short_buffer_gets_the_beginning_of_identify() {
    let drive = NvmeController::open("/dev/nvme0").unwrap();
    let mut ten = [0; 10];
    drive.read(&IdentifyController, &mut ten).unwrap();
    assert_eq!(&ten[..4], &[0x36, 0x1b, 0xf4, 0x1a]);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn wrong_nodes_are_refused() {
    for path in ["/dev/sda", "/dev/sg0", "/dev/null", "/dev/ng0n1"] {
        let error = NvmeController::open(path).unwrap_err();
        assert!(matches!(error, Error::WrongNode { .. }), "{path}: {error}");
    }
    for path in ["/dev/sda", "/dev/nvme0"] {
        let error = NvmeNamespace::open(path).unwrap_err();
        assert!(matches!(error, Error::WrongNode { .. }), "{path}: {error}");
    }
    let error = NvmeController::open("/dev/nvme77").unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_read_beyond_the_end_has_the_controllers_status() {
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    let mut block = [0; 512];
    let error = namespace
        .read(&Read::new(1 << 40, 1), &mut block)
        .unwrap_err();
    let Error::Nvme(error) = error else {
        panic!("{error}")
    };
    let status = error.status().unwrap();
    assert_eq!(status.status_code(), StatusCode::LBA_OUT_OF_RANGE);
    assert!(status.do_not_retry());
    assert!(matches!(error.kind(), NvmeErrorKind::Status(_)));
}
