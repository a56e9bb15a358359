/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Names of tasks by what their engine records of the files that they wrote (Snakemake's
 * .snakemake/metadata): a record stands under a file's path, as the engine calls it, in the working
 * directory, and is written after the task ended. Pure: who reads the records is
 * collect/attribution/rule_names.h.
 */
struct attribution;
struct task;
struct tree;

#define OUTPUT_LIMIT      64   /* files of one task that are remembered: the last ones */
#define OUTPUT_PATH_LIMIT 4096 /* bytes */
#define OUTPUT_DEPTH      4    /* folders above a file, which may be the output themselves */

struct output {
	uint64_t file_id;
	char *path;
	bool written;
};

/* A process at this place opened a file. path: NULL where it was told before. */
void output_names_note(const struct attribution *attribution, uint64_t file_id, const char *path,
		       bool writes);
void output_names_clear(struct task *task);
/* Whether the engine of the task at this place records its files, and did not name it otherwise. */
bool output_names_is_recorded(const struct attribution *attribution);
/* When that task ended, or, while it lives, began: its records are not older. */
int64_t output_names_since(const struct attribution *attribution);
/* The path, in the working directory, of a record that may name the task: number `index`, from 0.
 * false: there are no more. `ret` may be "" (of this number there is none). */
bool output_names_record(const struct attribution *attribution, size_t index,
			 char ret[OUTPUT_PATH_LIMIT]);
/* The record names the task. */
void output_names_apply(struct tree *tree, const struct attribution *attribution, const char *step);
/* No record names it, nor will one: it is called as tasks of its run are that do the same. */
void output_names_infer(struct tree *tree, const struct attribution *attribution);
/* No more of this run's tasks are to be named. */
void output_names_close(const struct attribution *attribution);
bool output_names_run_is_over(const struct attribution *attribution);
