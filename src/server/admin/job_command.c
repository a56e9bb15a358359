/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "server/access/audit.h"
#include "server/admin/admin.h"
#include "server/admin/job_client.h"
#include "server/admin/offline.h"

/* tracer-lake check, compact, backup and forget: in the lake that runs, else on its files. */

struct job_options {
	char *run, *user, *host;
	bool dry_run, yes;
	char *url, *token_file, *ca_file;
};

#define OPTION(name, kind, field, preset, words)                                              \
	{                                                                                     \
		.key = (name), .type = (kind), .offset = offsetof(struct job_options, field), \
		.fallback = (preset), .help = (words)                                         \
	}
static const struct config_option OPTIONS[] = {
	OPTION("run", CONFIG_TEXT, run, "", "forget this run"),
	OPTION("user", CONFIG_TEXT, user, "", "forget all runs of this user"),
	OPTION("host", CONFIG_TEXT, host, "", "forget all of this host"),
	OPTION("dry-run", CONFIG_BOOL, dry_run, "false", "only count"),
	OPTION("yes", CONFIG_BOOL, yes, "false", "do not ask"),
	OPTION("url", CONFIG_TEXT, url, "", "of the lake"),
	OPTION("token-file", CONFIG_TEXT, token_file, "", "with a token of scope admin"),
	OPTION("ca-file", CONFIG_TEXT, ca_file, "", "PEM authorities of the lake's certificate"),
};
#define OPTIONS_COUNT (sizeof(OPTIONS) / sizeof(OPTIONS[0]))

/* DIR/tracer-20261128T101500Z.duckdb, or the name itself. */
static char *target_of(const char *name)
{
	char at[32], *path = NULL;
	time_t now = (time_t)(clock_real_ns() / NS_PER_S);
	struct stat info;
	struct tm parts;

	if (stat(name, &info) < 0 || !S_ISDIR(info.st_mode))
		return strdup(name);
	gmtime_r(&now, &parts);
	strftime(at, sizeof(at), "%Y%m%dT%H%M%SZ", &parts);
	return asprintf(&path, "%s/tracer-%s.duckdb", name, at) < 0 ? NULL : path;
}

/* The copy counts once it was read back from where it lies. */
static int keep_backup(const char *made, const char *name, struct error *err)
{
	CLEANUP(freep) char *target = target_of(name);
	uint64_t batches = 0;
	int rc =
		target ? offline_move(made, target, err) : error_set(err, -ENOMEM, "out of memory");

	if (!rc)
		rc = upkeep_verify(target, &(struct upkeep){ 0 }, &batches, err);
	if (!rc)
		printf("%s has %llu batches, and was read back\n", target,
		       (unsigned long long)batches);
	return rc;
}

static void note(const struct settings *settings, const struct job *job, const char *result)
{
	const char *subject = *job->run ? job->run : *job->user ? job->user : job->host;

	audit_note(settings->data_folder, &(struct audit_entry){ .who = admin_who(),
								 .action = job->kind,
								 .subject = subject,
								 .from = "local",
								 .result = result });
}

/* Returns the exit status. */
static int run_offline(const struct settings *settings, const struct job *job, const char *target,
		       struct error *err)
{
	CLEANUP(freep) char *made = offline_backup(settings);
	bool faulty = false;
	int rc = offline_run(settings, job, &faulty, err);

	if (!job->dry && access(settings->data_folder, F_OK) == 0)
		note(settings, job, rc ? "failed" : "done");
	if (rc)
		return *err->text ? admin_say(err, EXIT_FAILURE) : EXIT_FAILURE;
	if (target && (!made || keep_backup(made, target, err)))
		return admin_say(err, EXIT_FAILURE);
	return faulty ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run_online(const struct job_access *access, const struct job *job, const char *target,
		      struct error *err)
{
	struct job_result result;
	int rc, status = EXIT_SUCCESS;

	job_result_init(&result);
	rc = job_ask(access, job, &result, err);
	if (rc == -ENOTCONN)
		status = -1;
	if (!rc && target)
		rc = result.path ? keep_backup(result.path, target, err)
				 : error_set(err, -EIO, "the lake made no copy");
	if (!rc)
		fputs(result.report.data ? result.report.data : "", stdout);
	if (rc && status == EXIT_SUCCESS)
		status = admin_say(err, EXIT_FAILURE);
	if (!rc && result.faulty)
		status = EXIT_FAILURE;
	job_result_clear(&result);
	return status;
}

static int run_job(const struct settings *settings, const struct job_options *options,
		   const struct job *job, const char *target)
{
	const struct job_access access = { .settings = settings,
					   .url = options->url,
					   .token_file = options->token_file,
					   .ca_file = options->ca_file };
	struct error err = { "" };
	int status = run_online(&access, job, target, &err);

	if (status >= 0)
		return status;
	*err.text = '\0';
	return run_offline(settings, job, target, &err);
}

/* What was counted is shown before it is asked for. */
static int confirm(const struct settings *settings, const struct job_options *options,
		   const struct job *job)
{
	struct job dry = *job;
	char answer[16] = "";
	int status;

	dry.dry = true;
	status = run_job(settings, options, &dry, NULL);
	if (status || options->yes)
		return status;
	fputs("Forget them? There is no way back but a backup. Type yes: ", stderr);
	if (!isatty(STDIN_FILENO) || !fgets(answer, sizeof(answer), stdin) ||
	    strcmp(answer, "yes\n") != 0) {
		fputs("nothing was forgotten (--yes does not ask)\n", stderr);
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}

static int make_job(struct job *job, const char *kind, const struct job_options *options,
		    struct error *err)
{
	*job = (struct job){ .dry = options->dry_run };
	snprintf(job->kind, sizeof(job->kind), "%s", kind);
	if (strlen(options->run) >= JOB_TEXT_SIZE || strlen(options->user) >= JOB_TEXT_SIZE ||
	    strlen(options->host) >= JOB_TEXT_SIZE)
		return error_set(err, -EINVAL, "a name is too long");
	snprintf(job->run, JOB_TEXT_SIZE, "%s", options->run);
	snprintf(job->user, JOB_TEXT_SIZE, "%s", options->user);
	snprintf(job->host, JOB_TEXT_SIZE, "%s", options->host);
	return job_check(job, err);
}

static int run_kind(const char *kind, size_t names, int argc, char **argv)
{
	struct job_options options = { 0 };
	struct settings settings = { 0 };
	const char *target = NULL;
	size_t given = names;
	struct error err = { "" };
	struct job job;
	int status = EXIT_SUCCESS;

	if (admin_read(&settings, &options, OPTIONS, OPTIONS_COUNT, &target, &given, argc, argv,
		       &err) ||
	    make_job(&job, kind, &options, &err))
		status = admin_say(&err, ADMIN_USAGE);
	else if (given < names)
		status = admin_say((error_set(&err, -EINVAL,
					      "name a folder or a file for the "
					      "copy: tracer-lake %s DIR",
					      kind),
				    &err),
				   ADMIN_USAGE);
	else if (strcmp(kind, "forget") == 0 && !job.dry)
		status = confirm(&settings, &options, &job);
	if (status == EXIT_SUCCESS)
		status = run_job(&settings, &options, &job, target);
	config_clear(&options, OPTIONS, OPTIONS_COUNT);
	settings_clear(&settings);
	return status;
}

static int run_check(int argc, char **argv)
{
	return run_kind("check", 0, argc, argv);
}

static int run_compact(int argc, char **argv)
{
	return run_kind("compact", 0, argc, argv);
}

static int run_backup(int argc, char **argv)
{
	return run_kind("backup", 1, argc, argv);
}

static int run_forget(int argc, char **argv)
{
	return run_kind("forget", 0, argc, argv);
}

const struct admin_command ADMIN_CHECK = {
	.name = "check",
	.summary = "check: looks for damage in the store; exit status 1 where there is some",
	.run = run_check,
};
const struct admin_command ADMIN_COMPACT = {
	.name = "compact",
	.summary = "compact: writes the store in order and without gaps",
	.run = run_compact,
};
const struct admin_command ADMIN_BACKUP = {
	.name = "backup",
	.summary = "backup DIR|FILE: copies the store, while the lake runs or not",
	.run = run_backup,
};
const struct admin_command ADMIN_FORGET = {
	.name = "forget",
	.summary = "forget --run RUN|--user NAME|--host HOST [--dry-run] [--yes]: deletes what is "
		   "stored of it",
	.run = run_forget,
};
