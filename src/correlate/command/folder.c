/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/folder.h"

#include "correlate/command/command.h"

#include <stdio.h>
#include <string.h>

#define FOLDER_LIMIT 64 /* components of a path */

struct component {
	const char *text;
	size_t len;
};

/* Returns their number: at most FOLDER_LIMIT; of what is deeper the last ones overwrite each other.
 */
static size_t split(const char *cwd, const char *path, struct component stack[FOLDER_LIMIT],
		    bool *ret_deep)
{
	const char *texts[2] = { cwd, path };
	size_t depth = 0;

	*ret_deep = false;
	for (size_t i = *path == '/'; i < 2; i++) {
		for (const char *at = texts[i]; *at;) {
			size_t len = strcspn(at, "/");

			*ret_deep |= depth == FOLDER_LIMIT;
			if (len == 2 && memcmp(at, "..", 2) == 0)
				depth -= depth > 0;
			else if (len > 1 || (len == 1 && *at != '.'))
				stack[depth < FOLDER_LIMIT ? depth++ : FOLDER_LIMIT - 1] =
					(struct component){ at, len };
			at += len + (at[len] == '/');
		}
	}
	return depth;
}

bool folder_join(const char *cwd, const char *path, char *ret, size_t size)
{
	struct component stack[FOLDER_LIMIT];
	bool deep;
	size_t depth = split(cwd, path, stack, &deep), used = 0;

	if (deep || size < 2 || (*path != '/' && *cwd != '/'))
		return false;
	snprintf(ret, size, "/");
	for (size_t i = 0; i < depth; i++) {
		if (used + stack[i].len + 2 > size)
			return false;
		ret[used++] = '/';
		memcpy(ret + used, stack[i].text, stack[i].len);
		used += stack[i].len;
		ret[used] = '\0';
	}
	return true;
}

void folder_name(const char *cwd, const char *path, const char *fallback, char *name, size_t size)
{
	struct component stack[FOLDER_LIMIT];
	bool deep;
	size_t depth = split(cwd, path, stack, &deep);

	depth -= depth > 0; /* the file */
	if (depth > 1 && stack[depth - 1].len == 8 &&
	    memcmp(stack[depth - 1].text, "workflow", 8) == 0)
		depth--;
	if (depth > 0)
		name_copy(stack[depth - 1].text, stack[depth - 1].len, name, size);
	else
		snprintf(name, size, "%s", fallback);
}
