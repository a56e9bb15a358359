/* SPDX-License-Identifier: Apache-2.0 */
#include "server/admin/offline.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "lake/store/store.h"
#include "server/ingest/journal.h"

#define CHUNK       (1 << 20)
#define EXIT_FAULTY 1
#define EXIT_FAILED 2

char *offline_database(const struct settings *settings)
{
	char *path;

	return asprintf(&path, "%s/tracer.duckdb", settings->data_folder) < 0 ? NULL : path;
}

char *offline_log(const struct settings *settings)
{
	char *path;

	return asprintf(&path, "%s/batch-log", settings->data_folder) < 0 ? NULL : path;
}

char *offline_backup(const struct settings *settings)
{
	char *path;

	return asprintf(&path, "%s/tracer.duckdb.work/backup.duckdb", settings->data_folder) < 0
		       ? NULL
		       : path;
}

/* Files that root makes would not be the lake's. */
static int become_owner(const char *folder, struct error *err)
{
	struct stat info;

	if (stat(folder, &info) < 0)
		return error_set(err, -errno, "cannot look at %s: %s", folder, strerror(errno));
	if (geteuid() != 0 || info.st_uid == 0)
		return 0;
	if (setgroups(0, NULL) < 0 || setgid(info.st_gid) < 0 || setuid(info.st_uid) < 0)
		return error_set(err, -errno, "cannot become user %u: %s", info.st_uid,
				 strerror(errno));
	return 0;
}

static int open_journal(const struct settings *settings, struct journal **ret, struct error *err)
{
	CLEANUP(freep) char *path = NULL;

	if (asprintf(&path, "%s/batches", settings->data_folder) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	return journal_open(ret, path, settings->keep_batches, err);
}

static void say(void *context, const char *words)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K%s", words);
}

/* The child ends with the command: it would go on alone, and keep a lake from its files. Behind a
 * change of user, which takes this back (prctl(2)). */
static int end_with_parent(pid_t parent, struct error *err)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return error_set(err, -errno, "cannot set a signal: %s", strerror(errno));
	return getppid() == parent ? 0 : error_set(err, -ECANCELED, "the command was ended");
}

/* In the child. A store that is not there is not made. */
static int run(const struct settings *settings, const struct job *job, pid_t parent,
	       struct job_result *result, struct error *err)
{
	CLEANUP(freep) char *path = offline_database(settings), *log = offline_log(settings);
	const struct upkeep upkeep = { .say = say };
	struct store_options options = { .path = path,
					 .memory_limit = settings->memory_limit,
					 .archive_folder = settings->archive_folder,
					 .log_folder = log };
	struct journal *journal = NULL;
	struct store *store = NULL;
	int rc = path && log ? become_owner(settings->data_folder, err)
			     : error_set(err, -ENOMEM, "out of memory");

	if (!rc)
		rc = end_with_parent(parent, err);
	if (!rc && path && access(path, F_OK) < 0)
		rc = error_set(err, -ENOENT,
			       "there is no store at %s: name its folder by "
			       "--data-folder",
			       path);
	if (!rc)
		rc = store_open(&store, &options, err);
	if (!rc)
		rc = open_journal(settings, &journal, err);
	if (!rc)
		rc = job_run(job, store, journal, &upkeep, result, err);
	say(NULL, "");
	journal_close(journal);
	store_close(store);
	return rc;
}

static int run_child(const struct settings *settings, const struct job *job, pid_t parent)
{
	struct job_result result;
	struct error err = { "" };
	int status = 0;

	log_setup("tracer-lake", LOG_LEVEL_WARNING);
	job_result_init(&result);
	if (run(settings, job, parent, &result, &err)) {
		fprintf(stderr, "tracer-lake: %s\n", error_text(&err));
		status = EXIT_FAILED;
	} else {
		fputs(result.report.data ? result.report.data : "", stdout);
		status = result.faulty ? EXIT_FAULTY : 0;
	}
	job_result_clear(&result);
	fflush(NULL);
	return status;
}

int offline_run(const struct settings *settings, const struct job *job, bool *ret_faulty,
		struct error *err)
{
	pid_t pid, parent = getpid();
	int status = 0;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return error_set(err, -errno, "cannot start a process: %s", strerror(errno));
	if (pid == 0)
		_exit(run_child(settings, job, parent));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(err, -errno, "cannot wait: %s", strerror(errno));
	*ret_faulty = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAULTY;
	return WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_FAULTY ? 0 : -EIO;
}

static int copy_bytes(int from, int to)
{
	CLEANUP(freep) char *chunk = malloc(CHUNK);
	ssize_t got, put;

	if (!chunk)
		return -ENOMEM;
	while ((got = read(from, chunk, CHUNK)) > 0)
		for (ssize_t done = 0; done < got; done += put)
			if ((put = write(to, chunk + done, (size_t)(got - done))) < 0)
				return -errno;
	return got < 0 ? -errno : fsync(to) < 0 ? -errno : 0;
}

static int sync_folder_of(const char *path, struct stat *ret_folder)
{
	CLEANUP(freep) char *folder = strdup(path);
	CLEANUP(closep) int fd = -1;
	char *slash = folder ? strrchr(folder, '/') : NULL;

	if (!folder)
		return -ENOMEM;
	if (slash)
		slash[slash == folder] = '\0';
	fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 || fsync(fd) < 0 || fstat(fd, ret_folder) < 0 ? -errno : 0;
}

/* link(2) does not replace what is there. */
static int place(const char *temporary, const char *to)
{
	int rc = link(temporary, to) < 0 ? -errno : 0;

	unlink(temporary);
	return rc;
}

int offline_copy(const char *from, const char *to, struct error *err)
{
	CLEANUP(freep) char *temporary = NULL;
	CLEANUP(closep) int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), out = -1;
	struct stat folder = { 0 };
	int rc;

	if (in < 0)
		return error_set(err, -errno, "cannot read %s: %s", from, strerror(errno));
	if (access(to, F_OK) == 0)
		return error_set(err, -EEXIST, "%s is there already: choose another name", to);
	if (asprintf(&temporary, "%s.XXXXXX", to) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	out = mkostemp(temporary, O_CLOEXEC);
	if (out < 0)
		return error_set(err, -errno, "cannot write %s: %s", to, strerror(errno));
	rc = sync_folder_of(to, &folder);
	if (!rc && geteuid() == 0 && folder.st_uid && fchown(out, folder.st_uid, folder.st_gid) < 0)
		rc = -errno;
	if (!rc)
		rc = copy_bytes(in, out);
	if (!rc)
		rc = place(temporary, to);
	if (!rc)
		rc = sync_folder_of(to, &folder);
	if (rc)
		unlink(temporary);
	return rc ? error_set(err, rc, "cannot write %s: %s", to, strerror(-rc)) : 0;
}

int offline_move(const char *from, const char *to, struct error *err)
{
	int rc = offline_copy(from, to, err);

	if (!rc || rc != -EEXIST)
		unlink(from);
	return rc;
}
