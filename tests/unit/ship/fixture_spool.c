/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_spool.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "base/file.h"

void folder_make(struct folder *folder)
{
	strcpy(folder->path, "/tmp/tracer-spool-XXXXXX");
	assert_non_null(mkdtemp(folder->path));
	snprintf(folder->spool, sizeof(folder->spool), "%s/spool", folder->path);
}

void folder_remove(struct folder *folder)
{
	file_remove_tree(folder->path);
}

struct spool *spool_must_open(const struct folder *folder, uint64_t limit)
{
	struct spool *spool = NULL;
	struct error words = { 0 };
	if (spool_open(&spool, folder->spool, limit, &words) != 0)
		fail_msg("spool_open: %s", words.text);
	return spool;
}

static char byte_of(uint64_t sequence, size_t i)
{
	return (char)(sequence * 31 + i * 7);
}

int spool_put(struct spool *spool, enum spool_kind kind, uint64_t sequence, size_t len)
{
	char *bytes = malloc(len);
	assert_non_null(bytes);
	for (size_t i = 0; i < len; i++)
		bytes[i] = byte_of(sequence, i);
	memcpy(bytes, &sequence, sizeof(sequence));
	int rc = spool_append(spool, kind, sequence, 10, bytes, len);
	free(bytes);
	return rc;
}

uint64_t spool_look(struct spool *spool)
{
	const void *bytes = NULL;
	size_t len = 0;
	uint64_t records = 0, sequence = 0;
	int rc = spool_peek(spool, &bytes, &len, &records);
	assert_true(rc >= 0);
	if (rc == 0)
		return 0;
	assert_int_equal(records, 10);
	assert_true(len >= sizeof(sequence));
	memcpy(&sequence, bytes, sizeof(sequence));
	assert_int_equal(sequence, spool_peeked_sequence(spool));
	for (size_t i = sizeof(sequence); i < len; i++)
		assert_int_equal(((const char *)bytes)[i], byte_of(sequence, i));
	return sequence;
}

uint64_t spool_next(struct spool *spool)
{
	uint64_t sequence = spool_look(spool);
	if (sequence > 0)
		assert_int_equal(spool_advance(spool), 0);
	return sequence;
}

static int list(const struct folder *folder, struct dirent ***ret)
{
	int count = scandir(folder->spool, ret, NULL, alphasort);
	assert_true(count >= 0);
	return count;
}

static size_t visit(const struct folder *folder, const char *prefix, size_t n, char *path)
{
	struct dirent **items = NULL;
	size_t seen = 0;
	int count = list(folder, &items);
	for (int i = 0; i < count; i++) {
		if (strncmp(items[i]->d_name, prefix, strlen(prefix)) == 0 && seen++ == n && path)
			snprintf(path, 400, "%s/%s", folder->spool, items[i]->d_name);
		free(items[i]);
	}
	free(items);
	return seen;
}

bool folder_find(const struct folder *folder, const char *prefix, size_t n, char path[400])
{
	return visit(folder, prefix, n, path) > n;
}

size_t folder_count(const struct folder *folder, const char *prefix)
{
	return visit(folder, prefix, 0, NULL);
}

void file_flip(const char *path, long offset)
{
	FILE *file = fopen(path, "r+");
	assert_non_null(file);
	assert_int_equal(fseek(file, offset, offset < 0 ? SEEK_END : SEEK_SET), 0);
	long at = ftell(file);
	int byte = fgetc(file);
	assert_true(byte != EOF);
	assert_int_equal(fseek(file, at, SEEK_SET), 0);
	fputc(byte ^ 0x10, file);
	fclose(file);
}

long file_size(const char *path)
{
	struct stat info;
	assert_int_equal(stat(path, &info), 0);
	return info.st_size;
}
