use std::{
    cell::{Cell, RefCell},
    io::{IoSlice, IoSliceMut},
    ops::Range,
    path::Path,
};

use super::*;
use crate::nvme::{
    NvmeStatus,
    admin::*,
    features::{DataFeature, FeatureId, GetFeature, HostIdentifier, SetFeature, Timestamp},
    identify::IdentifyController,
    io::*,
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
    let host = GetFeature::new(FeatureId::HOST_IDENTIFIER);
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

fn entry(command: &impl Command, data: usize) -> Sqe {
    let format = Some(Format::new(512));
    command
        .sqe(Lengths {
            data,
            metadata: 0,
            format,
        })
        .unwrap()
}

/// The kernel maps memory by bit 0 of the opcode, and a controller moves data by
/// bits 1 and 0.
#[test]
fn opcodes_move_data_the_way_that_the_types_say() {
    fn brings(command: &impl DataIn, len: usize) {
        assert_eq!(
            entry(command, len).opcode & 3,
            2,
            "{:?}",
            entry(command, len)
        );
    }
    fn takes(command: &impl DataOut, len: usize) {
        assert_eq!(
            entry(command, len).opcode & 3,
            1,
            "{:?}",
            entry(command, len)
        );
    }
    fn sends(command: &impl WithData) {
        takes(command, command.data().len());
    }
    let nsid = crate::nvme::Nsid::new(1).unwrap();
    brings(&IdentifyController, 4096);
    brings(&GetLog::new(LogId::SMART_HEALTH), 512);
    brings(&GetLog::new(LogId::SMART_HEALTH).bytes(512), 512);
    brings(&HostIdentifier::get_extended(), 16);
    brings(&Timestamp::get(), 8);
    brings(&DirectiveReceive::support(nsid), 4096);
    brings(&SecurityReceive::new(1, 1), 1);
    brings(&MiReceive::new(MiOpcode::VPD_READ, [0, 8]).unwrap(), 8);
    brings(&Read::new(0, 8), 4096);
    brings(&ReservationReport::new(1), 64);
    brings(&ReportZones::new(0, 1), 128);
    brings(&ReclaimUnitHandleStatus::new(1), 48);
    takes(&Timestamp::set(), 8);
    takes(&FirmwareDownload::at(0).unwrap(), 4);
    takes(&CreateNamespace::new(), 4096);
    takes(&AttachNamespace::attach(nsid), 4096);
    takes(&DirectiveSend::new(nsid, DirectiveType(3), 1, 0), 4);
    takes(&SecuritySend::new(1, 1), 1);
    takes(&MiSend::new(MiOpcode::VPD_WRITE, [0, 8]).unwrap(), 8);
    takes(&Write::new(0, 8), 4096);
    takes(&Compare::new(0, 8), 4096);
    takes(&ZoneAppend::new(0, 8), 4096);
    sends(&DatasetManagement::new([DatasetRange::new(0, 1)]).unwrap());
    sends(&CopyBlocks::new(0, CopyFormat::Same, CopyRange::new(0, 1)).unwrap());
    sends(&ReservationRegister::register(1));
    sends(&ReservationAcquire::acquire(1, ReservationType(1)));
    sends(&ReservationRelease::clear(1));
    sends(&ReclaimUnitHandleUpdate::new([1]).unwrap());
    sends(&SetZoneDescriptorExtension::new(0, &[]).unwrap());
}

/// Of the commands without data some have an opcode that can move some, and the
/// specification says that in this form they do not.
#[test]
fn opcodes_that_could_move_data_and_are_sent_without() {
    fn still(command: &impl NoData) -> u8 {
        entry(command, 0).opcode & 3
    }
    let nsid = crate::nvme::Nsid::new(1).unwrap();
    let nothing = [
        still(&FirmwareCommit::new(0, FirmwareAction::Activate)),
        still(&FormatNvm::new(nsid, 0)),
        still(&Sanitize::block_erase()),
        still(&SelfTest::short(nsid)),
        still(&Lockdown::allow(LockdownScope::AdminCommand(0))),
        still(&CapacityManagement::delete_nvm_set(1)),
        still(&VirtualizationManagement::online(1)),
        still(&Flush),
        still(&Verify::new(0, 1)),
        still(&WriteZeroes::new(0, 1)),
        still(&WriteUncorrectable::new(0, 1)),
    ];
    assert_eq!(nothing, [0; 11]);
    let cache = FeatureId::VOLATILE_WRITE_CACHE;
    assert_eq!(still(&GetFeature::new(cache)), 2, "a dword");
    assert_eq!(still(&SetFeature::new(cache, 1).unwrap()), 1, "a dword");
    assert_eq!(still(&DeleteNamespace::new(nsid)), 1);
    assert_eq!(still(&DirectiveAction::allocate_streams(nsid, 1)), 2);
    assert_eq!(still(&DirectiveAction::release_streams(nsid)), 1);
    assert_eq!(still(&MiSend::new(MiOpcode::RESET, [0, 0]).unwrap()), 1);
    assert_eq!(still(&ZoneManagementSend::all(ZoneAction::Reset)), 1);
}
