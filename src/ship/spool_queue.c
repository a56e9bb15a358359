/* SPDX-License-Identifier: Apache-2.0 */
#include "ship/spool_queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define SEGMENT_COUNT_LIMIT 10000
#define NAME_SIZE           40

struct spool_segment {
	uint64_t first_order;            /* its name */
	uint64_t size;                   /* bytes on disk */
	uint64_t read_at;                /* offset of the first byte that was not read */
	uint64_t entries, records, gaps; /* that wait in it; damaged ranges */
	int64_t first_at, last_at;
};

static const char *const prefixes[] = {
	[SPOOL_LIFECYCLE] = "lifecycle-", [SPOOL_SAMPLES] = "samples-"
};

static void segment_name(const struct spool_queue *queue, uint64_t order, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "%s%016" PRIx64, prefixes[queue->kind], order);
}

static bool parse_name(const struct spool_queue *queue, const char *name, uint64_t *ret)
{
	char again[NAME_SIZE], *end = NULL;
	size_t len = strlen(prefixes[queue->kind]);
	if (strncmp(name, prefixes[queue->kind], len) != 0)
		return false;
	*ret = strtoull(name + len, &end, 16);
	segment_name(queue, *ret, again);
	return strcmp(name, again) == 0;
}

static int open_segment(const struct spool_queue *queue, uint64_t order, int flags)
{
	char name[NAME_SIZE];
	segment_name(queue, order, name);
	int fd = openat(queue->folder, name, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd < 0 ? -errno : fd;
}

static struct spool_segment *add_segment(struct spool_queue *queue, uint64_t first_order)
{
	if (queue->count == queue->capacity) {
		size_t capacity = queue->capacity ? queue->capacity * 2 : 16;
		void *grown = reallocarray(queue->segments, capacity, sizeof(*queue->segments));
		if (!grown)
			return NULL;
		queue->segments = grown;
		queue->capacity = capacity;
	}
	struct spool_segment *segment = &queue->segments[queue->count++];
	*segment = (struct spool_segment){ .first_order = first_order };
	return segment;
}

static void count_entry(struct spool_queue *queue, struct spool_segment *segment,
			const struct segment_entry *entry)
{
	if (segment->entries == 0)
		segment->first_at = entry->appended_at;
	segment->last_at = entry->appended_at;
	segment->entries++;
	segment->records += entry->records;
	queue->entries++;
	if (entry->order > queue->last_order)
		queue->last_order = entry->order;
}

static bool is_done(const struct spool_queue *queue, uint64_t order)
{
	return order <= queue->state->done[queue->kind];
}

/* Counts the entries by their headers. Payloads are checked when they are read. */
static int index_segment(struct spool_queue *queue, struct spool_segment *segment)
{
	CLEANUP(closep) int fd = open_segment(queue, segment->first_order, O_RDONLY);
	struct stat info;
	if (fd < 0 || fstat(fd, &info) < 0)
		return fd < 0 ? fd : -errno;
	segment->size = (uint64_t)info.st_size;
	segment->first_at = segment->last_at = info.st_mtim.tv_sec * NS_PER_S;
	queue->bytes += segment->size;
	if (segment->first_order > queue->last_order)
		queue->last_order = segment->first_order;
	for (uint64_t at = 0; at < segment->size;) {
		struct segment_entry entry;
		uint64_t skipped = 0;
		int rc = segment_find(fd, segment->size, &at, &entry, &skipped);
		if (rc < 0)
			return rc;
		if (skipped > 0 && (rc == 0 || !is_done(queue, entry.order - 1)))
			segment->gaps++;
		if (skipped > 0 && rc == 0) /* an entry in the damaged end had an order, too */
			queue->last_order++;
		if (rc == 1 && !is_done(queue, entry.order))
			count_entry(queue, segment, &entry);
		if (rc == 1)
			at += segment_entry_size(entry.len);
	}
	return 0;
}

static int by_order(const void *a, const void *b)
{
	const struct spool_segment *one = a, *other = b;
	return (one->first_order > other->first_order) - (one->first_order < other->first_order);
}

static int list_segments(struct spool_queue *queue)
{
	int fd = openat(queue->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *item;
	int rc = 0;
	uint64_t order = 0;
	if (!folder) {
		rc = -errno;
		closep(&fd);
		return rc;
	}
	while (rc == 0 && (item = readdir(folder))) {
		if (!parse_name(queue, item->d_name, &order))
			continue;
		if (queue->count == SEGMENT_COUNT_LIMIT)
			rc = -EMFILE;
		else if (!add_segment(queue, order))
			rc = -ENOMEM;
	}
	closedir(folder);
	if (queue->count > 0)
		qsort(queue->segments, queue->count, sizeof(*queue->segments), by_order);
	return rc;
}

int spool_queue_open(struct spool_queue *queue, int folder, enum spool_kind kind,
		     struct spool_state *state, int state_fd)
{
	*queue = (struct spool_queue){ .folder = folder,
				       .kind = kind,
				       .state = state,
				       .state_fd = state_fd,
				       .reader = -1,
				       .writer = -1 };
	queue->last_order = state->done[kind];
	int rc = list_segments(queue);
	for (size_t i = 0; rc == 0 && i < queue->count; i++)
		rc = index_segment(queue, &queue->segments[i]);
	return rc;
}

void spool_queue_close(struct spool_queue *queue)
{
	closep(&queue->reader);
	closep(&queue->writer);
	free(queue->segments);
	queue->segments = NULL;
	queue->count = queue->capacity = 0;
}

static void remove_segment(struct spool_queue *queue, size_t index)
{
	struct spool_segment *segment = &queue->segments[index];
	char name[NAME_SIZE];
	segment_name(queue, segment->first_order, name);
	unlinkat(queue->folder, name, 0);
	queue->bytes -= segment->size;
	queue->entries -= segment->entries;
	if (index + 1 == queue->count)
		closep(&queue->writer);
	if (index == 0) {
		closep(&queue->reader);
		queue->has_head = false;
	}
	queue->count--;
	memmove(segment, segment + 1, (queue->count - index) * sizeof(*segment));
}

/* The highest order that an entry of a segment can have, by the name of the next segment. */
static uint64_t order_bound(const struct spool_queue *queue, size_t index)
{
	return index + 1 < queue->count ? queue->segments[index + 1].first_order - 1
					: queue->last_order;
}

static void count_damage(struct spool_queue *queue, const struct spool_segment *segment,
			 uint64_t gaps)
{
	struct spool_loss_sum damage = { .batches = gaps,
					 .since_at = segment->first_at,
					 .until_at = segment->last_at };
	spool_loss_add(&queue->state->losses[SPOOL_DAMAGED_UNKNOWN], &damage);
}

/* Counts a damaged range that ends before the entry of order `until` as a loss: once, also if the
 * process crashes and the next one skips the same range again. */
static void skip_gap(struct spool_queue *queue, struct spool_segment *segment, uint64_t until)
{
	if (segment->gaps > 0)
		segment->gaps--;
	if (is_done(queue, until - 1))
		return;
	count_damage(queue, segment, 1);
	queue->state->done[queue->kind] = until - 1;
	spool_state_write(queue->state_fd, queue->state);
}

/* Finds the next waiting entry of the first segment: 1; 0: it has none left; or -errno. */
static int find_in_first(struct spool_queue *queue)
{
	struct spool_segment *segment = &queue->segments[0];
	if (queue->reader < 0)
		queue->reader = open_segment(queue, segment->first_order, O_RDONLY);
	if (queue->reader < 0)
		return queue->reader;
	while (segment->read_at < segment->size) {
		uint64_t skipped = 0;
		int rc = segment_find(queue->reader, segment->size, &segment->read_at, &queue->head,
				      &skipped);
		if (rc < 0)
			return rc;
		if (skipped > 0)
			skip_gap(queue, segment,
				 rc == 1 ? queue->head.order : order_bound(queue, 0) + 1);
		if (rc == 1 && !is_done(queue, queue->head.order))
			return 1;
		if (rc == 1)
			segment->read_at += segment_entry_size(queue->head.len);
	}
	return 0;
}

int spool_queue_head(struct spool_queue *queue)
{
	while (!queue->has_head && queue->count > 0) {
		int rc = find_in_first(queue);
		if (rc < 0)
			return rc;
		queue->has_head = rc == 1;
		if (rc == 0 && queue->count == 1 && queue->writer >= 0)
			return 0; /* more will be written to it */
		if (rc == 0)
			remove_segment(queue, 0);
	}
	return queue->has_head;
}

int spool_queue_read(struct spool_queue *queue, struct buffer *out)
{
	return segment_read(queue->reader, queue->segments[0].read_at, &queue->head, out);
}

void spool_queue_advance(struct spool_queue *queue)
{
	struct spool_segment *segment = &queue->segments[0];
	queue->state->done[queue->kind] = queue->head.order;
	segment->read_at += segment_entry_size(queue->head.len);
	segment->entries -= segment->entries > 0;
	segment->records -=
		segment->records < queue->head.records ? segment->records : queue->head.records;
	queue->entries -= queue->entries > 0;
	queue->has_head = false;
	/* If this fails, the entry is sent again; the lake recognises it by its ledger. */
	spool_state_write(queue->state_fd, queue->state);
	if (segment->read_at >= segment->size && (queue->count > 1 || queue->writer < 0))
		remove_segment(queue, 0);
}

static int begin_segment(struct spool_queue *queue, uint64_t order)
{
	int rc = spool_queue_sync(queue);
	if (rc != 0)
		return rc;
	if (queue->count == SEGMENT_COUNT_LIMIT)
		return -ENOSPC;
	int fd = open_segment(queue, order, O_RDWR | O_CREAT | O_EXCL);
	if (fd < 0)
		return fd;
	if (!add_segment(queue, order)) {
		close(fd);
		return -ENOMEM;
	}
	closep(&queue->writer);
	queue->writer = fd;
	return fsync(queue->folder) < 0 ? -errno : 0;
}

int spool_queue_append(struct spool_queue *queue, struct segment_entry *entry, const void *payload,
		       size_t len, uint64_t segment_limit)
{
	uint64_t need = segment_entry_size(len);
	if (queue->writer < 0 || queue->segments[queue->count - 1].size + need > segment_limit) {
		int rc = begin_segment(queue, entry->order);
		if (rc != 0)
			return rc;
	}
	struct spool_segment *segment = &queue->segments[queue->count - 1];
	int rc = segment_append(queue->writer, segment->size, entry, payload, len);
	if (rc != 0)
		return rc;
	segment->size += need;
	queue->bytes += need;
	count_entry(queue, segment, entry);
	return 0;
}

int spool_queue_sync(struct spool_queue *queue)
{
	return queue->writer >= 0 && fdatasync(queue->writer) < 0 ? -errno : 0;
}

bool spool_queue_drop(struct spool_queue *queue, bool spare_head, enum spool_why why)
{
	if (queue->count == 0)
		return false;
	size_t index = spare_head && queue->count > 1 ? 1 : 0;
	const struct spool_segment *segment = &queue->segments[index];
	struct spool_loss_sum loss = { .batches = segment->entries,
				       .records = segment->records,
				       .since_at = segment->first_at,
				       .until_at = segment->last_at };
	spool_loss_add(&queue->state->losses[why], &loss);
	count_damage(queue, segment, segment->gaps);
	spool_state_write(
		queue->state_fd,
		queue->state); /* first: a crash may then count the loss twice, never drop it */
	remove_segment(queue, index);
	return true;
}
