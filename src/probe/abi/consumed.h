/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

#include "probe/abi/network.h"
#include "probe/abi/process_state.h"
#include "probe/abi/wait.h"
#include "probe/abi/wall.h"

/* What an image consumed, in the records about it. */

/* Numbered as in the kernel (enum mm_counter). */
enum memory_kind { MEMORY_FILE, MEMORY_ANON, MEMORY_SWAP, MEMORY_SHMEM, MEMORY_KINDS };

/* The consumption of one image: totals less its base. */
struct process_consumed {
	struct process_counts counts;
	__u64 pages[MEMORY_KINDS]; /* resident now, and swapped out */
	__u64 peak_pages;
	__u32 threads, threads_peak;
	__u32 peak_exact, base_known;
	struct network_sums network; /* of the image: entries end with it, so there is no base */
	__u64 woken_ns[WAIT_WOKES - 1];
	__u32 files_opened, files_failed;
	__u64 wall_ns[WALL_FIGURES]; /* if WALL_COUNTED */
	__u32 wall;                  /* enum wall_source */
	__u32 unused;
};
