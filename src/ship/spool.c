/* SPDX-License-Identifier: Apache-2.0 */
#include "ship/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "ship/spool_queue.h"
#include "ship/spool_rejected.h"
#include "ship/spool_state.h"

#define KINDS              2
#define SEGMENT_LIMIT_MIN  ((uint64_t)64 << 10)
#define SEGMENT_LIMIT_MAX  ((uint64_t)4 << 20)
#define SEGMENTS_PER_LIMIT 16 /* a full spool drops a segment: a sixteenth of the limit */

struct spool {
	int folder, lock, state_fd;
	uint64_t limit, segment_limit, last_order;
	struct spool_state state;
	uint64_t reported_batches; /* lost since it was opened, and reported */
	struct spool_queue queues[KINDS];
	bool has_peeked;
	enum spool_kind peeked_kind;
	struct segment_entry peeked;
	struct buffer payload;
};

static int open_folder(struct spool *spool, const char *folder, struct error *err)
{
	int rc = file_make_folder(folder, 0700, err);
	if (rc != 0)
		return rc;
	spool->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (spool->folder < 0)
		return error_set(err, -errno, "cannot open %s: %s", folder, strerror(errno));
	spool->lock =
		openat(spool->folder, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (spool->lock < 0)
		return error_set(err, -errno, "cannot lock %s: %s", folder, strerror(errno));
	if (flock(spool->lock, LOCK_EX | LOCK_NB) < 0)
		return error_set(err, errno == EWOULDBLOCK ? -EBUSY : -errno,
				 "%s is in use by another agent; stop that one first", folder);
	return 0;
}

static int open_queues(struct spool *spool, const char *folder, struct error *err)
{
	spool->state_fd = spool_state_open(spool->folder, &spool->state, err);
	if (spool->state_fd < 0)
		return spool->state_fd;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		struct spool_queue *queue = &spool->queues[kind];
		int rc = spool_queue_open(queue, spool->folder, kind, &spool->state,
					  spool->state_fd);
		if (rc != 0)
			return error_set(err, rc, "cannot read the spool %s: %s", folder,
					 strerror(-rc));
		if (queue->last_order > spool->last_order)
			spool->last_order = queue->last_order;
	}
	return 0;
}

int spool_open(struct spool **ret, const char *folder, uint64_t limit, struct error *err)
{
	struct spool *spool = calloc(1, sizeof(*spool));
	if (!spool)
		return error_set(err, -ENOMEM, "no memory for the spool");
	spool->folder = spool->lock = spool->state_fd = -1;
	spool->limit = limit;
	spool->segment_limit = limit / SEGMENTS_PER_LIMIT;
	if (spool->segment_limit < SEGMENT_LIMIT_MIN)
		spool->segment_limit = SEGMENT_LIMIT_MIN;
	if (spool->segment_limit > SEGMENT_LIMIT_MAX)
		spool->segment_limit = SEGMENT_LIMIT_MAX;
	for (unsigned kind = 0; kind < KINDS; kind++)
		spool->queues[kind].reader = spool->queues[kind].writer = -1;
	buffer_init(&spool->payload, SEGMENT_PAYLOAD_LIMIT);
	int rc = open_folder(spool, folder, err);
	if (rc == 0)
		rc = open_queues(spool, folder, err);
	if (rc != 0)
		spool_close(spool);
	else
		*ret = spool;
	return rc;
}

void spool_close(struct spool *spool)
{
	if (!spool)
		return;
	if (spool->state_fd >= 0)
		spool_sync(spool);
	for (unsigned kind = 0; kind < KINDS; kind++)
		spool_queue_close(&spool->queues[kind]);
	buffer_clear(&spool->payload);
	closep(&spool->state_fd);
	closep(&spool->lock);
	closep(&spool->folder);
	free(spool);
}

const char *spool_agent_id(const struct spool *spool)
{
	return spool->state.agent_id;
}

uint64_t spool_next_sequence(struct spool *spool, const char *boot_id)
{
	struct spool_state *state = &spool->state;
	if (strncmp(state->boot_id, boot_id, ID_SIZE - 1) != 0) {
		memset(state->boot_id, 0, ID_SIZE);
		memcpy(state->boot_id, boot_id, strnlen(boot_id, ID_SIZE - 1));
		state->sequence = 0;
	}
	state->sequence++;
	if (spool_state_write(spool->state_fd, state) != 0)
		spool_state_remove(spool->folder);
	return state->sequence;
}

static void count_loss(struct spool *spool, enum spool_why why, uint64_t records, int64_t at)
{
	struct spool_loss_sum loss = {
		.batches = 1, .records = records, .since_at = at, .until_at = at
	};
	spool_loss_add(&spool->state.losses[why], &loss);
	spool_state_write(spool->state_fd, &spool->state);
}

/* Drops one segment to make room: of samples, or, where there is none, of lifecycle batches if
 * these may be dropped. */
static bool drop_one(struct spool *spool, bool lifecycle, enum spool_why why)
{
	bool spare = spool->has_peeked && spool->peeked_kind == SPOOL_SAMPLES;
	if (spool_queue_drop(&spool->queues[SPOOL_SAMPLES], spare, why))
		return true;
	spare = spool->has_peeked && spool->peeked_kind == SPOOL_LIFECYCLE;
	return lifecycle && spool_queue_drop(&spool->queues[SPOOL_LIFECYCLE], spare, why);
}

static bool make_room(struct spool *spool, enum spool_kind kind, uint64_t need)
{
	if (need > spool->limit)
		return false;
	while (spool_bytes(spool) + need > spool->limit)
		if (!drop_one(spool, kind == SPOOL_LIFECYCLE, SPOOL_FULL))
			return false;
	return true;
}

/* A lifecycle batch reports the losses that the caller took. If it was not appended, they are to be
 * reported again. Returns the number of reports (records) in it. */
static uint64_t settle_taken_losses(struct spool *spool, bool appended)
{
	uint64_t count = 0;
	for (unsigned why = 0; why < SPOOL_WHY_COUNT; why++) {
		count += spool->state.taken[why].batches > 0;
		if (appended)
			spool->reported_batches += spool->state.taken[why].batches;
		else
			spool_loss_add(&spool->state.losses[why], &spool->state.taken[why]);
		spool->state.taken[why] = (struct spool_loss_sum){ 0 };
	}
	if (count && appended)
		spool_state_write(spool->state_fd, &spool->state);
	return count;
}

/* Drops old samples because the disk is full. false: that gave no room (a failed append may leave
 * an empty segment, and dropping one each time would never end). */
static bool free_disk(struct spool *spool)
{
	uint64_t held = spool_bytes(spool);

	return drop_one(spool, false, SPOOL_DISK_FULL) && spool_bytes(spool) < held;
}

static int append_or_free_disk(struct spool *spool, enum spool_kind kind,
			       struct segment_entry *entry, const void *bytes, size_t len)
{
	int rc = 0;
	do {
		rc = spool_queue_append(&spool->queues[kind], entry, bytes, len,
					spool->segment_limit);
	} while ((rc == -ENOSPC || rc == -EDQUOT) && free_disk(spool));
	return rc == -EDQUOT ? -ENOSPC : rc;
}

int spool_append(struct spool *spool, enum spool_kind kind, uint64_t sequence, uint64_t records,
		 const void *bytes, size_t len)
{
	int64_t now = clock_real_ns();
	uint64_t reports = 0;
	struct segment_entry entry = { .order = ++spool->last_order,
				       .sequence = sequence,
				       .records = records,
				       .appended_at = now };
	enum spool_why why = SPOOL_FULL;
	int rc = -ENOSPC;
	if (len > SEGMENT_PAYLOAD_LIMIT)
		return -EMSGSIZE;
	if (make_room(spool, kind, segment_entry_size(len))) {
		rc = append_or_free_disk(spool, kind, &entry, bytes, len);
		why = SPOOL_DISK_FULL;
	}
	if (kind == SPOOL_LIFECYCLE)
		reports = settle_taken_losses(spool, rc == 0);
	/* Records that report losses are no loss themselves: they will be made again. */
	if (rc != 0 && (records > reports || !reports))
		count_loss(spool, why, records - reports, now);
	return rc;
}

int spool_sync(struct spool *spool)
{
	int rc = 0;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		int one = spool_queue_sync(&spool->queues[kind]);
		rc = one != 0 ? one : rc;
	}
	if (fdatasync(spool->state_fd) < 0 && rc == 0)
		rc = -errno;
	return rc;
}

/* Finds the queue with the older head: 1; 0: both are empty; or -errno. */
static int find_oldest(struct spool *spool, struct spool_queue **ret)
{
	*ret = NULL;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		struct spool_queue *queue = &spool->queues[kind];
		int rc = spool_queue_head(queue);
		if (rc < 0)
			return rc;
		if (rc == 1 && (!*ret || queue->head.order < (*ret)->head.order))
			*ret = queue;
	}
	return *ret != NULL;
}

int spool_peek(struct spool *spool, const void **ret_bytes, size_t *ret_len, uint64_t *ret_records)
{
	struct spool_queue *queue = NULL;
	int rc = 0;
	spool->has_peeked = false;
	while ((rc = find_oldest(spool, &queue)) == 1) {
		rc = spool_queue_read(queue, &spool->payload);
		if (rc != -EBADMSG)
			break;
		count_loss(spool, SPOOL_DAMAGED, queue->head.records, queue->head.appended_at);
		spool_queue_advance(queue);
	}
	if (rc < 0 || !queue)
		return rc;
	spool->has_peeked = true;
	spool->peeked_kind = queue->kind;
	spool->peeked = queue->head;
	*ret_bytes = spool->payload.data;
	*ret_len = spool->payload.len;
	*ret_records = queue->head.records;
	return 1;
}

uint64_t spool_peeked_sequence(const struct spool *spool)
{
	return spool->has_peeked ? spool->peeked.sequence : 0;
}

int spool_advance(struct spool *spool)
{
	struct spool_queue *queue = &spool->queues[spool->peeked_kind];
	if (!spool->has_peeked)
		return -ENOENT;
	spool->has_peeked = false;
	/* If the only segment was dropped since, the head is another entry already. */
	if (spool_queue_head(queue) == 1 && queue->head.order == spool->peeked.order)
		spool_queue_advance(queue);
	return 0;
}

int spool_reject(struct spool *spool)
{
	if (!spool->has_peeked)
		return -ENOENT;
	spool_rejected_keep(spool->folder, spool->peeked.order, spool->payload.data,
			    spool->payload.len);
	count_loss(spool, SPOOL_REJECTED, spool->peeked.records, spool->peeked.appended_at);
	return spool_advance(spool);
}

uint64_t spool_lost_batches(const struct spool *spool)
{
	uint64_t count = spool->reported_batches;
	for (unsigned why = 0; why < SPOOL_WHY_COUNT; why++)
		count += spool->state.losses[why].batches + spool->state.taken[why].batches;
	return count;
}

uint64_t spool_bytes(const struct spool *spool)
{
	return spool->queues[SPOOL_LIFECYCLE].bytes + spool->queues[SPOOL_SAMPLES].bytes;
}

uint64_t spool_entries(const struct spool *spool)
{
	return spool->queues[SPOOL_LIFECYCLE].entries + spool->queues[SPOOL_SAMPLES].entries;
}

int spool_take_loss(struct spool *spool, struct spool_loss *ret)
{
	for (unsigned why = 0; why < SPOOL_WHY_COUNT; why++) {
		struct spool_loss_sum *loss = &spool->state.losses[why];
		if (loss->batches == 0)
			continue;
		*ret = (struct spool_loss){ .batches = loss->batches,
					    .records = loss->records,
					    .since_at = loss->since_at,
					    .until_at = loss->until_at,
					    .why = spool_why_text(why) };
		spool_loss_add(&spool->state.taken[why], loss);
		*loss = (struct spool_loss_sum){ 0 };
		return 1;
	}
	return 0;
}
