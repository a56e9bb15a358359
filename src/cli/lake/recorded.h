/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/id.h"
#include "cli/command.h"

/* Recorded runs (signal/recording.h): reads their files and sends them to a lake. */

struct recorded_summary {
	char name[128], engine[64], status[32];
	int64_t recorded_at, started_at;
	uint64_t batches, missing_batches; /* missing: no longer kept when the run was recorded */
	size_t sent, duplicates;           /* batches sent to the lake, those that it already had */
	char run_id[160];                  /* the id of the run in this lake */
};

struct recorded_replay {
	/* Ids are made of this text and the id of the run: the same text gives the same run. */
	const char *salt;
	bool now;      /* move all times so that the run ended now */
	bool progress; /* print progress to stderr */
};

/* Reads a file. -errno, with a message that names the file. *ret is the caller's (free). */
int recorded_read(const char *path, char **ret, size_t *ret_len, struct error *err);
/* Sends a recording to the lake. A damaged recording is refused before anything is sent; other
 * errors can leave a part of the run in the lake. */
int recorded_replay(const struct common *common, const void *bytes, size_t len,
		    const struct recorded_replay *replay, struct recorded_summary *ret,
		    struct error *err);
/* Writes "demo (snakemake, succeeded), recorded on 2026-11-24" into text. Returns text. */
char *recorded_words(const struct recorded_summary *summary, char *text, size_t size);

/* The recording that is embedded in this program: what `tracer up --replay` shows. */
extern const unsigned char recorded_demo[];
extern const size_t recorded_demo_size;
