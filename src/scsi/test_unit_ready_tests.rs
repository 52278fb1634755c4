use super::*;

#[test]
fn cdb_is_six_zeros() {
    assert_eq!(TestUnitReady.cdb_for(0).unwrap().as_bytes(), [0; 6]);
}

#[test]
fn data_is_refused() {
    assert_eq!(
        TestUnitReady.cdb_for(1),
        Err(LengthMismatch::Exact {
            len: 1,
            expected: 0
        })
    );
}
