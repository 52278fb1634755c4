use super::*;
use crate::scsi::{DeviceType, RawCdb, is_read_only};

const LEAD_IN: &str = include_str!("../../../../../tests/cases/redumper-27-cdb-d8-leadin.hex");

fn bytes(command: &impl Command, len: usize) -> Vec<u8> {
    command.cdb_for(len).unwrap().as_bytes().to_vec()
}

#[test]
fn golden_bytes() {
    let read = ReadCd::new(Lba(0x0102_0304), 0x0005_0607, raw()).unwrap();
    assert_eq!(
        bytes(&read, 0x0005_0607 * 2352),
        [0xbe, 0, 1, 2, 3, 4, 5, 6, 7, 0xf8, 0, 0]
    );
    let readcd = ReadCd::new(Lba(0), 49, raw().c2(C2::Pointers294)).unwrap();
    assert_eq!(
        bytes(&readcd, 49 * 2646),
        [0xbe, 0, 0, 0, 0, 0, 0, 0, 49, 0xfa, 0, 0]
    );
    let negative = ReadCd::new(Lba(-150), 1, raw()).unwrap();
    assert_eq!(
        bytes(&negative, 2352),
        [0xbe, 0, 0xff, 0xff, 0xff, 0x6a, 0, 0, 1, 0xf8, 0, 0]
    );
    let nothing = ReadCd::new(Lba(0), 0, raw()).unwrap();
    assert_eq!(
        bytes(&nothing, 0),
        [0xbe, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0, 0]
    );
}

#[test]
fn golden_bytes_of_every_option() {
    for (code, sector) in [
        (0x00, SectorType::Any),
        (0x04, SectorType::CdDa),
        (0x08, SectorType::Mode1),
        (0x0c, SectorType::Mode2Formless),
        (0x10, SectorType::Form1),
        (0x14, SectorType::Form2),
    ] {
        let request = SectorRequest::new(sector, MainChannel::RAW);
        let read = ReadCd::new(Lba(0), 1, request).unwrap();
        assert_eq!(bytes(&read, 2352)[1], code, "{sector}");
        assert_eq!(bytes(&read.dap(true), 2352)[1], code | 0x02, "{sector}");
        assert_eq!(sector.code(), code >> 2);
    }
    for (c2, bits) in [
        (C2::None, 0xf8),
        (C2::Pointers294, 0xfa),
        (C2::Block296, 0xfc),
    ] {
        let read = ReadCd::new(Lba(0), 1, raw().c2(c2)).unwrap();
        let length = 2352 + usize::from(c2.length());
        assert_eq!(bytes(&read, length)[9], bits, "{c2:?}");
    }
    for (sub, code) in [
        (SubChannels::None, 0),
        (SubChannels::Raw96, 1),
        (SubChannels::Q16, 2),
        (SubChannels::Rw96, 4),
    ] {
        let read = ReadCd::new(Lba(0), 1, raw().sub_channels(sub)).unwrap();
        let length = 2352 + usize::from(sub.length());
        assert_eq!(bytes(&read, length)[10], code, "{sub:?}");
        assert_eq!(sub.code(), code);
    }
}

#[test]
fn the_buffer_has_the_length_of_the_sectors() {
    let read = ReadCd::new(Lba(16), 10, raw().c2(C2::Block296)).unwrap();
    assert_eq!(read.data_length(), 26_480);
    assert_eq!((read.lba(), read.sectors()), (Lba(16), 10));
    assert_eq!(read.layout().sector_length(), 2648);
    for len in [0, 26_479, 26_481, 23_520, 26_460] {
        assert_eq!(
            read.cdb_for(len),
            Err(LengthMismatch::Exact {
                len,
                expected: 26_480
            })
        );
    }
}

#[test]
fn at_most_24_bits_of_sectors() {
    let most = ReadCd::new(Lba(0), 0x00ff_ffff, raw()).unwrap();
    assert_eq!(most.data_length(), 39_460_009_680);
    let length = usize::try_from(most.data_length());
    if let Ok(length) = length {
        assert_eq!(bytes(&most, length)[6..9], [0xff, 0xff, 0xff]);
        let more = ReadCd::new(Lba(0), 0x0100_0000, raw()).unwrap();
        assert_eq!(
            more.cdb_for(length + 2352),
            Err(LengthMismatch::TooLong {
                len: length + 2352,
                max: length
            })
        );
    }
}

#[test]
fn a_request_without_a_layout_makes_no_command() {
    let request = SectorRequest::new(SectorType::Any, MainChannel::USER_DATA);
    let main = MainChannel::USER_DATA;
    assert_eq!(
        ReadCd::new(Lba(0), 1, request),
        Err(SectorRequestError::DependsOnSector { main })
    );
    // Somebody who knows the disc can read it all the same.
    let layout = request.layout_for(SectorType::Form2).unwrap();
    let read = ReadCd::with_layout(Lba(0), 2, request, layout);
    assert_eq!(
        bytes(&read, 2 * 2328),
        [0xbe, 0, 0, 0, 0, 0, 0, 0, 2, 0x10, 0, 0]
    );
    // And a drive that sends 2324 bytes is read with a layout of its own.
    let own = SectorLayout::from_lengths(2324, C2::None, SubChannels::None);
    assert_eq!(
        ReadCd::with_layout(Lba(0), 2, request, own).data_length(),
        4648
    );
}

#[test]
fn subchannels_alone() {
    let request = SectorRequest::new(SectorType::Any, MainChannel::NONE);
    let request = request.sub_channels(SubChannels::Q16);
    let read = ReadCd::new(Lba(0), 3, request).unwrap();
    assert_eq!(bytes(&read, 48), [0xbe, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0]);
}

#[test]
fn pieces_cover_the_range() {
    let read = ReadCd::new(Lba(-10), 100, raw()).unwrap().dap(true);
    let pieces: Vec<_> = read.chunks(30 * 2352 + 1).collect();
    let ranges: Vec<_> = pieces.iter().map(|p| (p.lba().0, p.sectors())).collect();
    assert_eq!(ranges, [(-10, 30), (20, 30), (50, 30), (80, 10)]);
    assert!(pieces.iter().all(|p| p.layout() == read.layout()));
    assert_eq!(bytes(&pieces[3], 23_520)[1], 0x02, "options stay");
    assert_eq!(read.chunks(30 * 2352 + 1).size_hint(), (4, Some(4)));

    // Less than a sector is a sector.
    assert_eq!(read.chunks(0).count(), 100);
    // All fits.
    assert_eq!(read.chunks(usize::MAX).count(), 1);
    let nothing = ReadCd::new(Lba(0), 0, raw()).unwrap();
    assert_eq!(nothing.chunks(65_536).count(), 0);
    // No data at all, and more sectors than one command takes.
    let request = SectorRequest::new(SectorType::Any, MainChannel::NONE);
    let seek = ReadCd::new(Lba(0), 0x0100_0000, request).unwrap();
    let counts: Vec<_> = seek.chunks(65_536).map(|p| p.sectors()).collect();
    assert_eq!(counts, [0x00ff_ffff, 1]);
}

#[test]
fn msf_golden_bytes() {
    let time = |m, s, f| Msf::new(m, s, f).unwrap();
    let request = raw().c2(C2::Pointers294).sub_channels(SubChannels::Raw96);
    let read = ReadCdMsf::new(time(11, 12, 13)..time(11, 12, 23), request).unwrap();
    assert_eq!(read.sectors(), 10);
    assert_eq!(read.range(), time(11, 12, 13)..time(11, 12, 23));
    assert_eq!(read.data_length(), 27_420);
    assert_eq!(
        bytes(&read, 27_420),
        [0xb9, 0, 0, 11, 12, 13, 11, 12, 23, 0xfa, 1, 0]
    );
    assert_eq!(bytes(&read.dap(true), 27_420)[1], 0x02);
    assert_eq!(read.layout().sector_length(), 2742);
    assert_eq!(
        read.cdb_for(27_421),
        Err(LengthMismatch::Exact {
            len: 27_421,
            expected: 27_420
        })
    );
    // From the lead-in into the pregap.
    let across = ReadCdMsf::new(time(99, 59, 74)..time(0, 0, 1), raw()).unwrap();
    assert_eq!(across.sectors(), 2);
    // Nothing at all, and less than that.
    let empty = ReadCdMsf::new(time(0, 2, 0)..time(0, 2, 0), raw()).unwrap();
    assert!(empty.cdb_for(0).is_ok());
    assert_eq!(
        ReadCdMsf::new(time(0, 2, 1)..time(0, 2, 0), raw()),
        Err(SectorRequestError::EndBeforeStart)
    );
    let audio = SectorRequest::new(SectorType::CdDa, MainChannel::USER_DATA);
    let read = ReadCdMsf::new(time(0, 2, 0)..time(0, 2, 1), audio).unwrap();
    assert_eq!(bytes(&read, 2352)[1], 0x04);
}

#[test]
fn they_only_read() {
    let cd = Some(DeviceType(5));
    let read = ReadCd::new(Lba(0), 1, raw()).unwrap();
    assert!(is_read_only(&read.cdb_for(2352).unwrap(), cd));
    let start = Msf::new(0, 2, 0).unwrap();
    let end = Msf::new(0, 2, 1).unwrap();
    let read = ReadCdMsf::new(start..end, raw()).unwrap();
    assert!(is_read_only(&read.cdb_for(2352).unwrap(), cd));
}

/// The command in the documentation of `SectorLayout` is the one that was seen.
#[test]
fn plextors_read_cd_da() {
    let seen = hex(LEAD_IN);
    let [a, b, c, d] = (-20_149_i32).to_be_bytes();
    let command = RawCdb::from_array([0xd8, 0, a, b, c, d, 0, 0, 0, 1, 2, 0]);
    assert_eq!(command.cdb().as_bytes(), seen);
    assert_eq!(Lba(-20_149).to_msf(), Msf::new(95, 33, 26));
    // What came back then: 2448 bytes.
    let layout = SectorLayout::from_lengths(2352, C2::None, SubChannels::Raw96);
    assert_eq!(layout.sector_length(), 2448);
}
