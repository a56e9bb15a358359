/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Names of tasks by what their engine records of the files that they wrote (Snakemake's
 * .snakemake/metadata): a record stands under a file's path, as the engine calls it, in the working
 * directory, and is written after the task ended. Pure: who reads the records is
 * collect/rule_names.h.
 */
struct place;
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
void output_note(const struct place *place, uint64_t file_id, const char *path, bool writes);
void output_clear(struct task *task);
/* Whether the engine of the task at this place records its files, and did not name it otherwise. */
bool output_is_recorded(const struct place *place);
/* When that task ended, or, while it lives, began: its records are not older. */
int64_t output_since(const struct place *place);
/* The path, in the working directory, of a record that may name the task: number `index`, from 0.
 * false: there are no more. `ret` may be "" (of this number there is none). */
bool output_record(const struct place *place, size_t index, char ret[OUTPUT_PATH_LIMIT]);
/* The record names the task. */
void output_name(struct tree *tree, const struct place *place, const char *step);
/* No record names it, nor will one: it is called as tasks of its run are that do the same. */
void output_infer(struct tree *tree, const struct place *place);
/* No more of this run's tasks are to be named. */
void output_close(const struct place *place);
bool output_run_is_over(const struct place *place);
