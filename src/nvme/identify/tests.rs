//! What the commands look like, and that no reply is read beyond its end.

use proptest::prelude::*;

use super::*;
use crate::nvme::{Command, Lengths, Malformed, Query, is_read_only};

mod command_sets;
mod lists;

fn nsid(number: u32) -> Nsid {
    Nsid::new(number).unwrap()
}

fn entry(command: &impl Command) -> Sqe {
    command.sqe(Lengths::data(4096)).unwrap()
}

/// NSID and dwords 10 and 11 of a command; all others are zero.
fn dwords(command: &impl Command) -> (u32, u32, u32) {
    let sqe = entry(command);
    let rest = Sqe {
        nsid: sqe.nsid,
        cdw10: sqe.cdw10,
        cdw11: sqe.cdw11,
        ..Sqe::new(0x06)
    };
    assert_eq!(sqe, rest);
    assert!(is_read_only(crate::nvme::Queue::Admin, &sqe));
    (sqe.nsid, sqe.cdw10, sqe.cdw11)
}

#[test]
fn controllers_and_namespaces() {
    assert_eq!(dwords(&IdentifyController), (0, 0x01, 0));
    assert_eq!(dwords(&IdentifyNamespace::new(nsid(3))), (3, 0x00, 0));
    assert_eq!(
        dwords(&IdentifyNamespace::new(Nsid::ALL)),
        (u32::MAX, 0x00, 0)
    );
    assert_eq!(dwords(&IdentifyNamespace::allocated(nsid(3))), (3, 0x11, 0));
    assert_eq!(dwords(&IdentifyNamespaceFormat::new(5)), (0, 0x09, 5));
    assert_eq!(dwords(&IdentifyDescriptors::new(nsid(3))), (3, 0x03, 0));
    assert_eq!(
        dwords(&IdentifyIndependentNamespace::new(nsid(3))),
        (3, 0x08, 0)
    );
    let allocated = IdentifyIndependentNamespace::allocated(nsid(3));
    assert_eq!(dwords(&allocated), (3, 0x1f, 0));
}

#[test]
fn commands_of_command_sets() {
    assert_eq!(dwords(&IdentifyNvmNamespace::new(nsid(1))), (1, 0x05, 0));
    assert_eq!(
        dwords(&IdentifyNvmNamespace::allocated(nsid(1))),
        (1, 0x1b, 0)
    );
    assert_eq!(
        dwords(&IdentifyNvmNamespaceFormat::new(0x1234)),
        (0, 0x0a, 0x1234)
    );
    assert_eq!(dwords(&IdentifyNvmController), (0, 0x06, 0));
    let zoned = IdentifyZonedNamespace::new(nsid(1));
    assert_eq!(dwords(&zoned), (1, 0x05, 0x0200_0000));
    let zoned = IdentifyZonedNamespace::allocated(nsid(1));
    assert_eq!(dwords(&zoned), (1, 0x1b, 0x0200_0000));
    assert_eq!(dwords(&IdentifyZonedController), (0, 0x06, 0x0200_0000));
    assert_eq!(dwords(&ListCommandSets::new()), (0, 0xffff_001c, 0));
    assert_eq!(dwords(&ListCommandSets::of(2)), (0, 0x0002_001c, 0));
}

#[test]
fn lists_of_everything() {
    assert_eq!(dwords(&ListNamespaces::active()), (0, 0x02, 0));
    assert_eq!(dwords(&ListNamespaces::allocated()), (0, 0x10, 0));
    let after = ListNamespaces::active().after(nsid(7));
    assert_eq!(dwords(&after), (7, 0x02, 0));
    let zoned = after.command_set(CommandSet::ZONED);
    assert_eq!(dwords(&zoned), (7, 0x07, 0x0200_0000));
    let allocated = ListNamespaces::allocated().command_set(CommandSet::NVM);
    assert_eq!(dwords(&allocated), (0, 0x1a, 0));
    assert_eq!(dwords(&ListControllers::all().from(9)), (0, 0x0009_0013, 0));
    assert_eq!(dwords(&ListControllers::attached_to(nsid(4))), (4, 0x12, 0));
    assert_eq!(dwords(&ListNvmSets::from(3)), (0, 0x04, 3));
    assert_eq!(
        dwords(&IdentifyPrimaryController::new(8)),
        (0, 0x0008_0014, 0)
    );
    assert_eq!(
        dwords(&ListSecondaryControllers::from(1)),
        (0, 0x0001_0015, 0)
    );
    assert_eq!(dwords(&ListNamespaceGranularities), (0, 0x16, 0));
    assert_eq!(dwords(&ListUuids), (0, 0x17, 0));
    assert_eq!(dwords(&ListDomains::from(6)), (0, 0x18, 6));
    assert_eq!(dwords(&ListEnduranceGroups::from(2)), (0, 0x19, 2));
}

/// Every command takes 4096 bytes, and who wants 1 to 4096 of them gets a buffer
/// of so many.
fn takes_a_page(command: &impl Query, len: usize) {
    let sqe = command.sqe(Lengths::data(len));
    let wrong = LengthMismatch::Data {
        len,
        expected: 4096,
    };
    assert_eq!(
        sqe,
        if len == 4096 {
            Ok(entry(command))
        } else {
            Err(wrong)
        }
    );
    let buffer = command.buffer_len(len);
    assert_eq!(buffer, if (1..=4096).contains(&len) { 4096 } else { len });
    assert_eq!(command.reply_length(), 4096);
    assert!(command.at(4096).is_none_or(|_| false));
}

/// What a parser makes of bytes is a reply or an error, and no panic.
fn parses<Q: Query>(command: &Q, bytes: &[u8]) -> Option<Malformed> {
    command.parse(bytes).err()
}

macro_rules! each_command {
    ($check:ident, $with:expr) => {{
        let one = nsid(1);
        [
            $check(&IdentifyController, $with),
            $check(&IdentifyNamespace::new(one), $with),
            $check(&IdentifyNamespaceFormat::new(1), $with),
            $check(&ListNamespaces::active(), $with),
            $check(&IdentifyDescriptors::new(one), $with),
            $check(&ListNvmSets::from(0), $with),
            $check(&IdentifyNvmNamespace::new(one), $with),
            $check(&IdentifyNvmNamespaceFormat::new(1), $with),
            $check(&IdentifyNvmController, $with),
            $check(&IdentifyZonedNamespace::new(one), $with),
            $check(&IdentifyZonedController, $with),
            $check(&IdentifyIndependentNamespace::new(one), $with),
            $check(&ListControllers::all(), $with),
            $check(&IdentifyPrimaryController::new(1), $with),
            $check(&ListSecondaryControllers::from(0), $with),
            $check(&ListNamespaceGranularities, $with),
            $check(&ListUuids, $with),
            $check(&ListDomains::from(0), $with),
            $check(&ListEnduranceGroups::from(0), $with),
            $check(&ListCommandSets::new(), $with),
        ]
    }};
}

#[test]
fn no_bytes_at_all() {
    let errors = each_command!(parses, &[]);
    // A list of descriptors may be empty.
    let short = |error: &Option<Malformed>| matches!(error, Some(Malformed::Short { got: 0, .. }));
    assert_eq!(
        errors.iter().filter(|error| short(error)).count(),
        errors.len() - 1
    );
}

#[test]
fn a_page_of_zeros_is_a_reply() {
    let errors = each_command!(parses, &[0; 4096]);
    assert_eq!(errors, [None; 20]);
}

#[test]
fn a_page_of_ones_says_too_much_in_lists() {
    let errors = each_command!(parses, &[0xff; 4096]);
    let too_much = |error: &&Option<Malformed>| matches!(error, Some(Malformed::Length { .. }));
    // NVM sets, controllers, secondary controllers, granularities, domains,
    // endurance groups; descriptors of 255 bytes do not fill a page.
    assert_eq!(errors.iter().filter(too_much).count(), 7);
    assert_eq!(errors.iter().flatten().count(), 7);
}

proptest! {
    #[test]
    fn only_one_page_is_moved(len in prop_oneof![0_usize..4200, any::<usize>()]) {
        each_command!(takes_a_page, len);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..=4100)) {
        each_command!(parses, &bytes);
    }

    #[test]
    fn small_counts_neither(
        count in 0_u8..4,
        bytes in proptest::collection::vec(any::<u8>(), 2..600),
    ) {
        let mut bytes = bytes;
        (bytes[0], bytes[1]) = (count, 0);
        each_command!(parses, &bytes);
    }
}
