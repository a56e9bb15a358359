/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "server/access/audit.h"
#include "server/admin/admin.h"
#include "server/admin/job_client.h"
#include "server/admin/offline.h"

/*
 * tracer-lake restore FILE. The copy is verified, and again where it lies; then it replaces the
 * database in one step (rename(2)). The old files stay beside it, as links of another name. Killed
 * at any moment there is the old database or the new one; a log of the old one that is still there
 * is refused with the new one, and restore is to be repeated.
 */
static const char *const SUFFIXES[] = { "", ".wal", ".batches" };

#define ASIDE_MOST 100 /* names of old files in one second */

struct restoration {
	char *database, *incoming, *aside; /* paths */
};

static void restoration_clear(struct restoration *restoration)
{
	free(restoration->database);
	free(restoration->incoming);
	free(restoration->aside);
}

/* One that was killed may have left some of these names, in the same second. */
static int name_aside(struct restoration *restoration, const char *at)
{
	for (unsigned i = 1;; i++) {
		int len = i == 1 ? asprintf(&restoration->aside, "%s.before-%s",
					    restoration->database, at)
				 : asprintf(&restoration->aside, "%s.before-%s-%u",
					    restoration->database, at, i);

		if (len < 0) {
			restoration->aside = NULL;
			return -ENOMEM;
		}
		if (i == ASIDE_MOST || access(restoration->aside, F_OK) < 0)
			return 0;
		free(restoration->aside);
	}
}

static int name_all(struct restoration *restoration, const struct settings *settings,
		    struct error *err)
{
	time_t now = (time_t)(clock_real_ns() / NS_PER_S);
	struct tm parts;
	char at[32];

	gmtime_r(&now, &parts);
	strftime(at, sizeof(at), "%Y%m%dT%H%M%SZ", &parts);
	restoration->database = offline_database(settings);
	if (!restoration->database ||
	    asprintf(&restoration->incoming, "%s.restored", restoration->database) < 0 ||
	    name_aside(restoration, at) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	return 0;
}

static int check_stopped(const struct job_access *access, struct error *err)
{
	if (!job_lake_runs(access))
		return 0;
	return error_set(err, -EBUSY,
			 "a lake runs here: stop it first (sudo tracer down, or systemctl stop "
			 "tracer-lake), then restore, then start it");
}

/* What a restoration that was killed left: copies that may be parts. */
static void remove_parts(const struct settings *settings)
{
	static const char begin[] = "tracer.duckdb.restored";
	DIR *folder = opendir(settings->data_folder);

	if (!folder)
		return;
	for (const struct dirent *entry;
	     (entry = readdir(folder));) // NOLINT(concurrency-mt-unsafe)
		if (strncmp(entry->d_name, begin, sizeof(begin) - 1) == 0)
			unlinkat(dirfd(folder), entry->d_name, 0);
	closedir(folder);
}

/* Each old file that is there. */
static int keep_old(const struct restoration *restoration, struct error *err)
{
	for (size_t i = 0; i < sizeof(SUFFIXES) / sizeof(SUFFIXES[0]); i++) {
		CLEANUP(freep) char *from = NULL, *to = NULL;

		if (asprintf(&from, "%s%s", restoration->database, SUFFIXES[i]) < 0 ||
		    asprintf(&to, "%s%s", restoration->aside, SUFFIXES[i]) < 0)
			return error_set(err, -ENOMEM, "out of memory");
		if (link(from, to) < 0 && errno != ENOENT)
			return error_set(err, -errno, "cannot keep %s as %s: %s", from, to,
					 strerror(errno));
	}
	return 0;
}

static int replace(const struct restoration *restoration, struct error *err)
{
	if (rename(restoration->incoming, restoration->database) < 0)
		return error_set(err, -errno, "cannot replace %s: %s", restoration->database,
				 strerror(errno));
	for (size_t i = 1; i < sizeof(SUFFIXES) / sizeof(SUFFIXES[0]); i++) {
		CLEANUP(freep) char *path = NULL;

		if (asprintf(&path, "%s%s", restoration->database, SUFFIXES[i]) < 0)
			return error_set(err, -ENOMEM, "out of memory");
		unlink(path);
	}
	return 0;
}

static void say(const struct restoration *restoration, uint64_t batches)
{
	printf("restored %llu batches", (unsigned long long)batches);
	if (restoration->aside && access(restoration->aside, F_OK) == 0)
		printf("; what was there before: %s", restoration->aside);
	putchar('\n');
}

static int restore(const struct settings *settings, const struct job_access *access,
		   const char *file, struct error *err)
{
	CLEANUP(restoration_clear) struct restoration restoration = { 0 };
	const struct upkeep silent = { 0 };
	uint64_t batches = 0;
	int rc = name_all(&restoration, settings, err);

	if (!rc)
		rc = file_make_folder(settings->data_folder, 0700, err);
	if (!rc)
		rc = check_stopped(access, err);
	if (!rc)
		rc = upkeep_verify(file, &silent, &batches, err);
	if (rc)
		return rc;
	remove_parts(settings);
	rc = offline_copy(file, restoration.incoming, err);
	if (!rc)
		rc = upkeep_verify(restoration.incoming, &silent, &batches, err);
	if (!rc)
		rc = keep_old(&restoration, err);
	if (!rc)
		rc = replace(&restoration, err);
	if (!rc)
		say(&restoration, batches);
	return rc;
}

struct restore_options {
	char *url;
};

static const struct config_option OPTIONS[] = {
	{ .key = "url",
	  .type = CONFIG_TEXT,
	  .offset = offsetof(struct restore_options, url),
	  .fallback = "",
	  .help = "of the lake, which must not run" },
};
#define OPTIONS_COUNT (sizeof(OPTIONS) / sizeof(OPTIONS[0]))

static int run(int argc, char **argv)
{
	struct restore_options options = { 0 };
	struct settings settings = { 0 };
	const char *file = NULL;
	size_t given = 1;
	struct error err = { "" };
	int rc = admin_read(&settings, &options, OPTIONS, OPTIONS_COUNT, &file, &given, argc, argv,
			    &err),
	    status = EXIT_SUCCESS;

	if (!rc && given < 1)
		rc = error_set(&err, -EINVAL,
			       "name the file of a backup: tracer-lake restore FILE");
	if (rc) {
		status = admin_say(&err, ADMIN_USAGE);
	} else {
		const struct job_access access = { .settings = &settings, .url = options.url };

		rc = restore(&settings, &access, file, &err);
		audit_note(settings.data_folder,
			   &(struct audit_entry){ .who = admin_who(),
						  .action = "restore",
						  .subject = file,
						  .from = "local",
						  .result = rc ? "failed" : "done" });
		if (rc)
			status = admin_say(&err, EXIT_FAILURE);
	}
	config_clear(&options, OPTIONS, OPTIONS_COUNT);
	settings_clear(&settings);
	return status;
}

const struct admin_command ADMIN_RESTORE = {
	.name = "restore",
	.summary = "restore FILE: replaces the store by a backup; the lake must not run",
	.run = run,
};
