/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/figures_decode.h"

#include "probe/decode/network_decode.h"
#include "probe/decode/wall_decode.h"

uint64_t figures_resident_pages(const struct process_consumed *consumed)
{
	return consumed->pages[MEMORY_FILE] + consumed->pages[MEMORY_ANON] +
	       consumed->pages[MEMORY_SHMEM];
}

void figures_decode(struct probe_figures *ret, const struct process_consumed *consumed,
		    unsigned page_shift)
{
	const struct process_counts *counts = &consumed->counts;
	unsigned __int128 ticks = (unsigned __int128)counts->user_ticks + counts->kernel_ticks;
	unsigned __int128 user = (unsigned __int128)counts->cpu_ns * counts->user_ticks;

	*ret = (struct probe_figures){
		.user_ns = ticks ? (uint64_t)(user / ticks) : counts->cpu_ns,
		.runnable_ns = counts->runnable_ns,
		.disk_ns = counts->waits_ns[WAIT_DISK],
		.paging_ns = counts->waits_ns[WAIT_PAGING],
		.network_ns = counts->waits_ns[WAIT_NETWORK],
		.pipe_read_ns = counts->waits_ns[WAIT_PIPE_READ],
		.pipe_write_ns = counts->waits_ns[WAIT_PIPE_WRITE],
		.lock_ns = counts->waits_ns[WAIT_LOCK],
		.child_ns = counts->waits_ns[WAIT_CHILD],
		.sleep_ns = counts->waits_ns[WAIT_SLEEP],
		.poll_ns = counts->waits_ns[WAIT_POLL],
		.other_ns = counts->waits_ns[WAIT_OTHER],
		.threads_ns = counts->threads_ns,
		.disk_shared_ns = counts->disk_shared_ns,
		.disk_fuse_ns = counts->disk_fuse_ns,
		.poll_network_ns = consumed->woken_ns[WAIT_WOKE_NETWORK - 1],
		.poll_pipe_ns = consumed->woken_ns[WAIT_WOKE_PIPE - 1],
		.poll_timer_ns = consumed->woken_ns[WAIT_WOKE_TIMER - 1],
		.minor_faults = counts->minor_faults,
		.major_faults = counts->major_faults,
		.ctx_voluntary = counts->ctx_voluntary,
		.ctx_involuntary = counts->ctx_involuntary,
		.read_chars_bytes = counts->read_chars_bytes,
		.write_chars_bytes = counts->write_chars_bytes,
		.disk_read_bytes = counts->disk_read_bytes,
		.disk_write_bytes = counts->disk_write_bytes,
		.rss_bytes = figures_resident_pages(consumed) << page_shift,
		.rss_anon_bytes = consumed->pages[MEMORY_ANON] << page_shift,
		.rss_file_bytes = consumed->pages[MEMORY_FILE] << page_shift,
		.rss_shmem_bytes = consumed->pages[MEMORY_SHMEM] << page_shift,
		.swap_bytes = consumed->pages[MEMORY_SWAP] << page_shift,
		.files_opened = consumed->files_opened,
		.files_failed = consumed->files_failed,
		.rss_peak_bytes = consumed->peak_pages << page_shift,
		.threads = consumed->threads,
		.threads_peak = consumed->threads_peak,
		.peak_exact = consumed->peak_exact,
		.baseline_known = consumed->base_known,
	};
	ret->kernel_ns = counts->cpu_ns - ret->user_ns;
	network_decode_figures(ret, &consumed->network);
	wall_decode(ret, consumed);
}
