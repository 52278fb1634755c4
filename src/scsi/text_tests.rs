use proptest::prelude::*;

use super::*;

#[test]
fn both_ends_are_trimmed_and_the_middle_is_kept() {
    for (bytes, trimmed) in [
        (&b""[..], ""),
        (b"    ", ""),
        (b"\0\0\0", ""),
        (b"WDC WD40  ", "WDC WD40"),
        (b"      123", "123"),
        (b"\0 \0A\0 B\0 \0", "A\0 B"),
        (b"A", "A"),
    ] {
        let text = Text::new(bytes);
        assert_eq!(text.as_bytes(), bytes);
        assert_eq!(text.trimmed(), trimmed);
        assert_eq!(text, trimmed);
        assert_eq!(text.is_empty(), trimmed.is_empty());
    }
}

#[test]
fn bytes_that_are_no_utf8_are_shown_and_kept() {
    // blivet#861, systemd#41585: Latin-1, or old memory.
    let text = Text::new(b"Fl\xe4che \xff\xfe");
    assert_eq!(text.trimmed(), "Fl\u{fffd}che \u{fffd}\u{fffd}");
    assert_eq!(text.trimmed_bytes(), b"Fl\xe4che \xff\xfe");
    assert!(!text.is_printable_ascii());
    assert_eq!(Text::new("Gerät ".as_bytes()).to_string(), "Gerät");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    // nvme-cli#311: a line feed in a name breaks the table.
    for (bytes, shown) in [
        (&b"a\nb"[..], "a\\nb"),
        (b"a\x1b[2Jb", "a\\u{1b}[2Jb"),
        (b"a\0b", "a\\u{0}b"),
        (b"\x7f", "\\u{7f}"),
        ("\u{85}".as_bytes(), "\\u{85}"),
        ("a\u{202e}b".as_bytes(), "a\\u{202e}b"),
    ] {
        assert_eq!(Text::new(bytes).to_string(), shown);
        assert!(!Text::new(bytes).is_printable_ascii());
    }
}

#[test]
fn display_honours_width_and_precision() {
    let text = Text::new(b" AB ");
    assert_eq!(
        format!("[{text:<4}][{text:>4}][{text:.1}]"),
        "[AB  ][  AB][A]"
    );
    assert_eq!(format!("[{:>5}]", Text::new(b"\n")), "[   \\n]");
}

#[test]
fn two_fields_are_equal_byte_for_byte() {
    assert_ne!(Text::new(b"A "), Text::new(b"A"));
    assert_eq!(Text::new(b"A "), "A");
}

proptest! {
    #[test]
    fn any_bytes_are_text(bytes in proptest::collection::vec(any::<u8>(), 0..=600)) {
        let text = Text::new(&bytes);
        prop_assert!(!text.to_string().chars().any(char::is_control));
        prop_assert!(text.trimmed_bytes().len() <= bytes.len());
        prop_assert!(!matches!(text.trimmed_bytes(), [b' ' | 0, ..] | [.., b' ' | 0]));
        prop_assert_eq!(text.is_empty(), bytes.iter().all(|byte| matches!(byte, b' ' | 0)));
        let _ = (format!("{text:?} {text:9.3}"), text.is_printable_ascii());
    }
}
