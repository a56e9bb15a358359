#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A recording of processes with known waits: recorder.sh RECORDER
set -eu
here=$(dirname "$(readlink -f "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# cat waits for the other end of a FIFO, the shell for sleep and cat. Its status is passed on.
cat > "$scratch/story.sh" <<'STORY'
mkfifo "$1"
cat "$1" &
sleep 0.01
until grep -q '^State:.S' /proc/$!/status; do sleep 0.01; done
: > "$1"
wait
exit 7
STORY
status=0
"$1" -o "$scratch/recording" -- sh "$scratch/story.sh" "$scratch/fifo" || status=$?
[ "$status" = 7 ] || { echo "recorder: exit status $status instead of that of the command"; exit 1; }
"$here/reference.py" "$scratch/recording" > "$scratch/images.json"
python3 - "$scratch/images.json" <<'CHECK'
import json
import sys

images = json.load(open(sys.argv[1]))
for comm, name in (("cat", "pipe_read"), ("sleep", "sleep"), ("sh", "child")):
    found = [image for image in images if image["comm"] == comm and image[f"wall_{name}_ns"] > 0 and image["wall_computing_ns"] > 0]
    assert found, f"no image of {comm} waited in {name}: {images}"
for image in images:
    states = sum(ns for name, ns in image.items() if name.startswith("wall_") and name != "wall_serial_ns")
    assert states == image["life_ns"], image
CHECK
