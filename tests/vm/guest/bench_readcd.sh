# A disc read and scanned for C2 errors, by the example readcd and by readom in turn, from the test drive. Lines are
# `SECTION NAME nanoseconds`, and the same headed by `user-` for the time outside the kernel. The variables `repetitions`,
# `data` and `audio` (sectors of the two discs) come from the caller.
set -e

# The emulator translates a program's code anew for each address that it is at: always the same one.
echo 0 >/proc/sys/kernel/randomize_va_space

# What readcd reads at once, for readom as well.
transfer=64k

# Starts a drive with a disc of one track and waits for its node.
insert() {
    echo "track $1 $2" >"/tmp/$1.disc"
    mkfifo "/tmp/$1.end"
    mmc_drive --disc "/tmp/$1.disc" "/tmp/$1" <"/tmp/$1.end" >"/tmp/$1.nodes" &
    exec 9>"/tmp/$1.end"
    tries=0
    until grep -q sg= "/tmp/$1.nodes"; do
        tries=$((tries + 1))
        [ $tries -lt 200 ] || { echo "the drive did not come" >&2; exit 1; }
        usleep 50000
    done
    node=$(sed 's/^sg=\([^ ]*\) .*/\1/' "/tmp/$1.nodes")
    block=$(sed 's/.* sr=\([^ ]*\) .*/\1/' "/tmp/$1.nodes")
}

eject() {
    exec 9>&-
    wait
}

insert data "$data"
for repetition in $(seq "$repetitions"); do
    rm -f /tmp/readom.out /tmp/readcd.out
    guest_time -u "read readom" readom "dev=$node" ts=$transfer f=/tmp/readom.out
    guest_time -u "read readcd" readcd "$node" --output /tmp/readcd.out
    cmp /tmp/readom.out /tmp/readcd.out
    rm /tmp/readcd.out
    guest_time -u "read readcd, sr node" readcd "$block" --output /tmp/readcd.out
    cmp /tmp/readom.out /tmp/readcd.out
    [ "$(stat -c %s /tmp/readcd.out)" = $((data * 2048)) ]
done
rm -f /tmp/readom.out /tmp/readcd.out
eject

insert audio "$audio"
# In every 500th sector some bytes are wrong.
for sector in $(seq 50 500 $((audio - 1))); do echo "c2 $sector 27 10"; done >/tmp/audio/new
mv /tmp/audio/new /tmp/audio/faults
for repetition in $(seq "$repetitions"); do
    guest_time -u "scan readom" readom "dev=$node" ts=$transfer -c2scan
    cp /tmp/guest_time.out /tmp/readom.out
    guest_time -u "scan readcd, sr node" readcd "$block" --c2scan --json
    guest_time -u "scan readcd" readcd "$node" --c2scan --json
    grep -q "C2 errors total: $((audio / 50)) bytes in $((audio / 500)) sectors" /tmp/readom.out
    grep -q "\"errors\": $((audio / 50))," /tmp/guest_time.out
done
eject
