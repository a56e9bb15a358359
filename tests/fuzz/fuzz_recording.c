/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile file for `tracer replay`. The first byte chooses: the bytes as they are, or in a valid
 * zstd frame after the right magic, which random bytes never have. */
#include "fuzz.h"

#include <string.h>
#include <zstd.h>

#include "signal/batch.h"
#include "signal/batch_move.h"
#include "signal/recording.h"

#define MAGIC_SIZE 8

static void read_all(const void *bytes, size_t len)
{
	const struct batch_move move = { .shift_ns = 1, .salt = "fuzz", .recorded = "today" };
	struct recording *recording = NULL;
	struct error err = { "" };
	Signal__Batch *batch;
	int r = recording_open(&recording, bytes, len, &err);

	MUST(r == 0 || (!recording && err.text[0]));
	while (r >= 0 && (r = recording_next(recording, &batch, &err)) > 0) {
		MUST(batch->agent_id[0] && batch->sequence);
		MUST(batch_move(batch, &move) == 0);
		batch_free(batch);
	}
	MUST(r == 0 || err.text[0]);
	recording_close(recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	size_t bound = ZSTD_compressBound(len);
	char *packed;

	if (!len || bytes[0] != 'z') {
		read_all(bytes, len);
		return 0;
	}
	packed = malloc(MAGIC_SIZE + bound);
	MUST(packed);
	memcpy(packed, "TRACREC\1", MAGIC_SIZE);
	read_all(packed,
		 MAGIC_SIZE + ZSTD_compress(packed + MAGIC_SIZE, bound, bytes + 1, len - 1, 1));
	free(packed);
	return 0;
}
