#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Processes with a known wall time: exact_wall.sh FOLDER ROUNDS
#
# FOLDER has the drivers that were compiled. Prints their lines, each after the name of its driver: NAME PID CLASS NANOSECONDS.
folder=$1 rounds=$2 drivers=$(dirname "$0")/drivers/wall

# drive NAME COMMAND…
drive() {
	name=$1
	shift
	"$@" | sed "s/^/$name /"
}

for _ in $(seq "$rounds"); do
	drive parallel "$folder/parallel"
	drive pipe "$folder/pipe_of_three"
	drive jvm java -cp "$folder" JvmChild
	drive child python3 "$drivers/python_waits.py" child
	drive ticker python3 "$drivers/python_waits.py" ticker
done
