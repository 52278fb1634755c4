//! The C side: writes a program that prints what the headers define, compiles it and runs it.

use std::{
    collections::BTreeMap,
    env,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::Path,
    process::{self, Command, Output, Stdio},
};

use crate::{
    headers::{self, Headers, Meaning},
    items,
};

#[derive(Debug)]
pub(crate) struct CField {
    pub(crate) offset: usize,
    pub(crate) size: usize,
    /// `i` signed, `u` unsigned, `c` plain char, `p` pointer or array.
    pub(crate) kind: char,
}

#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) values: BTreeMap<String, i64>,
    pub(crate) calls: BTreeMap<String, i64>,
    /// Size and alignment.
    pub(crate) structs: BTreeMap<String, (usize, usize)>,
    /// By `struct.field`.
    pub(crate) fields: BTreeMap<String, CField>,
    /// By `struct.field`: the whole struct with all bits of the field set, and nothing else.
    pub(crate) bit_fields: BTreeMap<String, Vec<u8>>,
}

/// Whether two numbers are the same in the 32 bits that the kernel looks at: some C libraries have signed ioctl
/// numbers.
pub(crate) fn same_number(a: i64, b: i64) -> bool {
    let range = i64::from(i32::MIN)..=i64::from(u32::MAX);
    range.contains(&a) && range.contains(&b) && a.rem_euclid(1 << 32) == b.rem_euclid(1 << 32)
}

fn command(variable: &str, default: &str) -> Vec<String> {
    let text = env::var(variable).unwrap_or_else(|_| default.to_owned());
    text.split_whitespace().map(str::to_owned).collect()
}

/// Runs the C compiler with `input` as its source text.
fn compile(arguments: &[&str], input: &str) -> Output {
    let compiler = command("CC", "cc");
    let child = Command::new(&compiler[0])
        .args(&compiler[1..])
        .args(["-std=gnu11", "-xc", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap_or_else(|error| {
        panic!(
            "cannot run the C compiler `{}`: {error}. This test compiles a probe against the C headers: \
             install one (Debian: apt-get install gcc libc6-dev linux-libc-dev), or name another in CC.",
            compiler[0]
        )
    });
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // The whole source fits into the compiler's own reading; if it ends early, its message says why.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the C compiler ends");
    assert!(
        output.status.success(),
        "the C compiler failed ({}). If a header is missing: scsi/*.h is in Debian's libc6-dev, linux/*.h and \
         asm/*.h are in linux-libc-dev.\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The preprocessed text, with all `#define` lines where they stand.
pub(crate) fn preprocess(source: &str) -> String {
    String::from_utf8_lossy(&compile(&["-E", "-dD"], source).stdout).into_owned()
}

const PRELUDE: &str = r#"
#include <stdio.h>
#include <string.h>
#define KIND(x) _Generic((x), char: 'c', \
    signed char: 'i', short: 'i', int: 'i', long: 'i', long long: 'i', \
    unsigned char: 'u', unsigned short: 'u', unsigned: 'u', unsigned long: 'u', unsigned long long: 'u', \
    default: 'p')
#define VALUE(x) printf("value\t%s\t%lld\n", #x, (long long)(x))
#define CALL(text, x) printf("call\t%s\t%lld\n", text, (long long)(x))
#define STRUCT(s) printf("struct\t%s\t%zu\t%zu\n", #s, sizeof(struct s), _Alignof(struct s))
#define FIELD(s, f) printf("field\t%s.%s\t%zu\t%zu\t%c\n", #s, #f, \
    offsetof(struct s, f), sizeof(((struct s *)0)->f), KIND(((struct s *)0)->f))
#define BITS(s, f) do { \
    struct s v; memset(&v, 0, sizeof v); v.f = -1; \
    printf("bits\t%s.%s", #s, #f); \
    for (size_t i = 0; i < sizeof v; i++) printf("\t%d", ((unsigned char *)&v)[i]); \
    puts(""); \
} while (0)
"#;

/// The program, with one line for each item of the headers that is compared.
fn source(headers: &Headers) -> String {
    let mut out = headers::include_lines();
    // Names are printed as written: as macro arguments they would be expanded, unless they go through `#`.
    out.push_str(PRELUDE);
    out.push_str("int main(void) {\n");
    let constants = items::constants();
    for (name, it) in &headers.macros {
        let wanted = it.whole.is_some() || constants.iter().any(|c| c.name == name);
        if wanted && it.meaning == Meaning::Value {
            let _ = writeln!(out, "VALUE({name});");
        }
    }
    for call in items::calls() {
        if headers.macros.contains_key(call.name()) {
            let text = call.expression;
            let _ = writeln!(out, "CALL({text:?}, {text});");
        }
    }
    for it in &headers.structs {
        let _ = writeln!(out, "STRUCT({});", it.name);
        for (member, width) in &it.members {
            let what = if width.is_some() { "BITS" } else { "FIELD" };
            let _ = writeln!(out, "{what}({}, {member});", it.name);
        }
    }
    out.push_str("return 0;\n}\n");
    out
}

pub(crate) fn run(headers: &Headers) -> Answers {
    // Test runners start one process for each test: every process builds its own.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("abi-probe-{}", process::id()));
    let text = source(headers);
    fs::write(path.with_extension("c"), &text).expect("CARGO_TARGET_TMPDIR can be written");
    compile(
        &["-Wno-overflow", "-o", path.to_str().expect("a UTF-8 path")],
        &text,
    );
    let runner = command("ABI_RUNNER", "");
    let mut words = runner.iter().map(Path::new).chain([path.as_path()]);
    let program = words.next().expect("there is at least the probe");
    let output = Command::new(program)
        .args(words)
        .output()
        .expect("the probe can be run");
    assert!(output.status.success(), "the probe failed: {output:?}");
    let _ = fs::remove_file(&path);
    let _ = fs::remove_file(path.with_extension("c"));
    parse(&String::from_utf8(output.stdout).expect("the probe prints text"))
}

fn parse(text: &str) -> Answers {
    let mut answers = Answers::default();
    for line in text.lines() {
        let mut words = line.split('\t');
        let mut word = || {
            words
                .next()
                .unwrap_or_else(|| panic!("the probe printed `{line}`"))
        };
        let (what, name) = (word(), word().to_owned());
        let size = |text: &str| text.parse::<usize>().expect("a size");
        match what {
            "value" => drop(
                answers
                    .values
                    .insert(name, word().parse().expect("a number")),
            ),
            "call" => drop(
                answers
                    .calls
                    .insert(name, word().parse().expect("a number")),
            ),
            "struct" => drop(answers.structs.insert(name, (size(word()), size(word())))),
            "field" => {
                let (offset, size, kind) = (size(word()), size(word()), word());
                let kind = kind.chars().next().expect("a letter");
                answers.fields.insert(name, CField { offset, size, kind });
            }
            "bits" => {
                let bytes = words.map(|byte| byte.parse().expect("a byte")).collect();
                answers.bit_fields.insert(name, bytes);
            }
            _ => panic!("the probe printed `{line}`"),
        }
    }
    answers
}
