#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# For exact.sh: disk.sh FOLDER DEVICE reads a file of that folder from its disk, which no other program reads. Prints the device, the
# reader's pid and, before and after, the kernel's account of the disk: reads and their ms (Documentation/block/stat.rst).
set -euo pipefail
folder=$1 device=$2

account() { awk '{ print $1, $4 }' "/sys/block/$device/stat"; }

dd if=/dev/zero of="$folder/disk" bs=1M count=60 status=none
sync "$folder/disk"
before=$(account)
dd if="$folder/disk" of=/dev/null bs=1M iflag=direct status=none &
wait $!
echo "$device $! $before $(account)"
rm "$folder/disk"
