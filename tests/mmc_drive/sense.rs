//! Sense data, fixed or with descriptors.

/// What a command ends with instead of GOOD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sense {
    pub(crate) key: u8,
    pub(crate) asc: u8,
    pub(crate) ascq: u8,
    /// The information field: the address of a bad sector.
    pub(crate) information: Option<i32>,
    /// The three bytes that depend on the key.
    pub(crate) specific: Option<[u8; 3]>,
    /// The error is one of an earlier command.
    pub(crate) deferred: bool,
}

impl Sense {
    pub(crate) const NO_SENSE: Self = Self::new(0, 0, 0);
    pub(crate) const INVALID_OPCODE: Self = Self::new(5, 0x20, 0);
    pub(crate) const OUT_OF_RANGE: Self = Self::new(5, 0x21, 0);
    /// CANNOT READ MEDIUM - INCOMPATIBLE FORMAT.
    pub(crate) const WRONG_MEDIUM: Self = Self::new(5, 0x30, 2);
    /// COPY PROTECTION KEY EXCHANGE FAILURE - KEY NOT PRESENT.
    pub(crate) const NO_KEY: Self = Self::new(5, 0x6f, 1);
    pub(crate) const ILLEGAL_MODE: Self = Self::new(5, 0x64, 0);

    pub(crate) const fn new(key: u8, asc: u8, ascq: u8) -> Self {
        Self {
            key,
            asc,
            ascq,
            information: None,
            specific: None,
            deferred: false,
        }
    }

    /// A field of the command that cannot be so: the byte, with the field pointer that says which.
    pub(crate) const fn invalid_field(byte: u8) -> Self {
        let mut sense = Self::new(5, 0x24, 0);
        sense.specific = Some([0xc0, 0, byte]);
        sense
    }

    /// A field in the parameters that were sent.
    pub(crate) const fn invalid_parameter(asc: u8, byte: u8) -> Self {
        let mut sense = Self::new(5, asc, 0);
        sense.specific = Some([0x80, 0, byte]);
        sense
    }

    pub(crate) const fn at(mut self, lba: i32) -> Self {
        self.information = Some(lba);
        self
    }

    /// How far something is, in 65,536ths.
    pub(crate) const fn progress(mut self, done: u16) -> Self {
        let [high, low] = done.to_be_bytes();
        self.specific = Some([0x80, high, low]);
        self
    }

    pub(crate) fn bytes(&self, descriptors: bool) -> Vec<u8> {
        let later = u8::from(self.deferred);
        if descriptors {
            let mut bytes = vec![0x72 | later, self.key, self.asc, self.ascq, 0, 0, 0, 0];
            if let Some(lba) = self.information {
                bytes.extend([0, 0x0a, 0x80, 0]);
                bytes.extend(i64::from(lba).to_be_bytes());
            }
            if let Some(specific) = self.specific {
                bytes.extend([2, 6, 0, 0]);
                bytes.extend(specific);
                bytes.push(0);
            }
            bytes[7] = (bytes.len() - 8) as u8;
            return bytes;
        }
        let mut bytes = vec![0; 18];
        bytes[0] = 0x70 | later;
        if let Some(lba) = self.information {
            bytes[0] |= 0x80;
            bytes[3..7].copy_from_slice(&lba.to_be_bytes());
        }
        bytes[2] = self.key;
        bytes[7] = 10;
        bytes[12] = self.asc;
        bytes[13] = self.ascq;
        if let Some(specific) = self.specific {
            bytes[15..].copy_from_slice(&specific);
        }
        bytes
    }
}
