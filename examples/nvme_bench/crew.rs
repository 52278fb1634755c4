//! The threads: how they begin together, and how they are stopped.

use std::{
    io,
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use crate::{
    arguments::Cli,
    drive::Drive,
    plan::{self, Share},
    problem::{Code, Problem},
    tally::Tally,
    worker::Worker,
};

/// How often it is looked whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(50);

/// Holds threads up until all are ready.
#[derive(Default)]
struct Gate {
    /// Whether they are to begin; `None` until that is known.
    open: Mutex<Option<bool>>,
    known: Condvar,
}

impl Gate {
    fn decide(&self, begin: bool) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = Some(begin);
        self.known.notify_all();
    }

    fn wait(&self) -> bool {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(begin) = *open {
                return begin;
            }
            open = self
                .known
                .wait(open)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What a thread has to tell.
enum News {
    Ready(Result<(), Problem>),
    Ended,
}

/// Runs all threads, and gives what each came to.
pub(crate) fn run(
    cli: &Cli,
    drives: &[Drive],
    interrupted: &AtomicBool,
) -> Result<Vec<Tally>, Problem> {
    let threads = usize::try_from(cli.threads).unwrap_or(usize::MAX);
    let hands = plan::deal(threads, drives.len());
    let (gate, stop) = (Gate::default(), AtomicBool::new(false));
    let (tell, news) = mpsc::channel();
    thread::scope(|scope| {
        let mut handles = Vec::new();
        let mut problem = None;
        for (number, shares) in (0..).zip(&hands) {
            let tell = tell.clone();
            let (gate, stop) = (&gate, &stop);
            let body = move || thread_body(cli, number, drives, shares, (gate, stop), &tell);
            match thread::Builder::new().spawn_scoped(scope, body) {
                Ok(handle) => handles.push(handle),
                Err(error) => {
                    problem = Some(no_thread(&error));
                    break;
                }
            }
        }
        for _ in &handles {
            match news.recv() {
                Ok(News::Ready(Err(failed))) => problem = problem.or(Some(failed)),
                Ok(News::Ready(Ok(())) | News::Ended) | Err(_) => {}
            }
        }
        gate.decide(problem.is_none());
        if problem.is_none() {
            watch(cli.time(), interrupted, &stop, &news, handles.len());
        }
        let mut tallies = Vec::new();
        for handle in handles {
            match handle.join() {
                Ok(tally) => tallies.extend(tally),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        problem.map_or(Ok(tallies), Err)
    })
}

fn no_thread(error: &io::Error) -> Problem {
    Problem::own(Code::System, "thread", format!("no thread: {error}"))
}

fn thread_body(
    cli: &Cli,
    number: u32,
    drives: &[Drive],
    shares: &[Share],
    (gate, stop): (&Gate, &AtomicBool),
    tell: &mpsc::Sender<News>,
) -> Option<Tally> {
    let made = Worker::new(cli, number, drives, shares);
    // The receiver outlives all threads.
    let (worker, news) = match made {
        Ok(worker) => (Some(worker), Ok(())),
        Err(problem) => (None, Err(problem)),
    };
    let _ = tell.send(News::Ready(news));
    let begin = gate.wait();
    let tally = worker.filter(|_| begin).map(|worker| worker.run(stop));
    let _ = tell.send(News::Ended);
    tally
}

/// Waits until all threads have ended, and has them end when the time is over or
/// Ctrl-C was pressed.
fn watch(
    time: Option<Duration>,
    interrupted: &AtomicBool,
    stop: &AtomicBool,
    news: &mpsc::Receiver<News>,
    mut threads: usize,
) {
    let begun = Instant::now();
    while threads > 0 {
        let left = time.map_or(LOOK, |time| time.saturating_sub(begun.elapsed()));
        if left.is_zero() || interrupted.load(Ordering::Relaxed) {
            stop.store(true, Ordering::Relaxed);
        }
        // After the end of the time too, lest it turns round and round.
        let wait = if left.is_zero() { LOOK } else { left.min(LOOK) };
        match news.recv_timeout(wait) {
            Ok(News::Ended) => threads -= 1,
            Ok(News::Ready(_)) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
