//! Vectored data of every shape.

use std::io::{IoSlice, IoSliceMut};

use passthru::{Data, Error, Options, ScsiDevice, ScsiTransport, Verdict, scsi::Cdb};

use crate::lab::{ScsiDebug, pattern};

const WRITE: Cdb = Cdb::from_array([0x2a, 0, 0, 0, 0, 40, 0, 0, 8, 0]);
const READ: Cdb = Cdb::from_array([0x28, 0, 0, 0, 0, 40, 0, 0, 8, 0]);
const LEN: usize = 8 * 512;

/// Lengths of slices that come to 4096 bytes.
fn shapes() -> Vec<Vec<usize>> {
    let mut many = vec![4; 1023];
    many.push(4);
    let mut odd = vec![1, 0, 2, 0, 0, 509, 511, 513];
    odd.push(LEN - odd.iter().sum::<usize>());
    vec![
        vec![LEN],
        vec![0, LEN],
        vec![LEN, 0],
        vec![0, 0, 512, 0, 3584, 0, 0],
        odd,
        many,
    ]
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn empty_and_odd_slices() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let [sg, block, _] = lab.unit().open_all();
    for device in [sg, block] {
        for (seed, shape) in (1..).zip(shapes()) {
            assert_eq!(shape.iter().sum::<usize>(), LEN);
            let data = pattern(seed, LEN);
            let mut rest = &data[..];
            let slices: Vec<_> = shape
                .iter()
                .map(|len| {
                    let (head, tail) = rest.split_at(*len);
                    rest = tail;
                    IoSlice::new(head)
                })
                .collect();
            let out = Data::OutVectored(&slices);
            let outcome = device.send(&WRITE, out, &Options::new()).unwrap();
            assert_eq!(outcome.transferred(), LEN, "{shape:?}");

            let mut got: Vec<Vec<u8>> = shape.iter().map(|len| vec![0xee; *len]).collect();
            let mut slices: Vec<_> = got.iter_mut().map(|part| IoSliceMut::new(part)).collect();
            let data_in = Data::InVectored(&mut slices);
            let outcome = device.send(&READ, data_in, &Options::new()).unwrap();
            assert_eq!(outcome.transferred(), LEN, "{shape:?}");
            assert!(got.concat() == data, "{:?} {shape:?}", device.kind());
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn vectors_that_hold_nothing_and_too_many() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let unready = Cdb::from_array([0; 6]);
    for device in lab.unit().open_all() {
        let bsg = matches!(device, ScsiDevice::Bsg(_));
        let empty: [IoSlice<'_>; 3] = [IoSlice::new(&[]), IoSlice::new(&[]), IoSlice::new(&[])];
        for slices in [&empty[..0], &empty[..]] {
            let data = Data::OutVectored(slices);
            match device.send(&unready, data, &Options::new()) {
                Ok(outcome) => assert_eq!(outcome.verdict(), Verdict::Good),
                Err(Error::Unsupported { .. }) if bsg => {}
                Err(error) => panic!("{:?}: {error:?}", device.kind()),
            }
            let mut none: [IoSliceMut<'_>; 0] = [];
            let data = Data::InVectored(&mut none);
            match device.send(&unready, data, &Options::new()) {
                Ok(outcome) => assert_eq!(outcome.verdict(), Verdict::Good),
                Err(Error::Unsupported { .. }) if bsg => {}
                Err(error) => panic!("{:?}: {error:?}", device.kind()),
            }
        }
        let bytes = [0u8; 4];
        let many: Vec<_> = (0..1025).map(|_| IoSlice::new(&bytes)).collect();
        let before = lab.unit().commands();
        let error = device
            .send(&WRITE, Data::OutVectored(&many), &Options::new())
            .unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error:?}");
        assert_eq!(lab.unit().commands(), before, "nothing was sent");
    }
}
