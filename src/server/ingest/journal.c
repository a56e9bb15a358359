/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
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

#define SEGMENTS     16   /* the limit is shared by so many */
#define SEGMENTS_MAX 1024 /* also where each restart begins one */
#define NAME_SIZE    32

/* The header of the payload of an entry; the zstd frame follows. */
struct facts {
	struct id batch, host;
	char has_host;
	char reserved[5];
	int64_t created_at;
};

struct kept_segment {
	uint64_t number, size;
};

struct journal {
	int folder;
	uint64_t limit;
	pthread_mutex_t lock; /* of what follows */
	struct kept_segment segments[SEGMENTS_MAX];
	size_t count; /* the last one is written to once fd is open */
	uint64_t total;
	int fd;      /* -1: none is begun */
	bool failed; /* and that was logged */
};

static char *name_of(uint64_t number, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "%016" PRIx64 ".batches", number);
	return name;
}

static int compare(const void *left_, const void *right_)
{
	const struct kept_segment *left = left_, *right = right_;

	return left->number < right->number ? -1 : left->number > right->number;
}

static void remove_oldest(struct journal *journal)
{
	char name[NAME_SIZE];

	unlinkat(journal->folder, name_of(journal->segments[0].number, name), 0);
	journal->total -= journal->segments[0].size;
	journal->count--;
	memmove(journal->segments, journal->segments + 1,
		journal->count * sizeof(*journal->segments));
}

/* Takes a file of the folder into the list; where there are too many it makes room first. */
static void take_segment(struct journal *journal, const char *name)
{
	struct stat file;
	uint64_t number;
	char *rest;

	number = strtoull(name, &rest, 16);
	if (rest != name + 16 || strcmp(rest, ".batches") != 0 ||
	    fstatat(journal->folder, name, &file, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (journal->count == SEGMENTS_MAX) {
		qsort(journal->segments, journal->count, sizeof(*journal->segments), compare);
		remove_oldest(journal);
	}
	journal->segments[journal->count++] =
		(struct kept_segment){ .number = number, .size = (uint64_t)file.st_size };
	journal->total += (uint64_t)file.st_size;
}

static int list_segments(struct journal *journal)
{
	int fd = fcntl(journal->folder, F_DUPFD_CLOEXEC, 0);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *file;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return -errno;
	}
	while ((file = readdir(folder))) // NOLINT(concurrency-mt-unsafe): the stream is ours
		take_segment(journal, file->d_name);
	closedir(folder);
	qsort(journal->segments, journal->count, sizeof(*journal->segments), compare);
	return 0;
}

static void make_room(struct journal *journal, uint64_t size)
{
	while (journal->count &&
	       (journal->total + size > journal->limit || journal->count == SEGMENTS_MAX))
		remove_oldest(journal);
}

int journal_open(struct journal **ret, const char *folder, uint64_t limit, struct error *err)
{
	struct journal *journal = calloc(1, sizeof(*journal));
	int rc;

	if (!journal)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_mutex_init(&journal->lock, NULL);
	journal->limit = limit;
	journal->fd = journal->folder = -1;
	rc = owned_check(folder, OWNED_FOLDER, err);
	if (rc == 0)
		rc = owned_check_files(folder, err);
	if (rc == 0)
		rc = file_make_folder(folder, 0700, err);
	if (rc == 0) {
		journal->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		rc = journal->folder < 0 ? -errno : list_segments(journal);
		if (rc)
			error_set(err, rc, "cannot read %s: %s", folder, strerror(-rc));
	}
	if (rc) {
		journal_close(journal);
		return rc;
	}
	make_room(journal, 0);
	*ret = journal;
	return 0;
}

void journal_close(struct journal *journal)
{
	if (!journal)
		return;
	closep(&journal->fd);
	closep(&journal->folder);
	pthread_mutex_destroy(&journal->lock);
	free(journal);
}

int journal_empty(struct journal *journal, uint64_t *ret_bytes, struct error *err)
{
	int rc;

	pthread_mutex_lock(&journal->lock);
	*ret_bytes = journal->total;
	closep(&journal->fd);
	while (journal->count)
		remove_oldest(journal);
	rc = fsync(journal->folder) < 0 ? -errno : 0;
	pthread_mutex_unlock(&journal->lock);
	return rc ? error_set(err, rc, "the kept batches are not removed: %s", strerror(-rc)) : 0;
}

struct id journal_batch_id(const char *agent_id, const char *boot_id, uint64_t sequence)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	buffer_init(&text, 0);
	buffer_printf(&text, "%s\n%s\n%" PRIu64, agent_id, boot_id, sequence);
	return id_of(text.data, text.len);
}

struct id journal_host_id(const char *host_id)
{
	return id_of(host_id, strlen(host_id));
}

static int begin_segment(struct journal *journal)
{
	uint64_t number = journal->count ? journal->segments[journal->count - 1].number + 1 : 1;
	char name[NAME_SIZE];

	closep(&journal->fd);
	journal->fd = openat(journal->folder, name_of(number, name),
			     O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (journal->fd < 0)
		return -errno;
	journal->segments[journal->count++] = (struct kept_segment){ .number = number };
	return 0;
}

static int append(struct journal *journal, struct segment_entry *entry,
		  const struct buffer *payload)
{
	uint64_t size = segment_entry_size(payload->len);
	struct kept_segment *last;
	int rc = 0;

	if (payload->failed)
		return -ENOMEM;
	if (size > journal->limit)
		return -EMSGSIZE;
	make_room(journal, size);
	if (journal->fd < 0 || !journal->count ||
	    journal->segments[journal->count - 1].size + size > journal->limit / SEGMENTS)
		rc = begin_segment(journal);
	if (rc)
		return rc;
	last = &journal->segments[journal->count - 1];
	entry->order = last->size + 1;
	rc = segment_append(journal->fd, last->size, entry, payload->data, payload->len);
	if (rc)
		return rc;
	last->size += size;
	journal->total += size;
	return 0;
}

void journal_append(struct journal *journal, const Signal__Batch *batch, const void *packed,
		    size_t len)
{
	struct facts facts = { .has_host = batch->n_hosts > 0, .created_at = batch->created_at };
	struct segment_entry entry = { .sequence = batch->sequence,
				       .appended_at = clock_real_ns() };
	CLEANUP(buffer_clear) struct buffer payload = { 0 };
	int rc;

	if (!journal || !journal->limit)
		return;
	facts.batch = journal_batch_id(batch->agent_id, batch->boot_id, batch->sequence);
	facts.host = journal_host_id(batch->host_id);
	buffer_init(&payload, SEGMENT_PAYLOAD_LIMIT);
	buffer_append(&payload, &facts, sizeof(facts));
	buffer_append(&payload, packed, len);
	pthread_mutex_lock(&journal->lock);
	rc = append(journal, &entry, &payload);
	if (rc && !journal->failed)
		log_warning("a batch is not kept for recordings: %s", strerror(-rc));
	journal->failed = rc != 0;
	pthread_mutex_unlock(&journal->lock);
}

static bool read_facts(int fd, uint64_t offset, const struct segment_entry *from,
		       struct journal_entry *entry)
{
	struct facts facts;

	if (from->len < sizeof(facts) ||
	    pread(fd, &facts, sizeof(facts), (off_t)(offset + sizeof(*from))) !=
		    (ssize_t)sizeof(facts))
		return false;
	facts.batch.text[ID_SIZE - 1] = facts.host.text[ID_SIZE - 1] = '\0';
	entry->batch = facts.batch;
	entry->host = facts.host;
	entry->created_at = facts.created_at;
	entry->has_host = facts.has_host;
	entry->offset = offset;
	entry->segment_entry = *from;
	return true;
}

static int visit_segment(struct journal *journal, const struct kept_segment *segment,
			 int (*visit)(const struct journal_entry *entry, void *context),
			 void *context)
{
	struct journal_entry entry = { .segment = segment->number };
	struct segment_entry from;
	uint64_t offset = 0, skipped;
	char name[NAME_SIZE];
	CLEANUP(closep)
	int fd = openat(journal->folder, name_of(segment->number, name), O_RDONLY | O_CLOEXEC);
	int rc = 0, found;

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno; /* it went since */
	while (rc == 0 && (found = segment_find(fd, segment->size, &offset, &from, &skipped))) {
		if (found < 0)
			return found;
		if (read_facts(fd, offset, &from, &entry))
			rc = visit(&entry, context);
		offset += segment_entry_size(from.len);
	}
	return rc;
}

int journal_visit(struct journal *journal,
		  int (*visit)(const struct journal_entry *entry, void *context), void *context,
		  struct error *err)
{
	CLEANUP(freep) struct kept_segment *segments = malloc(sizeof(journal->segments));
	size_t count;
	int rc = 0;

	if (!segments)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_mutex_lock(&journal->lock);
	count = journal->count;
	memcpy(segments, journal->segments, count * sizeof(*segments));
	pthread_mutex_unlock(&journal->lock);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		rc = visit_segment(journal, &segments[i], visit, context);
		if (rc < 0)
			error_set(err, rc, "the batches that are kept cannot be read: %s",
				  strerror(-rc));
	}
	return rc;
}

int journal_read(struct journal *journal, const struct journal_entry *entry, struct buffer *out)
{
	char name[NAME_SIZE];
	CLEANUP(closep)
	int fd = openat(journal->folder, name_of(entry->segment, name), O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return -errno;
	rc = segment_read(fd, entry->offset, &entry->segment_entry, out);
	if (rc == 0 && out->len < sizeof(struct facts))
		rc = -EBADMSG;
	if (rc)
		return rc;
	out->len -= sizeof(struct facts);
	memmove(out->data, out->data + sizeof(struct facts), out->len);
	out->data[out->len] = '\0';
	return 0;
}
