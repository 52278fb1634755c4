//! What `--help` says of the keys of `--json`. None is renamed or removed; new
//! ones may come. A test compares them with what is printed.

macro_rules! keys {
    ($keys:literal) => {
        concat!(
            "Keys of --json (null: the device does not say). Fields have the names that nvme-cli\n\
             gives them, mostly those of the specification. Numbers are numbers as they are in\n\
             the structure, and never have separators; counters that need more than 64 bits are\n\
             strings in decimal. Strings are without the blanks around them.\n",
            $keys,
            "\nA failure: path, error: an object of kind, message and outcome. kind is status,
  malformed (by the device), cancelled (by its timeout or a reset), no_path, os,
  not_found, open_denied, not_permitted, in_use, wrong_node, partition, read_only,
  too_large, unsupported, gone, file, length or other. outcome is null or an object of
  status (the 15 bits of the status field), status_name, sct, sc, crd, more, dnr, result.
Usage errors (exit code 1) print no object."
        )
    };
}

pub(crate) const LIST: &str = keys!(
    "  controllers  array of name, node, model, serial, firmware, transport, address, state
  namespaces   array of node, generic, nsid, model, serial, firmware, size (bytes),
               block_size (bytes, without metadata), controllers (array of names)"
);

pub(crate) const ID_CTRL: &str = keys!(
    "  path    the device as given
  vid, ssvid, sn, mn, fr, rab, ieee, cmic, mdts, cntlid, ver, rtd3r, rtd3e, oaes,
  ctratt, rrls, bpcap, nssl, plsi, cntrltype, fguid, crdt1, crdt2, crdt3, crcap, nvmsr,
  vwci, mec, oacs, acl, aerl, frmw, lpa, elpe, npss, avscc, apsta, wctemp, cctemp, mtfa,
  hmpre, hmmin, tnvmcap, unvmcap, rpmbs, edstt, dsto, fwug, kas, hctma, mntmt, mxtmt,
  sanicap, hmminds, hmmaxd, nsetidmax, endgidmax, anatt, anacap, anagrpmax, nanagrpid,
  pels, domainid, kpioc, mptfawr, megcap, tmpthha, cqt, sqes, cqes, maxcmd, nn, oncs,
  fuses, fna, vwc, awun, awupf, icsvscc, nwpc, acwu, ocfs, sgls, mnan, maxdna, maxcna,
  oaqd, rhiri, hirt, cmmrtd, nmmrtd, minmrtg, maxmrtg, trattr, mcudmq, mnsudmq, mcmr,
  nmcmr, mcdqpc, subnqn, ioccsz, iorcsz, icdoff, fcatt, msdbd, ofcs, dctype
  psds    array of max_power, flags (the byte with max_power_scale and
          non-operational_state), max_power_scale, non-operational_state, entry_lat, exit_lat,
          read_tput, read_lat, write_tput, write_lat, idle_power, idle_scale,
          active_power, active_power_work, active_scale, emerg_power_fail_recover_time,
          emerg_power_fail_recover_scale, force_quiesce_vault_time,
          force_quiesce_vault_scale, emerg_power_fail_vault_time,
          emerg_power_fail_vault_scale
  vs      the vendor's 1024 bytes in hex; null if they are zero"
);

pub(crate) const ID_NS: &str = keys!(
    "  path, nsid
  nsze, ncap, nuse, nsfeat, nlbaf, flbas, mc, dpc, dps, nmic, rescap, fpi, dlfeat,
  nawun, nawupf, nacwu, nabsn, nabo, nabspf, noiob, nvmcap, npwg, npwa, npdg, npda,
  nows, mssrl, mcl, msrc, kpios, nulbaf, kpiodaag, anagrpid, nsattr, nvmsetid, endgid
  nguid, eui64  in hex
  lbafs   array of lbaf (its index), ms, ds, rp, in_use (0 or 1)
  vs      the vendor's 3712 bytes in hex; null if they are zero"
);

pub(crate) const NS_DESCS: &str = keys!(
    "  path, nsid
  ns-descs  array of loc (its offset), nidt, nidl, type (eui64, nguid, uuid, csi,
            other), nid (a UUID in its usual form, others in hex)"
);

pub(crate) const SMART: &str = keys!(
    "  path
  critical_warning, temperature (kelvin), avail_spare, spare_thresh, percent_used,
  endurance_grp_critical_warning_summary, data_units_read, data_units_written,
  host_read_commands, host_write_commands, controller_busy_time, power_cycles,
  power_on_hours, unsafe_shutdowns, media_errors, num_err_log_entries,
  warning_temp_time, critical_comp_time
  temperature_sensor_1, temperature_sensor_2, temperature_sensor_3,
  temperature_sensor_4, temperature_sensor_5, temperature_sensor_6,
  temperature_sensor_7, temperature_sensor_8  kelvin; null: no such sensor
  thm_temp1_trans_count, thm_temp2_trans_count, thm_temp1_total_time,
  thm_temp2_total_time"
);

pub(crate) const ERROR_LOG: &str = keys!(
    "  path
  errors  array of the entries in use, the last error first: error_count, sqid, cmdid,
          status_field (15 bits), phase_tag, parm_error_location, lba, nsid, vs, trtype,
          csi, opcode, cs, trtype_spec_info, lpver"
);

pub(crate) const FW_LOG: &str = keys!(
    "  path
  afi, frs1, frs2, frs3, frs4, frs5, frs6, frs7 (null: the slot is empty)"
);

pub(crate) const EFFECTS: &str = keys!(
    "  path
  csi     the command set
  acs, iocs  objects for admin and I/O commands: the opcode in decimal to the effects,
          for those that have any"
);

pub(crate) const FEATURES: &str = keys!(
    "  path
  sel       current, default, saved, supported
  nsid      null: asked of the controller
  features  array of fid, name, value (dword 0 of the completion), data (in hex; null:
            the feature has none), and status: 0, or the status field with which the
            controller refused it; value and data are null then"
);

pub(crate) const GET_LOG: &str = keys!(
    "  path, lid, name, nsid, lsp, lsi, offset, csi, uuid, len
  data    in hex; null with --output"
);

pub(crate) const READ: &str = keys!(
    "  path, nsid, slba, blocks
  block_size     bytes of data in a block, with what is interleaved
  metadata_size  bytes of separate metadata of a block
  data, metadata  in hex; null with --output and --metadata-file, and for none"
);

pub(crate) const WRITE: &str = keys!(
    "  path, nsid, slba, blocks, block_size, metadata_size
  written   blocks that the controller took; of those behind them, if there is an
            error, some may have been written too
  error     beside the others, if a command failed"
);

pub(crate) const ZONES: &str = keys!(
    "  path, nsid
  nr_zones   zones from --slba on, whether they are listed or not
  zone_list  array of slba, wp (null: has none), cap, state, state_name, type, attrs, ai"
);

pub(crate) const ADMIN_RAW: &str = keys!(
    "  path, opcode
  status, status_name  how it ended, 0 for success
  result  the result of the completion, 64 bits
  data    what came in, in hex; null with --output, without --data-len, on failure
  error   beside the others, if the status is not 0"
);

/// The exit codes, which are those of all examples.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  good
  1  the arguments make no sense; nothing was sent
  2  the controller ended the command with a status that is not 0, or its answer
     is not what was asked for
  3  the command was cancelled by its timeout or by a reset, or there is no path
  4  the system refused: no such node, no permission, not let through read-only,
     namespace in use, device gone, output not written";
