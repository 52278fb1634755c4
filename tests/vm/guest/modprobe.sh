#!/bin/sh
# busybox's modprobe, except for -r: that fails in busybox when something the module needed stays in use, which is
# always so for the SCSI modules. A module that is still held for a moment (a probe that runs) gets two seconds.
# busybox's shell takes its own modprobe whatever PATH says: shell scripts call this one by its full path.
[ "$1" = -r ] || exec busybox modprobe "$@"
shift
for module in "$@"; do
    # The kernel's changer driver holds the host adapter for as long as it has a changer.
    if [ "$module" = scsi_debug ]; then
        for changer in /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/scsi_changer; do
            [ -d "$changer" ] && echo 1 >"${changer%/*}/delete"
        done
    fi
    tries=0
    while [ -d "/sys/module/$(echo "$module" | tr - _)" ] && ! rmmod "$module" 2>/dev/null; do
        tries=$((tries + 1))
        if [ $tries -ge 20 ]; then
            rmmod "$module" || exit 1
        fi
        usleep 100000
    done
done
