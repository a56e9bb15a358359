/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/user_names.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define LINES_MAX  100000
#define LINE_SIZE  4096
#define NAME_BYTES 64

struct user {
	uid_t uid;
	char name[NAME_BYTES];
};

struct user_names {
	size_t count, size;
	struct user *users; /* in the order of the file */
};

/* The first and third part of "NAME:…:NUMBER:…". false: it is no such line. */
static bool read_line(char *line, const char **ret_name, unsigned *ret_number)
{
	char *rest = line, *number, *end;
	unsigned long value;

	*ret_name = strsep(&rest, ":");
	(void)strsep(&rest, ":");
	number = strsep(&rest, ":");
	if (!rest || !*number || **ret_name == '\0')
		return false;
	errno = 0;
	value = strtoul(number, &end, 10);
	*ret_number = (unsigned)value;
	return !*end && !errno && *number >= '0' && *number <= '9' && value < UINT32_MAX;
}

/* The next line into `line`; one that is longer is left out. false: the end. */
static bool next_line(FILE *file, char line[LINE_SIZE])
{
	while (fgets(line, LINE_SIZE, file)) {
		int byte;

		if (strchr(line, '\n') || feof(file))
			return true;
		while ((byte = fgetc(file)) != EOF && byte != '\n')
			;
	}
	return false;
}

static int add(struct user_names *names, const char *name, uid_t uid)
{
	if (names->count == names->size) {
		size_t size = names->size ? 2 * names->size : 64;
		struct user *users = realloc(names->users, size * sizeof(*users));

		if (!users)
			return -ENOMEM;
		names->users = users;
		names->size = size;
	}
	names->users[names->count].uid = uid;
	snprintf(names->users[names->count].name, NAME_BYTES, "%s", name);
	names->count++;
	return 0;
}

int user_names_read(struct user_names **ret, const char *path)
{
	struct user_names *names = calloc(1, sizeof(*names));
	CLEANUP(fclosep) FILE *file = fopen(path, "re");
	char line[LINE_SIZE];
	const char *name;
	unsigned uid;

	if (!names)
		return -ENOMEM;
	for (int i = 0; file && i < LINES_MAX && next_line(file, line); i++) {
		if (!read_line(line, &name, &uid) || strlen(name) >= NAME_BYTES ||
		    add(names, name, uid) == 0)
			continue;
		user_names_free(names);
		return -ENOMEM;
	}
	*ret = names;
	return 0;
}

void user_names_free(struct user_names *names)
{
	if (!names)
		return;
	free(names->users);
	free(names);
}

const char *user_names_find(const struct user_names *names, uid_t uid)
{
	for (size_t i = 0; i < names->count; i++)
		if (names->users[i].uid == uid)
			return names->users[i].name;
	return NULL;
}

bool group_number(const char *path, const char *name, gid_t *ret)
{
	CLEANUP(fclosep) FILE *file = fopen(path, "re");
	char line[LINE_SIZE];
	const char *found;
	unsigned number;

	for (int i = 0; file && i < LINES_MAX && next_line(file, line); i++) {
		if (!read_line(line, &found, &number) || strcmp(found, name) != 0)
			continue;
		*ret = number;
		return true;
	}
	return false;
}
