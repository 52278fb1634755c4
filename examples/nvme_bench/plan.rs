//! Which thread does what to which blocks.

/// A thread's part of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// Which device.
    pub(crate) device: usize,
    /// Which of the threads that have it this one is.
    pub(crate) part: u64,
    /// How many have it.
    pub(crate) parts: u64,
}

/// Deals devices out to threads: each device to its share of the threads, or, if
/// there are more devices than threads, to one thread each, in turn.
pub(crate) fn deal(threads: usize, devices: usize) -> Vec<Vec<Share>> {
    let mut hands = vec![Vec::new(); threads];
    let (each, mut more) = match threads.checked_div(devices) {
        None => return hands,
        Some(0) => (1, 0),
        Some(each) => (each, threads % devices),
    };
    let mut next = 0;
    for device in 0..devices {
        let parts = each + usize::from(more > 0);
        more = more.saturating_sub(1);
        for part in 0..parts {
            if let Some(hand) = hands.get_mut((next + part) % threads) {
                hand.push(Share {
                    device,
                    part: part as u64,
                    parts: parts as u64,
                });
            }
        }
        next += parts;
    }
    hands
}

/// How many of `count` commands thread number `thread` sends.
pub(crate) fn part_of(count: u64, thread: u64, threads: u64) -> u64 {
    count / threads.max(1) + u64::from(thread < count % threads.max(1))
}

/// Where the next command goes. The namespace is seen as places of as many blocks
/// as a command moves; what is left at its end is not used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    blocks: u32,
    order: Order,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    /// Any of `places`.
    Random { state: u64, places: u64 },
    /// From `begin` to before `end`, again and again.
    Rising { next: u64, begin: u64, end: u64 },
}

impl Places {
    /// Anywhere, by numbers that `seed` decides.
    pub(crate) fn random(size: u64, blocks: u32, seed: u64) -> Self {
        let order = Order::Random {
            state: seed,
            places: count(size, blocks),
        };
        Self { blocks, order }
    }

    /// One after the other, in a thread's part of the namespace.
    pub(crate) fn rising(size: u64, blocks: u32, share: &Share) -> Self {
        let places = count(size, blocks);
        let parts = share.parts.max(1);
        // In 128 bits: the product may be long.
        let at = |part: u64| {
            let at = u128::from(places) * u128::from(part) / u128::from(parts);
            u64::try_from(at).unwrap_or(places)
        };
        // Of less places than threads some have the same.
        let begin = at(share.part).min(places.saturating_sub(1));
        let end = at(share.part + 1).max(begin + 1);
        let order = Order::Rising {
            next: begin,
            begin,
            end,
        };
        Self { blocks, order }
    }

    /// The first block of the next command.
    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        let place = match &mut self.order {
            Order::Random { state, places } => {
                let number = u128::from(mixed(state)) * u128::from(*places);
                // Less than `places`, so it fits.
                u64::try_from(number >> 64).unwrap_or(0)
            }
            Order::Rising { next, begin, end } => {
                let place = *next;
                *next += 1;
                if *next >= *end {
                    *next = *begin;
                }
                place
            }
        };
        place * u64::from(self.blocks)
    }
}

fn count(size: u64, blocks: u32) -> u64 {
    size / u64::from(blocks.max(1))
}

/// The numbers of `SplitMix64`.
#[inline]
pub(crate) fn mixed(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
