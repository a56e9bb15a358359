#include "cli/recorded.h"

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
#include "cli/client.h"
#include "signal/batch.h"
#include "signal/batch_move.h"
#include "signal/recording.h"

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

/* Reads it to its end: a recording that is damaged is not sent in part. */
static int check_whole(const void *bytes, size_t len, struct error *err)
{
	CLEANUP(recording_closep) struct recording *recording = NULL;
	Signal__Batch *batch;
	int code = recording_open(&recording, bytes, len, err);

	while (code >= 0) {
		code = recording_next(recording, &batch, err);
		if (code <= 0)
			break;
		batch_free(batch);
	}
	return code;
}

static void set_text(char *text, size_t size, const char *from)
{
	snprintf(text, size, "%s", from);
}

static void describe(const Signal__Recording *head, const struct recorded_replay *replay,
		     struct recorded_summary *ret)
{
	*ret = (struct recorded_summary){ .recorded_at = head->recorded_at,
					  .started_at = head->started_at,
					  .batches = head->batches,
					  .missing_batches = head->missing_batches };
	set_text(ret->name, sizeof(ret->name), *head->name ? head->name : head->pipeline);
	set_text(ret->engine, sizeof(ret->engine), head->engine);
	set_text(ret->status, sizeof(ret->status), head->status);
	set_text(ret->run_id, sizeof(ret->run_id),
		 replay->salt ? batch_moved_id(replay->salt, head->run_id).text : head->run_id);
}

static int send_batch(const struct common *common, Signal__Batch *batch,
		      const struct batch_move *move, struct recorded_summary *summary,
		      struct error *err)
{
	CLEANUP(buffer_clear) struct buffer packed = { 0 };
	bool duplicate = false;
	int code = move->salt ? batch_move(batch, move) : 0;

	buffer_init(&packed, BATCH_PACKED_LIMIT);
	if (code == 0)
		code = batch_pack(batch, &packed);
	if (code < 0)
		return error_set(err, code, "a batch cannot be packed: %s", strerror(-code));
	code = client_send_batch(common, packed.data, packed.len, &duplicate, err);
	summary->sent += code == 0;
	summary->duplicates += duplicate;
	return code;
}

static void show_progress(const struct recorded_replay *replay,
			  const struct recorded_summary *summary)
{
	if (replay->progress)
		fprintf(stderr, "\r%zu of about %llu batches", summary->sent,
			(unsigned long long)(summary->batches - summary->missing_batches));
}

static int send_all(const struct common *common, struct recording *recording,
		    const struct recorded_replay *replay, struct recorded_summary *ret,
		    struct error *err)
{
	const Signal__Recording *head = recording_head(recording);
	char date[CLOCK_TEXT_SIZE];
	int64_t end_at = head->last_at > head->ended_at ? head->last_at : head->ended_at;
	const struct batch_move move = { .shift_ns = clock_real_ns() - end_at,
					 .salt = replay->salt,
					 .recorded = clock_format(head->recorded_at, date) };
	int code;

	for (;;) {
		CLEANUP(batch_freep) Signal__Batch *batch = NULL;

		code = recording_next(recording, &batch, err);
		if (code <= 0)
			break;
		code = send_batch(common, batch, &move, ret, err);
		if (code < 0)
			break;
		show_progress(replay, ret);
	}
	if (replay->progress)
		fprintf(stderr, "\r\033[K");
	return code;
}

int recorded_replay(const struct common *common, const void *bytes, size_t len,
		    const struct recorded_replay *replay, struct recorded_summary *ret,
		    struct error *err)
{
	CLEANUP(recording_closep) struct recording *recording = NULL;
	int code = check_whole(bytes, len, err);

	if (code == 0)
		code = recording_open(&recording, bytes, len, err);
	if (code < 0)
		return code;
	describe(recording_head(recording), replay, ret);
	return send_all(common, recording, replay, ret, err);
}

char *recorded_words(const struct recorded_summary *summary, char *text, size_t size)
{
	char date[CLOCK_TEXT_SIZE];

	snprintf(text, size, "%s (%s%s%s), recorded on %.10s", summary->name, summary->engine,
		 *summary->engine ? ", " : "", summary->status,
		 clock_format(summary->recorded_at, date));
	return text;
}
