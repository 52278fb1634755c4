# Reads of 4096 bytes through an io_uring ring, at places chosen by chance, on a controller inside the kernel: in C
# (ring_loop), through the crate (bench_ring) and by fio. The variables `part` and `repetitions` come from the caller:
#   part=count  under -icount; lines are `SECTION NAME nanoseconds`, for each read
#   part=time   by the clock; lines are `SECTION NAME reads-per-second`
# A program that fails has a line `SECTION NAME failed: reason`.
set -e
. /job/nvme_loop.sh
controller=$(nvme_loop_start 4096)
device=$(ls -d /dev/ng"${controller#/dev/nvme}"n*)

# Section, name, and a program that prints a figure.
row() {
    section=$1 name=$2
    shift 2
    if value=$("$@" 2>/tmp/error) && [ -n "$value" ]; then
        echo "$section $name $value"
    else
        echo "$section $name failed: $(head -n 1 /tmp/error)"
    fi
}

# Node, reads, reads in flight, reads in a batch, further options. With registered memory and file, and without a map of
# what was read already, which the others have not either. Prints nanoseconds for each.
by_fio() {
    node=$1 count=$2 depth=$3 batch=$4
    shift 4
    fio --name=ring --thread --output=/tmp/fio.json --output-format=json --filename="$node" \
        --ioengine=io_uring_cmd --cmd_type=nvme --rw=randread --norandommap --bs=4k --io_size=$((count * 4096)) \
        --iodepth="$depth" --iodepth_batch_submit="$batch" \
        --iodepth_batch_complete_min="$batch" --iodepth_batch_complete_max="$depth" \
        --fixedbufs=1 --registerfiles=1 "$@" >&2 || return 1
    # The first are those of `read`; `runtime` is in milliseconds.
    awk -v count="$count" '
        $1 == "\"runtime\"" && !time { time = $3 + 0 }
        $1 == "\"total_ios\"" && !done { done = $3 + 0 }
        END { if (!time || done != count) exit 1; printf "%.0f\n", time * 1e6 / done }
    ' /tmp/fio.json
}

per_second() {
    nanoseconds=$("$@") && awk -v each="$nanoseconds" 'BEGIN { printf "%.0f\n", 1e9 / each }'
}

counted() {
    for repetition in $(seq "$repetitions"); do
        for pair in "c ring_loop" "rust bench_ring"; do
            set -- $pair
            row b1 "$1" "$2" "$device" 20000
            row b1-fixed "$1" "$2" "$device" 20000 --fixed
            row b16 "$1" "$2" "$device" 50000 --depth 16 --batch 16
            row b16-fixed "$1" "$2" "$device" 50000 --depth 16 --batch 16 --fixed
        done
        row b1 fio by_fio "$device" 20000 1 1 --fixedbufs=0
        row b1-fixed fio by_fio "$device" 20000 1 1
        row b16 fio by_fio "$device" 50000 16 16 --fixedbufs=0
        row b16-fixed fio by_fio "$device" 50000 16 16
        # Without what it measures of each read.
        row b16-fixed "fio, no clocks" by_fio "$device" 50000 16 16 --gtod_reduce=1
    done
    bench_lookup 1000000 2>/tmp/error || echo "lookup failed: $(head -n 1 /tmp/error)"
}

# Section and node. Each side reads for about three seconds; the two that are compared follow one another at once. Then, to
# be shown, the same without registered memory.
timed() {
    each=$(ring_loop "$2" 20000 --depth 64 --batch 32 --fixed)
    count=$((3000000000 / each))
    for repetition in $(seq "$repetitions"); do
        row "$1" rust per_second bench_ring "$2" $count --depth 64 --batch 32 --fixed
        row "$1" fio per_second by_fio "$2" $count 64 32
    done
    row "$1" c per_second ring_loop "$2" $count --depth 64 --batch 32 --fixed
    row "$1" "rust, not registered" per_second bench_ring "$2" $count --depth 64 --batch 32
    row "$1" "fio, not registered" per_second by_fio "$2" $count 64 32 --fixedbufs=0
    row "$1" "c, not registered" per_second ring_loop "$2" $count --depth 64 --batch 32
}

case $part in
    count) counted ;;
    time)
        timed iops "$device"
        repetitions=3
        # QEMU's plain drive.
        timed iops-qemu /dev/ng0n1
        ;;
esac
