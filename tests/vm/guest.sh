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
tracer audit --track all --seconds 8 >/tmp/batches 2>/tmp/words &
sleep 5
(cd /tmp && ls -l /proc/self/ >/tmp/listing)
wait $!
status=$?
cat /tmp/batches
echo "AUDIT END"
cat /tmp/words
echo "GUEST: audit $status"
poweroff -f
