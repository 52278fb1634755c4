//! The devices of the virtual machine.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use passthru::{NodeKind, ScsiDevice};

/// One test at a time: they share the machine's only `scsi_debug` module.
static MACHINE: Mutex<()> = Mutex::new(());

/// One logical unit with its three nodes.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    pub(crate) sg: PathBuf,
    pub(crate) bsg: PathBuf,
    pub(crate) block: PathBuf,
    /// The folder of the SCSI device in sysfs.
    pub(crate) sysfs: PathBuf,
}

impl Unit {
    /// All units whose INQUIRY product, as sysfs has it, is `model`.
    pub(crate) fn with_model(model: &str) -> Vec<Self> {
        let mut found = Vec::new();
        for entry in fs::read_dir("/sys/class/scsi_generic").unwrap().flatten() {
            let device = fs::canonicalize(entry.path().join("device")).unwrap();
            let product = fs::read_to_string(device.join("model")).unwrap_or_default();
            if product.trim() != model {
                continue;
            }
            let Some(block) = only_entry(&device.join("block")) else {
                continue;
            };
            let address = device.file_name().unwrap().to_owned();
            let unit = Self {
                sg: Path::new("/dev").join(entry.file_name()),
                bsg: Path::new("/dev/bsg").join(address),
                block: Path::new("/dev").join(block),
                sysfs: device,
            };
            if [&unit.sg, &unit.bsg, &unit.block]
                .iter()
                .all(|node| node.exists())
            {
                found.push(unit);
            }
        }
        found.sort_by(|a, b| a.sysfs.cmp(&b.sysfs));
        found
    }

    /// The only unit of that model.
    pub(crate) fn only(model: &str) -> Self {
        let mut units = Self::with_model(model);
        assert_eq!(units.len(), 1, "{model}: {units:?}");
        units.remove(0)
    }

    /// sg, block and bsg node.
    pub(crate) fn nodes(&self) -> [&Path; 3] {
        [&self.sg, &self.block, &self.bsg]
    }

    /// All three, opened for every command.
    pub(crate) fn open_all(&self) -> [ScsiDevice; 3] {
        let devices = self
            .nodes()
            .map(|node| ScsiDevice::open_rw(node).unwrap_or_else(|error| panic!("{error}")));
        let kinds = devices.each_ref().map(ScsiDevice::kind);
        assert_eq!(kinds, [NodeKind::Sg, NodeKind::Block, NodeKind::Bsg]);
        devices
    }

    /// How many commands the kernel has handed to the device's driver so far.
    pub(crate) fn commands(&self) -> u64 {
        let text = fs::read_to_string(self.sysfs.join("iorequest_cnt")).unwrap();
        u64::from_str_radix(text.trim().trim_start_matches("0x"), 16).unwrap()
    }

    /// Takes the device away, as pulling it out would.
    pub(crate) fn delete(&self) {
        fs::write(self.sysfs.join("delete"), "1").unwrap();
    }
}

fn only_entry(folder: &Path) -> Option<std::ffi::OsString> {
    Some(fs::read_dir(folder).ok()?.flatten().next()?.file_name())
}

/// The kernel's simulated SCSI host, loaded for one test.
pub(crate) struct ScsiDebug {
    pub(crate) units: Vec<Unit>,
    _machine: MutexGuard<'static, ()>,
}

impl ScsiDebug {
    /// Loads the module with `parameters` and waits for its `count` units. An
    /// `ndelay=` among them holds from then on: the disk driver's own commands,
    /// a dozen for each unit, do not take so long.
    pub(crate) fn load_many(parameters: &str, count: usize) -> Self {
        let (delays, parameters): (Vec<_>, Vec<_>) = parameters
            .split_whitespace()
            .partition(|parameter| parameter.starts_with("ndelay="));
        let machine = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
        unload();
        let status = Command::new("modprobe")
            .arg("scsi_debug")
            .args(if delays.is_empty() {
                None
            } else {
                Some("delay=0")
            })
            .args(&parameters)
            .status()
            .expect("modprobe runs");
        assert!(status.success(), "modprobe scsi_debug {parameters:?}");
        let units = eventually("the nodes of scsi_debug", || {
            let units = Unit::with_model("scsi_debug");
            (units.len() == count).then_some(units)
        });
        settle(&units);
        let this = Self {
            units,
            _machine: machine,
        };
        for delay in delays {
            let (name, value) = delay.split_once('=').unwrap();
            // Refused as long as a command is with the module.
            eventually("the delay", || this.try_set(name, value).ok());
        }
        this
    }

    pub(crate) fn load(parameters: &str) -> Self {
        Self::load_many(parameters, 1)
    }

    pub(crate) fn unit(&self) -> &Unit {
        &self.units[0]
    }

    /// Writes one of the module's attributes.
    pub(crate) fn set(&self, attribute: &str, value: &str) {
        self.try_set(attribute, value)
            .unwrap_or_else(|error| panic!("{attribute}: {error}"));
    }

    fn try_set(&self, attribute: &str, value: &str) -> std::io::Result<()> {
        let folder = Path::new("/sys/bus/pseudo/drivers/scsi_debug");
        fs::write(folder.join(attribute), value)
    }
}

impl Drop for ScsiDebug {
    fn drop(&mut self) {
        // The disk driver's last commands need not take long either.
        let _ = self.try_set("delay", "0");
        unload();
    }
}

fn unload() {
    let module = Path::new("/sys/module/scsi_debug");
    if !module.exists() {
        return;
    }
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let attempt = Command::new("modprobe")
            .args(["-r", "scsi_debug"])
            .output()
            .expect("modprobe runs");
        if attempt.status.success() && !module.exists() {
            return;
        }
        let users = fs::read_to_string(module.join("refcnt")).unwrap_or_default();
        assert!(
            Instant::now() < deadline,
            "scsi_debug cannot be unloaded, {} users: {}",
            users.trim(),
            String::from_utf8_lossy(&attempt.stderr)
        );
        thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until the disk driver has finished its own commands at the units, so
/// that counting commands counts ours alone.
fn settle(units: &[Unit]) {
    let counts = || units.iter().map(Unit::commands).collect::<Vec<_>>();
    let mut before = counts();
    eventually("quiet units", || {
        thread::sleep(Duration::from_millis(150));
        let now = counts();
        let quiet = now == before;
        before = now;
        quiet.then_some(())
    });
}

/// Tries until it gives something, for half a minute.
pub(crate) fn eventually<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(value) = attempt() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited 30 s for {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The kernel's series, `6.1` or `6.12`.
pub(crate) fn kernel() -> String {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    release.split('.').take(2).collect::<Vec<_>>().join(".")
}

/// `len` bytes that differ with the seed and the place.
pub(crate) fn pattern(seed: u8, len: usize) -> Vec<u8> {
    (0..len)
        .map(|index| (index % 251) as u8 ^ (index / 251) as u8 ^ seed)
        .collect()
}
