//! Namespaces of all formats: what goes in comes out, in the right lengths.

use passthru::{
    Error, NvmeErrorKind, NvmeNamespace, NvmeTransport, NvmeTransportExt,
    nvme::{
        Format, LengthMismatch, Protection,
        io::{Read, Write},
    },
};

use super::guarded::Guarded;
use crate::{lab::pattern, nvme_lab::namespace};

fn open(nsid: u32) -> NvmeNamespace {
    NvmeNamespace::open_rw(namespace("PTSUB", nsid).0).unwrap()
}

fn mismatch(result: passthru::Result<passthru::nvme::Completion>) -> LengthMismatch {
    match result.unwrap_err() {
        Error::Nvme(error) => match error.kind() {
            NvmeErrorKind::Length(mismatch) => *mismatch,
            other => panic!("{other:?}"),
        },
        other => panic!("{other}"),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn plain_blocks_of_512_and_4096_bytes() {
    for (nsid, block) in [(1, 512), (2, 4096)] {
        let namespace = open(nsid);
        assert_eq!(namespace.format().unwrap(), Some(Format::new(block as u32)));
        for blocks in [1, 3, 8] {
            let data = pattern(blocks as u8, block * blocks as usize);
            namespace.write(&Write::new(40, blocks), &data).unwrap();
            let mut memory = Guarded::new(0, data.len());
            namespace
                .read(&Read::new(40, blocks).fua(true), memory.bytes())
                .unwrap();
            memory.check();
            assert!(memory.bytes() == data);
        }
        let mut metadata = [0; 8];
        let mut data = vec![0; block];
        let wrong = namespace.read_with_metadata(&Read::new(0, 1), &mut data, &mut metadata);
        assert!(matches!(mismatch(wrong), LengthMismatch::Metadata { .. }));
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn separate_metadata_has_a_buffer_of_its_own() {
    let namespace = open(3);
    let format = namespace.format().unwrap().unwrap();
    let protection = Protection {
        kind: 1,
        size: 8,
        first: true,
    };
    let expected = Format::new(512)
        .metadata(8, false)
        .protection(Some(protection));
    assert_eq!(format, expected);
    let (data, metadata) = (pattern(5, 4 * 512), pattern(6, 4 * 8));
    namespace
        .write_with_metadata(&Write::new(16, 4), &data, &metadata)
        .unwrap();
    let (mut memory, mut beside) = (Guarded::new(0, data.len()), Guarded::new(64, 4 * 8));
    namespace
        .read_with_metadata(&Read::new(16, 4), memory.bytes(), beside.bytes())
        .unwrap();
    memory.check();
    beside.check();
    assert!(memory.bytes() == data && beside.bytes() == metadata);
    // Without it, or with too little of it, nothing is sent.
    let mut short = vec![0; 31];
    let wrong = namespace.read(&Read::new(16, 4), memory.bytes());
    assert!(matches!(
        mismatch(wrong),
        LengthMismatch::Metadata {
            len: 0,
            expected: 32
        }
    ));
    let wrong = namespace.read_with_metadata(&Read::new(16, 4), memory.bytes(), &mut short);
    assert!(matches!(
        mismatch(wrong),
        LengthMismatch::Metadata {
            len: 31,
            expected: 32
        }
    ));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn extended_blocks_carry_their_metadata() {
    let namespace = open(4);
    let format = namespace.format().unwrap().unwrap();
    assert_eq!(format, Format::new(512).metadata(16, true));
    let data = pattern(7, 3 * 528);
    namespace.write(&Write::new(8, 3), &data).unwrap();
    let mut memory = Guarded::new(0, data.len());
    namespace.read(&Read::new(8, 3), memory.bytes()).unwrap();
    memory.check();
    assert!(memory.bytes() == data);
    let mut without = vec![0; 3 * 512];
    let wrong = namespace.read(&Read::new(8, 3), &mut without);
    assert!(matches!(
        mismatch(wrong),
        LengthMismatch::Data {
            len: 1536,
            expected: 1584
        }
    ));
}
