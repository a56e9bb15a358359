/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define NS_PER_S  1000000000LL
#define NS_PER_MS 1000000LL
#define NS_PER_US 1000LL

/* CLOCK_BOOTTIME, ns: the clock of start_ns and of every record from the kernel
 * (bpf_ktime_get_boot_ns). */
uint64_t clock_boot_ns(void);
/* CLOCK_REALTIME, ns since the Unix epoch. */
int64_t clock_real_ns(void);
/* CLOCK_MONOTONIC, ns: for waiting. */
uint64_t clock_monotonic_ns(void);
/* CLOCK_PROCESS_CPUTIME_ID, ns: CPU time of all threads of this process. */
uint64_t clock_process_cpu_ns(void);
/* CLOCK_REALTIME − CLOCK_BOOTTIME now, ns: real = boot + offset. Of several measurements the one
 * with the smallest error (< 1 µs, measured). */
int64_t clock_boot_offset_ns(void);

/* "2026-11-21T06:30:00.123456Z": RFC 3339, UTC, microseconds. Needs 28 bytes; returns text. ns ≤ 0
 * gives "". */
#define CLOCK_TEXT_SIZE 32
char *clock_format(int64_t real_ns, char text[CLOCK_TEXT_SIZE]);
