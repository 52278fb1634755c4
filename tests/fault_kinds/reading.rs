//! Reads of many sectors.

use super::*;

/// Reading over the end: what comes before is kept, 05/21 says that it is the end, and nothing
/// is asked for again.
#[test]
fn the_end_of_the_disc_is_told_once() {
    const END: i32 = 200;
    let drive = Drive::new(|cdb, data| {
        let (lba, sectors) = range(cdb);
        if lba.saturating_add_unsigned(sectors) > END {
            return Ok(refused(data.len(), 0x5, 0x21, 0x00));
        }
        let all: Vec<u8> = (0..sectors)
            .flat_map(|index| main_channel(lba.wrapping_add_unsigned(index)))
            .collect();
        Ok(good(data, &all))
    });
    for most in [1, 2, 7, 26, 100] {
        let mut unit = OpticalDrive::new(&drive);
        unit.set_max_transfer(most * 2352);
        for start in END - 30..END + 3 {
            for count in [1, 2, 26, 27, 40] {
                let mut buffer = vec![0; count * 2352];
                let result = unit.read(&raw(), Lba(start), &mut buffer);
                let sent = drive.sent();
                let room = usize::try_from(END - start).unwrap_or(0);
                if count <= room {
                    assert_eq!(result.unwrap().sectors() as usize, count);
                    continue;
                }
                let partial = result.unwrap_err();
                // Whole commands before the one that reaches over the end.
                let whole = room / most * most;
                assert_eq!(partial.sectors() as usize, whole, "{start} {count} {most}");
                assert_eq!((partial.failed(), partial.agreed()), (None, 0));
                assert_eq!(sent.len(), whole / most + 1, "{start} {count} {most}");
                let ReadFault::Error(Error::Check(failure)) = partial.fault() else {
                    panic!("{partial:?}");
                };
                let condition = failure.outcome().sense().condition();
                assert_eq!(condition, Condition::OutOfRange);
                for index in 0..whole {
                    let lba = start + i32::try_from(index).unwrap();
                    let sector = &buffer[index * 2352..(index + 1) * 2352];
                    assert_eq!(sector, main_channel(lba), "{start} {index}");
                }
            }
        }
    }
}

/// Every layout within every limit: no command moves more, or other than its CDB says, and all
/// of them together what was asked for.
#[test]
fn no_command_is_longer_than_the_limit() {
    let drive = Drive::new(|_, data| Ok(good(data, &vec![1; data.len()])));
    let layouts = TRIED.into_iter().chain([(C2::None, SubChannels::None)]);
    for (c2, sub) in layouts {
        let request = raw().c2(c2).sub_channels(sub);
        let length = request.layout().unwrap().sector_length();
        // 156,672 bytes are 64 sectors of 2448, 120 KiB and 128 KiB are usual limits.
        for limit in [
            0,
            1,
            2351,
            length - 1,
            length,
            length + 1,
            2 * length - 1,
            64 << 10,
            120 << 10,
            128 << 10,
            156_671,
            156_672,
            1 << 20,
            usize::MAX,
        ] {
            for count in [1, 26, 27, 65] {
                let mut unit = OpticalDrive::new(&drive);
                unit.set_max_transfer(limit);
                let mut buffer = vec![0; count * length];
                let read = unit.read(&request, Lba(-150), &mut buffer).unwrap();
                assert_eq!(read.sectors() as usize, count);
                let sent = drive.sent();
                let mut next = -150;
                for (cdb, len) in &sent {
                    let (lba, sectors) = range(cdb);
                    assert_eq!(lba, next);
                    next = lba.wrapping_add_unsigned(sectors);
                    assert_eq!(*len, sectors as usize * length);
                    assert!(*len <= limit || sectors == 1, "{limit} {len}");
                }
                let moved: usize = sent.iter().map(|(_, len)| len).sum();
                assert_eq!(moved, buffer.len());
            }
        }
    }
}
