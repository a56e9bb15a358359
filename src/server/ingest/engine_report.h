/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * What workflow engines report about their runs, as a batch of told_runs and told_tasks
 * (proto/signal.proto). Only the names of runs and tasks are taken from the messages of an engine,
 * masked; parameters, configuration, scripts and environments are left out. Pure: text in, a batch
 * out.
 */
#define ENGINE_REPORT_ID_MAX   128  /* bytes; longer ones are refused */
#define ENGINE_REPORT_NAME_MAX 1024 /* longer texts are cut */
#define ENGINE_REPORT_COMMAND_MAX \
	32768                          /* longer ones are left out: cut, they would match nothing */
#define ENGINE_REPORT_OUTPUTS_MAX 64   /* of a job; more are left out */
#define ENGINE_REPORT_TASKS_MAX   1000 /* of a message; more are refused */

struct engine_report {
	Signal__Batch *batch; /* owned; without its header */
	bool failed;          /* memory ran out: told_end says so */
};

void engine_report_init(struct engine_report *report);
void engine_report_clear(struct engine_report *report);
/* -ENOMEM with words where anything failed, or rc. */
int engine_report_end(const struct engine_report *report, int rc, struct error *err);

/* New records of the run with this id; NULL: report->failed. They belong to the report. */
Signal__ToldRun *engine_report_run(struct engine_report *report, const char *told_id,
				   const char *said_by, const char *engine);
Signal__ToldTask *engine_report_task(struct engine_report *report, const char *told_id,
				     const char *said_by);

/* Sets a field to a text, masked as a name or path, cut at ENGINE_REPORT_NAME_MAX. What is no text
 * (or NULL) leaves it empty. */
void engine_report_set(struct engine_report *report, char **field, const json_t *value);
void engine_report_set_text(struct engine_report *report, char **field, const char *text);
/* A command of a shell, masked as agents mask it. */
void engine_report_set_command(struct engine_report *report, char **field, const char *text);
/* Adds one to a task's outputs. */
void engine_report_add_output(struct engine_report *report, Signal__ToldTask *task,
			      const char *path);

/* Reads a message. -EPROTO with words: it is no JSON object. json_decref it. */
int engine_report_read(const char *bytes, size_t len, json_t **ret, struct error *err);
/* A member that must be there: an id of 1 to ENGINE_REPORT_ID_MAX bytes (a number becomes its
 * digits). -EPROTO with words. */
int engine_report_id(const json_t *object, const char *key, char id[ENGINE_REPORT_ID_MAX + 1],
		     struct error *err);
/* ns since the epoch of milliseconds, or of RFC 3339 text, with or without seconds; 0: neither. */
int64_t engine_report_time(const json_t *value);

/* The messages, one file each. told_id is of a path (Tower), an answer (Snakemake). */
int engine_report_from_weblog(struct engine_report *report, const char *bytes, size_t len,
			      struct error *err);
int engine_report_from_tower(struct engine_report *report, const char *told_id, const char *bytes,
			     size_t len, struct error *err);
/* The told_id of the run that such a message is about ("/trace/create"). */
int engine_report_tower_id(const char *bytes, size_t len, char told_id[ENGINE_REPORT_ID_MAX + 1],
			   struct error *err);
/* form: the body of a POST, application/x-www-form-urlencoded. */
int engine_report_from_wms(struct engine_report *report, const char *form, size_t len,
			   struct error *err);
/* The same of "/create_workflow"; told_id is the id that the server gave. */
int engine_report_from_wms_create(struct engine_report *report, const char *told_id,
				  const char *name, int64_t now_at, const char *form, size_t len,
				  struct error *err);

/* What Weblog and Tower share: the run by session and name, its workflow, a task's trace. */
void engine_report_nextflow_id(const char *session, const char *name,
			       char told_id[ENGINE_REPORT_ID_MAX + 1]);
void engine_report_nextflow_workflow(struct engine_report *report, Signal__ToldRun *run,
				     const json_t *workflow);
int engine_report_nextflow_task(struct engine_report *report, const char *told_id,
				const char *said_by, const json_t *trace, struct error *err);
