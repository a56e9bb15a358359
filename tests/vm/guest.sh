#!/bin/sh
# What runs as init in the test machines: tracer watches an ls.
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
echo "GUEST: kernel $(cat /proc/sys/kernel/osrelease)"
tracer doctor
echo "GUEST: doctor $?"
echo "AUDIT BEGIN"
tracer audit --track all --seconds 100 >/tmp/batches 2>/tmp/words &
audit=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
	grep -q watching /tmp/words && break
	sleep 1
done
(cd /tmp && /bin/ls -l /proc/self/ >/tmp/listing)
sleep 2
kill -TERM $audit
wait $audit
status=$?
cat /tmp/batches
echo "AUDIT END"
cat /tmp/words
echo "GUEST: audit $status"
poweroff -f
