/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/batch_frame.h"

#include "base/cleanup.h"
#include "signal/batch.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <zstd.h>

#define CHUNK          ((size_t)64 << 10)
#define WINDOW_LOG_MAX 25         /* 32 MiB: a frame that asks for a larger window is refused */
#define WHOLE_MOST     (4u << 20) /* what a frame may claim to be read without chunks */
#define CONTEXT_MOST   ((size_t)512 << 10) /* bytes that a thread keeps */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t contexts; /* a ZSTD_DCtx of each thread that reads */

static void free_context(void *context)
{
	ZSTD_freeDCtx(context);
}

static void make_key(void)
{
	(void)pthread_key_create(&contexts, free_context);
}

/* NULL: no memory. */
static ZSTD_DCtx *context_of_thread(void)
{
	ZSTD_DCtx *context;

	pthread_once(&once, make_key);
	context = pthread_getspecific(contexts);
	if (context) {
		ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
		return context;
	}
	context = ZSTD_createDCtx();
	if (!context || pthread_setspecific(contexts, context)) {
		ZSTD_freeDCtx(context);
		return NULL;
	}
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return context;
}

/* A frame with a large window leaves a large context. */
static void release(ZSTD_DCtx *context)
{
	if (ZSTD_sizeof_DCtx(context) <= CONTEXT_MOST)
		return;
	(void)pthread_setspecific(contexts, NULL);
	ZSTD_freeDCtx(context);
}

/* Reads a frame of which the size is known at once. false: something is wrong with it, and out is
 * as it was. */
static bool read_whole(ZSTD_DCtx *context, const void *bytes, size_t len, size_t size,
		       struct buffer *out)
{
	size_t begin = out->len;
	void *content;

	if (ZSTD_findFrameCompressedSize(bytes, len) != len)
		return false;
	content = buffer_extend(out, size);
	if (!content)
		return false;
	if (ZSTD_decompressDCtx(context, content, size, bytes, len) == size)
		return true;
	ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
	out->len = begin;
	out->data[begin] = '\0';
	return false;
}

/* In chunks, so that what a frame claims costs nothing before it delivers. */
static int stream(ZSTD_DCtx *context, ZSTD_inBuffer *in, struct buffer *out, struct error *err)
{
	CLEANUP(freep) char *chunk = malloc(CHUNK);
	size_t left;

	if (!chunk)
		return error_set(err, -ENOMEM, "no memory to unpack a batch");
	do {
		ZSTD_outBuffer part = { .dst = chunk, .size = CHUNK };
		size_t consumed = in->pos;

		left = ZSTD_decompressStream(context, &part, in);
		if (ZSTD_isError(left))
			return error_set(err, -EPROTO, "the batch is not zstd: %s",
					 ZSTD_getErrorName(left));
		if (left && !part.pos && in->pos == consumed)
			return error_set(err, -EPROTO, "the batch is cut: its zstd frame goes on");
		if (part.pos > BATCH_UNPACKED_LIMIT - out->len)
			return error_set(err, -EMSGSIZE, "the batch unpacks to more than %u MiB",
					 BATCH_UNPACKED_LIMIT >> 20);
		buffer_append(out, chunk, part.pos);
	} while (left);
	if (in->pos < in->size)
		return error_set(err, -EPROTO, "%zu bytes follow the batch's zstd frame",
				 in->size - in->pos);
	return out->failed ? error_set(err, -ENOMEM, "no memory to unpack a batch") : 0;
}

int batch_frame_read(const void *bytes, size_t len, struct buffer *out, struct error *err)
{
	ZSTD_DCtx *context;
	ZSTD_inBuffer in = { .src = bytes, .size = len };
	unsigned long long claimed = ZSTD_getFrameContentSize(bytes, len);
	int rc;

	if (len > BATCH_PACKED_LIMIT)
		return error_set(err, -EMSGSIZE, "the batch has %zu bytes; at most %u are taken",
				 len, BATCH_PACKED_LIMIT);
	if (claimed == ZSTD_CONTENTSIZE_ERROR)
		return error_set(err, -EPROTO, "the batch is not zstd");
	if (claimed != ZSTD_CONTENTSIZE_UNKNOWN && claimed > BATCH_UNPACKED_LIMIT)
		return error_set(err, -EMSGSIZE, "the batch unpacks to more than %u MiB",
				 BATCH_UNPACKED_LIMIT >> 20);
	context = context_of_thread();
	if (!context)
		return error_set(err, -ENOMEM, "no memory to unpack a batch");
	if (claimed <= WHOLE_MOST && read_whole(context, bytes, len, (size_t)claimed, out))
		return 0;
	rc = stream(context, &in, out, err);
	release(context);
	return rc;
}
