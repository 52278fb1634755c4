use super::*;

#[test]
fn sizes_are_whole_pages() {
    let page = page_size();
    for (len, capacity) in [(1, page), (page, page), (page + 1, 2 * page), (0, 0)] {
        let buffer = AlignedBuf::new(len).unwrap();
        assert_eq!((buffer.len(), buffer.capacity()), (len, capacity));
        assert!(buffer.iter().all(|byte| *byte == 0));
        assert_eq!(buffer.is_empty(), len == 0);
        if len > 0 {
            assert_eq!(buffer.as_ptr().align_offset(page), 0);
        }
    }
}

#[test]
fn the_length_changes_within_the_memory() {
    let mut buffer = AlignedBuf::new(10).unwrap();
    buffer.fill(1);
    let start = buffer.as_ptr();
    buffer.set_len(usize::MAX);
    assert_eq!(buffer.len(), buffer.capacity());
    assert_eq!(buffer[..11], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    buffer.set_len(3);
    assert_eq!(*buffer, [1, 1, 1]);
    assert_eq!(buffer.as_ptr(), start);
    let mut none = AlignedBuf::empty();
    none.set_len(1);
    assert!(none.is_empty());
    none.advise_huge_pages().unwrap();
}

#[test]
fn too_much_is_an_error() {
    // Passes the checks of `new`, where pointers have 64 bits; 32-bit address
    // spaces have room for whatever passes them.
    let unmappable = usize::try_from(u64::MAX / 4).unwrap_or(usize::MAX);
    for len in [usize::MAX, isize::MAX as usize, unmappable] {
        let error = AlignedBuf::new(len).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::ENOMEM), "{len}");
    }
}

#[test]
fn it_goes_to_other_threads() {
    let mut buffer = AlignedBuf::new(100).unwrap();
    buffer[0] = 9;
    let back = std::thread::spawn(move || {
        assert_eq!(buffer[0], 9);
        buffer
    });
    assert_eq!(back.join().unwrap().len(), 100);
}
