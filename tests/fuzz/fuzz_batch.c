/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile batch sent to the lake. The first byte chooses: the bytes as they are, or inside a
 * valid zstd frame, which random bytes never are. */
#include "fuzz.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <zstd.h>

#include "base/json.h"
#include "base/utf8.h"
#include "signal/batch.h"

static void must_be_json(const Signal__Batch *batch)
{
	struct buffer out;
	struct json json;
	json_t *read;

	buffer_init(&out, 0);
	json_init(&json, &out, false);
	batch_write_json(&batch->base, &json);
	/* Numbers beyond 63 bits are JSON, but not jansson's. */
	read = json_loadb(out.data, out.len, JSON_DECODE_INT_AS_REAL, NULL);
	MUST(out.failed || read);
	json_decref(read);
	buffer_clear(&out);
}

static void must_pack_again(const Signal__Batch *batch)
{
	struct buffer packed;
	Signal__Batch *back = NULL;

	buffer_init(&packed, 0);
	if (batch_pack(batch, &packed) == 0) {
		MUST(batch_unpack(packed.data, packed.len, &back, NULL) == 0);
		MUST(batch_records(back) == batch_records(batch));
	}
	batch_free(back);
	buffer_clear(&packed);
}

/* Samples take less memory there. */
static void must_be_the_same_in_an_arena(const void *bytes, size_t len, int r,
					 const Signal__Batch *batch)
{
	struct arena arena = { 0 };
	Signal__Batch *other = NULL;
	size_t size = 0;
	int code = batch_unpack_into(&arena, bytes, len, &other, &size, NULL);

	MUST(code == r || (!code && r == -EMSGSIZE));
	MUST(r || signal__batch__get_packed_size(other) == signal__batch__get_packed_size(batch));
	arena_clear(&arena);
}

static void unpack(const void *bytes, size_t len)
{
	struct error err = { "" };
	Signal__Batch *batch = NULL;
	int r = batch_unpack(bytes, len, &batch, &err);

	must_be_the_same_in_an_arena(bytes, len, r, batch);

	MUST(r == 0 || (!batch && err.text[0]));
	if (r)
		return;
	MUST(utf8_valid(batch->agent_id, strlen(batch->agent_id)));
	must_be_json(batch);
	must_pack_again(batch);
	batch_free(batch);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	size_t bound = ZSTD_compressBound(len);
	char *packed;

	if (!len || bytes[0] != 'z') {
		unpack(bytes, len);
		return 0;
	}
	packed = malloc(bound);
	MUST(packed);
	unpack(packed, ZSTD_compress(packed, bound, bytes + 1, len - 1, 1));
	free(packed);
	return 0;
}
