/* SPDX-License-Identifier: Apache-2.0 */
/* A spool folder with hostile files. The first byte says how many 16ths of the input are the state
 * file; the rest is a segment, as it is or with correct CRCs, which random bytes never have.
 * Whatever the files contain, reading ends, an appended entry is read back, and a spool that was
 * read to its end has no old entry after it is opened again. */
#include "fuzz.h"

#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "signal/segment.h"
#include "ship/spool.h"

#define LIMIT ((uint64_t)1 << 20)

static char folder[64];

static void remove_folder(void)
{
	file_remove_tree(folder);
}

static void write_file(const char *name, const uint8_t *bytes, size_t len)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	MUST(file);
	MUST(fwrite(bytes, 1, len, file) == len);
	fclose(file);
}

/* Corrects the CRCs of all bytes that look like an entry. */
static void repair(uint8_t *bytes, size_t len)
{
	struct segment_entry entry;
	const size_t covered = offsetof(struct segment_entry, payload_crc);
	for (size_t at = 0; at + sizeof(entry) <= len; at++) {
		memcpy(&entry, bytes + at, sizeof(entry));
		if (memcmp(&entry.magic, "Tsp1", 4) != 0)
			continue;
		entry.order &= INT64_MAX >> 1; /* a real spool never has an order that high */
		if (entry.len <= len - at - sizeof(entry))
			entry.payload_crc =
				(uint32_t)crc32_z(0, bytes + at + sizeof(entry), entry.len);
		entry.header_crc = (uint32_t)crc32_z(0, (const uint8_t *)&entry + covered,
						     sizeof(entry) - covered);
		memcpy(bytes + at, &entry, sizeof(entry));
	}
}

static void write_segment(const uint8_t *data, const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len + 1);
	MUST(copy);
	memcpy(copy, bytes, len);
	if (data[0] & 32)
		repair(copy, len);
	write_file(data[0] & 16 ? "samples-0000000000000001" : "lifecycle-0000000000000001", copy,
		   len);
	free(copy);
}

static size_t read_all(struct spool *spool)
{
	const void *bytes;
	size_t len, count = 0;
	uint64_t records;
	int rc;
	while ((rc = spool_peek(spool, &bytes, &len, &records)) == 1) {
		MUST(count++ < 100000);
		MUST(spool_advance(spool) == 0);
	}
	MUST(rc == 0);
	return count;
}

static void take_losses(struct spool *spool)
{
	struct spool_loss loss;
	unsigned losses = 0;
	while (spool_take_loss(spool, &loss) == 1)
		MUST(loss.batches > 0 && loss.why && losses++ < 10);
}

static void read_twice(void)
{
	struct spool *spool = NULL;
	const void *bytes = NULL;
	size_t len = 0;
	uint64_t records = 0;
	MUST(spool_open(&spool, folder, LIMIT, NULL) == 0);
	MUST(strlen(spool_agent_id(spool)) < 64);
	MUST(spool_next_sequence(spool, "boot") > 0);
	read_all(spool);
	MUST(spool_entries(spool) == 0);
	take_losses(spool);
	MUST(spool_append(spool, SPOOL_LIFECYCLE, 7, 1, "fresh", 5) == 0);
	spool_close(spool);
	MUST(spool_open(&spool, folder, LIMIT, NULL) == 0);
	MUST(spool_peek(spool, &bytes, &len, &records) == 1);
	MUST(len == 5 && memcmp(bytes, "fresh", 5) == 0);
	MUST(spool_peeked_sequence(spool) == 7);
	MUST(spool_advance(spool) == 0);
	MUST(read_all(spool) == 0);
	spool_close(spool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (folder[0] == '\0') {
		/* in memory, if there is a tmpfs: thousands of fsyncs take long */
		snprintf(folder, sizeof(folder), "/dev/shm/tracer-fuzz-XXXXXX");
		if (!mkdtemp(folder)) {
			snprintf(folder, sizeof(folder), "/tmp/tracer-fuzz-XXXXXX");
			MUST(mkdtemp(folder));
		}
		atexit(remove_folder);
	}
	if (size < 1 || size > 1 << 16)
		return 0;
	size_t state = (size - 1) * (data[0] & 15) / 16;
	file_remove_tree(folder);
	MUST(file_make_folder(folder, 0700, NULL) == 0);
	if (state > 0)
		write_file("state", data + 1, state);
	write_segment(data, data + 1 + state, size - 1 - state);
	read_twice();
	return 0;
}
