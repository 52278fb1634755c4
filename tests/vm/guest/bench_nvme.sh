# Identify Controller through the crate and in C, on a controller inside the kernel; then whole programs: the example
# `nvme` (here pt_nvme) beside nvme-cli. Lines are `SECTION NAME nanoseconds`. The variable `repetitions` comes from the
# caller.
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
