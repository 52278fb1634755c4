# Identify Controller through the crate and in C, on a controller inside the kernel; then whole programs: the examples
# `nvme` and `list` (here pt_nvme and pt_list) beside nvme-cli and lsscsi. Lines are `SECTION NAME nanoseconds`. The
# variable `repetitions` comes from the caller.
set -e
. /job/nvme_loop.sh
device=$(nvme_loop_start 4096)
for repetition in $(seq "$repetitions"); do
    echo "identify c $(identify_loop "$device" 1000)"
    echo "identify rust $(bench_nvme "$device" 1000)"
    guest_time "id-ctrl nvme-cli" nvme id-ctrl "$device" -o json
    guest_time "id-ctrl passthru" pt_nvme id-ctrl "$device" --json
    guest_time "smart nvme-cli" nvme smart-log "$device" -o json
    guest_time "smart passthru" pt_nvme smart "$device" --json
    guest_time "list nvme-cli" nvme list -o json
    guest_time "list passthru" pt_nvme list --json
done
modprobe scsi_debug fake_rw=1 delay=0 dev_size_mb=8 num_tgts=16 max_luns=64
for tries in $(seq 600); do
    [ "$(ls /sys/class/scsi_generic | wc -l)" -ge 1024 ] && [ "$(ls /dev/sg* | wc -l)" -ge 1024 ] && break
    usleep 100000
done
sleep 5
for repetition in $(seq "$repetitions"); do
    guest_time "units lsscsi -g" lsscsi -g
    guest_time "units passthru" pt_list --json
done
