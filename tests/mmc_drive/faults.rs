//! What goes wrong. A file says it, which is read again whenever it changes; then all counts begin anew.
//!
//! A line for each fault; numbers are decimal, but operation codes, sense keys and codes, and statuses are hexadecimal.
//! `count N` limits a fault to the first N times; without it, it stays.
//!
//! ```text
//! medium_error LBA [count N] [asc 11] [ascq 05]  a sector that cannot be read; those before it are delivered
//! recovered LBA [count N]               the data comes with RECOVERED ERROR
//! slow LBA MS [count N]                 a command with this sector takes so much longer
//! c2 LBA FIRST BYTES [count N] [wrong]  C2 pointers for some bytes of a sector; `wrong`: they are also inverted
//! no_c2_bytes [short]                   C2 bytes are never sent: what comes is packed, and zeros or nothing follow
//! no_c2_claim                           page 2Ah and the feature CD Read deny C2 pointers
//! c2_size 294|296                       the other size is refused
//! c2_order sub_first                    main, subchannel, C2
//! c2_shift BYTES                        pointers are so many bytes late
//! block_error_first                     in 296 bytes, the block error byte and its pad come first
//! binary_q                              numbers in formatted Q are binary
//! no_q_crc                              formatted Q has zeros for its CRC
//! bcd_toc                               times in the full TOC are BCD
//! toc_length N                          the length in replies of READ TOC says so
//! mixed_tracks_0564                     reads of audio and data in one command end with 05/64/00
//! becoming_ready N                      the next N commands that need the disc end with 02/04/01 and a progress
//! no_medium [ASCQ]                      there is no disc
//! disc NAME [at LBA]                 another disc is put in, of the same name as for the program, which UNIT ATTENTION
//!                                   tells; or when this sector is read. It stays until the next such line
//! refuse OPCODE [KEY ASC ASCQ]          a command that is not there: 05/20/00
//! slow_command OPCODE MS [count N]      a command that takes so much longer
//! short BYTES [count N] [only OPCODE]   data-in that ends early, with status GOOD
//! unit_attention ASC ASCQ [count N]     once, if nothing else is said
//! deferred KEY ASC ASCQ [count N]       once, if nothing else is said
//! sense HEXBYTES [count N] [only OPCODE]  CHECK CONDITION with these bytes
//! busy [count N] [only OPCODE]          status BUSY; without a count, once
//! status STATUS [count N] [only OPCODE] any status, without sense; once, if nothing else is said
//! descriptor_sense                      sense data has descriptors
//! ```
//!
//! `unit_attention`, `deferred`, `sense`, `busy` and `status` come in the order of the lines, one for each command, and
//! never for INQUIRY, REQUEST SENSE, GET CONFIGURATION and GET EVENT STATUS NOTIFICATION.

use std::{fs, os::unix::fs::MetadataExt as _, path::PathBuf, time::Duration};

use crate::{disc::Disc, sense::Sense, words::Words};

/// How often something happens.
pub(crate) type Count = u32;

/// Something that a sector has.
#[derive(Debug)]
pub(crate) struct At {
    pub(crate) lba: i32,
    pub(crate) left: Count,
    pub(crate) what: Trouble,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Unreadable(u8, u8),
    Recovered,
    Slow(Duration),
    C2 { first: u32, bytes: u32, wrong: bool },
}

/// An end that commands come to one after the other.
#[derive(Debug)]
pub(crate) struct Queued {
    pub(crate) left: Count,
    pub(crate) only: Option<u8>,
    pub(crate) status: u8,
    pub(crate) sense: Answered,
}

#[derive(Clone, Debug)]
pub(crate) enum Answered {
    Nothing,
    Known(Sense),
    Bytes(Vec<u8>),
}

/// What happens to one kind of command.
#[derive(Debug)]
pub(crate) struct Slow {
    pub(crate) opcode: u8,
    pub(crate) delay: Duration,
    pub(crate) left: Count,
}

#[derive(Debug)]
pub(crate) struct Short {
    pub(crate) bytes: usize,
    pub(crate) only: Option<u8>,
    pub(crate) left: Count,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoC2 {
    /// Zeros fill what was asked for.
    Filled,
    Short,
}

/// All faults that are armed.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) sectors: Vec<At>,
    pub(crate) queue: Vec<Queued>,
    pub(crate) slow: Vec<Slow>,
    pub(crate) short: Vec<Short>,
    pub(crate) refused: Vec<(u8, Sense)>,
    pub(crate) no_c2: Option<NoC2>,
    pub(crate) no_c2_claim: bool,
    pub(crate) c2_size: Option<usize>,
    pub(crate) sub_first: bool,
    pub(crate) c2_shift: i32,
    pub(crate) block_error_first: bool,
    pub(crate) binary_q: bool,
    pub(crate) no_q_crc: bool,
    pub(crate) bcd_toc: bool,
    pub(crate) toc_length: Option<u16>,
    pub(crate) mixed_tracks: bool,
    /// How many commands come before the disc is ready, and how many of them have come.
    pub(crate) becoming_ready: (Count, Count),
    pub(crate) no_medium: Option<u8>,
    pub(crate) descriptors: bool,
    /// The disc that comes next, and at which sector.
    pub(crate) disc: Option<(Disc, Option<i32>)>,
    /// The file is wrong; nothing works until it is right.
    pub(crate) mistake: Option<String>,
}

/// The file.
pub(crate) struct Control {
    path: PathBuf,
    seen: Option<(u64, i64, i64, u64)>,
    pub(crate) faults: Faults,
}

impl Control {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            seen: None,
            faults: Faults::default(),
        }
    }

    /// Reads the file if it is another than last time.
    pub(crate) fn look(&mut self) {
        let now = fs::metadata(&self.path)
            .ok()
            .map(|data| (data.ino(), data.mtime(), data.mtime_nsec(), data.size()));
        if now == self.seen {
            return;
        }
        self.seen = now;
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        self.faults = Faults::parse(&text).unwrap_or_else(|mistake| {
            eprintln!("mmc_drive: {}: {mistake}", self.path.display());
            Faults {
                mistake: Some(mistake),
                ..Faults::default()
            }
        });
    }
}

/// Counts down; whether it happens this time.
pub(crate) fn happens(left: &mut Count) -> bool {
    let now = *left > 0;
    if now && *left != Count::MAX {
        *left -= 1;
    }
    now
}

impl Faults {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut faults = Self::default();
        for line in text.lines() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = Words::new(line);
            faults
                .add(&mut words)
                .and_then(|()| words.end())
                .map_err(|error| format!("{line}: {error}"))?;
        }
        Ok(faults)
    }

    fn add(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let name = words.next()?;
        match name {
            "medium_error" => {
                let lba = words.number()?;
                let code = (words.key_hex("asc", 0x11)?, words.key_hex("ascq", 5)?);
                self.sector(lba, words, Trouble::Unreadable(code.0, code.1))?;
            }
            "recovered" => {
                let lba = words.number()?;
                self.sector(lba, words, Trouble::Recovered)?;
            }
            "slow" => {
                let lba = words.number()?;
                let delay = words.milliseconds()?;
                self.sector(lba, words, Trouble::Slow(delay))?;
            }
            "c2" => {
                let lba = words.number()?;
                let trouble = Trouble::C2 {
                    first: words.number()?,
                    bytes: words.number()?,
                    wrong: words.flag("wrong"),
                };
                self.sector(lba, words, trouble)?;
            }
            "no_c2_bytes" => {
                let short = words.flag("short");
                self.no_c2 = Some(if short { NoC2::Short } else { NoC2::Filled });
            }
            "no_c2_claim" => self.no_c2_claim = true,
            "c2_size" => self.c2_size = Some(words.number()?),
            "c2_order" => {
                self.sub_first = words.flag("sub_first");
            }
            "c2_shift" => self.c2_shift = words.number()?,
            "block_error_first" => self.block_error_first = true,
            "binary_q" => self.binary_q = true,
            "no_q_crc" => self.no_q_crc = true,
            "bcd_toc" => self.bcd_toc = true,
            "toc_length" => self.toc_length = Some(words.number()?),
            "mixed_tracks_0564" => self.mixed_tracks = true,
            "becoming_ready" => self.becoming_ready = (words.number()?, 0),
            "no_medium" => self.no_medium = Some(words.hex_or(0)?),
            "disc" => {
                let at = words.key("at")?.map(|mut words| words.number());
                self.disc = Some((Disc::named(words.next()?)?, at.transpose()?));
            }
            "descriptor_sense" => self.descriptors = true,
            "refuse" => {
                let opcode = words.hex()?;
                let sense = if words.words.is_empty() {
                    Sense::INVALID_OPCODE
                } else {
                    words.sense()?
                };
                self.refused.push((opcode, sense));
            }
            "slow_command" => self.slow.push(Slow {
                opcode: words.hex()?,
                delay: words.milliseconds()?,
                left: words.count(Count::MAX)?,
            }),
            "short" => self.short.push(Short {
                bytes: words.number()?,
                left: words.count(Count::MAX)?,
                only: words.only()?,
            }),
            _ => self.add_to_queue(name, words)?,
        }
        Ok(())
    }

    fn add_to_queue(&mut self, name: &str, words: &mut Words<'_>) -> Result<(), String> {
        let (status, sense) = match name {
            "unit_attention" => {
                let sense = Sense::new(6, words.hex()?, words.hex()?);
                (2, Answered::Known(sense))
            }
            "deferred" => {
                let mut sense = words.sense()?;
                sense.deferred = true;
                (2, Answered::Known(sense))
            }
            "sense" => (2, Answered::Bytes(words.bytes()?)),
            "busy" => (8, Answered::Nothing),
            "status" => (words.hex()?, Answered::Nothing),
            _ => return Err("no fault; tests/mmc_drive/faults.rs lists them".to_owned()),
        };
        self.queue.push(Queued {
            left: words.count(1)?,
            only: words.only()?,
            status,
            sense,
        });
        Ok(())
    }

    fn sector(&mut self, lba: i32, words: &mut Words<'_>, what: Trouble) -> Result<(), String> {
        let left = words.count(Count::MAX)?;
        self.sectors.push(At { lba, left, what });
        Ok(())
    }

    /// The end that lies before a command, if any.
    pub(crate) fn next(&mut self, opcode: u8) -> Option<&Queued> {
        self.queue.retain(|queued| queued.left > 0);
        let fits = |queued: &&mut Queued| queued.only.is_none_or(|only| only == opcode);
        let queued = self.queue.iter_mut().find(fits)?;
        happens(&mut queued.left).then_some(&*queued)
    }
}
