/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/batch.h"

#include "base/cleanup.h"
#include "signal/batch_repair.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

/* Level 3 (the library's choice) was a tenth of the agent's CPU samples in an exec storm. */
#define LEVEL          1
#define CHUNK          ((size_t)64 << 10)
#define WINDOW_LOG_MAX 25 /* 32 MiB: a frame that asks for a larger window is refused */
/* Two bytes on the wire can ask for a record of some hundred bytes in memory. Honest batches need
 * about three times their unpacked size. */
#define MEMORY_LIMIT ((size_t)128 << 20)

DEFINE_CLEANUP(ZSTD_CCtx *, ZSTD_freeCCtx)
DEFINE_CLEANUP(ZSTD_DCtx *, ZSTD_freeDCtx)

int batch_compress(const void *bytes, size_t len, struct buffer *out)
{
	CLEANUP(ZSTD_freeCCtxp) ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t bound = ZSTD_compressBound(len), packed_len;
	CLEANUP(freep) void *packed = malloc(bound);

	if (len > BATCH_UNPACKED_LIMIT)
		return -EMSGSIZE;
	if (!context || !packed)
		return -ENOMEM;
	ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	packed_len = ZSTD_compress2(context, packed, bound, bytes, len);
	if (ZSTD_isError(packed_len))
		return -ENOMEM;
	if (packed_len > BATCH_PACKED_LIMIT)
		return -EMSGSIZE;
	buffer_append(out, packed, packed_len);
	return out->failed ? -ENOMEM : 0;
}

int batch_pack(const Signal__Batch *batch, struct buffer *out)
{
	size_t len = signal__batch__get_packed_size(batch);
	CLEANUP(freep) void *bytes = NULL;

	if (len > BATCH_UNPACKED_LIMIT)
		return -EMSGSIZE;
	bytes = malloc(len + 1);
	if (!bytes)
		return -ENOMEM;
	signal__batch__pack(batch, bytes);
	return batch_compress(bytes, len, out);
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

static int decompress(const void *bytes, size_t len, struct buffer *out, struct error *err)
{
	CLEANUP(ZSTD_freeDCtxp) ZSTD_DCtx *context = NULL;
	ZSTD_inBuffer in = { .src = bytes, .size = len };
	unsigned long long claimed = ZSTD_getFrameContentSize(bytes, len);

	if (len > BATCH_PACKED_LIMIT)
		return error_set(err, -EMSGSIZE, "the batch has %zu bytes; at most %u are taken",
				 len, BATCH_PACKED_LIMIT);
	if (claimed == ZSTD_CONTENTSIZE_ERROR)
		return error_set(err, -EPROTO, "the batch is not zstd");
	if (claimed != ZSTD_CONTENTSIZE_UNKNOWN && claimed > BATCH_UNPACKED_LIMIT)
		return error_set(err, -EMSGSIZE, "the batch unpacks to more than %u MiB",
				 BATCH_UNPACKED_LIMIT >> 20);
	context = ZSTD_createDCtx();
	if (!context)
		return error_set(err, -ENOMEM, "no memory to unpack a batch");
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return stream(context, &in, out, err);
}

/* What a message may take in all; each part is malloc()ed, so that protobuf-c's own allocator frees
 * it. */
struct allowance {
	size_t left;
	int code; /* why the last request was refused */
};

static void *allowance_alloc(void *data, size_t size)
{
	struct allowance *allowance = data;
	void *memory = NULL;

	allowance->code = -EMSGSIZE;
	if (size > allowance->left)
		return NULL;
	allowance->left -= size;
	memory = malloc(size);
	allowance->code = memory ? 0 : -ENOMEM;
	return memory;
}

static void allowance_free(void *data, void *memory)
{
	free(memory);
}

static int parse(const void *bytes, size_t len, Signal__Batch **ret, struct error *err)
{
	struct allowance allowance = { .left = MEMORY_LIMIT };
	ProtobufCAllocator allocator = { .alloc = allowance_alloc,
					 .free = allowance_free,
					 .allocator_data = &allowance };

	*ret = signal__batch__unpack(&allocator, len, bytes);
	if (*ret)
		return 0;
	if (allowance.code == -EMSGSIZE)
		return error_set(err, -EMSGSIZE, "the batch takes more than %zu MiB of memory",
				 MEMORY_LIMIT >> 20);
	if (allowance.code)
		return error_set(err, allowance.code, "no memory to unpack a batch");
	return error_set(err, -EPROTO, "the batch is not a Batch of signal.proto");
}

int batch_parse(const void *bytes, size_t len, Signal__Batch **ret, struct error *err)
{
	Signal__Batch *batch = NULL;
	int r = parse(bytes, len, &batch, err);

	if (!r)
		r = batch_repair(batch, err);
	if (r)
		batch_free(batch);
	else
		*ret = batch;
	return r;
}

int batch_unpack(const void *bytes, size_t len, Signal__Batch **ret, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer content = { 0 };
	int r;

	buffer_init(&content, BATCH_UNPACKED_LIMIT);
	r = decompress(bytes, len, &content, err);
	return r ? r : batch_parse(content.data, content.len, ret, err);
}

void batch_free(Signal__Batch *batch)
{
	if (batch)
		signal__batch__free_unpacked(batch, NULL);
}

size_t batch_records(const Signal__Batch *batch)
{
	const ProtobufCMessageDescriptor *descriptor = &signal__batch__descriptor;
	size_t records = 0;

	for (unsigned i = 0; i < descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &descriptor->fields[i];

		if (field->label == PROTOBUF_C_LABEL_REPEATED)
			records +=
				*(const size_t *)((const char *)batch + field->quantifier_offset);
	}
	return records;
}
