/* SPDX-License-Identifier: Apache-2.0 */
#include "server/admin/job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "server/ingest/journal.h"
#include "server/query/query.h"

void job_result_init(struct job_result *result)
{
	*result = (struct job_result){ 0 };
	buffer_init(&result->report, 0);
}

void job_result_clear(struct job_result *result)
{
	buffer_clear(&result->report);
	free(result->path);
	result->path = NULL;
}

/* What a job works with. */
struct job_run {
	const struct job *job;
	struct store *store;
	struct journal *journal;
	const struct upkeep *upkeep;
	struct job_result *result;
};

static int run_check(struct job_run *run, struct error *err)
{
	size_t faults = 0;
	int rc = upkeep_check(run->store, run->upkeep, &run->result->report, &faults, err);

	if (rc)
		return rc;
	run->result->faulty = faults > 0;
	if (faults)
		buffer_printf(
			&run->result->report,
			"%zu faults. Of files of the archive: as the line says. Of all else: stop "
			"the lake, keep its folder, and restore the last backup (tracer-lake "
			"restore FILE)\n",
			faults);
	else
		buffer_append_text(&run->result->report, "the store is sound\n");
	return 0;
}

static int run_compact(struct job_run *run, struct error *err)
{
	struct upkeep_sizes sizes = { 0 };
	int rc = upkeep_compact(run->store, run->upkeep, &sizes, err);

	if (!rc)
		buffer_printf(&run->result->report,
			      "the store took %" PRIu64 " bytes and takes %" PRIu64 "\n",
			      sizes.before_bytes, sizes.after_bytes);
	return rc;
}

static int run_backup(struct job_run *run, struct error *err)
{
	return upkeep_backup(run->store, run->upkeep, &run->result->path, err);
}

/* The id of the run that a person means. */
static int find_run(struct job_run *run, char id[JOB_TEXT_SIZE], struct error *err)
{
	const struct store_param params[] = { PARAM_TEXT("run", run->job->run),
					      { .name = "reader", .type = STORE_NULL } };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = store_query(run->store, "resolve", params, 2, &rows, err);

	if (rc)
		return rc;
	if (!store_next(rows))
		return error_set(err, -ENOENT, "there is no run %s: tracer runs lists them",
				 run->job->run);
	snprintf(id, JOB_TEXT_SIZE, "%s", store_text(rows, 0));
	if (store_next(rows))
		return error_set(err, -ENOTUNIQ,
				 "%s is the start of several runs: give the whole id",
				 run->job->run);
	return 0;
}

/* The id of a host, by its id or name. */
static int find_host(struct job_run *run, char id[JOB_TEXT_SIZE], struct error *err)
{
	const struct store_param params[] = { { .name = "host", .type = STORE_NULL } };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	size_t found = 0;
	int rc = store_query(run->store, "hosts", params, 1, &rows, err);

	while (!rc && store_next(rows)) {
		const char *host = store_text(rows, (size_t)store_column(rows, "id"));
		const char *name = store_text(rows, (size_t)store_column(rows, "hostname"));

		if (strcmp(host, run->job->host) != 0 && strcmp(name, run->job->host) != 0)
			continue;
		snprintf(id, JOB_TEXT_SIZE, "%s", host);
		found++;
	}
	if (!rc && !found)
		rc = error_set(err, -ENOENT, "there is no host %s: tracer status lists them",
			       run->job->host);
	if (!rc && found > 1)
		rc = error_set(err, -ENOTUNIQ, "several hosts are called %s: give the id",
			       run->job->host);
	return rc;
}

static int find_subject(struct job_run *run, char id[JOB_TEXT_SIZE], struct upkeep_subject *subject,
			struct error *err)
{
	int rc = 0;

	if (*run->job->run) {
		subject->run = id;
		rc = find_run(run, id, err);
	} else if (*run->job->host) {
		subject->host = id;
		rc = find_host(run, id, err);
	} else {
		subject->user = run->job->user;
	}
	return rc;
}

/* The journal has batches of all runs of a host in one file: it goes as a whole. */
static int forget_journal(struct job_run *run, const struct upkeep_counts *counts,
			  struct error *err)
{
	uint64_t bytes = 0;
	int rc = run->journal && counts->rows ? journal_empty(run->journal, &bytes, err) : 0;

	if (!rc && bytes)
		buffer_printf(&run->result->report,
			      "the kept batches (%" PRIu64 " bytes) are removed: runs of before "
			      "cannot be recorded any more\n",
			      bytes);
	return rc;
}

static int run_forget(struct job_run *run, struct error *err)
{
	struct upkeep_subject subject = { 0 };
	struct upkeep_counts counts = { 0 };
	char id[JOB_TEXT_SIZE] = "";
	int rc = find_subject(run, id, &subject, err);

	if (!rc)
		rc = upkeep_forget(run->store, &subject, run->job->dry, &counts, err);
	if (rc)
		return rc;
	buffer_printf(&run->result->report,
		      "%s%" PRIu64 " rows of %" PRIu64 " runs, and %" PRIu64
		      " entries of the ledger\n",
		      run->job->dry ? "would forget " : "forgot ", counts.rows, counts.runs,
		      counts.batches);
	if (run->job->dry)
		return 0;
	if (counts.rows)
		buffer_append_text(&run->result->report,
				   "tracer-lake compact overwrites what they took in the file\n");
	return forget_journal(run, &counts, err);
}

static const struct {
	const char *kind;
	int (*run)(struct job_run *run, struct error *err);
} KINDS[] = {
	{ "check", run_check },
	{ "compact", run_compact },
	{ "backup", run_backup },
	{ "forget", run_forget },
};
#define KINDS_COUNT (sizeof(KINDS) / sizeof(KINDS[0]))

int job_name_folder(const char *path, char name[JOB_FOLDER_SIZE])
{
	struct stat info;

	if (stat(path, &info) < 0)
		return -errno;
	snprintf(name, JOB_FOLDER_SIZE, "%ju:%ju", (uintmax_t)info.st_dev, (uintmax_t)info.st_ino);
	return 0;
}

int job_check(const struct job *job, struct error *err)
{
	int subjects = (*job->run != '\0') + (*job->user != '\0') + (*job->host != '\0');

	if (strcmp(job->kind, "forget") == 0)
		return subjects == 1 ? 0
				     : error_set(err, -EINVAL,
						 "name what to forget: one of --run RUN, --user "
						 "NAME and --host HOST");
	return subjects ? error_set(err, -EINVAL, "%s takes no run, user or host", job->kind) : 0;
}

int job_run(const struct job *job, struct store *store, struct journal *journal,
	    const struct upkeep *upkeep, struct job_result *ret, struct error *err)
{
	struct job_run run = { job, store, journal, upkeep, ret };

	for (size_t i = 0; i < KINDS_COUNT; i++)
		if (strcmp(KINDS[i].kind, job->kind) == 0)
			return KINDS[i].run(&run, err);
	return error_set(err, -EINVAL, "there is no job %s", job->kind);
}
