/* SPDX-License-Identifier: Apache-2.0 */
#include "pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "fuzz corpus "

struct pack {
	char *bytes;
	size_t len, at, left; /* entries left to give */
};

static int read_all(struct pack *pack, const char *path)
{
	FILE *file = fopen(path, "re");

	if (!file)
		return -errno;
	pack->bytes = malloc(PACK_LIMIT + 1);
	if (pack->bytes)
		pack->len = fread(pack->bytes, 1, PACK_LIMIT + 1, file);
	(void)fclose(file);
	if (!pack->bytes)
		return -ENOMEM;
	return pack->len > PACK_LIMIT ? -EFBIG : 0;
}

/* A number and the newline behind it. */
static bool take_number(struct pack *pack, size_t *ret)
{
	size_t first = pack->at, number = 0;

	for (; pack->at < pack->len && pack->bytes[pack->at] != '\n'; pack->at++) {
		unsigned digit = (unsigned)pack->bytes[pack->at] - '0';

		if (digit > 9 || number > PACK_LIMIT)
			return false;
		number = number * 10 + digit;
	}
	*ret = number;
	return pack->at > first && pack->at++ < pack->len;
}

int pack_open(struct pack **ret, const char *path)
{
	struct pack *pack = calloc(1, sizeof(*pack));
	int error = pack ? read_all(pack, path) : -ENOMEM;

	if (!error &&
	    (pack->len < strlen(HEADER) || memcmp(pack->bytes, HEADER, strlen(HEADER)) != 0))
		error = -EBADMSG;
	if (!error) {
		pack->at = strlen(HEADER);
		error = take_number(pack, &pack->left) ? 0 : -EBADMSG;
	}
	if (error) {
		pack_free(pack);
		return error;
	}
	*ret = pack;
	return 0;
}

static bool take_name(struct pack *pack, char name[PACK_NAME])
{
	const char *first = pack->bytes + pack->at;
	const char *end = memchr(first, ' ', pack->len - pack->at);
	size_t len = end ? (size_t)(end - first) : 0;

	if (len == 0 || len >= PACK_NAME)
		return false;
	memcpy(name, first, len);
	name[len] = '\0';
	pack->at += len + 1;
	return true;
}

int pack_next(struct pack *pack, struct pack_entry *ret)
{
	if (pack->left == 0)
		return pack->at == pack->len ? 0 : -EBADMSG;
	if (!take_name(pack, ret->name) || !take_number(pack, &ret->len) ||
	    ret->len >= pack->len - pack->at || pack->bytes[pack->at + ret->len] != '\n')
		return -EBADMSG;
	ret->bytes = pack->bytes + pack->at;
	pack->at += ret->len + 1;
	pack->left--;
	return 1;
}

void pack_free(struct pack *pack)
{
	if (pack)
		free(pack->bytes);
	free(pack);
}
