//! What must not compile. The first line of each file of `tests/ui` says which
//! error the compiler has to give; its words differ from version to version.
//! Files named `ring_..` are about the feature `uring`.

use std::{fs, path::Path};

#[test]
fn misuse_does_not_compile() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    let _ = fs::remove_dir_all(&copies);
    fs::create_dir_all(&copies).unwrap();
    let mut expected = Vec::new();
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if name.starts_with("ring_") && !cfg!(feature = "uring") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let code = text
            .strip_prefix("//! ")
            .and_then(|rest| rest.split(':').next())
            .filter(|code| code.len() == 5 && code.starts_with('E'))
            .unwrap_or_else(|| panic!("{name}: the first line begins with `//! E0000: `"))
            .to_owned();
        fs::copy(&path, copies.join(format!("{name}.rs"))).unwrap();
        expected.push((name, code));
    }
    assert!(expected.len() >= 25, "{expected:?}");
    let of_rings = expected
        .iter()
        .filter(|(name, _)| name.starts_with("ring_"));
    assert_eq!(of_rings.count() >= 16, cfg!(feature = "uring"));

    // trybuild then writes down what the compiler said instead of comparing it.
    // SAFETY: this is the only test of the program, and the runner's other
    // threads do not touch the environment meanwhile.
    unsafe { std::env::set_var("TRYBUILD", "overwrite") };
    let cases = trybuild::TestCases::new();
    cases.compile_fail(copies.join("*.rs"));
    drop(cases); // runs them, and fails if one compiles

    for (name, code) in expected {
        let said = fs::read_to_string(copies.join(format!("{name}.stderr"))).unwrap();
        // The first one: a compiler may have more to say about the same fault.
        let (_, first) = said.split_once("error[").unwrap_or_default();
        assert!(first.starts_with(&code), "{name}: {said}");
    }
}
