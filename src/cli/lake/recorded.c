/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "cli/lake/client.h"
#include "signal/batch.h"
#include "signal/batch_merge.h"
#include "signal/batch_move.h"
#include "signal/recording.h"

#define SALT_SIZE 256
/* Batches are merged up to this size: the lake stores one large batch much faster than many small.
 */
#define MERGE_LIMIT ((size_t)2 << 20)

DEFINE_CLEANUP(struct recording *, recording_close)
DEFINE_CLEANUP(Signal__Batch *, batch_free)

int recorded_read(const char *path, char **ret, size_t *ret_len, struct error *err)
{
	int code = file_read(AT_FDCWD, path, RECORDING_LIMIT, ret, ret_len);

	if (code == -EFBIG)
		return error_set(err, code, "%s has more than %u MiB: it is not a recording", path,
				 RECORDING_LIMIT >> 20);
	return code < 0 ? error_set(err, code, "cannot read %s: %s", path, strerror(-code)) : 0;
}

/* Reads a recording to its end, so that no part of a damaged one is sent. *ret_scanned: an agent
 * started while it was recorded. */
static int check_recording(const void *bytes, size_t len, bool *ret_scanned, struct error *err)
{
	CLEANUP(recording_closep) struct recording *recording = NULL;
	Signal__Batch *batch;
	bool delivered = false;
	int code = recording_open(&recording, bytes, len, err);

	while (code >= 0) {
		code = recording_next(recording, &batch, err);
		if (code <= 0)
			break;
		*ret_scanned |= delivered && batch->n_scans > 0;
		delivered |= batch->n_runs || batch->n_tasks || batch->n_executions;
		batch_free(batch);
	}
	return code;
}

static void set_text(char *text, size_t size, const char *from)
{
	snprintf(text, size, "%s", from);
}

static void describe(const Signal__Recording *head, const char *salt, struct recorded_summary *ret)
{
	*ret = (struct recorded_summary){ .recorded_at = head->recorded_at,
					  .started_at = head->started_at,
					  .batches = head->batches,
					  .missing_batches = head->missing_batches };
	set_text(ret->name, sizeof(ret->name), *head->name ? head->name : head->pipeline);
	set_text(ret->engine, sizeof(ret->engine), head->engine);
	set_text(ret->status, sizeof(ret->status), head->status);
	set_text(ret->run_id, sizeof(ret->run_id), batch_moved_id(salt, head->run_id).text);
}

/* A recording that is being sent to the lake. */
struct transfer {
	const struct common *common;
	const struct recorded_replay *replay;
	struct recorded_summary *summary;
	struct batch_move move;
	bool unmerged; /* send each batch alone: what a scan closes depends on when batches closed
			*/
	Signal__Batch *ready; /* the next batch to send; NULL: none */
	size_t ready_len;
};

static void show_progress(const struct transfer *transfer)
{
	if (transfer->replay->progress)
		fprintf(stderr, "\r%zu batches", transfer->summary->sent);
}

static int send_ready(struct transfer *transfer, struct error *err)
{
	CLEANUP(batch_freep) Signal__Batch *batch = TAKE_PTR(transfer->ready);
	CLEANUP(buffer_clear) struct buffer packed = { 0 };
	bool duplicate = false;
	int code;

	if (!batch)
		return 0;
	buffer_init(&packed, BATCH_PACKED_LIMIT);
	code = batch_pack(batch, &packed);
	if (code < 0)
		return error_set(err, code, "a batch cannot be packed: %s", strerror(-code));
	code = client_send_batch(transfer->common, packed.data, packed.len, &duplicate, err);
	transfer->summary->sent += code == 0;
	transfer->summary->duplicates += duplicate;
	show_progress(transfer);
	return code;
}

static bool can_merge(const struct transfer *transfer, const Signal__Batch *batch, size_t len)
{
	const Signal__Batch *ready = transfer->ready;

	return ready && !transfer->unmerged && transfer->ready_len + len <= MERGE_LIMIT &&
	       strcmp(ready->agent_id, batch->agent_id) == 0 &&
	       strcmp(ready->boot_id, batch->boot_id) == 0;
}

static int take_batch(struct transfer *transfer, Signal__Batch *batch_, struct error *err)
{
	CLEANUP(batch_freep) Signal__Batch *batch = batch_;
	size_t len = signal__batch__get_packed_size(batch);
	int code = batch_move(batch, &transfer->move);

	if (code == 0 && can_merge(transfer, batch, len)) {
		transfer->ready_len += len;
		code = batch_merge(transfer->ready, batch);
	} else if (code == 0) {
		code = send_ready(transfer, err);
		transfer->ready = TAKE_PTR(batch);
		transfer->ready_len = len;
		return code;
	}
	return code < 0 ? error_set(err, code, "no memory to replay a batch") : 0;
}

static int send_all(struct transfer *transfer, struct recording *recording, struct error *err)
{
	Signal__Batch *batch;
	int code;

	while ((code = recording_next(recording, &batch, err)) > 0) {
		code = take_batch(transfer, batch, err);
		if (code < 0)
			break;
	}
	if (code == 0)
		code = send_ready(transfer, err);
	batch_free(transfer->ready);
	if (transfer->replay->progress)
		fprintf(stderr, "\r\033[K");
	return code;
}

/* From the last instant of the recording to now, in whole microseconds: the lake stores instants in
 * microseconds, and intervals stay as long as they were. */
static int64_t shift_to_now(const Signal__Recording *head)
{
	int64_t last_at = head->last_at > head->ended_at ? head->last_at : head->ended_at;
	int64_t shift_ns = clock_real_ns() - last_at;

	return shift_ns - shift_ns % NS_PER_US;
}

int recorded_replay(const struct common *common, const void *bytes, size_t len,
		    const struct recorded_replay *replay, struct recorded_summary *ret,
		    struct error *err)
{
	struct transfer transfer = { .common = common, .replay = replay, .summary = ret };
	CLEANUP(recording_closep) struct recording *recording = NULL;
	char date[CLOCK_TEXT_SIZE], salt[SALT_SIZE];
	const Signal__Recording *head;
	int code = check_recording(bytes, len, &transfer.unmerged, err);

	if (code == 0)
		code = recording_open(&recording, bytes, len, err);
	if (code < 0)
		return code;
	head = recording_head(recording);
	/* Two runs of one agent can share a batch, and each recording holds only its own records of
	 * it: batches of different recordings must not get the same id. */
	snprintf(salt, sizeof(salt), "%s %.128s", replay->salt, head->run_id);
	describe(head, salt, ret);
	transfer.move = (struct batch_move){ .salt = salt,
					     .recorded = clock_format(head->recorded_at, date) };
	if (replay->now)
		transfer.move.shift_ns = shift_to_now(head);
	return send_all(&transfer, recording, err);
}

char *recorded_words(const struct recorded_summary *summary, char *text, size_t size)
{
	char date[CLOCK_TEXT_SIZE];

	snprintf(text, size, "%s (%s%s%s), recorded on %.10s", summary->name, summary->engine,
		 *summary->engine ? ", " : "", summary->status,
		 clock_format(summary->recorded_at, date));
	return text;
}
