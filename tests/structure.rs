//! The rules of docs/architecture.md, checked on the source.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below `folder`, with their paths from the root.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![root().join(folder)];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
            found.push((name.to_owned(), text));
        }
    }
    found.sort();
    assert!(found.len() > 3, "{folder}: {found:?}");
    found
}

/// Lines that are code: no comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("//"))
}

/// The rank of a module: one may import from its own and from lower ranks.
fn rank(module: &str) -> u32 {
    match module {
        "scsi" | "nvme" => 1,
        "outcome" => 2,
        "error" => 3,
        "transport" => 4,
        "memory" => 0,
        "syscall" => 5,
        "device" => 6,
        "unit" | "discover" => 7,
        "lib" => 8,
        other => panic!(
            "src/{other} has no place in docs/architecture.md: give it a rank here and there"
        ),
    }
}

fn module_of(file: &str) -> &str {
    let rest = file.strip_prefix("src/").unwrap();
    rest.split(['/', '.'])
        .next()
        .unwrap()
        .trim_end_matches("_tests")
}

/// Which module a name that the crate's root re-exports comes from.
fn home_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "Outcome" | "Verdict" | "IoPath" => "outcome",
        "Error" | "Failure" | "NvmeError" | "NvmeErrorKind" | "Result" => "error",
        "Data" | "Options" | "QueuePosition" | "ScsiTransport" | "ScsiTransportExt"
        | "WithOptions" | "RetryPolicy" | "WithRetries" | "retry" | "Metadata" | "NvmeRequest"
        | "NvmeTransport" | "NvmeTransportExt" => "transport",
        "AlignedBuf" => "memory",
        "Access" | "BlockDevice" | "BsgDevice" | "NodeKind" | "NvmeController"
        | "NvmeNamespace" | "OpenOptions" | "ScsiAddress" | "ScsiDevice" | "SgDevice" => "device",
        "scsi" | "nvme" | "outcome" | "error" | "transport" | "memory" | "syscall" | "device"
        | "unit" | "discover" => return None,
        _ => return Some("unknown"),
    })
}

/// The names that follow `crate::` in a file's code.
fn crate_imports(text: &str) -> BTreeSet<String> {
    let flat: String = code(text).collect::<Vec<_>>().join(" ");
    let mut names = BTreeSet::new();
    for (at, _) in flat.match_indices("crate::") {
        let rest = &flat[at + "crate::".len()..];
        let list = if let Some(group) = rest.strip_prefix('{') {
            // Only the first level matters: what stands before `::`.
            let mut depth = 0;
            let mut top = String::new();
            for letter in group.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    _ if depth == 0 => top.push(letter),
                    _ => {}
                }
            }
            top
        } else {
            let end = rest
                .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .unwrap_or(rest.len());
            rest[..end].to_owned()
        };
        for part in list.split(',') {
            let name = part.trim().split("::").next().unwrap().trim();
            if !name.is_empty() {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

#[test]
fn imports_go_down() {
    let mut seen = 0;
    for (file, text) in sources("src") {
        if file.contains("tests") {
            continue;
        }
        let own = module_of(&file);
        for name in crate_imports(&text) {
            let other = home_of(&name).unwrap_or(&name);
            assert_ne!(
                other, "unknown",
                "{file} imports crate::{name}: name its module in this test"
            );
            seen += 1;
            assert!(
                rank(other) <= rank(own),
                "{file} imports crate::{name} from {other}, which lies above {own}"
            );
        }
    }
    assert!(seen > 20, "the imports were found: {seen}");
}

#[test]
fn the_protocols_do_no_io() {
    for (file, text) in [sources("src/scsi"), sources("src/nvme")].concat() {
        if file.contains("tests") || file.ends_with("golden.rs") {
            continue;
        }
        for line in code(&text) {
            for forbidden in [
                "std::fs",
                "std::io",
                "std::net",
                "std::process",
                "libc",
                "nix::",
                "unsafe",
            ] {
                assert!(!line.contains(forbidden), "{file}: {line}");
            }
        }
    }
}

/// The files that docs/safety.md names, between its markers.
fn unsafe_files_of_the_docs() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("docs/safety.md")).unwrap();
    let (_, rest) = text.split_once("<!-- unsafe files -->").unwrap();
    let (list, _) = rest.split_once("<!-- end -->").unwrap();
    list.lines()
        .filter_map(|line| line.trim().strip_prefix("- `")?.split('`').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn unsafe_code_is_where_the_docs_say() {
    let allowed = unsafe_files_of_the_docs();
    assert!(!allowed.is_empty());
    let mut found = BTreeSet::new();
    for (file, text) in sources("src").into_iter().chain(sources("sys/src")) {
        let has_unsafe = code(&text).any(|line| {
            line.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .any(|word| word == "unsafe")
        });
        let allows = text.contains("allow(unsafe_code)");
        if has_unsafe || allows {
            found.insert(file.clone());
        }
        for (number, line) in text.lines().enumerate() {
            if line.contains("unsafe {") {
                let above: Vec<_> = text.lines().take(number).collect();
                let comment = above
                    .iter()
                    .rev()
                    .take(14)
                    .any(|line| line.trim().starts_with("// SAFETY:"));
                assert!(comment, "{file}:{}: no SAFETY comment", number + 1);
            }
        }
    }
    assert_eq!(found, allowed);
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    assert!(lib.contains("#![deny(unsafe_code)]"));
}

/// The first Rust block of a text, without the lines that rustdoc hides.
fn first_example(text: &str) -> String {
    let (_, rest) = text.split_once("```rust").unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    block
        .lines()
        .filter(|line| !line.starts_with("# "))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn readme_and_crate_docs_share_their_example() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let docs: String = lib
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)))
        .collect();
    let example = first_example(&readme);
    assert!(example.lines().count() >= 8, "{example}");
    assert_eq!(example, first_example(&docs));
}

#[test]
fn rooms_are_not_too_large() {
    // Tables of facts may be longer.
    let tables = [
        "src/scsi/asc/table.rs",
        "src/scsi/opcode.rs",
        "src/scsi/opcode/table.rs",
    ];
    let folders = ["src", "sys/src", "examples", "tests"];
    for (file, text) in folders.iter().flat_map(|folder| sources(folder)) {
        let lines = text.lines().count();
        let is_table = tables.contains(&file.as_str());
        assert!(
            lines <= 450 || is_table,
            "{file} has {lines} lines: split it by subject"
        );
    }
}

/// A file of `tests/cases` that no test reads would look like one that is covered.
#[test]
fn every_case_is_read_by_a_test() {
    let texts: String = sources("src")
        .into_iter()
        .chain(sources("examples"))
        .map(|(_, text)| text)
        .collect();
    let cases: Vec<_> = fs::read_dir(root().join("tests/cases"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(cases.len() >= 29, "{cases:?}");
    for path in cases {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let quoted = [format!("\"{name}\""), format!("/{name}.hex\"")];
        assert!(
            quoted.iter().any(|quoted| texts.contains(quoted)),
            "no test reads {}",
            path.display()
        );
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with('#'),
            "{name} does not say where it is from"
        );
    }
}

/// Nothing in the tree names a place on the machine where it was written.
#[test]
fn no_machine_paths() {
    let texts: Vec<PathBuf> = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Cargo.toml",
        ".ci/run",
    ]
    .iter()
    .map(|name| root().join(name))
    .chain(
        fs::read_dir(root().join("docs"))
            .unwrap()
            .map(|entry| entry.unwrap().path()),
    )
    .collect();
    let forbidden = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];
    for file in texts {
        let text =
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for place in forbidden {
            assert!(!text.contains(place), "{} names {place}", file.display());
        }
    }
}
