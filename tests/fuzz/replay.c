/* SPDX-License-Identifier: Apache-2.0 */
/* Feeds each entry of a packed corpus to a fuzz target, whole and, if it is small, cut at every
 * byte: a regression test, without libFuzzer, for all that libFuzzer has found. */
#include "fuzz.h"
#include "pack.h"

#include <string.h>

#define CUT_LIMIT 512

/* In an allocation of exactly that size, so that the address sanitizer reports a read beyond it. */
static void feed(const char *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	MUST(copy);
	memcpy(copy, bytes, len);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
}

static void replay(const char *bytes, size_t len)
{
	feed(bytes, len);
	for (size_t cut = 0; len <= CUT_LIMIT && cut < len; cut++)
		feed(bytes, cut);
}

/* The number of entries; ends the process where the pack cannot be read to its end. */
static size_t replay_pack(const char *path)
{
	struct pack *pack = NULL;
	struct pack_entry entry;
	size_t count = 0;
	int result = pack_open(&pack, path);

	if (result == 0) {
		while ((result = pack_next(pack, &entry)) > 0) {
			replay(entry.bytes, entry.len);
			count++;
		}
	}
	pack_free(pack);
	if (result < 0) {
		fprintf(stderr,
			"%s: %s after %zu entries: make it again with tests/fuzz/pack.py pack\n",
			path, strerror(-result), count);
		exit(1);
	}
	return count;
}

int main(int argc, char **argv)
{
	size_t count = 0;

	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-') /* libFuzzer's options */
			count += replay_pack(argv[i]);
	}
	printf("%zu entries replayed\n", count);
	return count ? 0 : 1;
}
