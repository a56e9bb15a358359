/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A program that does nothing: what one call costs by itself, as kernel.bpf_stats_enabled counts
 * it. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

SEC("tp_btf/sched_process_fork")
int bench_empty(void *context)
{
	return 0;
}
