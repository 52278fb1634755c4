//! GET CONFIGURATION and GET EVENT STATUS NOTIFICATION.

use super::{Drive, Reply, allocated, be16};
use crate::{disc::packs, sense::Sense};

/// A feature: its code, version, whether it is persistent, whether it depends on a disc, and its data.
struct Feature {
    code: u16,
    version: u8,
    persistent: bool,
    needs_medium: bool,
    data: Vec<u8>,
}

impl Drive {
    fn features(&self) -> Vec<Feature> {
        let current = u8::from(self.no_medium().is_none());
        let c2 = u8::from(!self.control.faults.no_c2_claim) << 1;
        let text = u8::from(!packs(&self.disc).is_empty());
        let of = |code, version, persistent, needs_medium, data: &[u8]| Feature {
            code,
            version,
            persistent,
            needs_medium,
            data: data.to_vec(),
        };
        vec![
            // The profile CD-ROM.
            of(0x0000, 0, true, false, &[0, 8, current, 0]),
            // Core: ATAPI, INQ2 and DBE.
            of(0x0001, 2, true, false, &[0, 0, 0, 1, 3, 0, 0, 0]),
            of(0x0002, 1, true, false, &[2, 0, 0, 0]),
            // A tray, which can be opened and locked.
            of(0x0003, 2, true, false, &[0x29, 0, 0, 0]),
            // Blocks of 2048 bytes, 16 at once.
            of(0x0010, 0, false, true, &[0, 0, 8, 0, 0, 16, 1, 0]),
            // DAP, C2 and CD-TEXT.
            of(0x001e, 2, false, true, &[0x80 | c2 | text, 0, 0, 0]),
            of(0x0100, 0, true, false, &[]),
            of(0x0105, 1, true, false, &[0, 0, 0, 0]),
            // SET STREAMING and page 2Ah.
            of(0x0107, 4, false, true, &[0x06, 0, 0, 0]),
            of(0x0108, 0, true, false, b"PTMMC001"),
        ]
    }

    pub(super) fn get_configuration(&self, cdb: &[u8; 16]) -> Reply {
        let from = be16(cdb, 2);
        let medium = self.no_medium().is_none();
        let profile = if medium { 8 } else { 0 };
        let mut reply = vec![0, 0, 0, 0, 0, 0, 0, profile];
        for feature in self.features() {
            let current = feature.persistent || (feature.needs_medium && medium);
            let wanted = match cdb[1] & 3 {
                0 => feature.code >= from,
                1 => feature.code >= from && current,
                2 => feature.code == from,
                _ => return Err(Sense::invalid_field(1).into()),
            };
            if !wanted {
                continue;
            }
            reply.extend(feature.code.to_be_bytes());
            let persistent = u8::from(feature.persistent) << 1;
            reply.push(feature.version << 2 | persistent | u8::from(current));
            reply.push(feature.data.len() as u8);
            reply.extend(feature.data);
        }
        let len = (reply.len() - 4) as u32;
        reply[..4].copy_from_slice(&len.to_be_bytes());
        Ok(allocated(reply, cdb, 7))
    }

    /// Only the class "media" is there. An event is told once.
    pub(super) fn get_event_status(&mut self, cdb: &[u8; 16]) -> Reply {
        if cdb[1] & 1 == 0 {
            // Only polling.
            return Err(Sense::invalid_field(1).into());
        }
        const MEDIA: u8 = 0x10;
        if cdb[4] & MEDIA == 0 {
            return Ok(allocated(vec![0, 2, 0x80, MEDIA], cdb, 7));
        }
        let event = if std::mem::take(&mut self.new_medium_event) {
            2
        } else {
            0
        };
        let state = u8::from(self.tray_open) | u8::from(self.no_medium().is_none()) << 1;
        Ok(allocated(vec![0, 6, 4, MEDIA, event, state, 0, 0], cdb, 7))
    }
}
