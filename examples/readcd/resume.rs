//! Whether an output that is gone on with is of the disc in the drive: discs can have
//! the same tracks.

use std::{fs::File, io, os::unix::fs::FileExt, path::Path};

use passthru::{
    ScsiTransport,
    scsi::mmc::{Lba, Sectors},
    unit::OpticalDrive,
};

use crate::{
    image::{file_problem, refused},
    noted::Content,
    plan::Plan,
    problem::Problem,
    trouble::BadSectors,
};

/// How many sectors are compared at each of the places.
const SECTORS: i32 = 4;

/// From here on a disc of data says what it is and when it was made (ISO 9660: the
/// volume descriptors).
const DESCRIPTORS: i32 = 16;

/// Compares a few sectors of the file with those of the disc: the first, those with
/// the descriptors, and the last. Sectors of data are equal; audio comes shifted from some
/// drives, so one that is equal is enough.
pub(crate) fn compare<T: ScsiTransport>(
    drive: &OpticalDrive<T>,
    plan: &Plan,
    path: &Path,
    content: &Content,
    (next, bad): (i32, &[BadSectors]),
) -> Result<(), Problem> {
    let file = File::open(path).map_err(|error| file_problem(path, &error))?;
    let first = content.range.first;
    let starts = [
        first,
        DESCRIPTORS.max(first),
        next.saturating_sub(SECTORS).max(first),
    ];
    let mut sectors: Vec<i32> = starts
        .into_iter()
        .flat_map(|start| (start..).take(SECTORS.unsigned_abs() as usize))
        .filter(|&lba| lba < next && plan.gaps.end_at(lba).is_none())
        .filter(|&lba| bad.iter().all(|bad| !bad.has(lba)))
        .collect();
    sectors.sort_unstable();
    sectors.dedup();
    let (mut equal, mut different) = (0, None);
    for lba in sectors {
        let mut here = vec![0; content.sector_length];
        file.read_exact_at(&mut here, content.bytes_before(lba))
            .map_err(|error: io::Error| file_problem(path, &error))?;
        let Some(there) = read(drive, plan, lba) else {
            continue;
        };
        let main = plan.layout.main();
        if here.get(main.clone()) != there.get(main) {
            different = Some(lba);
        } else if there.iter().any(|&byte| byte != 0) {
            equal += 1;
        }
    }
    match different {
        Some(lba) if equal == 0 || content.sector == "data" => Err(refused(
            path,
            &format!(
                "is an output that was interrupted, and its sector {lba} is not that of the disc \
                 in the drive: give the same disc, or name another file"
            ),
        )),
        _ => Ok(()),
    }
}

/// One sector; none if it cannot be read now.
fn read<T: ScsiTransport>(drive: &OpticalDrive<T>, plan: &Plan, lba: i32) -> Option<Vec<u8>> {
    let mut buffer = vec![0; plan.sector_length()];
    let requests = [Some(plan.request), plan.other];
    requests.into_iter().flatten().find_map(|request| {
        let read = drive
            .read_with_layout(&request, plan.layout, Lba(lba), &mut buffer)
            .ok()?;
        let sector = Sectors::new(read.of(&buffer).get(0)?.as_bytes(), plan.layout);
        Some(sector.get(0)?.as_bytes().to_vec())
    })
}
