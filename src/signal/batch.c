/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/batch.h"

#include "base/cleanup.h"
#include "signal/batch_frame.h"
#include "signal/batch_repair.h"
#include "signal/sample_figures.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

/* Level 3 (the library's choice) was a tenth of the agent's CPU samples in an exec storm. */
#define LEVEL 1
/* Two bytes on the wire can ask for a record of some hundred bytes in memory. Honest batches need
 * about three times their unpacked size. */
#define MEMORY_LIMIT  ((size_t)128 << 20)
#define MEMORY_FACTOR 3
#define BLOCK_LEAST   ((size_t)1 << 10) /* of an arena */
#define BLOCK_MOST    ((size_t)64 << 10)

DEFINE_CLEANUP(ZSTD_CCtx *, ZSTD_freeCCtx)

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

/* What a message may take in all. Without an arena each part is malloc()ed, so that protobuf-c's
 * own allocator frees it. */
struct allowance {
	struct arena *arena; /* NULL: none */
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
	memory = allowance->arena ? arena_space(allowance->arena, size) : malloc(size);
	allowance->code = memory ? 0 : -ENOMEM;
	return memory;
}

static void allowance_free(void *data, void *memory)
{
	const struct allowance *allowance = data;

	if (!allowance->arena)
		free(memory);
}

/* keep_packed: the figures of samples. Only with an arena, as they are not freed singly. */
static int unpack(ProtobufCAllocator *allocator, bool keep_packed, const void *bytes, size_t len,
		  Signal__Batch **ret)
{
	const ProtobufCMessageDescriptor *as =
		keep_packed ? sample_figures_batch() : &signal__batch__descriptor;
	Signal__Batch *batch =
		(Signal__Batch *)protobuf_c_message_unpack(as, allocator, len, bytes);
	int rc = batch ? 0 : -EPROTO;

	*ret = batch;
	for (size_t i = 0; keep_packed && !rc && i < batch->n_samples; i++)
		rc = sample_figures_check(batch->samples[i], allocator);
	return rc;
}

static int parse(const void *bytes, size_t len, struct arena *arena, Signal__Batch **ret,
		 struct error *err)
{
	struct allowance allowance = { .arena = arena, .left = MEMORY_LIMIT };
	ProtobufCAllocator allocator = { .alloc = allowance_alloc,
					 .free = allowance_free,
					 .allocator_data = &allowance };

	if (!unpack(&allocator, arena, bytes, len, ret))
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
	int r = parse(bytes, len, NULL, &batch, err);

	if (!r)
		r = batch_repair(batch, NULL, err);
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
	r = batch_frame_read(bytes, len, &content, err);
	return r ? r : batch_parse(content.data, content.len, ret, err);
}

/* Of the memory that a batch of this size takes, so that few blocks are taken, and none for a small
 * batch is large. */
static size_t block_bytes(size_t len)
{
	if (len < BLOCK_LEAST / MEMORY_FACTOR)
		return BLOCK_LEAST;
	return len < BLOCK_MOST / MEMORY_FACTOR ? len * MEMORY_FACTOR : BLOCK_MOST;
}

int batch_unpack_into(struct arena *arena, const void *bytes, size_t len, Signal__Batch **ret,
		      size_t *ret_size, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer content = { 0 };
	Signal__Batch *batch = NULL;
	int r;

	buffer_init(&content, BATCH_UNPACKED_LIMIT);
	r = batch_frame_read(bytes, len, &content, err);
	arena->block_bytes = block_bytes(content.len);
	if (!r)
		r = parse(content.data, content.len, arena, &batch, err);
	if (!r)
		r = batch_repair(batch, arena, err);
	if (r)
		return r;
	*ret = batch;
	*ret_size = content.len;
	return 0;
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
