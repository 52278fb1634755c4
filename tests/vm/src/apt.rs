//! Debian's packages, fetched with apt into a folder of our own.
//!
//! apt gets a configuration of its own: its lists, its cache and its sources are below `target/vm/apt`, so nothing on
//! the machine changes and no root is needed. The sources are those of the machine that serve Debian itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::output::{capture, capture_text, step};
use crate::workspace::{clean_command, which};

/// The Debian release whose packages are used.
const SUITE: &str = "bookworm";
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// What to type where apt cannot be used.
const BY_HAND: &str = "docker run --rm -it -v \"$PWD\":/work -w /work rust:bookworm cargo vm test";

/// apt with lists, cache and sources of its own.
#[derive(Debug)]
pub(crate) struct Apt {
    folder: PathBuf,
    scratch: PathBuf,
    sources: Vec<Source>,
}

/// One line of a sources list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Source {
    site: String,
    suite: String,
}

impl Apt {
    /// Sets the private apt up and reads the package lists.
    pub(crate) fn new(vm: &Path) -> Result<Self> {
        if which("apt-get").is_none() || which("dpkg").is_none() {
            bail!(
                "QEMU, the kernels and busybox come from Debian's packages, and this machine has no apt-get. \
                 Run it in a Debian container:\n    {BY_HAND}"
            );
        }
        let listed = capture_text(clean_command("apt-get").args(["update", "--print-uris"]))?;
        let sources = sources(&listed, &codename()?);
        if sources.is_empty() {
            bail!(
                "apt's sources on this machine name no Debian site to fetch QEMU and the kernels from. \
                 Run it in a Debian container:\n    {BY_HAND}"
            );
        }
        let apt = Self {
            folder: vm.join("apt"),
            scratch: vm.join("tmp"),
            sources,
        };
        for made in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(apt.folder.join(made))?;
        }
        apt.write_configuration()?;
        apt.update()?;
        Ok(apt)
    }

    /// Adds the backports of the release, on the site the machine already uses.
    pub(crate) fn add_backports(&mut self) -> Result<()> {
        let Some(main) = self.sources.iter().find(|source| source.suite == SUITE) else {
            bail!("apt's sources have no suite {SUITE}, so its backports cannot be found");
        };
        let backports = Source {
            site: main.site.clone(),
            suite: backports(),
        };
        if !self.sources.contains(&backports) {
            self.sources.push(backports);
            self.write_configuration()?;
            self.update()?;
        }
        Ok(())
    }

    /// The names of the packages that match a regular expression.
    pub(crate) fn search(&self, expression: &str) -> Result<Vec<String>> {
        let text =
            capture_text(
                self.command("apt-cache")
                    .args(["search", "--names-only", expression]),
            )?;
        Ok(text
            .lines()
            .filter_map(|line| line.split_whitespace().next())
            .map(str::to_owned)
            .collect())
    }

    /// The packages that installing these would bring to this machine. libc is left out: the machine's own loader
    /// could not use another one.
    pub(crate) fn closure(&self, packages: &[&str]) -> Result<Vec<String>> {
        let mut simulated = self.command("apt-get");
        simulated
            .args(["--simulate", "--no-install-recommends", "install"])
            .args(packages);
        Ok(installed(&capture_text(&mut simulated)?))
    }

    /// The same for packages of the backports, which are added if need be. A name says where it is to come from.
    pub(crate) fn closure_of_backports(&mut self, packages: &[&str]) -> Result<Vec<String>> {
        self.add_backports()?;
        let mut simulated = self.command("apt-get");
        simulated
            .args(["--simulate", "--no-install-recommends", "--target-release"])
            .arg(backports())
            .arg("install")
            .args(packages);
        let names = installed(&capture_text(&mut simulated)?);
        for package in packages {
            let wanted = format!("{package}/{}", backports());
            if !names.contains(&wanted) {
                bail!("{} has no {package}", backports());
            }
        }
        Ok(names)
    }

    /// Downloads packages and unpacks them into a folder, all or nothing: the folder appears only when it is complete.
    pub(crate) fn unpack(&self, packages: &[String], into: &Path) -> Result<()> {
        let name = into.file_name().context("a package folder has a name")?;
        let partial =
            self.scratch
                .join(format!("{}-{}", name.to_string_lossy(), std::process::id()));
        let archives = partial.join("archives");
        let _ = fs::remove_dir_all(&partial);
        fs::create_dir_all(&archives)?;
        let mut download = self.command("apt-get");
        download
            .arg("download")
            .args(packages)
            .current_dir(&archives);
        capture(&mut download).with_context(|| {
            format!(
                "cannot fetch Debian's packages; by hand: apt-get update && apt-get download {}",
                packages.join(" ")
            )
        })?;
        let mut names = Vec::new();
        let mut bytes = 0;
        for entry in fs::read_dir(&archives)? {
            let archive = entry?;
            bytes += archive.metadata()?.len();
            names.push(archive.file_name().to_string_lossy().into_owned());
            capture(
                clean_command("dpkg")
                    .arg("-x")
                    .arg(archive.path())
                    .arg(&partial),
            )?;
        }
        fs::remove_dir_all(&archives)?;
        names.sort();
        fs::write(partial.join("PACKAGES"), names.join("\n") + "\n")?;
        let _ = fs::remove_dir_all(into);
        fs::rename(&partial, into).with_context(|| format!("cannot make {}", into.display()))?;
        step(format!(
            "fetched {} package(s), {:.1} MB: {}",
            names.len(),
            megabytes(bytes),
            summary(packages)
        ));
        Ok(())
    }

    fn update(&self) -> Result<()> {
        step("reading Debian's package lists (apt-get update, with a state folder of our own)");
        capture(self.command("apt-get").arg("update"))
            .context("cannot read Debian's package lists")?;
        Ok(())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = clean_command(program);
        command
            .env("APT_CONFIG", self.folder.join("apt.conf"))
            .env("LC_ALL", "C");
        command
    }

    /// Our own folders, with the machine's own way to the network (proxies and the like). The hooks of the machine's
    /// configuration are left out: they would work on its own cache.
    fn write_configuration(&self) -> Result<()> {
        let folder = self.folder.display();
        let machine = capture_text(clean_command("apt-config").arg("dump"))?;
        let network: String = machine
            .lines()
            .filter(|line| {
                line.starts_with("Acquire::") && !line.starts_with("Acquire::IndexTargets")
            })
            .map(|line| format!("{line}\n"))
            .collect();
        let configuration = format!(
            "{network}Acquire::Languages \"none\";\nAcquire::Retries \"3\";\nAcquire::http::Timeout \"60\";\n\
             Dir::Etc::main \"/dev/null\";\nDir::Etc::parts \"/dev/null\";\nDir::Etc::sourceparts \"/dev/null\";\n\
             Dir::Etc::sourcelist \"{folder}/sources.list\";\nDir::State::lists \"{folder}/lists\";\n\
             Dir::Cache \"{folder}/cache\";\nAPT::Sandbox::User \"root\";\nDebug::NoLocking \"true\";\n"
        );
        fs::write(self.folder.join("apt.conf"), configuration)?;
        let signed = if Path::new(KEYRING).exists() {
            format!("[signed-by={KEYRING}] ")
        } else {
            String::new()
        };
        let lines = self
            .sources
            .iter()
            .map(|s| format!("deb {signed}{} {} main\n", s.site, s.suite));
        fs::write(self.folder.join("sources.list"), lines.collect::<String>())?;
        Ok(())
    }
}

/// The suite with newer packages for the release.
fn backports() -> String {
    format!("{SUITE}-backports")
}

/// What a simulated installation would install: names, those of the backports as `NAME/SUITE`. libc is left out.
fn installed(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| {
            let (name, origin) = line.strip_prefix("Inst ")?.split_once(' ')?;
            if name.starts_with("libc6") || name.starts_with("libc-") {
                None
            } else if origin.contains("Backports:") {
                Some(format!("{name}/{}", backports()))
            } else {
                Some(name.to_owned())
            }
        })
        .collect()
}

/// The machine's release, such as `bookworm`.
fn codename() -> Result<String> {
    let release =
        fs::read_to_string("/etc/os-release").context("cannot tell which Debian this is")?;
    let name = release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    Ok(name.unwrap_or(SUITE).trim_matches('"').to_owned())
}

/// The sources that serve the machine's release, turned to [`SUITE`]; from `apt-get update --print-uris`.
fn sources(uris: &str, codename: &str) -> Vec<Source> {
    let mut found = Vec::new();
    for line in uris.lines() {
        let Some(uri) = line
            .strip_prefix('\'')
            .and_then(|rest| rest.split('\'').next())
        else {
            continue;
        };
        let Some((site, release)) = uri.rsplit_once("/dists/") else {
            continue;
        };
        let Some(suite) = release.strip_suffix("/InRelease") else {
            continue;
        };
        let Some(tail) = suite.strip_prefix(codename) else {
            continue;
        };
        let known = tail.is_empty() || ["-updates", "-security", "-backports"].contains(&tail);
        let source = Source {
            site: site.to_owned(),
            suite: format!("{SUITE}{tail}"),
        };
        if known && !found.contains(&source) {
            found.push(source);
        }
    }
    found
}

fn summary(packages: &[String]) -> String {
    match packages {
        [first, _, _, _, ..] => format!("{first} and what it needs"),
        few => few.join(", "),
    }
}

fn megabytes(bytes: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)]
    let bytes = bytes as f64;
    bytes / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_releases_own_sources_are_taken() {
        let uris = "'http://site.invalid/debian/dists/bookworm/InRelease' a 0 \n\
                    'http://site.invalid/debian-security/dists/bookworm-security/InRelease' b 0 \n\
                    'http://site.invalid/debian/dists/bookworm/main/binary-amd64/Packages.xz' c 0 \n\
                    'http://other.invalid/dists/nodistro/InRelease' d 0 \n\
                    'http://other.invalid/apt/dists/bookworm-pgdg/InRelease' e 0 \n";
        let found: Vec<_> = sources(uris, "bookworm")
            .into_iter()
            .map(|s| (s.site, s.suite))
            .collect();
        assert_eq!(
            found,
            [
                ("http://site.invalid/debian".into(), "bookworm".into()),
                (
                    "http://site.invalid/debian-security".into(),
                    "bookworm-security".into()
                ),
            ]
        );
    }

    #[test]
    fn what_comes_from_the_backports_says_so() {
        let text = "Reading package lists...\n\
                    Inst libc6 [2.36-9] (2.36-9+deb12u1 Debian:12.15/oldstable [amd64])\n\
                    Inst libfdt1 (1.6.1-4+b1 Debian:12.15/oldstable [amd64])\n\
                    Inst seabios [1.16.2-1] (1.16.3-2~bpo12+1 Debian Backports:oldstable-backports [all])\n\
                    Conf seabios (1.16.3-2~bpo12+1 Debian Backports:oldstable-backports [all])\n";
        assert_eq!(installed(text), ["libfdt1", "seabios/bookworm-backports"]);
    }

    #[test]
    fn another_release_is_turned_to_ours() {
        let uris = "'http://site.invalid/debian/dists/trixie-updates/InRelease' a 0 \n";
        assert_eq!(sources(uris, "trixie")[0].suite, "bookworm-updates");
    }
}
