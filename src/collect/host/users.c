/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/host/users.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define REMEMBERED 64
#define LINES      100000 /* of the file that are looked at */
#define NAME_BYTES 64

struct users {
	const char *path;
	struct {
		uint32_t uid;
		bool known;
		char name[NAME_BYTES];
	} remembered[REMEMBERED]; /* by the uid's low bits */
};

struct users *users_new(const char *path)
{
	struct users *users = calloc(1, sizeof(*users));

	if (users)
		users->path = path;
	return users;
}

void users_free(struct users *users)
{
	free(users);
}

void users_forget(struct users *users)
{
	memset(users->remembered, 0, sizeof(users->remembered));
}

/* Whether a line "name:password:uid:gid:…" is this user's; cuts it behind the name then. */
static bool is_user(char *line, uint32_t uid)
{
	char *rest = line, *number, *end;

	strsep(&rest, ":");
	strsep(&rest, ":");
	number = strsep(&rest, ":");
	return rest && *number && strtoul(number, &end, 10) == uid && !*end;
}

static void look_up(const char *path, uint32_t uid, char name[NAME_BYTES])
{
	CLEANUP(fclosep) FILE *file = fopen(path, "re");
	bool whole = true; /* the line so far began at its beginning */
	char line[1024];

	name[0] = '\0';
	for (int i = 0; file && i < LINES && fgets(line, sizeof(line), file); i++) {
		bool ends = strchr(line, '\n');

		if (whole && is_user(line, uid)) {
			(void)snprintf(name, NAME_BYTES, "%.*s", NAME_BYTES - 1, line);
			return;
		}
		whole = ends;
	}
}

const char *users_name(struct users *users, uint32_t uid)
{
	size_t slot = uid % REMEMBERED;

	if (!users->remembered[slot].known || users->remembered[slot].uid != uid) {
		look_up(users->path, uid, users->remembered[slot].name);
		users->remembered[slot].uid = uid;
		users->remembered[slot].known = true;
	}
	return users->remembered[slot].name;
}
