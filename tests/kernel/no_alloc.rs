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

#[cfg(feature = "uring")]
mod ring {
    use std::time::Duration;

    use passthru::{
        AlignedBuf, NvmeController, NvmeNamespace, NvmeRing,
        device::{RingBuf, Target},
        nvme::{
            identify::IdentifyController,
            io::{Flush, Read, Write},
        },
    };

    use crate::{
        alloc::allocations,
        nvme_lab::{controller, namespace},
    };

    const BLOCKS: u32 = 8;

    /// Where commands go, and buffers that none of them has at the moment.
    struct Work {
        ring: NvmeRing,
        plain: Target,
        protected: Target,
        drive: Target,
        pages: Vec<RingBuf>,
        metadata: Vec<RingBuf>,
        ended: u32,
    }

    impl Work {
        fn new(mut ring: NvmeRing) -> Self {
            let open = |serial, nsid| NvmeNamespace::open_rw(namespace(serial, nsid).0).unwrap();
            let own = |len| RingBuf::from(AlignedBuf::new(len).unwrap());
            let mut metadata = vec![own(64), ring.buffer().unwrap()];
            metadata[1].set_len(64);
            let mut pages: Vec<_> = (0..6).map(|_| own(4096)).collect();
            pages.extend(std::iter::from_fn(|| ring.buffer()));
            Self {
                plain: ring.add_namespace(open("PTPLAIN", 1)).unwrap(),
                protected: ring.add_namespace(open("PTSUB", 3)).unwrap(),
                drive: ring
                    .add_controller(NvmeController::open(controller("PTPLAIN")).unwrap())
                    .unwrap(),
                ring,
                pages,
                metadata,
                ended: 0,
            }
        }

        fn page(&mut self) -> RingBuf {
            self.pages.pop().unwrap()
        }

        fn take(&mut self) {
            while let Some(done) = self.ring.pop() {
                assert!(done.result.is_ok());
                self.pages.extend(done.buffer);
                self.metadata.extend(done.metadata);
                self.ended += 1;
            }
        }

        /// Commands of all kinds, but those with several buffers.
        fn round(&mut self, token: u64) {
            let (read, write) = (Read::new(512, BLOCKS), Write::new(512, BLOCKS));
            for _ in 0..2 {
                let page = self.page();
                self.ring.write(self.plain, &write, page, token).unwrap();
                let page = self.page();
                self.ring.read(self.plain, &read, page, token).unwrap();
            }
            self.ring.execute(self.plain, &Flush, token).unwrap();
            self.ring.submit().unwrap();
            for _ in 0..2 {
                let (page, metadata) = (self.page(), self.metadata.pop().unwrap());
                self.ring
                    .read_with_metadata(self.protected, &read, page, metadata, token)
                    .unwrap();
            }
            let page = self.page();
            self.ring
                .write_to_all(&[(self.plain, write); 3], page, token)
                .unwrap();
            let page = self.page();
            self.ring
                .read(self.drive, &IdentifyController, page, token)
                .unwrap();
            self.ring.wait_timeout(2, Duration::from_secs(60)).unwrap();
            self.take();
            while self.ring.in_flight() > 0 {
                self.ring.wait(1).unwrap();
                self.take();
            }
            // Those that came back last go first: each buffer has its turn.
            self.pages.rotate_left(1);
        }
    }

    #[test]
    #[ignore = "needs the VM: cargo vm test"]
    fn an_nvme_ring_does_not_allocate_for_a_command() {
        let plain = NvmeRing::builder();
        for builder in [plain.clone(), plain.sqpoll(Duration::from_millis(1))] {
            let builder = builder.depth(16).batch(8).registered_buffers(7, 4096);
            let mut work = Work::new(builder.build().unwrap());
            work.round(0);
            let before = work.ended;
            let count = allocations(|| (1..=40).for_each(|token| work.round(token)));
            assert_eq!(count, 0, "{:?}", work.ring.flags());
            assert_eq!(work.ended - before, 40 * 11);
        }
    }
}
