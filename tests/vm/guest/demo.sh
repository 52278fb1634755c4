# Runs the examples on each SCSI node. The exit code is 1 if any of them failed that no drive has a reason to refuse.
failed=0

show() {
    command -v "$1" >/dev/null || return 0
    echo "\$ $*"
    "$@" 2>&1
    code=$?
    [ $code -eq 0 ] || echo "(exit code $code)"
    echo
    return $code
}

echo "Linux $(uname -r)"
echo
show list || failed=1
# Nodes in /dev/bsg without a colon are host adapters.
for node in /dev/sg* /dev/sd? /dev/sr? /dev/bsg/*:*; do
    [ -e "$node" ] || continue
    show inquiry "$node" || failed=1
    # Not every drive has VPD pages: QEMU's ATAPI drive answers each request with its standard data.
    show inquiry --all "$node"
    show raw "$node" 00 00 00 00 00 00 || failed=1
done
show inquiry --json /dev/sg0 || failed=1
exit $failed
