/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/id.h"
#include "cli/command.h"

/* Recorded runs (signal/recording.h): files of them, and giving them to a lake. */

struct recorded_summary {
	char name[128], engine[64], status[32];
	int64_t recorded_at, started_at;
	uint64_t batches, missing_batches; /* missing: were no longer kept when it was recorded */
	size_t sent, duplicates;           /* to the lake: all, and those that it had */
	char run_id[160];                  /* by which the lake has the run now */
};

struct recorded_replay {
	/* Ids are made with this text and the run's own id: the same text gives the same run. */
	const char *salt;
	bool now;      /* moved so that it ended now; else its times stay */
	bool progress; /* said on stderr */
};

/* Reads a file. -errno with words that name it; *ret is free()d by the caller. */
int recorded_read(const char *path, char **ret, size_t *ret_len, struct error *err);
/* Gives a recording to the lake, all or (an error) a part of it; what is wrong with the bytes is
 * found before anything is sent. */
int recorded_replay(const struct common *common, const void *bytes, size_t len,
		    const struct recorded_replay *replay, struct recorded_summary *ret,
		    struct error *err);
/* "demo (snakemake, succeeded), recorded on 2026-11-24 10:00:00 UTC" */
char *recorded_words(const struct recorded_summary *summary, char *text, size_t size);

/* The run that is a part of this program. */
extern const unsigned char recorded_demo[];
extern const size_t recorded_demo_size;
