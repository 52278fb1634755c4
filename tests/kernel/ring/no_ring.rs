//! Where there is no `io_uring`, or it is forbidden.

use std::{fs, path::Path};

use passthru::{Error, NvmeRing, device::NvmeRingBuilder};

use crate::nvme_ring::support::plain;
use crate::process::in_child;

/// From now on `number` fails in this process by `errno`.
fn forbid(number: libc::c_long, errno: i32) {
    let statement = |code: u32, jump_true, jump_false, value| libc::sock_filter {
        code: code as u16,
        jt: jump_true,
        jf: jump_false,
        k: value,
    };
    let mut filter = [
        // The number of the call is the first word of what a filter looks at.
        statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        statement(
            libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K,
            0,
            1,
            number as u32,
        ),
        statement(
            libc::BPF_RET | libc::BPF_K,
            0,
            0,
            libc::SECCOMP_RET_ERRNO | errno as u32,
        ),
        statement(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_mut_ptr(),
    };
    // SAFETY: this call takes numbers only.
    let set = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    assert_eq!(set, 0);
    // SAFETY: the program and its statements outlive the call.
    let set = unsafe {
        libc::prctl(
            libc::PR_SET_SECCOMP,
            libc::SECCOMP_MODE_FILTER,
            &raw const program,
        )
    };
    assert_eq!(set, 0);
}

fn refusal(builder: &NvmeRingBuilder) -> (Option<i32>, String) {
    let error = builder.build().unwrap_err();
    assert!(
        matches!(
            error,
            Error::Ring {
                source: Some(_),
                ..
            }
        ),
        "{error:?}"
    );
    assert!(!error.was_sent());
    (error.raw_os_error(), error.to_string())
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_kernel_that_hides_it() {
    for (errno, texts) in [
        (libc::ENOSYS, ["Linux 5.19", "sandbox"]),
        (libc::EPERM, ["kernel.io_uring_disabled", "seccomp"]),
        (libc::EACCES, ["kernel.io_uring_disabled", "seccomp"]),
        (libc::EINVAL, ["Linux 5.19", "128 and 32 bytes"]),
        (libc::ENOMEM, ["RLIMIT_MEMLOCK", "smaller"]),
        (libc::EMFILE, ["ulimit -n", "open files"]),
    ] {
        let seen = in_child(|| {
            forbid(libc::SYS_io_uring_setup, errno);
            let (found, text) = refusal(&NvmeRing::builder());
            assert_eq!(found, Some(errno), "{text}");
            assert!(text.starts_with("io_uring: "), "{text}");
            for expected in texts {
                assert!(text.contains(expected), "{expected}: {text}");
            }
            true
        });
        assert!(seen, "errno {errno}");
    }
    // Not in this process.
    drop(plain());
}

/// Buffers cannot be registered: the ring is not made without them.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn registering_that_is_forbidden() {
    let seen = in_child(|| {
        forbid(libc::SYS_io_uring_register, libc::EPERM);
        // Files are only a help.
        let ring = NvmeRing::builder().build().unwrap();
        assert!(
            !ring
                .flags()
                .contains(passthru::device::RingFlags::REGISTERED_FILES)
        );
        let (found, text) = refusal(&NvmeRing::builder().registered_buffers(1, 4096));
        assert_eq!(found, Some(libc::EPERM));
        assert!(text.contains("buffers could not be registered"), "{text}");
        true
    });
    assert!(seen);
}

/// Memory that may not be locked, for who is not root.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn more_registered_memory_than_may_be_locked() {
    let seen = in_child(|| {
        let most = libc::rlimit {
            rlim_cur: 64 << 10,
            rlim_max: 64 << 10,
        };
        // SAFETY: the limit outlives the call.
        let set = unsafe { libc::setrlimit(libc::RLIMIT_MEMLOCK, &raw const most) };
        assert_eq!(set, 0);
        // SAFETY: takes a number only.
        assert_eq!(unsafe { libc::setuid(1000) }, 0);
        let builder = NvmeRing::builder().depth(2);
        drop(builder.build().unwrap());
        let (found, text) = refusal(&builder.registered_buffers(64, 4096));
        assert_eq!(found, Some(libc::ENOMEM));
        assert!(text.contains("RLIMIT_MEMLOCK"), "{text}");
        true
    });
    assert!(seen);
}

/// The sysctl with a value of its own for as long as this lives.
struct Disabled(&'static Path);

impl Drop for Disabled {
    fn drop(&mut self) {
        fs::write(self.0, "0").unwrap();
    }
}

/// Linux 6.1 has no such sysctl: nothing is to be tested there.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_sysctl_that_disables_it() {
    let path = Path::new("/proc/sys/kernel/io_uring_disabled");
    assert_eq!(path.exists(), crate::lab::kernel() != "6.1");
    if !path.exists() {
        return;
    }
    let restored = Disabled(path);
    fs::write(path, "2").unwrap();
    let (found, text) = refusal(&NvmeRing::builder());
    assert_eq!(found, Some(libc::EPERM));
    assert!(text.contains("kernel.io_uring_disabled"), "{text}");
    let thread = NvmeRing::builder().sqpoll(std::time::Duration::from_secs(1));
    assert!(refusal(&thread).1.contains("kernel.io_uring_disabled"));
    drop(restored);
    drop(plain());
}
