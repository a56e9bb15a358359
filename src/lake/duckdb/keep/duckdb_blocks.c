/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/duckdb/keep/duckdb_blocks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define HEAD_SIZE      4096
#define HEADS          3
#define BLOCK_SIZE_MIN (16 << 10)
#define BLOCK_SIZE_MAX (1 << 20)
#define SAY_BLOCKS     4096 /* of 256 KiB: 1 GiB */

/* The second and third head, from their first byte. The one with the higher iteration is valid. */
struct head {
	uint64_t checksum, iteration;
	int64_t meta_block, free_list;
	uint64_t blocks, block_size;
};

/* duckdb/src/common/checksum.cpp, for lengths that are multiples of 8. */
static uint64_t checksum_of(const char *bytes, size_t len)
{
	uint64_t sum = 5381, word;

	for (size_t i = 0; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		sum ^= word * UINT64_C(0xbf58476d1ce4e5b9);
	}
	return sum;
}

/* A block of zeros was never written. */
static bool is_good(const char *block, size_t size)
{
	uint64_t checksum;

	memcpy(&checksum, block, sizeof(checksum));
	if (checksum == checksum_of(block + sizeof(checksum), size - sizeof(checksum)))
		return true;
	for (size_t i = 0; i < size; i++)
		if (block[i])
			return false;
	return true;
}

struct file {
	int fd;
	uint64_t blocks;
	size_t block_size;
	char *block; /* the one that was read */
};

static void file_clear(struct file *file)
{
	free(file->block);
}

/* number: as in struct duckdb_bad_blocks. What lies behind the end of the file is bad. */
static bool read_good(struct file *file, int64_t number)
{
	size_t size = number < 0 ? HEAD_SIZE : file->block_size;
	off_t offset = number < 0 ? (off_t)(-1 - number) * HEAD_SIZE
				  : HEADS * HEAD_SIZE + (off_t)number * (off_t)size;

	return pread(file->fd, file->block, size, offset) == (ssize_t)size &&
	       is_good(file->block, size);
}

/* The number and size of blocks: of the head that is valid, or of the whole file. */
static int read_heads(struct file *file, const char *path, struct error *err)
{
	struct head best = { 0 }, head;
	struct stat info;

	for (int64_t i = -2; i >= -HEADS; i--) {
		if (!read_good(file, i))
			continue;
		memcpy(&head, file->block, sizeof(head));
		if (head.iteration >= best.iteration)
			best = head;
	}
	if (fstat(file->fd, &info) < 0 || best.block_size < BLOCK_SIZE_MIN ||
	    best.block_size > BLOCK_SIZE_MAX || best.block_size % 8)
		return error_set(err, -EIO,
				 "%s is damaged, or no store: no head of it can be read. Restore "
				 "the last backup: tracer-lake restore FILE",
				 path);
	file->block_size = best.block_size;
	file->blocks = best.blocks;
	return 0;
}

static int begin(struct file *file, const char *path, struct error *err)
{
	file->block = malloc(BLOCK_SIZE_MAX);
	if (!file->block)
		return error_set(err, -ENOMEM, "out of memory");
	return read_heads(file, path, err);
}

static void add(struct duckdb_bad_blocks *bad, int64_t number)
{
	if (bad->count < DUCKDB_BLOCKS_MAX)
		bad->numbers[bad->count++] = number;
}

static int note(const struct upkeep *upkeep, uint64_t at, uint64_t blocks)
{
	char words[96];

	if (upkeep->stopped && upkeep->stopped(upkeep->context))
		return -ECANCELED;
	snprintf(words, sizeof(words), "compares checksums (%llu of %llu blocks)",
		 (unsigned long long)at, (unsigned long long)blocks);
	if (upkeep->say)
		upkeep->say(upkeep->context, words);
	return 0;
}

int duckdb_blocks_scan(int fd, const char *path, const struct upkeep *upkeep,
		       struct duckdb_bad_blocks *ret, struct error *err)
{
	CLEANUP(file_clear) struct file file = { .fd = fd };
	int rc = begin(&file, path, err);

	*ret = (struct duckdb_bad_blocks){ .blocks = file.blocks };
	for (int64_t i = -HEADS; !rc && i < (int64_t)file.blocks; i++) {
		if (i % SAY_BLOCKS == 0 && note(upkeep, (uint64_t)i, file.blocks))
			rc = error_set(err, -ECANCELED, "the check was stopped");
		else if (!read_good(&file, i))
			add(ret, i);
	}
	return rc;
}

int duckdb_blocks_again(int fd, const char *path, struct duckdb_bad_blocks *bad, struct error *err)
{
	CLEANUP(file_clear) struct file file = { .fd = fd };
	int rc = begin(&file, path, err);
	size_t count = bad->count;

	bad->count = 0;
	for (size_t i = 0; !rc && i < count; i++)
		if (!read_good(&file, bad->numbers[i]))
			add(bad, bad->numbers[i]);
	return rc;
}
