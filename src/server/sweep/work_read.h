/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sweep/sweep_work.h"

struct server;
struct store_rows;
struct sweep_hosts;

#define SWEEP_WORK_ROWS 3

/* The work of a sweep (sweep/sweep_work.h) as of an instant: tasks that run, steps that were done
 * again in settled runs of the last SWEEP_HOURS, folders that runs wrote. */
struct sweep_work {
	struct sweep_task *tasks;
	size_t task_count;
	struct sweep_repeat *repeats;
	size_t repeat_count;
	struct sweep_folder *folders;
	size_t folder_count;
	/* Texts are of these. */
	struct store_rows *rows[SWEEP_WORK_ROWS];
	size_t row_count;
};

/* hosts: as of the same instant, for prices. ret is zeroed. Errors as of query_named; -ENOMEM with
 * words. sweep_work_clear must follow, also on failure. */
int sweep_work_read(struct server *server, int64_t now_at, const struct sweep_hosts *hosts,
		    struct sweep_work *ret, struct error *err);
void sweep_work_clear(struct sweep_work *work);
