//! What is copied: how many bytes, in which pieces.

use passthru::OutOfRange;

use crate::{
    arguments::Cli,
    ends::{End, Kind, file_problem},
    problem::Problem,
    report::Notes,
    trouble::refused,
};

/// The length of a block where no device says one.
const DEFAULT_BLOCK: u32 = 512;

/// How many bytes a command moves where no device says less.
const DEFAULT_TRANSFER: usize = passthru::unit::DEFAULT_TRANSFER;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) block_length: u32,
    /// The first block of the source, and that of the targets.
    pub(crate) skip: u64,
    pub(crate) seek: u64,
    /// How many blocks a command moves.
    pub(crate) chunk_blocks: u32,
    /// How many bytes there are to copy; `None` until the stream ends.
    pub(crate) bytes: Option<u64>,
}

/// What one worker copies at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// How many blocks of the copy lie before it.
    pub(crate) first: u64,
    /// Whole blocks.
    pub(crate) blocks: u32,
    /// How many bytes of them there are: all, but for the end of a file.
    pub(crate) bytes: usize,
}

impl Plan {
    pub(crate) fn new(
        cli: &Cli,
        source: &End,
        targets: &[End],
        notes: &mut Notes,
    ) -> Result<Self, Problem> {
        let block_length = common_block_length(source, targets)?;
        let limit = std::iter::once(source)
            .chain(targets)
            .filter_map(|end| match &end.kind {
                Kind::Node(node) => Some(node.max_transfer),
                _ => None,
            })
            .fold(DEFAULT_TRANSFER, usize::min);
        let block = block_length as usize;
        let chunk = match cli.block_size {
            Some(bytes) if bytes % block != 0 => {
                return Err(Problem::usage(format!(
                    "--block-size {bytes} is no multiple of the block length, {block_length}"
                )));
            }
            Some(bytes) => bytes,
            None => (limit / block * block).max(block),
        };
        let mut plan = Self {
            block_length,
            skip: cli.skip,
            seek: cli.seek,
            chunk_blocks: u32::try_from(chunk / block).unwrap_or(u32::MAX),
            bytes: plan_bytes(cli, source, block_length)?,
        };
        for target in targets {
            plan.fit(cli, target, notes)?;
        }
        Ok(plan)
    }

    /// Whether the target has room for all of it.
    fn fit(&mut self, cli: &Cli, target: &End, notes: &mut Notes) -> Result<(), Problem> {
        let (Some(layout), Some(bytes)) = (target.layout(), self.bytes) else {
            return Ok(());
        };
        let blocks = bytes.div_ceil(self.block_length.into());
        let Err(OutOfRange { capacity, .. }) = layout.check(self.seek, blocks) else {
            return Ok(());
        };
        let room = capacity.saturating_sub(self.seek);
        let path = target.path.display();
        if !cli.force || room == 0 {
            return Err(refused(format!(
                "{path} has room for {room} blocks, and {blocks} are to be copied: give --count, \
                 or --force to copy what fits"
            )));
        }
        notes.add(format!("{path}: only {room} of {blocks} blocks fit"));
        self.bytes = Some(room * u64::from(self.block_length));
        Ok(())
    }

    pub(crate) const fn chunk_bytes(&self) -> usize {
        self.chunk_blocks as usize * self.block_length as usize
    }

    /// The piece with this number; `None` behind the last one.
    pub(crate) fn chunk(&self, index: u64) -> Option<Chunk> {
        let first = index.checked_mul(self.chunk_blocks.into())?;
        let start = first.checked_mul(self.block_length.into())?;
        let whole = self.chunk_bytes();
        let bytes = match self.bytes {
            None => whole,
            Some(end) => {
                let left = end.checked_sub(start).filter(|&left| left > 0)?;
                usize::try_from(left).unwrap_or(usize::MAX).min(whole)
            }
        };
        Some(Chunk {
            first,
            blocks: self.blocks_of(bytes),
            bytes,
        })
    }

    pub(crate) fn blocks_of(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(self.block_length as usize)).unwrap_or(u32::MAX)
    }
}

/// All devices have the same, or one of them cannot take what another gives.
fn common_block_length(source: &End, targets: &[End]) -> Result<u32, Problem> {
    let mut found: Option<(u32, &End)> = None;
    for end in std::iter::once(source).chain(targets) {
        let Some(layout) = end.layout() else { continue };
        let length = layout.block_length();
        match found {
            Some((other, first)) if other != length => {
                return Err(refused(format!(
                    "{} has blocks of {other} bytes and {} of {length}",
                    first.path.display(),
                    end.path.display(),
                )));
            }
            _ => found = Some((length, end)),
        }
    }
    Ok(found.map_or(DEFAULT_BLOCK, |(length, _)| length))
}

/// From `--count` and what the source has.
fn plan_bytes(cli: &Cli, source: &End, block_length: u32) -> Result<Option<u64>, Problem> {
    let block = u64::from(block_length);
    let too_many = || Problem::usage("--count or --skip is too large");
    let wanted = match cli.count {
        Some(blocks) => Some(blocks.checked_mul(block).ok_or_else(too_many)?),
        None => None,
    };
    let begin = cli.skip.checked_mul(block).ok_or_else(too_many)?;
    let there = match &source.kind {
        Kind::Stream(_) if cli.skip > 0 => {
            return Err(Problem::usage("--skip needs a source with addresses"));
        }
        Kind::Stream(_) => return Ok(wanted),
        Kind::Node(node) => node.layout.blocks().saturating_mul(block),
        Kind::File(file) => file
            .metadata()
            .map_err(|error| file_problem(&source.path, &error))?
            .len(),
    };
    let left = there.saturating_sub(begin);
    match wanted {
        Some(bytes) if bytes.div_ceil(block) > left.div_ceil(block) => Err(refused(format!(
            "{} has {} blocks, and {} from block {} on are to be copied",
            source.path.display(),
            there.div_ceil(block),
            bytes / block,
            cli.skip,
        ))),
        _ if left == 0 => Err(refused(format!(
            "{} has nothing from block {} on",
            source.path.display(),
            cli.skip,
        ))),
        Some(bytes) => Ok(Some(bytes.min(left))),
        None => Ok(Some(left)),
    }
}
