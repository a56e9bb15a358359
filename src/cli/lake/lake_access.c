/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/lake_access.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "cli/local/folder.h"
#include "cli/local/joined.h"

#define RESPONSE_LIMIT (256u << 20)
#define SOCKET_URL     "http+unix://"

/* Reads the first line of a small file, without its line end. */
static int read_line(const char *path, char **ret)
{
	size_t len;
	int status = file_read(AT_FDCWD, path, 4096, ret, &len);

	if (status == 0)
		(*ret)[strcspn(*ret, "\r\n")] = '\0';
	return status;
}

static int set(char **ret, const char *text, struct error *err)
{
	free(*ret);
	*ret = strdup(text);
	return *ret ? 0 : error_set(err, -ENOMEM, "no memory");
}

static int take_token(char **ret, const char *path, struct error *err)
{
	int status = read_line(path, ret);

	if (status == 0 && !(*ret)[0])
		return error_set(err, -EINVAL, "the token file %s is empty", path);
	return status < 0 ? error_set(err, status, "cannot read the token in %s: %s", path,
				      strerror(-status))
			  : 0;
}

bool lake_access_socket(const char *data)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char path[FOLDER_PATH_SIZE];
	CLEANUP(closep) int fd = -1;

	folder_path(data, LAKE_SOCKET, path);
	if (strlen(path) >= sizeof(address.sun_path))
		return false;
	memcpy(address.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
}

/* Takes the socket of the first folder with a lake that answers: this one, or the system's where
 * this one is only the user's own by default. */
static bool take_socket(struct lake_access *access, const char *data, const char *scope)
{
	char text[FOLDER_PATH_SIZE], url[FOLDER_PATH_SIZE + 64];

	if (strcmp(scope, "read") != 0)
		return false;
	if (!lake_access_socket(data)) {
		if (strcmp(data, folder_default(text)) != 0 || !lake_access_socket(FOLDER_SYSTEM))
			return false;
		data = FOLDER_SYSTEM;
	}
	snprintf(url, sizeof(url), SOCKET_URL "%s/" LAKE_SOCKET, data);
	return set(&access->url, url, NULL) == 0 && set(&access->token, "", NULL) == 0;
}

/* The lake of --lake: only what the user names is sent there, and to a socket nothing. */
static int find_named(struct lake_access *access, const struct common *common, struct error *err)
{
	int status = set(&access->url, common->lake, err);

	if (status < 0)
		return status;
	if (common->token_file[0])
		return take_token(&access->token, common->token_file, err);
	if (strncmp(common->lake, SOCKET_URL, strlen(SOCKET_URL)) == 0)
		return set(&access->token, "", err);
	return -ENOKEY;
}

static int find_joined(struct lake_access *access, const struct common *common, const char *scope,
		       struct error *err)
{
	char url[JOINED_URL_SIZE], path[FOLDER_PATH_SIZE];
	int status = set(&access->url, joined_url(common->data, url), err);

	if (status == 0 && !access->ca_file)
		status = set(&access->ca_file, joined_file(common->data, "ca.pem", path), err);
	if (status < 0)
		return status;
	if (common->token_file[0])
		return take_token(&access->token, common->token_file, err);
	if (joined_file(common->data, scope, path)[0])
		return take_token(&access->token, path, err);
	return error_set(
		err, -ENOENT,
		"this host sends to the lake at %s and has no %s token for it: give one by "
		"--token-file FILE%s",
		url, scope,
		strcmp(scope, "read") == 0
			? ", or for all commands by `tracer up --read-token-file FILE`"
			: "");
}

static int find_local(struct lake_access *access, const struct common *common, struct error *err)
{
	char path[FOLDER_PATH_SIZE];
	int status = read_line(folder_path(common->data, "lake.url", path), &access->url);

	if (status == -EACCES)
		return error_set(
			err, -EACCES,
			"no permission to read %s: use sudo, or --lake URL --token-file FILE",
			common->data);
	if (status < 0)
		return error_set(err, -ENOTCONN,
				 "no Tracer is running from %s: start it with `sudo tracer up`, or "
				 "name another with --data FOLDER or --lake URL --token-file FILE",
				 common->data);
	return common->token_file[0] ? take_token(&access->token, common->token_file, err)
				     : -ENOKEY;
}

/* The token of the data folder. */
static int find_token(struct lake_access *access, const struct common *common, const char *scope,
		      struct error *err)
{
	char path[FOLDER_PATH_SIZE], name[64];
	int status;

	snprintf(name, sizeof(name), "tokens/%s", scope);
	status = read_line(folder_path(common->data, name, path), &access->token);
	return status < 0
		       ? error_set(err, status,
				   "cannot read the token %s: %s; use sudo, or --token-file FILE",
				   path, strerror(-status))
		       : 0;
}

static int find(struct lake_access *access, const struct common *common, const char *scope,
		struct error *err)
{
	int status;

	if (common->lake[0]) {
		status = find_named(access, common, err);
		return status == -ENOKEY ? find_token(access, common, scope, err) : status;
	}
	if (joined_is(common->data))
		return find_joined(access, common, scope, err);
	status = find_local(access, common, err);
	if (status == -ENOKEY)
		status = find_token(access, common, scope, err);
	if ((status == -EACCES || status == -ENOTCONN || status == -ENOENT) &&
	    !common->token_file[0] && take_socket(access, common->data, scope))
		return 0;
	return status;
}

int lake_access_find(struct lake_access *access, const struct common *common, const char *scope,
		     struct error *err)
{
	int status = 0;

	if (common->tls_ca_file && common->tls_ca_file[0])
		status = set(&access->ca_file, common->tls_ca_file, err);
	if (status == 0)
		status = find(access, common, scope, err);
	access->options = (struct http_options){ .url = access->url,
						 .token = access->token,
						 .ca_file = access->ca_file,
						 .timeout_ns = 60 * NS_PER_S,
						 .response_limit = RESPONSE_LIMIT };
	return status;
}

void lake_access_clear(struct lake_access *access)
{
	free(access->url);
	free(access->token);
	free(access->ca_file);
}
