# An NVMe controller inside the kernel: nvme-loop, with null_blk behind it. A command to it ends without QEMU, so under
# -icount its cost repeats. Needs kernel 6.12: Debian's 6.1 is built without nvme-loop. A script sources this file:
#   . /job/nvme_loop.sh
#   device=$(nvme_loop_start 4096) || exit 1

nvme_loop_target=/sys/kernel/config/nvmet

# Makes the controller, with blocks of $1 bytes (4096), and prints its node, /dev/nvmeX. Its serial number is PTLOOP.
nvme_loop_start() {
    if ! modprobe nvme-loop 2>/dev/null; then
        echo "nvme_loop: kernel $(uname -r) has no nvme-loop" >&2
        return 1
    fi
    modprobe null_blk nr_devices=1 gb=1 bs="${1:-4096}" queue_mode=2 irqmode=0 memory_backed=0 || return 1
    subsystem=$nvme_loop_target/subsystems/ptloop
    mkdir "$subsystem" "$subsystem/namespaces/1" "$nvme_loop_target/ports/1" &&
        echo 1 >"$subsystem/attr_allow_any_host" &&
        echo PTLOOP >"$subsystem/attr_serial" &&
        echo /dev/nullb0 >"$subsystem/namespaces/1/device_path" &&
        echo 1 >"$subsystem/namespaces/1/enable" &&
        echo loop >"$nvme_loop_target/ports/1/addr_trtype" &&
        ln -s "$subsystem" "$nvme_loop_target/ports/1/subsystems/ptloop" || return 1
    uuid=5f1d5d1e-2b0a-4d0e-9d35-3a6f0a1c2e71
    echo "transport=loop,nqn=ptloop,hostnqn=nqn.2014-08.org.nvmexpress:uuid:$uuid,hostid=$uuid,queue_size=128" \
        >/dev/nvme-fabrics || return 1
    for tries in $(seq 100); do
        controller=$(nvme_loop_controller)
        # The namespace's node appears a little later than its controller's.
        if [ -n "$controller" ] && ls /dev/ng"${controller#nvme}"n* >/dev/null 2>&1; then
            echo "/dev/$controller"
            return 0
        fi
        usleep 50000
    done
    echo "nvme_loop: no namespace appeared" >&2
    return 1
}

# Removes it.
nvme_loop_stop() {
    controller=$(nvme_loop_controller)
    [ -z "$controller" ] || echo 1 >"/sys/class/nvme/$controller/delete_controller"
    rm "$nvme_loop_target/ports/1/subsystems/ptloop" &&
        echo 0 >"$nvme_loop_target/subsystems/ptloop/namespaces/1/enable" &&
        rmdir "$nvme_loop_target/ports/1" "$nvme_loop_target/subsystems/ptloop/namespaces/1" \
            "$nvme_loop_target/subsystems/ptloop" &&
        /sbin/modprobe -r null_blk
}

nvme_loop_controller() {
    for serial in /sys/class/nvme/*/serial; do
        if [ "$(tr -d ' ' <"$serial")" = PTLOOP ]; then
            serial=${serial%/serial}
            echo "${serial##*/}"
        fi
    done
}
