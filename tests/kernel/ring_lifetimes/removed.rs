//! The drive goes away while its ring is dropped.

use std::{sync::mpsc::channel, thread, time::Duration};

use super::{Aligned, Busy, Fresh, Registered, Vectored, kinds};
use crate::nvme::{gone::Removed, support::within};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_drive_that_is_removed_meanwhile_keeps_no_drop_waiting() {
    within(150, "drop and removal", || {
        let (send, receive) = channel();
        let (go, begin) = channel();
        let remover = thread::spawn(move || {
            begin.recv().unwrap();
            let removed = Removed::new("PTSLOW");
            send.send(()).unwrap();
            removed
        });
        let [plain, _] = kinds();
        let busy = Busy::new(&plain, &[Aligned, Registered, Vectored]);
        go.send(()).unwrap();
        thread::sleep(Duration::from_millis(200));
        drop(busy.ring);
        let fresh = Fresh::take();
        receive.recv().unwrap();
        fresh.watch(Duration::from_millis(500));
        drop(remover.join().unwrap());
        fresh.check();
    });
}
