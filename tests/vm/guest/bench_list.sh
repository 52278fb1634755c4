# The machine's drives and 1024 simulated ones, listed by each program in turn. Lines are `units NUMBER`, and
# `list NAME nanoseconds` or `list NAME failed: reason`. The variable `repetitions` comes from the caller.
set -e
modprobe scsi_debug fake_rw=1 delay=0 dev_size_mb=8 num_tgts=4 max_luns=256
for tries in $(seq 600); do
    [ "$(ls -d /sys/class/scsi_generic/sg* | wc -l)" -gt 1024 ] && [ "$(ls -d /sys/block/sd* | wc -l)" -gt 1024 ] && break
    usleep 100000
done

# busybox has a program of that name, which its shell would prefer.
lsscsi=/usr/bin/lsscsi

# Programs that list something else cannot be compared.
units=$(ls /sys/class/scsi_device | wc -l)
for program in "list --scsi" "$lsscsi -g --no-nvme"; do
    listed=$($program | grep -c /dev/sg || true)
    [ "$listed" = "$units" ] || { echo "there are $units units; $program lists $listed" >&2; exit 1; }
done
[ "$(list --json --scsi | grep -o '"sg": "/dev' | wc -l)" = "$units" ] || { echo "list --json lists others" >&2; exit 1; }
echo "units $units"

for repetition in $(seq "$repetitions"); do
    guest_time "list list" list
    guest_time "list list --json" list --json
    guest_time "list list --long" list --long
    guest_time "list lsscsi" $lsscsi
    guest_time "list lsscsi -g" $lsscsi -g
    guest_time "list lsscsi -t" $lsscsi -t
done
