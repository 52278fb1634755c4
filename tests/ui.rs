//! What must not compile. The texts are those of Rust 1.95; after a change of
//! compiler renew them with `TRYBUILD=overwrite cargo test --test ui`, and read
//! the difference.

#[test]
fn misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
