/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/recording.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/cleanup.h"
#include "signal/batch.h"

#define MAGIC          "TRACREC\1" /* the last byte is the version */
#define MAGIC_SIZE     8
#define CHUNK          ((size_t)64 << 10)
#define WINDOW_LOG_MAX 27 /* 128 MiB: a frame that asks for a larger window is refused */

struct recording_writer {
	ZSTD_CCtx *context;
	struct buffer *out;
};

struct recording {
	ZSTD_DCtx *context;
	ZSTD_inBuffer in;
	struct buffer part; /* the part that was read last */
	Signal__Recording *head;
	size_t batches;
	size_t left; /* what zstd said last: 0 at the end of the frame */
};

static int write_bytes(struct recording_writer *writer, const void *bytes, size_t len,
		       ZSTD_EndDirective mode)
{
	CLEANUP(freep) char *chunk = malloc(CHUNK);
	ZSTD_inBuffer in = { .src = bytes, .size = len };
	size_t left;

	if (!chunk)
		return -ENOMEM;
	do {
		ZSTD_outBuffer part = { .dst = chunk, .size = CHUNK };

		left = ZSTD_compressStream2(writer->context, &part, &in, mode);
		if (ZSTD_isError(left))
			return -ENOMEM;
		buffer_append(writer->out, chunk, part.pos);
	} while (in.pos < in.size || (mode == ZSTD_e_end && left));
	return writer->out->failed ? -ENOMEM : 0;
}

static int write_part(struct recording_writer *writer, const ProtobufCMessage *message,
		      size_t limit)
{
	size_t len = protobuf_c_message_get_packed_size(message);
	const unsigned char length[4] = { (unsigned char)len, (unsigned char)(len >> 8),
					  (unsigned char)(len >> 16), (unsigned char)(len >> 24) };
	CLEANUP(freep) uint8_t *bytes = NULL;
	int r;

	if (len > limit)
		return -EMSGSIZE;
	bytes = malloc(len + 1);
	if (!bytes)
		return -ENOMEM;
	protobuf_c_message_pack(message, bytes);
	r = write_bytes(writer, length, sizeof(length), ZSTD_e_continue);
	return r ? r : write_bytes(writer, bytes, len, ZSTD_e_continue);
}

int recording_begin(struct recording_writer **ret, const Signal__Recording *head, int level,
		    struct buffer *out)
{
	struct recording_writer *writer = calloc(1, sizeof(*writer));
	int r;

	if (!writer)
		return -ENOMEM;
	writer->out = out;
	writer->context = ZSTD_createCCtx();
	if (!writer->context) {
		recording_writer_free(writer);
		return -ENOMEM;
	}
	ZSTD_CCtx_setParameter(writer->context, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(writer->context, ZSTD_c_checksumFlag, 1);
	buffer_append(out, MAGIC, MAGIC_SIZE);
	r = write_part(writer, &head->base, RECORDING_HEAD_LIMIT);
	if (r)
		recording_writer_free(writer);
	else
		*ret = writer;
	return r;
}

int recording_add(struct recording_writer *writer, const Signal__Batch *batch)
{
	return write_part(writer, &batch->base, BATCH_UNPACKED_LIMIT);
}

int recording_end(struct recording_writer *writer)
{
	static const unsigned char end[4] = { 0 };

	return write_bytes(writer, end, sizeof(end), ZSTD_e_end);
}

void recording_writer_free(struct recording_writer *writer)
{
	if (!writer)
		return;
	ZSTD_freeCCtx(writer->context);
	free(writer);
}

/* Reads exactly len bytes of what the frame unpacks to; in chunks, so that a length costs no memory
 * before the bytes are there. */
static int read_bytes(struct recording *recording, size_t len, struct error *err)
{
	CLEANUP(freep) char *chunk = malloc(CHUNK);

	buffer_reset(&recording->part);
	if (!chunk)
		return error_set(err, -ENOMEM, "no memory to read a recording");
	while (recording->part.len < len) {
		size_t want = len - recording->part.len, consumed = recording->in.pos;
		ZSTD_outBuffer out = { .dst = chunk, .size = want < CHUNK ? want : CHUNK };

		recording->left = ZSTD_decompressStream(recording->context, &out, &recording->in);
		if (ZSTD_isError(recording->left))
			return error_set(err, -EPROTO, "the recording is damaged: %s",
					 ZSTD_getErrorName(recording->left));
		if (!out.pos && recording->in.pos == consumed)
			return error_set(err, -EPROTO, "the recording is cut: copy it again");
		if (!recording->left && out.pos < want)
			return error_set(err, -EPROTO, "the recording is damaged: it has no end");
		buffer_append(&recording->part, chunk, out.pos);
	}
	return recording->part.failed ? error_set(err, -ENOMEM, "no memory to read a recording")
				      : 0;
}

/* 1: recording->part is the next part; 0: the parts have ended. */
static int read_part(struct recording *recording, size_t limit, struct error *err)
{
	const unsigned char *length;
	size_t len;
	int r = read_bytes(recording, 4, err);

	if (r)
		return r;
	length = (const unsigned char *)recording->part.data;
	len = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 |
	      (size_t)length[3] << 24;
	if (len > limit)
		return error_set(err, -EMSGSIZE,
				 "the recording holds a part of %zu bytes; at most %zu are read",
				 len, limit);
	if (len == 0)
		return 0;
	r = read_bytes(recording, len, err);
	return r ? r : 1;
}

static int read_head(struct recording *recording, struct error *err)
{
	int r = read_part(recording, RECORDING_HEAD_LIMIT, err);

	if (r < 0)
		return r;
	if (r > 0)
		recording->head = signal__recording__unpack(NULL, recording->part.len,
							    (const uint8_t *)recording->part.data);
	return recording->head ? 0 : error_set(err, -EPROTO, "the recording is damaged: no head");
}

static int open_frame(struct recording *recording, const char *bytes, size_t len, struct error *err)
{
	if (len < MAGIC_SIZE || memcmp(bytes, MAGIC, MAGIC_SIZE - 1) != 0)
		return error_set(err, -EPROTO, "it is not a recording of Tracer");
	if (bytes[MAGIC_SIZE - 1] != MAGIC[MAGIC_SIZE - 1])
		return error_set(err, -EPROTO,
				 "the recording is of version %d, this Tracer reads version %d: "
				 "use a Tracer of its time, or record the run again",
				 (unsigned char)bytes[MAGIC_SIZE - 1], MAGIC[MAGIC_SIZE - 1]);
	if (len > RECORDING_LIMIT)
		return error_set(err, -EMSGSIZE, "the recording has %zu bytes; at most %u are read",
				 len, RECORDING_LIMIT);
	recording->context = ZSTD_createDCtx();
	if (!recording->context)
		return error_set(err, -ENOMEM, "no memory to read a recording");
	ZSTD_DCtx_setParameter(recording->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	recording->in = (ZSTD_inBuffer){ .src = bytes + MAGIC_SIZE, .size = len - MAGIC_SIZE };
	return read_head(recording, err);
}

int recording_open(struct recording **ret, const void *bytes, size_t len, struct error *err)
{
	struct recording *recording = calloc(1, sizeof(*recording));
	int r;

	if (!recording)
		return error_set(err, -ENOMEM, "no memory to read a recording");
	buffer_init(&recording->part, BATCH_UNPACKED_LIMIT);
	r = open_frame(recording, bytes, len, err);
	if (r)
		recording_close(recording);
	else
		*ret = recording;
	return r;
}

const Signal__Recording *recording_head(const struct recording *recording)
{
	return recording->head;
}

/* Behind the last part: zstd checks the frame's checksum when it reads its end. */
static int read_end(struct recording *recording, struct error *err)
{
	char byte;
	ZSTD_outBuffer out = { .dst = &byte, .size = 1 };

	if (recording->left)
		recording->left = ZSTD_decompressStream(recording->context, &out, &recording->in);
	if (ZSTD_isError(recording->left))
		return error_set(err, -EPROTO, "the recording is damaged: %s",
				 ZSTD_getErrorName(recording->left));
	if (recording->left || out.pos || recording->in.pos < recording->in.size)
		return error_set(
			err, -EPROTO,
			"the recording is cut, or something follows its end: copy it again");
	return 0;
}

/* A lake takes no batch without these (lake/store/boundary.c). */
static bool has_keys(const Signal__Batch *batch)
{
	return *batch->agent_id && *batch->host_id && *batch->boot_id && batch->sequence;
}

int recording_next(struct recording *recording, Signal__Batch **ret, struct error *err)
{
	int r = read_part(recording, BATCH_UNPACKED_LIMIT, err);

	if (r < 0)
		return r;
	if (r == 0)
		return read_end(recording, err);
	if (++recording->batches > RECORDING_BATCHES_LIMIT)
		return error_set(err, -EMSGSIZE, "the recording has more than %d batches",
				 RECORDING_BATCHES_LIMIT);
	r = batch_parse(recording->part.data, recording->part.len, ret, err);
	if (r)
		return r;
	if (has_keys(*ret))
		return 1;
	batch_free(*ret);
	*ret = NULL;
	return error_set(err, -EPROTO, "the recording holds a batch without ids");
}

void recording_close(struct recording *recording)
{
	if (!recording)
		return;
	if (recording->head)
		signal__recording__free_unpacked(recording->head, NULL);
	ZSTD_freeDCtx(recording->context);
	buffer_clear(&recording->part);
	free(recording);
}
