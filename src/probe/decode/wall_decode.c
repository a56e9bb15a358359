/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/wall_decode.h"

#include <string.h>

/* Takes so much of what is left of a life, or all that is left. */
static uint64_t part(uint64_t *left_ns, uint64_t ns)
{
	if (ns > *left_ns)
		ns = *left_ns;
	*left_ns -= ns;
	return ns;
}

/* The wall time of an image with one thread: it computes while its thread neither waits nor is
 * ready. If not all of its waits were seen, it computed no longer than its CPU time, and the rest
 * is unknown. The classes never exceed its life: since Linux 6.12 the kernel may count sleep as
 * runnable, too, and the threads of io_uring count there as well. */
static void of_thread(uint64_t ns[WALL_FIGURES], const struct process_consumed *consumed)
{
	const struct process_counts *counts = &consumed->counts;
	uint64_t left_ns = counts->threads_ns, computing_ns;

	for (unsigned i = 0; i < WAIT_STATES; i++)
		ns[WALL_WAITS + i] = part(&left_ns, counts->waits_ns[i]);
	ns[WALL_RUNNABLE] = part(&left_ns, counts->runnable_ns);
	computing_ns = left_ns;
	if (consumed->wall == WALL_OF_THREAD_PARTLY && computing_ns > counts->cpu_ns)
		computing_ns = counts->cpu_ns;
	ns[WALL_COMPUTING] = ns[WALL_SERIAL] = computing_ns;
}

void wall_decode(struct probe_figures *ret, const struct process_consumed *consumed)
{
	uint64_t ns[WALL_FIGURES] = { 0 };

	if (consumed->wall == WALL_COUNTED)
		memcpy(ns, consumed->wall_ns, sizeof(ns));
	else if (consumed->wall != WALL_UNKNOWN)
		of_thread(ns, consumed);
	ret->wall_computing_ns = ns[WALL_COMPUTING];
	ret->wall_serial_ns = ns[WALL_SERIAL];
	ret->wall_runnable_ns = ns[WALL_RUNNABLE];
	ret->wall_disk_ns = ns[WALL_WAITS + WAIT_DISK];
	ret->wall_paging_ns = ns[WALL_WAITS + WAIT_PAGING];
	ret->wall_network_ns = ns[WALL_WAITS + WAIT_NETWORK];
	ret->wall_pipe_read_ns = ns[WALL_WAITS + WAIT_PIPE_READ];
	ret->wall_pipe_write_ns = ns[WALL_WAITS + WAIT_PIPE_WRITE];
	ret->wall_lock_ns = ns[WALL_WAITS + WAIT_LOCK];
	ret->wall_child_ns = ns[WALL_WAITS + WAIT_CHILD];
	ret->wall_sleep_ns = ns[WALL_WAITS + WAIT_SLEEP];
	ret->wall_poll_ns = ns[WALL_WAITS + WAIT_POLL];
	ret->wall_other_ns = ns[WALL_WAITS + WAIT_OTHER];
}
