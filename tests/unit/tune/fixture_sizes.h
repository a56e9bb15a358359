/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/size/size.h"

#define GB   1e9
#define HOUR 3.6e12

/*
 * Tasks, one a line: run, attempt, end (ok, oom, late, bad, run, lost), input in GB ("-": unknown),
 * memory peak in GB, and what may follow: req=GB, cpus=N, used=CPUs, h=HOURS, name=TASK, step=NAME.
 */
/* Their sizes, which the caller clears; at most 64 tasks. The texts are valid until the next call.
 */
struct sizes size_of(const char *text);
