/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * What engines tell of their runs (told_runs, told_tasks of proto/signal.proto), read from the
 * messages that they send: only what names runs and tasks is taken, masked. Parameters,
 * configuration, scripts and environments stay out. Pure: text in, a batch out.
 */
#define TOLD_ID_MAX      128   /* bytes; longer ones are refused */
#define TOLD_NAME_MAX    1024  /* longer texts are cut */
#define TOLD_COMMAND_MAX 32768 /* longer ones are left out: cut, they would match nothing */
#define TOLD_OUTPUTS_MAX 64    /* of a job; more are left out */
#define TOLD_TASKS_MAX   1000  /* of a message; more are refused */

struct told {
	Signal__Batch *batch; /* owned; without its header */
	bool failed;          /* memory ran out: told_end says so */
};

void told_init(struct told *told);
void told_clear(struct told *told);
/* -ENOMEM with words where anything failed, or rc. */
int told_end(const struct told *told, int rc, struct error *err);

/* New records of the run with this id; NULL: told->failed. They belong to told. */
Signal__ToldRun *told_run(struct told *told, const char *told_id, const char *said_by,
			  const char *engine);
Signal__ToldTask *told_task(struct told *told, const char *told_id, const char *said_by);

/* Sets a field to a text, masked as a name or path, cut at TOLD_NAME_MAX. What is no text (or NULL)
 * leaves it empty. */
void told_set(struct told *told, char **field, const json_t *value);
void told_set_text(struct told *told, char **field, const char *text);
/* A command of a shell, masked as agents mask it. */
void told_set_command(struct told *told, char **field, const char *text);
/* Adds one to a task's outputs. */
void told_add_output(struct told *told, Signal__ToldTask *task, const char *path);

/* Reads a message. -EPROTO with words: it is no JSON object. json_decref it. */
int told_read(const char *bytes, size_t len, json_t **ret, struct error *err);
/* A member that must be there: an id of 1 to TOLD_ID_MAX bytes (a number becomes its digits).
 * -EPROTO with words. */
int told_id(const json_t *object, const char *key, char id[TOLD_ID_MAX + 1], struct error *err);
/* ns since the epoch of milliseconds, or of RFC 3339 text, with or without seconds; 0: neither. */
int64_t told_time(const json_t *value);

/* The messages, one file each. told_id is of a path (Tower), an answer (Snakemake). */
int told_from_weblog(struct told *told, const char *bytes, size_t len, struct error *err);
int told_from_tower(struct told *told, const char *told_id, const char *bytes, size_t len,
		    struct error *err);
/* The told_id of the run that such a message is about ("/trace/create"). */
int told_tower_id(const char *bytes, size_t len, char told_id[TOLD_ID_MAX + 1], struct error *err);
/* form: the body of a POST, application/x-www-form-urlencoded. */
int told_from_wms(struct told *told, const char *form, size_t len, struct error *err);
/* The same of "/create_workflow"; told_id is the id that the server gave. */
int told_from_wms_create(struct told *told, const char *told_id, const char *name, int64_t now_at,
			 const char *form, size_t len, struct error *err);

/* What Weblog and Tower share: the run by session and name, its workflow, a task's trace. */
void told_nextflow_id(const char *session, const char *name, char told_id[TOLD_ID_MAX + 1]);
void told_nextflow_workflow(struct told *told, Signal__ToldRun *run, const json_t *workflow);
int told_nextflow_task(struct told *told, const char *told_id, const char *said_by,
		       const json_t *trace, struct error *err);
