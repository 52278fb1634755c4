# Runs the examples on each SCSI node. The exit code is 1 if any of them failed.
failed=0

try() {
    command -v "$1" >/dev/null || return
    echo "\$ $*"
    "$@" 2>&1
    code=$?
    if [ $code -ne 0 ]; then
        echo "(exit code $code)"
        failed=1
    fi
    echo
}

echo "Linux $(uname -r)"
echo
# Nodes in /dev/bsg without a colon are host adapters.
for node in /dev/sg* /dev/sd? /dev/sr? /dev/bsg/*:*; do
    [ -e "$node" ] || continue
    try inquiry "$node"
    try inquiry --all "$node"
    try raw "$node" 00 00 00 00 00 00
done
try inquiry --json /dev/sg0
exit $failed
