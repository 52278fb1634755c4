//! What is sent to the drive.

use super::*;

#[test]
fn a_streaming_descriptor() {
    let plain = StreamingDescriptor::new(0x0102_0304, 0x0506_0708);
    assert_eq!(plain.as_bytes().len(), 28);
    assert_eq!(
        plain.as_bytes(),
        [
            0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xff, 0xff, 0xff, 0, 0, 3, 0xe8, 0xff, 0xff,
            0xff, 0xff, 0, 0, 3, 0xe8
        ]
    );
    let all = plain
        .read_speed(0x1112_1314, 0x2122_2324)
        .write_speed(0x3132_3334, 0x4142_4344)
        .rotation(RotationControl(0xff));
    assert_eq!(
        all.as_bytes(),
        [
            0x18, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0x23, 0x24,
            0x31, 0x32, 0x33, 0x34, 0x41, 0x42, 0x43, 0x44
        ]
    );
    assert_eq!(all.rotation(RotationControl::CAV).as_bytes()[0], 0x08);
    assert_eq!(plain.restore_defaults(true).as_bytes()[0], 0x04);
    assert_eq!(plain.exact(true).as_bytes()[0], 0x02);
    assert_eq!(plain.random_access(true).as_bytes()[0], 0x01);
    assert_eq!(all.exact(true).exact(false).as_bytes()[0], 0x18);
}
