//! SEND OPC INFORMATION.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use crate::scsi::{Cdb, Command, DataOut, LengthMismatch, NoData, block_cdb::no_data, lengths};

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    do_opc: u8,
    exclude: u8,
    reserved: [u8; 4],
    parameter_list_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

fn cdb(do_opc: bool, exclude: u8, parameter_list_length: u16) -> Cdb {
    Cdb::from_array::<10>(zerocopy::transmute!(Wire {
        opcode: 0x54,
        do_opc: u8::from(do_opc),
        exclude,
        reserved: [0; 4],
        parameter_list_length: U16::new(parameter_list_length),
        control: 0,
    }))
}

/// SEND OPC INFORMATION (54h, MMC-6 clause 6) with `DoOpc`: has the drive calibrate
/// its laser. It writes into the disc's test area, of which there is only so much.
///
/// ```
/// use passthru::scsi::{Command, mmc::SendOpc};
///
/// assert_eq!(SendOpc::new().cdb_for(0)?.as_bytes(), [0x54, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("SEND_OPC", "GPCMD_SEND_OPC", "OPTIMUM POWER CALIBRATION"))]
pub struct SendOpc {
    exclude: u8,
}

impl SendOpc {
    /// Calibrates on all layers.
    #[must_use]
    pub const fn new() -> Self {
        Self { exclude: 0 }
    }

    /// Leaves layer 0 or 1 out (the bits Exclude0 and Exclude1); of `layer` the low
    /// bit counts.
    ///
    /// ```
    /// use passthru::scsi::{Command, mmc::SendOpc};
    ///
    /// let second = SendOpc::new().exclude_layer(0);
    /// assert_eq!(second.cdb_for(0)?.as_bytes(), [0x54, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
    /// # Ok::<(), passthru::scsi::LengthMismatch>(())
    /// ```
    #[must_use]
    #[doc(alias("Exclude0", "Exclude1"))]
    pub const fn exclude_layer(mut self, layer: u8) -> Self {
        self.exclude |= 1 << (layer & 1);
        self
    }
}

impl Command for SendOpc {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(cdb(true, self.exclude, 0))
    }
}

impl NoData for SendOpc {}

/// SEND OPC INFORMATION (54h) without `DoOpc`: gives back values that READ DISC
/// INFORMATION returned for this disc before, as one or more [`OpcValues`].
///
/// ```
/// use passthru::scsi::{Command, mmc::{OpcValues, SendOpcValues}};
///
/// let values = OpcValues::new(3528, [1, 2, 3, 4, 5, 6]);
/// assert_eq!(
///     SendOpcValues.cdb_for(values.as_bytes().len())?.as_bytes(),
///     [0x54, 0, 0, 0, 0, 0, 0, 0, 8, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "SEND_OPC")]
pub struct SendOpcValues;

impl Command for SendOpcValues {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let length = lengths::two_bytes(data_len, size_of::<OpcValues>())?;
        if data_len % size_of::<OpcValues>() != 0 {
            return Err(LengthMismatch::Unit {
                len: data_len,
                block_length: 8,
            });
        }
        Ok(cdb(false, 0, length))
    }
}

impl DataOut for SendOpcValues {}

/// The values of a calibration for a speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoBytes, Immutable, Unaligned)]
#[repr(C)]
#[doc(alias = "OPC Table Entry")]
pub struct OpcValues {
    speed: U16,
    values: [u8; 6],
}

const _: () = assert!(size_of::<OpcValues>() == 8);

impl OpcValues {
    /// The values for a speed in kB/s.
    #[must_use]
    pub fn new(kb_per_second: u16, values: [u8; 6]) -> Self {
        Self {
            speed: U16::new(kb_per_second),
            values,
        }
    }

    /// The bytes to send.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        IntoBytes::as_bytes(self)
    }
}
