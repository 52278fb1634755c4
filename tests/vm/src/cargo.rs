//! Builds the programs of the workspace that run in the guest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::output::{capture, step};
use crate::workspace::{Workspace, clean_command};

const PACKAGE: &str = "passthru";

/// The cargo that started this program, working in the workspace.
pub(crate) fn command(root: &Path) -> Command {
    let mut command = clean_command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// The names of the package's targets of one kind: `example` or `test`.
pub(crate) fn targets(workspace: &Workspace, kind: &str) -> Result<Vec<String>> {
    let mut metadata = command(&workspace.root);
    metadata.args(["metadata", "--no-deps", "--format-version=1"]);
    let metadata: Value = serde_json::from_slice(&capture(&mut metadata)?)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?;
    let package = packages.iter().find(|package| package["name"] == PACKAGE);
    let targets = package
        .and_then(|package| package["targets"].as_array())
        .context("the package passthru is gone")?;
    let named = targets.iter().filter(|target| {
        target["kind"]
            .as_array()
            .is_some_and(|k| k.contains(&kind.into()))
    });
    Ok(named
        .filter_map(|target| target["name"].as_str())
        .map(str::to_owned)
        .collect())
}

/// Builds the integration test `kernel`.
pub(crate) fn kernel_test(workspace: &Workspace) -> Result<PathBuf> {
    step("building the device tests");
    let built = build(workspace, &["test", "--no-run", "--test", "kernel"])?;
    built
        .into_iter()
        .find(|(name, _)| name == "kernel")
        .map(|(_, file)| file)
        .context("cargo built no test program `kernel`")
}

/// Builds all examples, or those named; gives (name, program).
pub(crate) fn examples(
    workspace: &Workspace,
    names: &[&str],
    release: bool,
) -> Result<Vec<(String, PathBuf)>> {
    let known = targets(workspace, "example")?;
    let wanted: Vec<&str> = if names.is_empty() {
        known.iter().map(String::as_str).collect()
    } else {
        names.to_vec()
    };
    if let Some(unknown) = wanted
        .iter()
        .find(|&&name| !known.iter().any(|known| known == name))
    {
        bail!(
            "the package {PACKAGE} has no example `{unknown}`; it has: {}",
            known.join(", ")
        );
    }
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    step(format!("building the example(s) {}", wanted.join(", ")));
    let mut arguments = vec!["build"];
    arguments.extend(release.then_some("--release"));
    arguments.extend(wanted.iter().flat_map(|&name| ["--example", name]));
    Ok(build(workspace, &arguments)?
        .into_iter()
        .filter(|(name, _)| wanted.contains(&name.as_str()))
        .collect())
}

fn build(workspace: &Workspace, arguments: &[&str]) -> Result<BTreeMap<String, PathBuf>> {
    build_by(command(&workspace.root), arguments)
}

/// Runs a cargo command and gives the programs it made, by target name.
pub(crate) fn build_by(
    mut cargo: Command,
    arguments: &[&str],
) -> Result<BTreeMap<String, PathBuf>> {
    cargo.args(arguments).args([
        "--package",
        PACKAGE,
        "--all-features",
        "--message-format=json-render-diagnostics",
    ]);
    let output = cargo
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    if !output.status.success() {
        bail!("cargo {} failed", arguments.join(" "));
    }
    let mut programs = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        if let (Some(name), Some(file)) = (
            message["target"]["name"].as_str(),
            message["executable"].as_str(),
        ) {
            programs.insert(name.to_owned(), PathBuf::from(file));
        }
    }
    Ok(programs)
}
