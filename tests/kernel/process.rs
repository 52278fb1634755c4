//! Forked children, and what may be done to them.

use std::{
    io::{self, Write as _},
    panic::{self, AssertUnwindSafe},
};

/// A child that runs one closure.
pub(crate) struct Forked(libc::pid_t);

/// How a traced child stopped, or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// At the entry or the exit of a system call.
    SystemCall,
    Signal(libc::c_int),
    Ended,
}

impl Forked {
    /// Runs `body` in a child, whose exit code is its answer, or 101 if it
    /// panics: unwinding on into the test runner's copy would end that thread,
    /// the only one, and so the child, with 0.
    pub(crate) fn start(body: impl FnOnce() -> u8) -> Self {
        // SAFETY: the other threads of the test runner only wait for this one,
        // so no lock that the child needs is held by them.
        let child = unsafe { libc::fork() };
        assert!(child >= 0);
        if child == 0 {
            panic::set_hook(Box::new(|info| {
                let _ = writeln!(io::stderr(), "in the child: {info}");
            }));
            let code = panic::catch_unwind(AssertUnwindSafe(body)).unwrap_or(101);
            // SAFETY: ends the child at once, without the parent's destructors.
            unsafe { libc::_exit(i32::from(code)) };
        }
        Self(child)
    }

    pub(crate) const fn id(&self) -> libc::pid_t {
        self.0
    }

    /// Its exit code.
    pub(crate) fn wait(self) -> u8 {
        let status = self.status(0).unwrap();
        assert!(libc::WIFEXITED(status), "the child ended by {status:x}");
        libc::WEXITSTATUS(status) as u8
    }

    /// That a signal ends it.
    #[cfg(feature = "uring")]
    pub(crate) fn wait_for_signal(self, signal: libc::c_int) {
        let status = self.status(0).unwrap();
        assert!(libc::WIFSIGNALED(status), "the child ended by {status:x}");
        assert_eq!(libc::WTERMSIG(status), signal);
    }

    /// Whether it still runs.
    pub(crate) fn runs(&self) -> bool {
        // SAFETY: an all-zero siginfo_t is a valid one.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: the pointer is valid; the child is ours.
        let result =
            unsafe { libc::waitid(libc::P_PID, self.0 as libc::id_t, &raw mut info, flags) };
        assert_eq!(result, 0);
        // SAFETY: waitid filled it, or left it zero.
        unsafe { info.si_pid() == 0 }
    }

    fn status(&self, flags: libc::c_int) -> io::Result<libc::c_int> {
        let mut status = 0;
        // SAFETY: the pointer is valid; the child is ours.
        let waited = unsafe { libc::waitpid(self.0, &raw mut status, flags) };
        if waited == self.0 {
            Ok(status)
        } else {
            Err(io::Error::last_os_error())
        }
    }

    /// Waits for the next stop of a traced child; does not reap one that ended.
    pub(crate) fn stop(&self) -> Stop {
        // SAFETY: an all-zero siginfo_t is a valid one.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let flags = libc::WEXITED | libc::WSTOPPED | libc::WNOWAIT;
        // SAFETY: the pointer is valid; the child is ours.
        let result =
            unsafe { libc::waitid(libc::P_PID, self.0 as libc::id_t, &raw mut info, flags) };
        assert_eq!(result, 0);
        if matches!(info.si_code, libc::CLD_EXITED | libc::CLD_KILLED) {
            return Stop::Ended;
        }
        let status = self.status(libc::__WALL).unwrap();
        match libc::WSTOPSIG(status) {
            signal if signal == libc::SIGTRAP | 0x80 => Stop::SystemCall,
            signal => Stop::Signal(signal),
        }
    }

    pub(crate) fn ptrace(&self, request: libc::c_uint, data: libc::c_long) -> io::Result<()> {
        // SAFETY: the requests used here take a number or nothing.
        let result = unsafe { libc::ptrace(request, self.0, 0, data) };
        if result < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }

    /// The number and the third argument of the system call at which a traced
    /// child stands.
    pub(crate) fn system_call(&self) -> (libc::c_long, libc::c_long) {
        let offset = std::mem::offset_of!(libc::user_regs_struct, orig_rax);
        let third = std::mem::offset_of!(libc::user_regs_struct, rdx);
        // SAFETY: PEEKUSER reads a word of the child's registers, which are at
        // the start of its user area.
        let peek =
            |offset: usize| unsafe { libc::ptrace(libc::PTRACE_PEEKUSER, self.0, offset, 0) };
        (peek(offset), peek(third))
    }
}

/// Runs `body` in a forked child and gives its answer.
pub(crate) fn in_child(body: impl FnOnce() -> bool) -> bool {
    Forked::start(|| u8::from(body())).wait() == 1
}
