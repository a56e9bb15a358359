/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/joined.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

#define CA_LIMIT (1 << 20)

static char *path_of(const char *data, const char *name, char path[FOLDER_PATH_SIZE])
{
	snprintf(path, FOLDER_PATH_SIZE, "%s/joined/%s", data, name);
	return path;
}

/* The first line of a file, "" without it. */
static char *read_line(const char *data, const char *name, char *text, size_t size)
{
	CLEANUP(freep) char *bytes = NULL;
	char path[FOLDER_PATH_SIZE];
	size_t len;

	text[0] = '\0';
	if (file_read(AT_FDCWD, path_of(data, name, path), size - 1, &bytes, &len) == 0)
		snprintf(text, size, "%.*s", (int)strcspn(bytes, "\r\n"), bytes);
	return text;
}

bool joined_is(const char *data)
{
	char url[JOINED_URL_SIZE];

	return joined_url(data, url)[0] != '\0';
}

char *joined_url(const char *data, char url[JOINED_URL_SIZE])
{
	return read_line(data, "url", url, JOINED_URL_SIZE);
}

char *joined_file(const char *data, const char *name, char path[FOLDER_PATH_SIZE])
{
	if (access(path_of(data, name, path), F_OK) < 0)
		path[0] = '\0';
	return path;
}

char *joined_path(const char *data, const char *name, char path[FOLDER_PATH_SIZE])
{
	return read_line(data, name, path, FOLDER_PATH_SIZE);
}

static int write_line(const char *data, const char *name, const char *text, struct error *err)
{
	CLEANUP(freep) char *line = NULL;
	char path[FOLDER_PATH_SIZE];
	int len, rc;

	if (!text || !*text)
		return 0;
	len = asprintf(&line, "%s\n", text);
	if (len < 0)
		return error_set(err, -ENOMEM, "no memory");
	rc = file_write(path_of(data, name, path), line, (size_t)len, 0600, err);
	explicit_bzero(line, (size_t)len);
	return rc;
}

static int copy_ca(const char *data, const char *ca_file, struct error *err)
{
	CLEANUP(freep) char *bytes = NULL;
	char path[FOLDER_PATH_SIZE];
	size_t len;
	int rc;

	if (!ca_file || !*ca_file)
		return 0;
	rc = file_read(AT_FDCWD, ca_file, CA_LIMIT, &bytes, &len);
	if (rc)
		return error_set(err, rc, "cannot read %s: %s", ca_file, strerror(-rc));
	return file_write(path_of(data, "ca.pem", path), bytes, len, 0600, err);
}

/* The absolute path: the agent runs elsewhere. */
static int write_path(const char *data, const char *name, const char *file, struct error *err)
{
	CLEANUP(freep) char *path = NULL;

	if (!file || !*file)
		return 0;
	path = realpath(file, NULL);
	if (!path)
		return error_set(err, -errno, "cannot read %s: %s", file, strerror(errno));
	/* A link is kept: certbot lets it lead to another file later. */
	if (file[0] == '/')
		return write_line(data, name, file, err);
	return write_line(data, name, path, err);
}

int joined_write(const char *data, const struct joined_parts *parts, struct error *err)
{
	char path[FOLDER_PATH_SIZE];
	int rc = file_make_folder(data, 0700, err);

	if (rc == 0)
		rc = file_make_folder(folder_path(data, "joined", path), 0700, err);
	if (rc == 0)
		rc = file_make_folder(folder_path(data, "agent", path), 0700, err);
	if (rc == 0)
		rc = write_line(data, "ingest", parts->token, err);
	if (rc == 0)
		rc = write_line(data, "read", parts->read_token, err);
	if (rc == 0)
		rc = copy_ca(data, parts->ca_file, err);
	if (rc == 0)
		rc = write_path(data, "certificate", parts->certificate_file, err);
	if (rc == 0)
		rc = write_path(data, "key", parts->key_file, err);
	/* Last: with it the host counts as joined. */
	if (rc == 0)
		rc = write_line(data, "url", parts->url, err);
	return rc;
}

void joined_forget(const char *data)
{
	char path[FOLDER_PATH_SIZE];

	(void)file_remove_tree(folder_path(data, "joined", path));
}
