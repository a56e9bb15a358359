/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

/*
 * Programs that give jobs to a scheduler: sbatch, qsub …
 */
struct command;
struct engine;

/* Whether a command of this engine gives a job to a scheduler. With a scheduler other than Slurm
 * only a task's own folder identifies its job: false for engines without such folders. */
bool submit_is_client(const struct engine *engine, const struct command *command);
/* The name of the job: Slurm names it after the script, the last argument. NULL: unknown, the
 * command line sets another name. Points into the command. */
const char *submit_job_name(const struct command *command);
