/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

/*
 * The files in which an engine, a scheduler or a script keeps what a task wrote, by what the lake
 * knows of the task. Pure: the files may not exist.
 *
 * Nextflow: .command.err, .command.log and .command.out in the task's folder. Slurm: the file that
 * its job's script has as standard output, among the files of the task, or slurm-JOB.out in the
 * folder of the job. Snakemake: the log of the rule among the files of the task, and the engine's
 * .snakemake.log among those of no task. A script: a file with the name of a log that it wrote.
 */

#define LOG_PATHS_MAX 16

/* Paths, the one that is likely to have the reason first, each once; an array of texts, the
 * caller's (json_decref). run: of the document. task: one of its tasks; NULL: of the run itself.
 * files: those of the task, and of no task, in any order. */
json_t *log_paths_of(const json_t *run, const json_t *task, const json_t *files);
