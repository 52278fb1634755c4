//! Nothing is allocated for a command.

use passthru::{
    NvmeNamespace, NvmeTransportExt, ScsiTransportExt,
    nvme::{
        identify::{IdentifyController, IdentifyNamespace},
        io::{Flush, Read, Write},
    },
    scsi::{Inquiry, Read16, ReadCapacity16, TestUnitReady, Write16},
};

use crate::{alloc::allocations, lab::ScsiDebug};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn no_node_allocates_for_a_command() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let mut buffer = vec![0; 64 << 10];
    for device in lab.unit().open_all() {
        let count = allocations(|| {
            for lba in 0..20 {
                device.execute(&TestUnitReady).unwrap();
                device.write(&Write16::new(lba, 128), &buffer).unwrap();
                device.read(&Read16::new(lba, 128), &mut buffer).unwrap();
                device.query(&Inquiry::standard()).unwrap();
                device.query(&ReadCapacity16::new()).unwrap();
            }
        });
        assert_eq!(count, 0, "{:?}", device.kind());
        // The allocator does count.
        assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 10]))), 1);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_does_not_allocate_for_a_command() {
    let namespace = NvmeNamespace::open_rw("/dev/ng0n1").unwrap();
    let mut buffer = vec![0; 64 << 10];
    let mut commands = || {
        namespace.write(&Write::new(64, 128), &buffer).unwrap();
        namespace.read(&Read::new(64, 128), &mut buffer).unwrap();
        namespace.execute(&Flush).unwrap();
        namespace.query(&IdentifyController).unwrap();
        let identify = IdentifyNamespace::new(namespace.nsid());
        namespace.query(&identify).unwrap();
    };
    // The format is asked for, and a page is taken.
    commands();
    let count = allocations(|| (0..20).for_each(|_| commands()));
    assert_eq!(count, 0);
}
