use std::{
    cell::{Cell, RefCell},
    io::{IoSlice, IoSliceMut},
    ops::Range,
    path::Path,
};

use super::*;
use crate::nvme::{
    NvmeStatus,
    admin::{FirmwareDownload, MiOpcode, MiReceive, MiSend, SecurityReceive},
    features::{GetFeature, HostIdentifier, Timestamp},
    identify::IdentifyController,
    io::{
        DatasetManagement, DatasetRange, Read, ReclaimUnitHandleStatus, ReportZones,
        ReservationRegister, ReservationReport, Write,
    },
    log::{GetLog, LogId},
};

/// Keeps the addresses of what it was given, and does nothing else.
#[derive(Default)]
struct Recorder {
    seen: RefCell<Vec<Range<usize>>>,
    fails: Cell<bool>,
}

impl NvmeTransport for Recorder {
    fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
        let at = |address: *const u8, len: usize| address as usize..address as usize + len;
        match request.into_buffers().0 {
            Data::None => {}
            Data::In(slice) => {
                slice.fill(0xee);
                self.seen.borrow_mut().push(at(slice.as_ptr(), slice.len()));
            }
            Data::Out(slice) => self.seen.borrow_mut().push(at(slice.as_ptr(), slice.len())),
            Data::InVectored(slices) => {
                for slice in slices {
                    self.seen.borrow_mut().push(at(slice.as_ptr(), slice.len()));
                }
            }
            Data::OutVectored(slices) => {
                for slice in slices {
                    self.seen.borrow_mut().push(at(slice.as_ptr(), slice.len()));
                }
            }
        }
        let status = if self.fails.get() { 0x4002 } else { 0 };
        Ok(Completion::new(NvmeStatus::from_raw(status), 0))
    }

    fn path(&self) -> &Path {
        Path::new("recorder")
    }

    fn format(&self) -> Result<Option<Format>> {
        Ok(Some(Format::new(512)))
    }
}

impl Recorder {
    /// Whether the command went out with whole pages that are not `caller`'s.
    #[track_caller]
    fn went_by_own_pages(&self, caller: &[u8]) {
        let seen = self.seen.take();
        assert_eq!(seen.len(), 1, "sent once");
        for range in seen {
            assert_eq!(range.start % 4096, 0, "begins at a page");
            assert_ne!(range.start, caller.as_ptr() as usize, "not the caller's");
        }
    }

    /// Whether the command went nowhere.
    #[track_caller]
    fn was_refused(&self, result: Result<Completion>) {
        assert!(result.is_err());
        assert_eq!(self.seen.take(), [], "nothing was sent");
    }
}

/// What an Identify of one byte would overwrite is the page behind that byte, so
/// no call may hand the caller's memory to the admin queue.
#[test]
fn admin_commands_never_move_the_callers_memory() {
    let (drive, mut buffer) = (Recorder::default(), vec![0; 4096 + 8]);
    // Page-aligned or not, and of whatever length.
    let identify = &mut buffer[..4096];
    drive.read(&IdentifyController, identify).unwrap();
    drive.went_by_own_pages(identify);
    let no_metadata = &mut [];
    drive.was_refused(drive.read_with_metadata(&IdentifyController, identify, no_metadata));
    let log = GetLog::new(LogId::SANITIZE_STATUS);
    let security = SecurityReceive::new(1, 1);
    let host = GetFeature::new(crate::nvme::features::FeatureId::HOST_IDENTIFIER);
    drive.was_refused(drive.read_with_metadata(&log, &mut buffer[..512], &mut []));
    drive.was_refused(drive.read_with_metadata(&security, &mut buffer[..1], &mut []));
    drive.was_refused(drive.read_with_metadata(&host, &mut buffer[..8], &mut []));
    let clock = Timestamp::set();
    drive.write(&clock, &buffer[..8]).unwrap();
    drive.went_by_own_pages(&buffer);
    drive.was_refused(drive.write_with_metadata(&clock, &buffer[..8], &[]));
    let firmware = FirmwareDownload::at(0).unwrap();
    drive.was_refused(drive.write_with_metadata(&firmware, &buffer[..8], &[]));
    let id = HostIdentifier::Short([1; 8]);
    drive.was_refused(drive.write_vectored(&id.set(), &[IoSlice::new(id.as_bytes())]));
    let mut slices = [IoSliceMut::new(&mut buffer[..512])];
    drive.was_refused(drive.read_vectored(&log, &mut slices));
}

/// What a command moves whatever is wanted of it, the kernel has to map: without
/// an IOMMU, and with bounce buffers of 2 KiB, the rest is somebody else's.
#[test]
fn a_short_buffer_gets_the_beginning_of_what_is_moved() {
    let drive = Recorder::default();
    let mut ten = [0; 10];
    drive.read(&IdentifyController, &mut ten).unwrap();
    let health = MiReceive::new(MiOpcode::SUBSYSTEM_HEALTH, [0, 0]).unwrap();
    drive.read(&health, &mut ten).unwrap();
    let events = MiSend::new(MiOpcode::CONFIGURATION_SET, [4, 0]).unwrap();
    drive.write(&events, &ten).unwrap();
    let lengths: Vec<_> = drive
        .seen
        .take()
        .into_iter()
        .map(|range| range.len())
        .collect();
    assert_eq!((lengths, ten), (vec![4096; 3], [0xee; 10]));
    drive.was_refused(drive.read(&IdentifyController, &mut []));
    drive.was_refused(drive.read(&IdentifyController, &mut [0; 4097]));
    drive.was_refused(drive.execute(&events));
}

/// There are controllers that fetch 256 ranges however many a Dataset
/// Management names (the kernel's driver gives them room for so many).
#[test]
fn only_commands_on_blocks_move_the_callers_memory() {
    let (drive, mut buffer) = (Recorder::default(), vec![0; 4096]);
    let ranges = DatasetManagement::new([DatasetRange::new(0, 1)]).unwrap();
    drive.write(&ranges, &buffer[..16]).unwrap();
    drive.went_by_own_pages(&buffer);
    let register = ReservationRegister::register(1);
    drive.write(&register, &buffer[..16]).unwrap();
    drive.went_by_own_pages(&buffer);
    drive
        .read(&ReservationReport::new(1), &mut buffer[..64])
        .unwrap();
    drive.went_by_own_pages(&buffer);
    assert_eq!((buffer[63], buffer[64]), (0xee, 0), "it is copied");
    drive
        .read(&ReportZones::new(0, 1), &mut buffer[..64])
        .unwrap();
    drive.went_by_own_pages(&buffer);
    let handles = ReclaimUnitHandleStatus::new(1);
    drive.was_refused(drive.read_with_metadata(&handles, &mut buffer[..64], &mut []));
    let mut slices = [IoSliceMut::new(&mut buffer[..64])];
    drive.was_refused(drive.read_vectored(&handles, &mut slices));
    drive.was_refused(drive.write_vectored(&register, &[IoSlice::new(&[0; 16])]));

    let here = |buffer: &[u8]| buffer.as_ptr() as usize..buffer.as_ptr() as usize + buffer.len();
    drive.read(&Read::new(0, 8), &mut buffer).unwrap();
    assert_eq!(drive.seen.take(), [here(&buffer)], "no copy of blocks");
    drive.write(&Write::new(0, 8), &buffer).unwrap();
    assert_eq!(drive.seen.take(), [here(&buffer)]);
    let (one, other) = buffer.split_at(512);
    let slices = [IoSlice::new(one), IoSlice::new(other)];
    drive.write_vectored(&Write::new(0, 8), &slices).unwrap();
    assert_eq!(drive.seen.take(), [here(one), here(other)]);
}

/// A transport may send commands of its own while it carries one.
#[test]
fn a_command_within_a_command_has_a_page_of_its_own() {
    struct Nested(Recorder);
    impl NvmeTransport for Nested {
        fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
            let mut inner = [0; 4096];
            self.0.read(&IdentifyController, &mut inner)?;
            self.0.submit(request)
        }

        fn path(&self) -> &Path {
            self.0.path()
        }
    }
    let drive = Nested(Recorder::default());
    for _ in 0..3 {
        drive.read(&IdentifyController, &mut [0; 4096]).unwrap();
        let seen = drive.0.seen.take();
        assert_eq!(seen.len(), 2);
        assert_ne!(seen[0].start, seen[1].start);
    }
}

/// Also one that fails or panics gives its page back and leaves no other in use.
#[test]
fn a_transport_that_panics_leaves_no_page_in_use() {
    struct Panics;
    impl NvmeTransport for Panics {
        fn submit(&self, _: NvmeRequest<'_>) -> Result<Completion> {
            panic!("in the middle")
        }

        fn path(&self) -> &Path {
            Path::new("panics")
        }
    }
    let caught = std::panic::catch_unwind(|| Panics.read(&IdentifyController, &mut [0; 4096]));
    assert!(caught.is_err());
    let drive = Recorder::default();
    drive.fails.set(true);
    let mut buffer = [7; 4096];
    drive.read(&IdentifyController, &mut buffer).unwrap_err();
    drive.went_by_own_pages(&buffer);
    assert_eq!(buffer, [7; 4096]);
}
