//! Features: what was set comes back.

use passthru::{
    NvmeErrorKind, NvmeTransportExt,
    nvme::{
        StatusCode,
        features::{
            Capabilities, DataFeature as _, DwordFeature, ErrorRecovery, FeatureId, GetFeature,
            InterruptCoalescing, NumberOfQueues, Select, SetFeature, TemperatureThreshold,
            Timestamp, VolatileWriteCache,
        },
    },
};

use super::support::{drive, failure, number, status};
use crate::lab::kernel;

fn get(command: GetFeature) -> u32 {
    drive("PTPLAIN").execute(&command).unwrap().dword0()
}

fn set(command: &SetFeature) {
    drive("PTPLAIN").execute(command).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_threshold_comes_back_and_is_put_back() {
    for under in [false, true] {
        let ask = TemperatureThreshold::get_of(0, under);
        let before = TemperatureThreshold::from_dword(get(ask)).kelvin();
        let kelvin = if under { 280 } else { 340 };
        set(&TemperatureThreshold::new(kelvin).under(under).set());
        let now = TemperatureThreshold::from_dword(get(ask)).kelvin();
        set(&TemperatureThreshold::new(before).under(under).set());
        assert_eq!(now, kelvin);
        let after = TemperatureThreshold::from_dword(get(ask)).kelvin();
        assert_eq!(after, before);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_write_cache_is_turned_off_and_on() {
    let enabled = || VolatileWriteCache::from_dword(get(VolatileWriteCache::get())).is_enabled();
    assert!(enabled());
    set(&VolatileWriteCache::new(false).set());
    let off = enabled();
    set(&VolatileWriteCache::new(true).set());
    assert!(!off && enabled());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_feature_of_a_namespace_is_that_namespaces() {
    let drive = drive("PTSUB");
    let of = |nsid| {
        let ask = ErrorRecovery::get().namespace(number(nsid));
        let completion = drive.execute(&ask).unwrap();
        ErrorRecovery::from_dword(completion.dword0())
    };
    let before = [1, 2].map(of);
    let changed = before[0].deallocated_is_error(!before[0].is_deallocated_error());
    drive.execute(&changed.set().namespace(number(1))).unwrap();
    let now = [1, 2].map(of);
    drive
        .execute(&before[0].set().namespace(number(1)))
        .unwrap();
    assert_eq!(now, [changed, before[1]]);
    assert_eq!([1, 2].map(of), before);
    let nobody = drive.execute(&ErrorRecovery::get().namespace(number(99)));
    assert!(nobody.is_err());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_clock_goes_on() {
    let drive = drive("PTPLAIN");
    let then = 1_700_000_000_000;
    drive
        .write(&Timestamp::set(), &Timestamp::new(then).to_bytes())
        .unwrap();
    let first = drive.query(&Timestamp::get()).unwrap();
    let second = drive.query(&Timestamp::get()).unwrap();
    assert!(first.was_set());
    assert!((then..then + 60_000).contains(&first.milliseconds()));
    assert!(second.milliseconds() >= first.milliseconds());
    for len in [0, 7, 9, 4096] {
        let error = failure(drive.write(&Timestamp::set(), &vec![0; len]));
        assert!(matches!(error.kind(), NvmeErrorKind::Length(_)), "{error}");
        assert!(!error.was_sent());
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn features_say_what_can_be_done_with_them() {
    let ask = |id| {
        let get = GetFeature::new(id).namespace(number(1));
        get.select(Select::Supported)
    };
    let of = |id| Capabilities::from_dword(get(ask(id)));
    let cache = of(FeatureId::VOLATILE_WRITE_CACHE);
    assert!(cache.is_changeable() && !cache.is_saveable() && !cache.is_by_namespace());
    assert!(of(FeatureId::ERROR_RECOVERY).is_by_namespace());
    assert!(!of(FeatureId::ARBITRATION).is_changeable());
    // None can be saved.
    let save = VolatileWriteCache::new(true).set().save(true);
    let saved = drive("PTPLAIN").execute(&save);
    assert_eq!(status(saved), StatusCode::FEATURE_NOT_SAVEABLE);
    let coalescing = InterruptCoalescing::default().set();
    let unchangeable = drive("PTPLAIN").execute(&coalescing);
    assert_eq!(status(unchangeable), StatusCode::FEATURE_NOT_CHANGEABLE);
}

/// The kernel's own: from 6.2 on nobody else sets it.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_number_of_queues_is_the_kernels() {
    let drive = drive("PTPLAIN");
    let queues = NumberOfQueues::from_dword(get(NumberOfQueues::get()));
    let error = failure(drive.execute(&queues.set()));
    if kernel() == "6.1" {
        let status = error.status().unwrap().status_code();
        assert_eq!(status, StatusCode::COMMAND_SEQUENCE_ERROR);
    } else {
        let refused = matches!(error.kind(), NvmeErrorKind::NotPermitted { .. });
        assert!(refused && !error.was_sent(), "{error}");
        assert!(error.to_string().contains("refused to everybody"));
    }
    assert_eq!(
        NumberOfQueues::from_dword(get(NumberOfQueues::get())),
        queues
    );
}
