/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/id.h"
#include "cli/local/folder.h"

#define TOKEN_SIZE 32 /* random bytes */

char *folder_path(const char *data, const char *name, char text[FOLDER_PATH_SIZE])
{
	snprintf(text, FOLDER_PATH_SIZE, "%s/%s", data, name);
	return text;
}

/* $XDG_STATE_HOME/tracer, else ~/.local/state/tracer (XDG Base Directory Specification); NULL: no
 * home is known. */
static char *user_folder(char text[FOLDER_PATH_SIZE])
{
	/* One thread reads the environment before it starts any other. */
	const char *state = getenv("XDG_STATE_HOME"); // NOLINT(concurrency-mt-unsafe)
	const char *home = getenv("HOME");            // NOLINT(concurrency-mt-unsafe)

	if (state && state[0] == '/')
		snprintf(text, FOLDER_PATH_SIZE, "%s/tracer", state);
	else if (home && home[0] == '/')
		snprintf(text, FOLDER_PATH_SIZE, "%s/.local/state/tracer", home);
	else
		return NULL;
	return text;
}

const char *folder_default(char text[FOLDER_PATH_SIZE])
{
	if (geteuid() == 0 || !user_folder(text))
		return FOLDER_SYSTEM;
	return access(text, F_OK) == 0 || access(FOLDER_SYSTEM, F_OK) < 0 ? text : FOLDER_SYSTEM;
}

int folder_own(char **data)
{
	char text[FOLDER_PATH_SIZE], *own;

	if (geteuid() == 0 || strcmp(*data, FOLDER_SYSTEM) != 0 || !user_folder(text))
		return 0;
	own = strdup(text);
	if (!own)
		return -ENOMEM;
	free(*data);
	*data = own;
	return 0;
}

int folder_check(const char *data, struct error *err)
{
	if (faccessat(AT_FDCWD, data, R_OK | X_OK, AT_EACCESS) < 0 && errno == EACCES)
		return error_set(err, -EACCES, "no permission to read %s: use sudo", data);
	return 0;
}

static int make_token(const char *data, const char *name, struct error *err)
{
	char path[FOLDER_PATH_SIZE], secret[2 * TOKEN_SIZE + 1];

	if (access(folder_path(data, name, path), F_OK) == 0)
		return 0;
	id_secret(secret, TOKEN_SIZE);
	secret[sizeof(secret) - 1] = '\n';
	return file_write(path, secret, sizeof(secret), 0600, err);
}

int folder_make(const char *data, struct error *err)
{
	static const char *const folders[] = { "", "agent", "lake", "tokens" };
	static const char *const tokens[] = { "tokens/ingest", "tokens/read", "tokens/tell",
					      "tokens/admin" };
	char path[FOLDER_PATH_SIZE];
	int status = 0;

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders) && status == 0; i++)
		status = file_make_folder(folder_path(data, folders[i], path), 0700, err);
	for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens) && status == 0; i++)
		status = make_token(data, tokens[i], err);
	return status;
}
