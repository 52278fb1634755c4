# Both sides of the bench in turn, several times, for 128 blocks and for one. Lines are `BLOCKS c MODE nanoseconds` and
# `BLOCKS rust NAME nanoseconds`.
set -e
modprobe scsi_debug fake_rw=1 delay=0 dev_size_mb=64 num_tgts=1 max_luns=1
device=
for tries in $(seq 100); do
    for model in /sys/class/scsi_generic/*/device/model; do
        if [ "$(cat "$model" | tr -d ' ')" = scsi_debug ]; then
            device=${model#/sys/class/scsi_generic/}
            device=/dev/${device%%/*}
        fi
    done
    [ -n "$device" ] && [ -e "$device" ] && break
    usleep 50000
done
[ -n "$device" ] || { echo "scsi_debug made no sg node" >&2; exit 1; }
count=2000
for blocks in 128 1; do
    for repetition in $(seq 5); do
        sync_read "$device" $count wr $blocks | sed "s/^/$blocks c /"
        bench_sync "$device" $count $blocks | sed "s/^/$blocks rust /"
        sync_read "$device" $count sgio $blocks | sed "s/^/$blocks c /"
    done
done
