//! Rings that poll for completions, on drives that have queues for that.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use passthru::{
    NvmeNamespace, NvmeRing, NvmeTransportExt,
    device::RingFlags,
    nvme::io::{Flush, Read, Write},
};

use crate::nvme_ring::support::{busy, end, filled, good, open, plain, polls, stale, succeeds};
use crate::{
    lab::{eventually, pattern},
    nvme::support::{drive, within},
    nvme_lab::{controller, namespaces},
};

const COUNT: &str = "/sys/module/nvme/parameters/poll_queues";

/// A drive that has a queue to poll for as long as this lives.
struct Polled {
    serial: &'static str,
    namespaces: usize,
}

impl Polled {
    fn new(serial: &'static str) -> Self {
        let this = Self {
            serial,
            namespaces: namespaces(serial).len(),
        };
        fs::write(COUNT, "1").unwrap();
        this.bind();
        this
    }

    /// Takes the drive from its driver and gives it back, which then looks how
    /// many such queues are wished for.
    fn bind(&self) {
        let name = controller(self.serial);
        let sysfs = Path::new("/sys/class/nvme").join(name.file_name().unwrap());
        let device = fs::canonicalize(sysfs.join("device")).unwrap();
        let address = device.file_name().unwrap().to_str().unwrap();
        let driver = PathBuf::from("/sys/bus/pci/drivers/nvme");
        fs::write(driver.join("unbind"), address).unwrap();
        fs::write(driver.join("bind"), address).unwrap();
        eventually("the drive", || {
            let there = fs::read_dir(device.join("nvme")).ok()?.count() == 1;
            (there && self.usable()).then_some(())
        });
    }

    fn usable(&self) -> bool {
        let all = std::panic::catch_unwind(|| namespaces(self.serial)).unwrap_or_default();
        all.len() == self.namespaces
            && all.iter().all(|(_, generic, block)| {
                NvmeNamespace::open(generic).is_ok() && NvmeNamespace::open(block).is_ok()
            })
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        fs::write(COUNT, "0").unwrap();
        self.bind();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn completions_are_polled_for() {
    within(120, "polling", || {
        if !polls() {
            return;
        }
        for serial in ["PTMDTS", "PTSUB"] {
            let polled = Polled::new(serial);
            for registered in [false, true] {
                let mut builder = NvmeRing::builder().depth(16).polled(true);
                if registered {
                    builder = builder.registered_buffers(16, 4096);
                }
                let mut ring = builder.build().unwrap();
                assert!(ring.flags().contains(RingFlags::POLLED));
                let target = ring.add_namespace(open(serial, 1)).unwrap();
                let error = ring.add_controller(drive(serial)).unwrap_err();
                assert!(error.to_string().contains("cannot be polled"), "{error}");
                let data = pattern(50 + u8::from(registered), 8 * 512);
                ring.write(target, &Write::new(3600, 8), filled(&data), 0)
                    .unwrap();
                succeeds(&mut ring);
                ring.execute(target, &Flush, 0).unwrap();
                succeeds(&mut ring);
                let (mut seen, mut token) = (0_u32, 0);
                // Nothing arrives by itself, and no wait is needed for it to do so.
                let deadline = Instant::now() + Duration::from_secs(20);
                while token < 16 || ring.in_flight() > 0 {
                    while token < 16 && !ring.is_full() {
                        let mut buffer = ring.buffer().unwrap_or_else(|| stale(4096).into());
                        buffer.fill(0xee);
                        ring.read(target, &Read::new(3600, 8), buffer, token)
                            .unwrap();
                        token += 1;
                    }
                    assert!(Instant::now() < deadline);
                    ring.wait(0).unwrap();
                    while let Some(done) = ring.pop() {
                        done.result.unwrap();
                        assert!(done.buffer.unwrap()[..] == data[..]);
                        seen |= 1 << done.token;
                    }
                }
                assert_eq!(seen, 0xffff);
                // What an interrupt would have brought, by ioctl.
                let mut now = vec![0; data.len()];
                open(serial, 1).read(&Read::new(3600, 8), &mut now).unwrap();
                assert!(now == data);
                ring.read(target, &Read::new(1 << 40, 1), stale(512), 0)
                    .unwrap();
                assert!(end(&mut ring).result.unwrap_err().was_sent());
            }
            // Such a drive is used without polling, too.
            let mut ring = plain();
            let target = ring.add_namespace(open(serial, 1)).unwrap();
            ring.read(target, &Read::new(0, 1), stale(512), 3).unwrap();
            assert_eq!(good(&mut ring).0.token, 3);
            drop(ring);
            drop(polled);
            let builder = NvmeRing::builder().depth(1).polled(true);
            let mut ring = builder.build().unwrap();
            ring.add_namespace(open(serial, 1)).unwrap_err();
        }
    });
}

/// The kernel does not look at the time while it polls.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_timeout_ends_polling() {
    within(120, "polling a slow drive", || {
        if !polls() {
            return;
        }
        let polled = Polled::new("PTSLOW");
        for sqpoll in [false, true] {
            let mut builder = NvmeRing::builder().polled(true);
            if sqpoll {
                builder = builder.sqpoll(Duration::from_millis(50));
            }
            let mut ring = builder.build().unwrap();
            let slow = ring.add_namespace(open("PTSLOW", 1)).unwrap();
            busy(4);
            ring.read(slow, &Read::new(0, 1), stale(512), 0).unwrap();
            let begun = Instant::now();
            assert_eq!(ring.wait_timeout(1, Duration::from_millis(300)).unwrap(), 0);
            let took = begun.elapsed();
            let wanted = Duration::from_millis(300)..Duration::from_millis(1300);
            assert!(wanted.contains(&took), "{took:?}");
            assert_eq!(ring.wait_timeout(1, Duration::from_secs(30)).unwrap(), 1);
            succeeds(&mut ring);
            // A drop polls for what is in flight.
            busy(2);
            ring.read(slow, &Read::new(0, 1), stale(512), 0).unwrap();
            ring.submit().unwrap();
            drop(ring);
        }
        drop(polled);
    });
}

/// The kernel does not poll while a completion is there that nobody has popped.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_is_not_popped_does_not_end_polling() {
    within(60, "polling for more", || {
        let builder = NvmeRing::builder().depth(4).polled(true);
        if !polls() {
            return;
        }
        let polled = Polled::new("PTMDTS");
        let mut ring = builder.build().unwrap();
        let target = ring.add_namespace(open("PTMDTS", 1)).unwrap();
        let read = |ring: &mut NvmeRing, token| {
            ring.read(target, &Read::new(0, 1), stale(512), token)
                .unwrap();
        };
        read(&mut ring, 0);
        assert_eq!(ring.wait(1).unwrap(), 1);
        read(&mut ring, 1);
        assert_eq!(ring.wait_timeout(2, Duration::from_secs(20)).unwrap(), 2);
        read(&mut ring, 2);
        assert_eq!(ring.wait(3).unwrap(), 3);
        read(&mut ring, 3);
        let deadline = Instant::now() + Duration::from_secs(20);
        while ring.wait(0).unwrap() < 4 {
            assert!(Instant::now() < deadline);
        }
        // They are given in the order in which they came.
        for token in 0..4 {
            assert_eq!((ring.ready(), ring.in_flight()), (4 - token, 4 - token));
            let done = ring.pop().unwrap();
            done.result.unwrap();
            assert_eq!(done.token, token as u64);
        }
        assert!(ring.pop().is_none());
        drop(ring);
        drop(polled);
    });
}
