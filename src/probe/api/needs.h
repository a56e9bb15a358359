/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* One thing that the probe needs of the kernel or the user; `tracer doctor` prints a line for
 * each. */
struct probe_need {
	const char *what; /* "root or CAP_BPF + CAP_PERFMON", "kernel BTF",
			     "tp_btf/sched_process_exit", "bpffs" … */
	bool met, required;
	char detail[160]; /* what was found */
	const char *cure; /* what to do; "" where met */
};
/* Fills up to cap needs and returns how many. It changes nothing. */
size_t probe_needs(struct probe_need *needs, size_t cap);
