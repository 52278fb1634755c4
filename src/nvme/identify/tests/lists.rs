use super::*;
use crate::nvme::identify::groups::{DomainList, NvmSetList};

const CONTROLLERS: &str =
    include_str!("../../../../tests/cases/nvme-cli-269-identify-cns13-short-buffer.hex");

fn page(places: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    for (at, part) in places {
        bytes[*at..at + part.len()].copy_from_slice(part);
    }
    bytes
}

fn hex(text: &str) -> Vec<u8> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .flat_map(str::split_whitespace)
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

#[test]
fn a_controller_list_of_six_bytes() {
    let bytes = hex(CONTROLLERS);
    assert_eq!(bytes.len(), 6);
    // Six bytes may be wanted, and the memory of the crate takes a page.
    let query = ListControllers::all();
    assert_eq!(query.buffer_len(6), 4096);
    let list = query.parse(&bytes).unwrap();
    assert_eq!(list.ids(), [1, 2]);
    assert!(!list.is_full());
    assert_eq!(query.following(&list), None);
}

#[test]
fn counts_do_not_lie() {
    let error = |bytes: &[u8]| ControllerList::parse(bytes).unwrap_err();
    assert_eq!(
        error(&[3, 0, 1, 0, 2, 0]),
        Malformed::Length { named: 3, max: 2 }
    );
    assert_eq!(error(&[3]), Malformed::Short { need: 2, got: 1 });
    // What lies behind the page is no part of the list.
    let long = [&[0, 8][..], &[1; 9000]].concat();
    assert_eq!(
        error(&long),
        Malformed::Length {
            named: 2048,
            max: 2047
        }
    );

    let sets = NvmSetList::parse(&page(&[(0, &[32])])).unwrap_err();
    assert_eq!(sets, Malformed::Length { named: 32, max: 31 });
    let domains = DomainList::parse(&page(&[(0, &[1])])[..255]).unwrap_err();
    assert_eq!(domains, Malformed::Length { named: 1, max: 0 });
    let secondary = SecondaryControllerList::parse(&page(&[(0, &[128])])).unwrap_err();
    assert_eq!(
        secondary,
        Malformed::Length {
            named: 128,
            max: 127
        }
    );
    let steps = NamespaceGranularityList::parse(&page(&[(4, &[16])])).unwrap_err();
    assert_eq!(steps, Malformed::Length { named: 17, max: 16 });
}

#[test]
fn namespaces_page_by_page() {
    let ids =
        |first: u32| -> Vec<u8> { (first..first + 1024).flat_map(u32::to_le_bytes).collect() };
    let query = ListNamespaces::allocated().command_set(CommandSet::NVM);
    let list = NamespaceList::parse(&ids(1)).unwrap();
    assert_eq!(
        (list.len(), list.is_full(), list.is_empty()),
        (1024, true, false)
    );
    let next = query.following(&list).unwrap();
    assert_eq!(dwords(&next), (1024, 0x1a, 0));
    // The same again would go on for ever.
    assert_eq!(next.following(&list), None);
    let list = NamespaceList::parse(&page(&[(0, &[5, 0, 0, 0, 0, 0, 0, 0, 9])])).unwrap();
    assert_eq!(list.iter().map(Nsid::get).collect::<Vec<_>>(), [5]);
    assert_eq!(query.following(&list), None);
    // Nothing comes after FFFFFFFEh, and a controller refuses to be asked.
    let list = NamespaceList::parse(&ids(0xffff_fffe - 1023)).unwrap();
    assert_eq!(query.following(&list), None);
    assert_eq!(NamespaceList::parse(&[1, 0, 0, 0, 2]).unwrap().len(), 1);
}

#[test]
fn controllers_page_by_page() {
    let list = |first: u16| {
        let ids = (0..2047).flat_map(|at| first.saturating_add(at).to_le_bytes());
        let bytes: Vec<u8> = 2047_u16.to_le_bytes().into_iter().chain(ids).collect();
        ControllerList::parse(&bytes).unwrap()
    };
    let next = ListControllers::all().following(&list(0)).unwrap();
    assert_eq!(next, ListControllers::all().from(2047));
    assert_eq!(next.following(&list(0)), None);
    assert_eq!(next.following(&list(0xff00)), None);
    let groups = EnduranceGroupList::parse(&[1, 0, 4, 0]).unwrap();
    assert_eq!((groups.ids(), groups.is_full()), (&[4][..], false));
    assert_eq!(ListEnduranceGroups::from(0).following(&groups), None);
}

#[test]
fn descriptors() {
    let mut bytes = vec![1, 8, 0, 0];
    bytes.extend([0x52, 0x54, 0, 0, 0, 0, 0, 7]);
    bytes.extend([2, 16, 0, 0]);
    bytes.extend([0xab; 16]);
    bytes.extend([3, 16, 0, 0]);
    bytes.extend([0xcd; 16]);
    bytes.extend([4, 1, 0, 0, 2]);
    bytes.extend([9, 2, 0, 0, 1, 2]);
    bytes.extend([3, 4, 0, 0, 1, 2, 3, 4]);
    let whole = page(&[(0, &bytes)]);
    let found = NamespaceIdentifiers::parse(&whole).unwrap();
    assert_eq!(found.eui64().unwrap().to_string(), "5254000000000007");
    assert_eq!(found.nguid(), Some(Nguid([0xab; 16])));
    assert_eq!(
        found.uuid().unwrap().to_string(),
        "cdcdcdcd-cdcd-cdcd-cdcd-cdcdcdcdcdcd"
    );
    assert_eq!(found.command_set(), Some(CommandSet::ZONED));
    let others: Vec<_> = found.iter().skip(4).cloned().collect();
    let other = |kind, bytes: &[u8]| NamespaceIdentifier::Other {
        kind,
        bytes: bytes.to_vec(),
    };
    assert_eq!(others, [other(9, &[1, 2]), other(3, &[1, 2, 3, 4])]);
}

#[test]
fn a_descriptor_that_reaches_too_far() {
    let error = |bytes: &[u8]| NamespaceIdentifiers::parse(bytes).unwrap_err();
    assert_eq!(
        error(&[2, 16, 0, 0, 1, 2]),
        Malformed::Length { named: 16, max: 2 }
    );
    // Not into what lies behind the page either.
    let mut bytes = vec![0; 8192];
    for at in (0..4096).step_by(16) {
        bytes[at..at + 2].copy_from_slice(&[9, 12]);
    }
    bytes[4081] = 13;
    assert_eq!(error(&bytes), Malformed::Length { named: 13, max: 12 });
    // Less than a header is the end.
    assert_eq!(
        NamespaceIdentifiers::parse(&[1, 8, 0])
            .unwrap()
            .iter()
            .len(),
        0
    );
}

#[test]
fn sets_and_domains() {
    let mut set = [0; 128];
    set[..4].copy_from_slice(&[1, 2, 3, 4]);
    set[8..16].copy_from_slice(&[10, 0, 0, 0, 0, 0x10, 0, 0]);
    set[31] = 1;
    set[32] = 9;
    let list = NvmSetList::parse(&page(&[(0, &[2]), (256, &set)])).unwrap();
    assert_eq!(list.sets().len(), 2);
    let set = list.sets()[1];
    assert_eq!((set.id(), set.endurance_group()), (0x0201, 0x0403));
    assert_eq!(set.random_read_time().as_nanos(), 1000);
    assert_eq!(set.optimal_write_size(), 4096);
    assert_eq!(set.total_capacity(), 1 << 120);
    assert_eq!(set.unallocated_capacity(), 9);

    let bytes = page(&[
        (0, &[1]),
        (128, &[7, 1]),
        (144, &[1]),
        (160, &[2]),
        (176, &[3]),
    ]);
    let list = DomainList::parse(&bytes).unwrap();
    let domain = list.domains()[0];
    assert_eq!((domain.id(), domain.total_capacity()), (0x0107, 1));
    assert_eq!(domain.unallocated_capacity(), 2);
    assert_eq!(domain.endurance_group_capacity_maximum(), 3);
}

#[test]
fn granularities() {
    let bytes = page(&[
        (0, &[1]),
        (4, &[1]),
        (33, &[0x10]),
        (41, &[0x20]),
        (49, &[0x40]),
    ]);
    let list = NamespaceGranularityList::parse(&bytes).unwrap();
    assert_eq!(list.descriptors().len(), 2);
    assert_eq!(
        list.of_format(0).map(|step| (step.size(), step.capacity())),
        Some((4096, 8192))
    );
    assert_eq!(
        list.of_format(1).map(NamespaceGranularity::size),
        Some(16384)
    );
    assert_eq!(list.of_format(2), None);
    let one = NamespaceGranularityList::parse(&page(&[(33, &[0x10])])).unwrap();
    assert_eq!(
        one.of_format(63).map(NamespaceGranularity::size),
        Some(4096)
    );
}

#[test]
fn uuids() {
    let bytes = page(&[
        (32, &[2]),
        (48, &[1; 16]),
        (64, &[1]),
        (80, &[0xff; 16]),
        (112, &[3; 16]),
    ]);
    let list = UuidList::parse(&bytes).unwrap();
    let entries = list.entries();
    assert_eq!(
        entries.iter().map(|entry| entry.index).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert_eq!(entries[0].association, UuidAssociation::SUBSYSTEM_VENDOR);
    assert_eq!(entries[0].association.to_string(), "subsystem vendor");
    assert_eq!(entries[1].uuid, None);
    assert_eq!(list.index_of(Uuid([3; 16])), Some(3));
    assert_eq!(list.index_of(Uuid([9; 16])), None);
    assert_eq!(UuidList::parse(&[7; 4096]).unwrap().entries().len(), 127);
}

#[test]
fn virtual_controllers() {
    let mut bytes = page(&[(0, &[1, 0, 2, 0, 3])]);
    for (at, value) in [(32, 1_u32), (36, 2), (64, 11), (68, 12)] {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    for (at, value) in [
        (40, 3_u16),
        (42, 4),
        (44, 5),
        (46, 6),
        (72, 13),
        (74, 14),
        (76, 15),
        (78, 16),
    ] {
        bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
    let data = PrimaryControllerData::parse(&bytes[..80]).unwrap();
    assert_eq!((data.controller_id(), data.port_id()), (1, 2));
    assert_eq!(
        data.resource_types(),
        ControllerResources::all() & ControllerResources::from_bits_retain(3)
    );
    assert_eq!((data.flexible_queues(), data.assigned_queues()), (1, 2));
    assert_eq!((data.primary_queues(), data.private_queues()), (3, 4));
    assert_eq!(
        (data.secondary_queues_maximum(), data.queue_granularity()),
        (5, 6)
    );
    assert_eq!(
        (data.flexible_interrupts(), data.assigned_interrupts()),
        (11, 12)
    );
    assert_eq!(
        (data.primary_interrupts(), data.private_interrupts()),
        (13, 14)
    );
    assert_eq!(
        (
            data.secondary_interrupts_maximum(),
            data.interrupt_granularity()
        ),
        (15, 16)
    );

    let bytes = page(&[(0, &[1]), (32, &[5, 0, 1, 0, 1, 0, 0, 0, 4, 0, 2, 0, 3, 0])]);
    let list = SecondaryControllerList::parse(&bytes).unwrap();
    let found = list.controllers()[0];
    assert_eq!(
        (found.id(), found.primary_id(), found.virtual_function()),
        (5, 1, 4)
    );
    assert_eq!(
        (found.is_online(), found.queues(), found.interrupts()),
        (true, 2, 3)
    );
}

#[test]
fn command_set_combinations() {
    let list = CommandSetList::parse(&page(&[(0, &[1]), (16, &[5])])).unwrap();
    let both = CommandSets::NVM | CommandSets::ZONED;
    let found: Vec<_> = list.combinations().collect();
    assert_eq!(found, [(0, CommandSets::NVM), (2, both)]);
}

#[test]
fn other_lists_page_by_page() {
    // `count` entries of `size` bytes behind a header of the same.
    let full = |count: u16, size: usize| {
        let mut bytes = page(&[(0, &count.to_le_bytes()[..1])]);
        for index in 1..=count {
            let at = usize::from(index) * size;
            bytes[at..at + 2].copy_from_slice(&(index * 2).to_le_bytes());
        }
        bytes
    };
    let sets = NvmSetList::parse(&full(31, 128)).unwrap();
    let next = ListNvmSets::from(0).following(&sets);
    assert_eq!(next, Some(ListNvmSets::from(63)));
    assert_eq!(ListNvmSets::from(63).following(&sets), None);
    let domains = DomainList::parse(&full(31, 128)).unwrap();
    let next = ListDomains::from(2).following(&domains);
    assert_eq!(next, Some(ListDomains::from(63)));
    let domains = DomainList::parse(&full(30, 128)).unwrap();
    assert_eq!(ListDomains::from(2).following(&domains), None);
    let secondary = SecondaryControllerList::parse(&full(127, 32)).unwrap();
    let next = ListSecondaryControllers::from(0).following(&secondary);
    assert_eq!(next, Some(ListSecondaryControllers::from(255)));
    let secondary = SecondaryControllerList::parse(&full(0, 32)).unwrap();
    assert_eq!(
        ListSecondaryControllers::from(0).following(&secondary),
        None
    );
}
