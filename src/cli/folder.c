#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/id.h"
#include "cli/folder.h"

#define TOKEN_SIZE 32 /* random bytes */

char *folder_path(const char *data, const char *name, char text[FOLDER_PATH_SIZE])
{
	snprintf(text, FOLDER_PATH_SIZE, "%s/%s", data, name);
	return text;
}

int folder_check(const char *data, struct error *err)
{
	if (faccessat(AT_FDCWD, data, R_OK | X_OK, AT_EACCESS) < 0 && errno == EACCES)
		return error_set(err, -EACCES, "may not read %s: use sudo", data);
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
