//! The sg driver's control calls.

use passthru::{
    Error, ScsiTransportExt, SgDevice,
    device::Reset,
    scsi::{DeviceType, Read10, TestUnitReady},
};

use crate::lab::{ScsiDebug, Unit, eventually};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_the_driver_tells() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let device = SgDevice::open(&lab.unit().sg).unwrap();
    let version = device.version().unwrap();
    assert!(version.number() >= 30_536, "{version}");
    assert!(version.to_string().starts_with("3."), "{version}");

    let id = device.scsi_id().unwrap();
    let address = device.address().unwrap();
    assert_eq!(id.host, address.host as i32);
    assert_eq!(id.target, address.target as i32);
    assert_eq!(id.lun, address.lun as i32);
    assert_eq!(id.device_type, DeviceType::DISK);
    assert!(id.queue_depth > 0);
    assert_eq!(
        address.to_string(),
        lab.unit().sysfs.file_name().unwrap().to_str().unwrap()
    );

    assert!(device.sg_table_size().unwrap() > 0);
    let limit = device.queue_limit().unwrap();
    assert!(limit >= 64 << 10, "{limit}");
    assert!(device.max_transfer().unwrap() >= limit as u64);
    assert_eq!(device.requests().unwrap(), []);
    assert_eq!(device.reserved_size().unwrap() % 512, 0);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_reserve_buffer_is_what_the_kernel_made_of_the_wish() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let device = SgDevice::open(&lab.unit().sg).unwrap();
    assert!(device.reserved_size().unwrap() > 0);
    assert_eq!(device.set_reserved_size(256 << 10).unwrap(), 256 << 10);
    assert_eq!(device.reserved_size().unwrap(), 256 << 10);
    assert_eq!(device.set_reserved_size(0).unwrap(), 4096);
    assert_eq!(device.set_reserved_size(5000).unwrap(), 5120);
    let huge = device.set_reserved_size(usize::MAX).unwrap();
    assert!(huge <= device.queue_limit().unwrap(), "{huge}");
    assert!(huge > 256 << 10, "{huge}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_reserve_buffer_of_a_running_command_keeps_its_size() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=500000000");
    let device = SgDevice::open(&lab.unit().sg).unwrap();
    let size = device.reserved_size().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| device.read(&Read10::new(0, 1), &mut [0; 512]).unwrap());
        eventually("the command", || {
            (device.requests().unwrap().len() == 1).then_some(())
        });
        let error = device.set_reserved_size(size + 4096).unwrap_err();
        assert!(matches!(error, Error::ReserveBusy { .. }), "{error:?}");
        assert_eq!(error.raw_os_error(), Some(libc::EBUSY));
        assert_eq!(device.reserved_size().unwrap(), size);
    });
    assert_eq!(device.set_reserved_size(size + 4096).unwrap(), size + 4096);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn reset_gives_a_unit_attention_and_needs_a_writing_handle() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let reader = SgDevice::open(&lab.unit().sg).unwrap();
    let error = reader.reset(Reset::Device).unwrap_err();
    assert!(matches!(error, Error::ControlDenied { .. }), "{error:?}");
    assert!(error.to_string().contains("open_rw"), "{error}");
    reader.execute(&TestUnitReady).unwrap();

    let writer = SgDevice::open_rw(&lab.unit().sg).unwrap();
    writer.reset(Reset::Device).unwrap();
    let error = writer.execute(&TestUnitReady).unwrap_err();
    let Error::Check(failure) = error else {
        panic!("{error:?}")
    };
    let sense = failure.outcome().sense();
    assert_eq!(sense.key().unwrap().0, 6, "{failure}");
    assert_eq!(sense.additional().unwrap().asc, 0x29, "{failure}");
    writer.execute(&TestUnitReady).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_exclusive_open_excludes_others() {
    use passthru::OpenOptions;
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let path = &lab.unit().sg;
    let exclusive = OpenOptions::new().exclusive(true);
    let first = SgDevice::open_with(path, &exclusive).unwrap();
    for error in [
        SgDevice::open(path).unwrap_err(),
        SgDevice::open_with(path, &exclusive).unwrap_err(),
    ] {
        assert!(matches!(error, Error::InUse { .. }), "{error:?}");
    }
    drop(first);
    let first = SgDevice::open(path).unwrap();
    let error = SgDevice::open_with(path, &exclusive).unwrap_err();
    assert!(matches!(error, Error::InUse { .. }), "{error:?}");
    drop(first);
    SgDevice::open_with(path, &exclusive).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn every_node_leads_to_the_sg_node() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for unit in [
        lab.unit().clone(),
        Unit::only("QEMU HARDDISK"),
        Unit::only("QEMU CD-ROM"),
    ] {
        for node in unit.nodes() {
            assert_eq!(SgDevice::node_for(node).unwrap(), unit.sg);
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_tape_drive_and_a_changer_lead_to_their_sg_nodes() {
    for (ptype, prefix) in [("1", "/dev/st"), ("1", "/dev/nst"), ("8", "/dev/sch")] {
        let _lab = ScsiDebug::load_many(&format!("ptype={ptype} delay=0"), 0);
        let node = crate::lab::eventually("the node", || {
            let path = std::path::PathBuf::from(format!("{prefix}0"));
            path.exists().then_some(path)
        });
        let sg = SgDevice::node_for(&node).unwrap();
        let device = SgDevice::open(&sg).unwrap();
        assert_eq!(device.device_type().unwrap().0.to_string(), ptype);
        let error = passthru::ScsiDevice::open(&node).unwrap_err();
        assert!(
            matches!(&error, Error::WrongNode { hint: Some(hint), .. } if *hint == sg),
            "{error:?}"
        );
    }
}
