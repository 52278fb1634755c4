//! E0597: The data of a command outlives nothing.
use passthru::Data;

fn main() {
    let data;
    {
        let mut buffer = [0u8; 512];
        data = Data::In(&mut buffer);
    }
    println!("{}", data.len());
}
