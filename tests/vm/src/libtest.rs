//! Reads the closing lines of Rust's test programs.

use std::ops::AddAssign;

/// How many tests went how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Tests that passed.
    pub(crate) passed: u64,
    /// Tests that failed.
    pub(crate) failed: u64,
    /// Tests that were ignored.
    pub(crate) ignored: u64,
}

impl Counts {
    /// The sum over all closing lines in a test run's output, and how many there were.
    pub(crate) fn read(output: &str) -> (Self, usize) {
        let mut sum = Self::default();
        let mut programs = 0;
        for counts in output.lines().filter_map(Self::from_line) {
            sum += counts;
            programs += 1;
        }
        (sum, programs)
    }

    /// Reads `test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s`.
    fn from_line(line: &str) -> Option<Self> {
        let (_, numbers) = line.split_once("test result: ")?.1.split_once(". ")?;
        let count = |name: &str| {
            numbers
                .split("; ")
                .find_map(|part| part.strip_suffix(name)?.trim().parse().ok())
        };
        Some(Self {
            passed: count(" passed")?,
            failed: count(" failed")?,
            ignored: count(" ignored")?,
        })
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_added_up() {
        let output = "running 2 tests\ntest a ... ok\n\n\
            test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
            test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 3 filtered out; finished in 1.00s\n";
        assert_eq!(
            Counts::read(output),
            (
                Counts {
                    passed: 6,
                    failed: 2,
                    ignored: 1
                },
                2
            )
        );
    }

    #[test]
    fn other_lines_do_not_count() {
        assert_eq!(
            Counts::read("test result ... ok\n5 passed; 0 failed\ntest result: ok. garbage\n").1,
            0
        );
    }
}
