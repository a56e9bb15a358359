/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/batch_log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/owned.h"
#include "signal/segment.h"

#define NAME_SIZE 32
#define SUFFIX    ".log"
/* A file of which all is stored is cut at this size, so that no start has much to pass over. */
#define CUT_BYTES (256u << 10)

#define NOT_READ UINT64_MAX

/* Named by the number of its first entry. */
struct log_file {
	struct log_file *next;
	uint64_t first, last; /* last: 0 while it has none; NOT_READ: of an earlier start */
};

struct batch_log {
	int folder;
	pthread_mutex_t lock;   /* of what follows */
	int fd;                 /* of the file that is appended to, the last; -1: none is begun */
	uint64_t offset;        /* in it */
	uint64_t order;         /* of the last entry */
	uint64_t stored;        /* all up to this entry are */
	struct log_file *files; /* the oldest first */
};

static char *name_of(uint64_t first, char name[NAME_SIZE])
{
	(void)snprintf(name, NAME_SIZE, "%016" PRIx64 SUFFIX, first);
	return name;
}

static void add_file(struct batch_log *log, struct log_file *file)
{
	struct log_file **place = &log->files;

	while (*place && (*place)->first < file->first)
		place = &(*place)->next;
	file->next = *place;
	*place = file;
}

/* A file of the folder that is one of the log's. */
static int take_file(struct batch_log *log, const char *name)
{
	struct log_file *file;
	uint64_t first;
	char *rest;

	first = strtoull(name, &rest, 16);
	if (rest != name + 16 || strcmp(rest, SUFFIX) != 0)
		return 0;
	file = calloc(1, sizeof(*file));
	if (!file)
		return -ENOMEM;
	file->first = first;
	file->last = NOT_READ;
	add_file(log, file);
	return 0;
}

static int list_files(struct batch_log *log)
{
	int fd = fcntl(log->folder, F_DUPFD_CLOEXEC, 0), rc = 0;
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *file;

	if (!folder) {
		rc = -errno;
		closep(&fd);
		return rc;
	}
	while (!rc && (file = readdir(folder))) // NOLINT(concurrency-mt-unsafe): the stream is ours
		rc = take_file(log, file->d_name);
	closedir(folder);
	return rc;
}

static int open_folder(struct batch_log *log, const char *path, struct error *err)
{
	int rc = owned_check(path, OWNED_FOLDER, err);

	if (!rc)
		rc = owned_check_files(path, err);
	if (!rc)
		rc = file_make_folder(path, 0700, err);
	if (rc)
		return rc;
	log->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rc = log->folder < 0 ? -errno : list_files(log);
	return rc ? error_set(err, rc, "cannot read %s: %s", path, strerror(-rc)) : 0;
}

DEFINE_CLEANUP(struct batch_log *, batch_log_close)

int batch_log_open(struct batch_log **ret, const char *folder, struct error *err)
{
	CLEANUP(batch_log_closep) struct batch_log *log = calloc(1, sizeof(*log));
	int rc;

	if (!log)
		return error_set(err, -ENOMEM, "no memory to open the store");
	log->folder = log->fd = -1;
	pthread_mutex_init(&log->lock, NULL);
	rc = open_folder(log, folder, err);
	if (!rc)
		*ret = TAKE_PTR(log);
	return rc;
}

void batch_log_close(struct batch_log *log)
{
	if (!log)
		return;
	closep(&log->fd);
	if (log->folder >= 0)
		batch_log_cut(log);
	for (struct log_file *file = log->files, *next; file; file = next) {
		next = file->next;
		free(file);
	}
	closep(&log->folder);
	pthread_mutex_destroy(&log->lock);
	free(log);
}

struct visiting {
	int (*visit)(const struct batch_log_entry *entry, void *context);
	void *context;
	struct buffer packed;
	uint64_t last;    /* of the file */
	uint64_t damaged; /* bytes, of which no intact entry came behind yet */
};

/* The end of a file may be torn; what is damaged before an intact entry was acknowledged. */
static void note_intact(struct visiting *visiting)
{
	if (visiting->damaged)
		log_error("%" PRIu64 " bytes of the batch log are damaged: the batches in them are "
			  "lost",
			  visiting->damaged);
	visiting->damaged = 0;
}

static void set_order(struct batch_log *log, uint64_t order)
{
	pthread_mutex_lock(&log->lock);
	log->order = order;
	pthread_mutex_unlock(&log->lock);
}

static int visit_entry(struct batch_log *log, int fd, uint64_t offset,
		       const struct segment_entry *entry, struct visiting *visiting)
{
	struct batch_log_entry found = { .order = entry->order };
	int rc = entry->order > log->order ? segment_read(fd, offset, entry, &visiting->packed) : 0;

	if (rc == -EBADMSG)
		visiting->damaged += segment_entry_size(entry->len);
	if (rc || entry->order <= log->order)
		return rc == -EBADMSG ? 0 : rc;
	note_intact(visiting);
	visiting->last = entry->order;
	set_order(log, entry->order);
	found.packed = visiting->packed.data;
	found.len = visiting->packed.len;
	return visiting->visit(&found, visiting->context);
}

static int visit_file(struct batch_log *log, struct log_file *file, struct visiting *visiting)
{
	char name[NAME_SIZE];
	CLEANUP(closep)
	int fd = openat(log->folder, name_of(file->first, name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	uint64_t offset = 0, skipped;
	struct segment_entry entry;
	struct stat info = { 0 };
	int rc = fd < 0 || fstat(fd, &info) < 0 ? -errno : 1;

	visiting->last = visiting->damaged = 0;
	while (rc > 0) {
		rc = segment_find(fd, (uint64_t)info.st_size, &offset, &entry, &skipped);
		if (rc <= 0)
			break;
		visiting->damaged += skipped;
		rc = visit_entry(log, fd, offset, &entry, visiting);
		if (rc)
			return rc;
		offset += segment_entry_size(entry.len);
		rc = 1;
	}
	return rc;
}

/* From now on the file may be removed by the thread that releases. Returns the next. */
static struct log_file *end_file(struct batch_log *log, struct log_file *file, uint64_t last)
{
	struct log_file *next;

	pthread_mutex_lock(&log->lock);
	file->last = last;
	next = file->next;
	pthread_mutex_unlock(&log->lock);
	return next;
}

int batch_log_visit(struct batch_log *log,
		    int (*visit)(const struct batch_log_entry *entry, void *context), void *context,
		    struct error *err)
{
	struct visiting visiting = { .visit = visit, .context = context };
	char name[NAME_SIZE];
	int rc = 0;

	buffer_init(&visiting.packed, SEGMENT_PAYLOAD_LIMIT);
	for (struct log_file *file = log->files; file && !rc;) {
		if (file->first > log->order + 1) /* files of what was stored have gone */
			set_order(log, file->first - 1);
		rc = visit_file(log, file, &visiting);
		if (rc)
			error_set(err, rc, "cannot read the batch log %s: %s",
				  name_of(file->first, name), strerror(-rc));
		else
			file = end_file(log, file, visiting.last);
	}
	buffer_clear(&visiting.packed);
	return rc;
}

static struct log_file *last_file(struct batch_log *log)
{
	struct log_file *file = log->files;

	while (file && file->next)
		file = file->next;
	return file;
}

/* One of the same name, with nothing in it, is used again. */
static int begin_file(struct batch_log *log)
{
	struct log_file *file = last_file(log);
	bool again = file && file->first == log->order + 1;
	char name[NAME_SIZE];

	if (!again)
		file = calloc(1, sizeof(*file));
	if (!file)
		return -ENOMEM;
	file->first = log->order + 1;
	if (!again)
		add_file(log, file);
	log->offset = 0;
	log->fd = openat(log->folder, name_of(file->first, name),
			 O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	return log->fd < 0 || fsync(log->folder) < 0 ? -errno : 0;
}

/* What was written since the last sync may not be durable: nothing more is appended to the file. */
static int give_up_file(struct batch_log *log, int rc, struct error *err)
{
	closep(&log->fd);
	return error_set(err, rc, "cannot write the batch log: %s", strerror(-rc));
}

static int append(struct batch_log *log, const void *packed, size_t len)
{
	struct segment_entry entry = { .order = log->order + 1, .appended_at = clock_real_ns() };
	int rc = 0;

	if (log->fd >= 0 && log->offset >= BATCH_LOG_FILE_BYTES) {
		rc = fdatasync(log->fd) < 0 ? -errno : 0;
		closep(&log->fd);
	}
	if (!rc && log->fd < 0)
		rc = begin_file(log);
	if (!rc)
		rc = segment_append(log->fd, log->offset, &entry, packed, len);
	if (rc)
		return rc;
	log->offset += segment_entry_size(len);
	last_file(log)->last = ++log->order;
	return 0;
}

int batch_log_append(struct batch_log *log, const void *packed, size_t len, uint64_t *ret_order,
		     struct error *err)
{
	int rc;

	pthread_mutex_lock(&log->lock);
	rc = append(log, packed, len);
	if (rc)
		give_up_file(log, rc, err);
	*ret_order = log->order;
	pthread_mutex_unlock(&log->lock);
	return rc;
}

static void remove_first(struct batch_log *log)
{
	struct log_file *file = log->files;
	char name[NAME_SIZE];

	if (unlinkat(log->folder, name_of(file->first, name), 0) < 0 && errno != ENOENT)
		log_warning("cannot remove %s of the batch log: %s", name, strerror(errno));
	log->files = file->next;
	free(file);
}

static bool has_stored_file(const struct batch_log *log)
{
	return log->files && log->files->last <= log->stored && (log->files->next || log->fd < 0);
}

/* With the lock. Removes files of which all is stored; the last is cut once it has so many bytes.
 */
static void remove_stored(struct batch_log *log, uint64_t cut_bytes)
{
	while (has_stored_file(log))
		remove_first(log);
	if (log->fd >= 0 && log->stored >= log->order && log->offset >= cut_bytes &&
	    ftruncate(log->fd, 0) == 0)
		log->offset = 0;
}

/* The lock is not needed to sync: no other thread opens or closes the file. One is removed here:
 * that takes some 20 ms, and the thread that releases has the most to do. */
int batch_log_sync(struct batch_log *log, struct error *err)
{
	int rc = log->fd >= 0 && fdatasync(log->fd) < 0 ? -errno : 0;

	pthread_mutex_lock(&log->lock);
	if (rc)
		give_up_file(log, rc, err);
	else if (has_stored_file(log))
		remove_first(log);
	pthread_mutex_unlock(&log->lock);
	return rc;
}

void batch_log_release(struct batch_log *log, uint64_t order)
{
	pthread_mutex_lock(&log->lock);
	if (order > log->stored)
		log->stored = order;
	if (log->stored >= log->order)
		remove_stored(log, CUT_BYTES);
	pthread_mutex_unlock(&log->lock);
}

void batch_log_cut(struct batch_log *log)
{
	pthread_mutex_lock(&log->lock);
	remove_stored(log, 0);
	pthread_mutex_unlock(&log->lock);
}
