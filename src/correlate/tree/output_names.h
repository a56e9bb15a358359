/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Names tasks by the records that their engine keeps of the files they wrote (Snakemake:
 * .snakemake/metadata in the working directory). A record is found by the file's path as the engine
 * writes it, and is written after the task ended. Pure: collect/attribution/rule_names.h reads the
 * records.
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

/* A process opened a file. path: NULL where it was given before. */
void output_names_note(const struct attribution *attribution, uint64_t file_id, const char *path,
		       bool writes);
void output_names_clear(struct task *task);
/* Whether the engine of the task records files, and did not name the task otherwise. */
bool output_names_is_recorded(const struct attribution *attribution);
/* The time when the task ended, or began while it is live: its records are not older. */
int64_t output_names_since(const struct attribution *attribution);
/* The path, in the working directory, of a record that may name the task: number `index`, from 0.
 * false: there are no more. `ret` may be "" (of this number there is none). */
bool output_names_record(const struct attribution *attribution, size_t index,
			 char ret[OUTPUT_PATH_LIMIT]);
/* Names the task by its record. */
void output_names_apply(struct tree *tree, const struct attribution *attribution, const char *step);
/* No record will name the task: names it like the tasks of its run that do the same. */
void output_names_infer(struct tree *tree, const struct attribution *attribution);
/* Ends the naming of this run's tasks. */
void output_names_close(const struct attribution *attribution);
bool output_names_run_is_over(const struct attribution *attribution);
