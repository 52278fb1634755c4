//! Every reply that has a length field, so that a test can go through all of them.

use crate::scsi::{
    Inquiry, LengthLie, Malformed, Query, ReplyBytes,
    mmc::{
        DiscStructureFormat, GetConfiguration, GetEventStatus, GetPerformance, MechanismStatus,
        PerformanceList, ReadBufferCapacity, ReadDiscInformation, ReadDiscStructure,
        ReadFormatCapacities, ReadSubChannel, ReadToc, ReadTrackInformation, ReportKey,
    },
    mode::{ModeSense6, ModeSense10, PageCode},
    vpd::{
        BlockCharacteristics, BlockLimits, DeviceIdentification, Provisioning, SerialNumber,
        SupportedPages,
    },
};

/// What the lengths of a reply say: a contradiction, and what would fetch all.
pub(super) type Lengths = (Option<LengthLie>, Option<usize>);

/// A reply of some kind.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// A whole reply.
    pub(super) sample: Vec<u8>,
    /// Where the length field is, how many bytes it has, and what it does not count.
    pub(super) at: usize,
    pub(super) width: usize,
    pub(super) plus: usize,
    /// So many bytes must have come.
    pub(super) header: usize,
    /// So many count whatever the length field says.
    pub(super) mandatory: usize,
    /// All that the reply says but about its lengths, a line for each field, when so many bytes
    /// were asked for.
    #[allow(clippy::type_complexity)]
    pub(super) look: Box<dyn Fn(&[u8], u16) -> Result<String, Malformed>>,
    /// Absent where it cannot be asked.
    #[allow(clippy::type_complexity)]
    pub(super) lengths: Option<Box<dyn Fn(&[u8], u16) -> Result<Lengths, Malformed>>>,
}

impl Kind {
    /// The reply with this value in its length field.
    pub(super) fn with_length(&self, value: u32) -> Vec<u8> {
        let mut bytes = self.sample.clone();
        let value = value.to_be_bytes();
        bytes[self.at..self.at + self.width].copy_from_slice(&value[4 - self.width..]);
        bytes
    }

    /// All values of the length field that differ in what they can do.
    pub(super) fn lengths_to_try(&self) -> Vec<u32> {
        let most = match self.width {
            1 => 0xff,
            2 => 0xffff,
            _ => u32::MAX,
        };
        let near = u32::try_from(self.sample.len() + 20).expect("short samples");
        let far = [0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff];
        let far = far.into_iter().chain([0x7fff_ffff, 0x8000_0000]);
        let far = far.chain([u32::MAX - 4, u32::MAX]);
        let all = (0..near).chain(far);
        all.filter(|value| *value <= most).collect()
    }
}

/// `$look` are the accessors of what a field decides.
macro_rules! kind {
    (
        $name:literal, $sample:expr, at $at:literal, width $width:literal, plus $plus:literal,
        header $header:literal, mandatory $mandatory:literal,
        $query:expr, |$asked:ident, $it:ident| [$($look:expr),* $(,)?]
        $(, lengths $lengths:expr)?
    ) => {
        Kind {
            name: $name,
            sample: $sample.to_vec(),
            at: $at,
            width: $width,
            plus: $plus,
            header: $header,
            mandatory: $mandatory,
            look: Box::new(|bytes, $asked| {
                let $it = $query.parse(ReplyBytes::borrowed(bytes))?;
                let mut all = String::new();
                $(all += &format!("{:?}\n", $look);)*
                Ok(all)
            }),
            lengths: {
                #[allow(unused_mut, unused_assignments)]
                let mut found: Option<Box<dyn Fn(&[u8], u16) -> Result<Lengths, Malformed>>> =
                    None;
                $(found = Some(Box::new(|bytes, $asked| {
                    let $it = $query.parse(ReplyBytes::borrowed(bytes))?;
                    Ok($lengths)
                }));)?
                found
            },
        }
    };
}

/// The bytes from 1 on: each has a value of its own.
fn numbered<const N: usize>(head: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::try_from(at % 90 + 1).expect("below 91");
    }
    bytes[..head.len()].copy_from_slice(head);
    bytes
}

macro_rules! lists {
    ($($list:expr),* $(,)?) => {($($list.collect::<Vec<_>>(),)*)};
}

pub(super) fn all() -> Vec<Kind> {
    [of_all_devices(), of_drives(), of_discs(), of_tables()]
        .into_iter()
        .flatten()
        .collect()
}

fn of_all_devices() -> Vec<Kind> {
    let standard =
        b"\x05\x80\x05\x12\x5b\x51\x72\x12ACME    PRODUCT NAME    1.23VENDORVENDORVENDOR\
                     12\0\0\x09\x60\x03\x00";
    let identification =
        b"\0\x83\0\x1c\x02\x01\0\x08ACME 123\x01\x03\0\x08\x50\x01\x02\x03\x04\x05\x06\x07";
    let serial = b"\0\x80\0\x0cSERIAL000123";
    vec![
        kind!("INQUIRY", standard, at 4, width 1, plus 5, header 5, mandatory 36,
            Inquiry::standard().allocation_length(asked), |asked, it| [
                it.target_port_groups(), it.third_party_copy(), it.protection(),
                it.enclosure_services(), it.multi_port(), it.command_queueing(),
                it.vendor().as_bytes(), it.product().as_bytes(), it.revision().as_bytes(),
                it.vendor_specific(), lists!(it.version_descriptors()),
            ], lengths (it.length_field_lies(), it.needed_length().map(usize::from))),
        kind!("VPD 00h", [0, 0, 0, 5, 0x00, 0x80, 0x83, 0xb0, 0xb1], at 2, width 2, plus 4,
            header 4, mandatory 4,
            Inquiry::vpd(SupportedPages).allocation_length(asked), |asked, it| [
                lists!(it.pages()), it.page().data(), it.page().as_bytes().get(4..),
            ], lengths (it.page().length_field_lies(), it.page().needed_length().map(usize::from))),
        kind!("VPD 80h", serial, at 2, width 2, plus 4, header 4, mandatory 4,
            Inquiry::vpd(SerialNumber).allocation_length(asked), |asked, it| [
                it.serial().as_bytes(), it.page().data(),
            ], lengths (it.page().length_field_lies(), it.page().needed_length().map(usize::from))),
        kind!("VPD 83h", identification, at 2, width 2, plus 4, header 4, mandatory 4,
            Inquiry::vpd(DeviceIdentification).allocation_length(asked), |asked, it| [
                lists!(it.designators()),
            ], lengths (it.page().length_field_lies(), it.page().needed_length().map(usize::from))),
        kind!("VPD B0h", numbered::<64>(&[0, 0xb0, 0, 0x3c]), at 2, width 2, plus 4, header 4,
            mandatory 4,
            Inquiry::vpd(BlockLimits).allocation_length(asked), |asked, it| [
                it.write_same_non_zero(), it.maximum_compare_and_write_length(),
                it.optimal_transfer_length_granularity(), it.maximum_transfer_length(),
                it.optimal_transfer_length(), it.maximum_prefetch_length(),
                it.maximum_unmap_lba_count(), it.maximum_unmap_descriptor_count(),
                it.optimal_unmap_granularity(), it.unmap_granularity_alignment(),
                it.maximum_write_same_length(), it.maximum_atomic_transfer_length(),
                it.atomic_alignment(), it.atomic_transfer_length_granularity(),
                it.maximum_atomic_transfer_length_with_boundary(),
                it.maximum_atomic_boundary_size(),
            ], lengths (it.page().length_field_lies(), it.page().needed_length().map(usize::from))),
        kind!("VPD B1h", numbered::<16>(&[0, 0xb1, 0, 12]), at 2, width 2, plus 4, header 4,
            mandatory 4,
            Inquiry::vpd(BlockCharacteristics).allocation_length(asked), |asked, it| [
                it.rotation(), it.product_type(), it.form_factor(), it.zoned(),
                it.fua_behavior(), it.verify_of_unmapped_supported(), it.depopulation_time(),
            ], lengths (it.page().length_field_lies(), it.page().needed_length().map(usize::from))),
        kind!("VPD B2h", numbered::<24>(&[0, 0xb2, 0, 0x14, 9, 0xe1, 0x22, 5, 1, 2, 0, 12]),
            at 2, width 2, plus 4, header 4, mandatory 4,
            Inquiry::vpd(Provisioning).allocation_length(asked), |asked, it| [
                it.threshold_exponent(), it.unmap_supported(), it.unmapped_reads(),
                it.descriptor_present(), it.minimum_percentage(), it.provisioning_type(),
                it.threshold_percentage(), it.group().ok(),
            ], lengths (it.page().length_field_lies(), it.page().needed_length().map(usize::from))),
        kind!("MODE SENSE(6)",
            [31, 1, 0x80, 8, 1, 2, 3, 4, 0, 0, 8, 0, 0x81, 6, 1, 2, 3, 4, 5, 6, 0x0d, 6, 1, 2, 3, 4,
                5, 6, 0x1c, 2, 8, 9],
            at 0, width 1, plus 1, header 4, mandatory 4,
            ModeSense6::new(PageCode::ALL).allocation_length(u8::try_from(asked).unwrap_or(0xff)),
            |asked, it| [
                it.medium_type(), it.device_specific(), it.block_descriptor_length(),
                it.block_descriptor_bytes(), lists!(it.block_descriptors(), it.pages()),
            ], lengths (it.length_field_lies(), it.needed_length())),
        kind!("MODE SENSE(10)",
            [0, 34, 1, 0x80, 0, 0, 0, 8, 1, 2, 3, 4, 0, 0, 8, 0, 0x81, 6, 1, 2, 3, 4, 5, 6, 0x4d, 1,
                0, 4, 1, 2, 3, 4, 0x1c, 2, 8, 9],
            at 0, width 2, plus 2, header 8, mandatory 8,
            ModeSense10::new(PageCode::ALL).allocation_length(asked), |asked, it| [
                it.medium_type(), it.device_specific(), it.block_descriptor_length(),
                it.block_descriptor_bytes(), lists!(it.block_descriptors(), it.pages()),
            ], lengths (it.length_field_lies(), it.needed_length())),
    ]
}

fn of_drives() -> Vec<Kind> {
    vec![
        kind!("READ BUFFER CAPACITY", numbered::<12>(&[0, 10, 0, 0]), at 0, width 2, plus 2,
        header 4, mandatory 3,
        { let _ = asked; ReadBufferCapacity::new() }, |asked, it| [
            it.in_blocks(), it.length(), it.available(),
        ]),
        kind!("GET EVENT STATUS", [0, 6, 0x04, 0x5e, 2, 2, 3, 4], at 0, width 2, plus 2,
        header 4, mandatory 4,
        GetEventStatus::new(crate::scsi::mmc::EventClasses::MEDIA).allocation_length(asked),
        |asked, it| [
            it.no_event_available(), it.class(), it.supported(), it.event(), it.media(),
        ]),
        kind!("READ SUB-CHANNEL", numbered::<16>(&[0, 0x11, 0, 12, 1, 0x14]), at 2, width 2,
        plus 4, header 4, mandatory 4,
        { let _ = asked; ReadSubChannel::position() }, |asked, it| [
            it.audio_status(), it.format(), it.data(), it.position(),
        ]),
        kind!("READ SUB-CHANNEL, MCN", numbered::<24>(&[0, 0x11, 0, 20, 2, 0, 0, 0, 0x80]),
        at 2, width 2, plus 4, header 4, mandatory 4,
        { let _ = asked; ReadSubChannel::catalogue_number() }, |asked, it| [
            it.format(), it.data(), it.catalogue_number(),
        ]),
        kind!("READ SUB-CHANNEL, ISRC", numbered::<24>(&[0, 0x11, 0, 20, 3, 0x14, 2, 0, 0x80]),
        at 2, width 2, plus 4, header 4, mandatory 4,
        { let _ = asked; ReadSubChannel::isrc(2) }, |asked, it| [
            it.format(), it.data(), it.isrc(), it.isrc_track(),
        ]),
        kind!("REPORT KEY", [0, 6, 0, 0, 0x65, 0xfe, 1, 0], at 0, width 2, plus 2,
        header 4, mandatory 4,
        ReportKey::rpc_state().allocation_length(asked), |asked, it| [
            it.data(), it.rpc_state(),
        ]),
        kind!("REPORT KEY, AGID", [0, 6, 0, 0, 0, 0, 0, 0xc0], at 0, width 2, plus 2,
            header 4, mandatory 4,
            ReportKey::take_agid().allocation_length(asked), |asked, it| [it.data(), it.agid()]),
        kind!("READ DISC STRUCTURE", numbered::<40>(&[0, 38, 0, 0]), at 0, width 2, plus 2,
            header 4, mandatory 4,
            ReadDiscStructure::dvd(DiscStructureFormat::DVD_PHYSICAL).allocation_length(asked),
            |asked, it| [
                it.data(),
                it.dvd_physical().map(|dvd| (dvd.book_type(), dvd.layers(), dvd.first_sector(),
                    dvd.last_sector(), dvd.last_sector_of_layer_0(), dvd.has_bca(),
                    dvd.media_specific().to_vec())),
            ], lengths (it.length_field_lies(), it.needed_length().map(usize::from))),
        kind!("READ DISC STRUCTURE, copyright", [0, 6, 0, 0, 1, 0xfe, 0, 0], at 0, width 2, plus 2,
            header 4, mandatory 4,
            ReadDiscStructure::dvd(DiscStructureFormat::DVD_COPYRIGHT).allocation_length(asked),
            |asked, it| [it.data(), it.dvd_copyright()],
            lengths (it.length_field_lies(), it.needed_length().map(usize::from))),
    ]
}

fn of_discs() -> Vec<Kind> {
    vec![
        kind!("READ DISC INFORMATION", numbered::<50>(&[0, 48, 0x1e, 1, 2, 3, 4, 0xf3]),
            at 0, width 2, plus 2, header 4, mandatory 4,
            ReadDiscInformation::standard().allocation_length(asked), |asked, it| [
                it.status(), it.last_session_status(), it.is_erasable(), it.first_track(), it.is_dirty(), it.disc_type(),
                it.sessions(), it.first_track_of_last_session(), it.last_track(),
                it.identification(), it.last_session_lead_in(), it.last_possible_lead_out(),
                it.bar_code(), it.application_code(), lists!(it.calibrations()),
                it.reply().as_bytes().get(2..),
            ], lengths (it.reply().length_field_lies(), it.reply().needed_length().map(usize::from))),
        kind!("READ TRACK INFORMATION", numbered::<48>(&[0, 46, 1, 1, 0, 0x54, 0x41, 0x03]),
            at 0, width 2, plus 2, header 4, mandatory 4,
            ReadTrackInformation::of_track(1).allocation_length(asked), |asked, it| [
                it.track(), it.session(), it.control(), it.data_mode(), it.start(), it.next_writable(), it.free_blocks(),
                it.packet_size(), it.size(), it.last_recorded(), it.read_compatibility(),
                it.reply().as_bytes().get(2..),
            ], lengths (it.reply().length_field_lies(), it.reply().needed_length().map(usize::from))),
        kind!("GET CONFIGURATION",
            [0, 0, 0, 36, 0, 0, 0, 8, 0, 0, 3, 8, 0, 16, 0, 0, 0, 8, 1, 0, 0, 1, 11, 8, 0, 0, 0, 1,
                1, 0, 0, 0, 0, 3, 11, 4, 57, 0, 0, 0],
            at 0, width 4, plus 4, header 8, mandatory 8,
            GetConfiguration::all().allocation_length(asked), |asked, it| [
                it.current_profile(), lists!(it.features()),
            ], lengths (it.reply().length_field_lies(), it.reply().needed_length().map(usize::from))),
        kind!("READ FORMAT CAPACITIES",
            numbered::<28>(&[0, 0, 0, 24, 0, 1, 2, 3, 2, 0, 8, 0]), at 3, width 1, plus 4,
            header 4, mandatory 4,
            ReadFormatCapacities::new().allocation_length(asked), |asked, it| [
                it.current(), lists!(it.formattable()),
            ], lengths (it.length_field_lies(), it.needed_length().map(usize::from))),
        kind!("GET PERFORMANCE", numbered::<40>(&[0, 0, 0, 36, 0, 0, 0, 0]), at 0, width 4,
        plus 4, header 8, mandatory 8,
        { let _ = asked; GetPerformance::reading(PerformanceList::Nominal) }, |asked, it| [
            it.descriptors(), lists!(it.ranges(), it.exceptions(), it.write_speeds()),
        ]),
        kind!("MECHANISM STATUS", numbered::<20>(&[0xa1, 0x71, 1, 2, 3, 3, 0, 12]), at 6, width 2,
            plus 8, header 2, mandatory 8,
            MechanismStatus::new().allocation_length(asked), |asked, it| [
                it.fault(), it.current_slot(), it.current_lba(), it.slot_count(),
                lists!(it.slots()),
            ], lengths (it.length_field_lies(), it.needed_length().map(usize::from))),
    ]
}

fn of_tables() -> Vec<Kind> {
    let full = [
        0, 46, 1, 1, 1, 20, 0, 160, 0, 0, 0, 0, 1, 0, 0, 1, 20, 0, 161, 0, 0, 0, 0, 1, 0, 0, 1, 20,
        0, 162, 0, 0, 0, 0, 9, 4, 25, 1, 20, 0, 1, 0, 0, 0, 0, 0, 2, 0,
    ];
    let tracks = [
        0, 26, 1, 2, 0, 0x14, 1, 0, 0, 0, 0, 7, 0, 0x10, 2, 0, 0, 0, 9, 9, 0, 0x10, 0xaa, 0, 0, 1,
        9, 9,
    ];
    let pack = [0x80, 0, 0, 0, 65, 0, 66, 0, 67, 0, 0, 0, 0, 0, 0, 0, 1, 2];
    let text = [&[0, 38, 0, 0], &pack[..], &pack].concat();
    vec![
        kind!("READ TOC", tracks, at 0, width 2, plus 2, header 4, mandatory 4,
            ReadToc::tracks().allocation_length(asked), |asked, it| [
                it.first_track(), it.last_track(), lists!(it.entries(), it.tracks()), it.lead_out(),
            ], lengths (it.reply().length_field_lies(), it.reply().needed_length().map(usize::from))),
        kind!("READ TOC, sessions", [0, 10, 1, 2, 0, 0x14, 3, 0, 0, 1, 2, 3], at 0, width 2, plus 2,
            header 4, mandatory 4,
            ReadToc::last_session().allocation_length(asked), |asked, it| [
                it.first_session(), it.last_session(), it.first_track(),
            ], lengths (it.reply().length_field_lies(), it.reply().needed_length().map(usize::from))),
        kind!("READ TOC, full", full, at 0, width 2, plus 2, header 4, mandatory 4,
            ReadToc::full().allocation_length(asked), |asked, it| [
                it.first_session(), lists!(it.entries()), it.sessions(), it.tracks(),
            ], lengths (it.reply().length_field_lies(), it.reply().needed_length().map(usize::from))),
        kind!("READ TOC, PMA", full, at 0, width 2, plus 2, header 4, mandatory 4,
            ReadToc::pma().allocation_length(asked), |asked, it| [
                lists!(it.entries()),
            ], lengths (it.reply().length_field_lies(), it.reply().needed_length().map(usize::from))),
        kind!("READ TOC, ATIP", numbered::<32>(&[0, 30, 0, 0, 0xd5, 0x40, 0x9f]), at 0, width 2,
            plus 2, header 4, mandatory 4,
            ReadToc::atip().allocation_length(asked), |asked, it| [
                it.writing_power(), it.is_unrestricted(), it.reference_speed(), it.is_rewritable(),
                it.sub_type(), it.lead_in(), it.last_lead_out(), it.a1(), it.a2(), it.a3(), it.s4(),
            ], lengths (it.reply().length_field_lies(), it.reply().needed_length().map(usize::from))),
        kind!("READ TOC, CD-TEXT", text, at 0, width 2, plus 2, header 4, mandatory 4,
            ReadToc::cd_text().allocation_length(asked), |asked, it| [
                lists!(it.packs()), it.clone().ignore_crc(true).blocks(),
            ], lengths (it.reply().length_field_lies(), it.reply().needed_length().map(usize::from))),
    ]
}
