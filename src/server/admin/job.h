/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "lake/store/upkeep/upkeep.h"

struct journal;
struct store;

/*
 * Work on a lake as a whole that an administrator asked for. It runs in a lake that serves
 * (worker.h) or, where none runs, in the process of the command (job_command.c): the same code, and
 * the same report.
 */
#define JOB_TEXT_SIZE 256

struct job {
	char kind[16];           /* check, compact, backup, forget */
	char run[JOB_TEXT_SIZE]; /* of forget: exactly one of them; an id, a name */
	char user[JOB_TEXT_SIZE];
	char host[JOB_TEXT_SIZE];
	bool dry;
};

/* What came of it. */
struct job_result {
	struct buffer report; /* lines for people */
	bool faulty;          /* a check found something wrong */
	char *path;           /* of a backup: the file, to be moved by who asked for it */
};

void job_result_init(struct job_result *result);
void job_result_clear(struct job_result *result);

#define JOB_FOLDER_SIZE 48
/* What a folder is known by, whatever its path: "DEVICE:INODE". -errno: it is not there. */
int job_name_folder(const char *path, char name[JOB_FOLDER_SIZE]);

/* 0: the job can be run. -EINVAL with words. */
int job_check(const struct job *job, struct error *err);
/* Runs it to its end. journal: NULL where there is none. Errors with words. */
int job_run(const struct job *job, struct store *store, struct journal *journal,
	    const struct upkeep *upkeep, struct job_result *ret, struct error *err);
