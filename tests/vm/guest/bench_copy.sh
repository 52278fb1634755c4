# 64 MiB from one simulated drive to others, in turn by each program, several times; then ways to read a block node.
# Lines are `SECTION NAME nanoseconds` or `SECTION NAME failed: reason`. Of a copy the section without `-whole` has what
# the program itself says that moving the data took, with everything opened before. The variables `repetitions` and
# `total` come from the caller.
set -e
modprobe scsi_debug fake_rw=1 delay=0 dev_size_mb=64 num_tgts=3 max_luns=1

# The sg nodes and the block nodes of the simulated drives, as $1 to $3 and $4 to $6.
nodes() {
    for model in $(ls -d /sys/class/scsi_generic/sg*/device/model | sort -V); do
        [ "$(tr -d ' ' <"$model")" = scsi_debug ] || continue
        case $1 in
            sg) name=${model#/sys/class/scsi_generic/} && echo "/dev/${name%%/*}" ;;
            block) for block in "${model%/model}"/block/*; do [ -d "$block" ] && echo "/dev/${block##*/}"; done ;;
        esac
    done
}
for tries in $(seq 100); do
    set -- $(nodes sg) $(nodes block)
    [ $# = 6 ] && [ -b "$6" ] && break
    usleep 50000
done
[ $# = 6 ] && [ -b "$6" ] || { echo "scsi_debug made other nodes than three sg and three block nodes: $*" >&2; exit 1; }
sg=$1 target_sg=$2 disk=$4 target=$5 second=$6

blocks=$((total / 512))

# What the last program says itself, in nanoseconds: copy, the programs of sg3-utils, dd, and the loops.
own() {
    awk '
        $1 == "\"seconds\":" { seconds = $2 + 0 }
        /^time to transfer data(:| was) / { sub(/^[a-z ]*:? /, ""); seconds = $1 + 0 }
        / copied, / { sub(/.* copied, /, ""); seconds = $1 + 0 }
        /^[0-9]+$/ { seconds = $1 / 1e9 }
        END { if (!seconds) exit 1; printf "%.0f\n", seconds * 1e9 }
    ' /tmp/guest_time.out
}

# Section, name, program and its arguments.
timed() {
    section=$1 name=$2
    shift 2
    line=$(guest_time "$section-whole $name" "$@")
    echo "$line"
    case $line in
        *" failed: "*) echo "$section $name failed: ${line#* failed: }" ;;
        *) echo "$section $name $(own)" ;;
    esac
}

# What the peers do, for commands of $3 bytes: sgm_dd, sg_dd, sgp_dd.
peer() {
    section=$1 name=$2 bytes=$3 program=$4
    shift 4
    timed "$section" "$name" "$program" time=1 if="$sg" of="$target_sg" bs=512 bpt=$((bytes / 512)) count=$blocks "$@"
}

# The example `copy`: section, name, bytes, workers, targets.
copy_to() {
    section=$1 name=$2 bytes=$3 workers=$4
    shift 4
    targets=
    for of in "$@"; do targets="$targets --of $of"; done
    timed "$section" "$name" copy --if "$sg" $targets --block-size "$bytes" --workers "$workers" --no-progress --json
}

# dd finds nothing in the page cache and leaves nothing in it.
cold_dd() {
    section=$1 name=$2 bytes=$3
    shift 3
    sync
    echo 3 >/proc/sys/vm/drop_caches
    timed "$section" "$name" dd.coreutils if="$disk" of="$target" bs="$bytes" count=$((total / bytes)) "$@"
}

# Programs that wait for nothing: section, bytes.
copies() {
    copy_to "$1" "copy" "$2" 1 "$target"
    copy_to "$1" "copy, 2 targets" "$2" 1 "$target" "$second"
    timed "$1" "c loop" copy_loop "$sg" "$target" "$2" "$total" 1
    timed "$1" "c loop, 2 targets" copy_loop "$sg" "$target,$second" "$2" "$total" 1
    timed "$1" "rust loop" bench_copy "$sg" "$target" "$2" "$total" 1
    timed "$1" "rust loop, 2 targets" bench_copy "$sg" "$target,$second" "$2" "$total" 1
    peer "$1" "sgm_dd" "$2" sgm_dd
    peer "$1" "sg_dd" "$2" sg_dd
    peer "$1" "sgp_dd, 4 threads" "$2" sgp_dd thr=4
    echo 1 >/sys/module/sg/parameters/allow_dio
    peer "$1" "sgm_dd dio" "$2" sgm_dd oflag=dio
    peer "$1" "sg_dd dio" "$2" sg_dd iflag=dio oflag=dio
    echo 0 >/sys/module/sg/parameters/allow_dio
    cold_dd "$1" "dd buffered" "$2" conv=fsync
    cold_dd "$1" "dd direct" "$2" iflag=direct oflag=direct
}

# Drives that take 100 microseconds for a command: section, bytes.
slow_copies() {
    copy_to "$1" "copy, 4 workers" "$2" 4 "$target"
    copy_to "$1" "copy, 1 worker" "$2" 1 "$target"
    timed "$1" "c loop, 4 workers" copy_loop "$sg" "$target" "$2" "$total" 4
    timed "$1" "rust loop, 4 workers" bench_copy "$sg" "$target" "$2" "$total" 4
    peer "$1" "sgm_dd" "$2" sgm_dd
    peer "$1" "sgp_dd, 4 threads" "$2" sgp_dd thr=4
}

reads() {
    sync
    echo 3 >/proc/sys/vm/drop_caches
    guest_time "read buffered" read_loop "$disk" buffered 65536 "$total"
    sync
    echo 3 >/proc/sys/vm/drop_caches
    guest_time "read O_DIRECT" read_loop "$disk" direct 65536 "$total"
    guest_time "read SG_IO, odd" read_loop "$disk" odd 65536 "$total"
    guest_time "read SG_IO, 8 bytes off" read_loop "$disk" eight 65536 "$total"
    guest_time "read SG_IO aligned" read_loop "$disk" aligned 65536 "$total"
    guest_time "read passthru" bench_copy "$disk" - 65536 "$total" 1
    guest_time "lock one buffer" read_loop "$disk" aligned 65536 "$total"
    guest_time "lock one, MAP_LOCKED" read_loop "$disk" locked 65536 "$total"
    guest_time "lock new each time" read_loop "$disk" each 65536 "$total"
    guest_time "lock new, MAP_LOCKED" read_loop "$disk" each-locked 65536 "$total"
}

for repetition in $(seq "$repetitions"); do
    copies 64k 65536
    copies 256k 262144
    reads
done
echo 100000 >/sys/bus/pseudo/drivers/scsi_debug/ndelay
for repetition in $(seq "$repetitions"); do
    slow_copies slow-64k 65536
    slow_copies slow-256k 262144
done
