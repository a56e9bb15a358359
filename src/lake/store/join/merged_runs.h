/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Runs of several agents that were found to be one run (run_match.h): for each part the id of the
 * run it belongs to. What an agent reports of a part is stored under that run's id. The table is in
 * memory, filled from the store and kept by the one thread that writes; it holds the latest
 * MERGED_RUNS_MAX parts, as no more records come for older ones.
 */
#define MERGED_RUNS_MAX 1000000

struct merged_runs;

struct merged_runs *merged_runs_new(void);         /* NULL: no memory */
void merged_runs_free(struct merged_runs *merged); /* NULL is fine */

/* Adds what the store holds. Where the table is full, a further part is left out. -ENOMEM. */
int merged_runs_add(struct merged_runs *merged, const char *part_id, const char *run_id);
/* Adds what was found now: parts of part_id become parts of run_id, too. Errors as above. */
int merged_runs_join(struct merged_runs *merged, const char *part_id, const char *run_id);
/* The id under which a run's records are stored: run_id itself (this pointer) where it is no part
 * of another. Valid until the table is changed. */
const char *merged_runs_find(const struct merged_runs *merged, const char *run_id);
