#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
n=$(samtools view -c "$1")
samtools flagstat "$1" >"$1.$n"
[ ! -p count.end ] || read -r _ <count.end
