#!/bin/busybox sh
# The guest's first process: sets devices up, runs /job/run, says how it ended, and switches the machine off.
# What it prints itself goes to the console; the job's output goes to two ports of its own.

export PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -t tmpfs -o mode=0755 tmpfs /run
mount -t debugfs debugfs /sys/kernel/debug
mkdir -p /dev/shm /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t devpts devpts /dev/pts
ln -s /proc/self/fd /dev/fd
ln -s /proc/self/fd/0 /dev/stdin
ln -s /proc/self/fd/1 /dev/stdout
ln -s /proc/self/fd/2 /dev/stderr
ln -s /proc/mounts /etc/mtab

# Waits until all the given files are there; 30 seconds at most.
await() {
    for file in "$@"; do
        tries=0
        while [ ! -e "$file" ]; do
            tries=$((tries + 1))
            if [ $tries -gt 600 ]; then
                echo "init: $file did not appear"
                break
            fi
            usleep 50000
        done
    done
}

# modprobe as the kernel would call it, but silent about what is built in.
load() {
    for module in "$@"; do
        [ -d "/sys/module/$module" ] || modprobe "$module" 2>/dev/null || echo "init: no module $module"
    done
}

load virtio_pci virtio_console
await /sys/class/virtio-ports/vport0p1/name /sys/class/virtio-ports/vport0p2/name /sys/class/virtio-ports/vport0p3/name
for port in /sys/class/virtio-ports/*; do
    node=/dev/${port##*/}
    await "$node"
    case $(cat "$port/name") in
        stdout) exec 3>"$node" ;;
        stderr) exec 4>"$node" ;;
        status) exec 5>"$node" ;;
    esac
done

# One host adapter after the other, so that the nodes have the same names at each boot.
load configfs sd_mod sr_mod sg st ch ses
mount -t configfs configfs /sys/kernel/config
load virtio_scsi
await /dev/sda /dev/sr0 /dev/sg1
load ahci
await /dev/sr1 /dev/sg2
# The kernel would probe the NVMe drives side by side and number them as they come: bind them in the order of their slots.
echo 0 >/sys/bus/pci/drivers_autoprobe
load nvme
for device in /sys/bus/pci/devices/*; do
    [ "$(cat "$device/class")" = 0x010802 ] && echo "${device##*/}" >/sys/bus/pci/drivers/nvme/bind
done
echo 1 >/sys/bus/pci/drivers_autoprobe
await /dev/nvme0n1
load mptsas
await /sys/class/sas_host/host7
if [ -f /job/scsi_debug ]; then
    modprobe scsi_debug $(cat /job/scsi_debug)
    await /dev/sdb /dev/sg3
fi
# The other NVMe drives' namespaces, which the kernel looks for in the background.
tries=0
while [ "$(ls -d /dev/ng* | wc -l)" != "$(cat /job/nvme_nodes)" ]; do
    tries=$((tries + 1))
    if [ $tries -gt 600 ]; then
        echo "init: of $(cat /job/nvme_nodes) NVMe namespaces there are" /dev/ng*
        break
    fi
    usleep 50000
done

read -r uptime _ </proc/uptime
echo "start $uptime" >&5
sh /job/run </dev/null 1>&3 2>&4 3>&- 4>&- 5>&-
code=$?
echo "init: the job ended with $code"
echo "exit $code" >&5
poweroff -f
