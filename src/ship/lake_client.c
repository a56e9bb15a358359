/* SPDX-License-Identifier: Apache-2.0 */
#include "ship/lake_client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/http/http.h"
#include "base/log.h"

#define TOKEN_LIMIT    4096
#define RESPONSE_LIMIT (64u << 10)

enum { CA, CERTIFICATE, KEY, FILES };

/* What a file was like: another inode, size or time is another file. */
struct stamp {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

struct lake_client {
	struct event_base *base;
	char *url, *token_file, *files[FILES]; /* NULL: none */
	uint64_t timeout_ns;
	char *token; /* as last read */
	bool warned_mode;
	struct stamp read[FILES]; /* the files of the client */
	struct stamp said[FILES]; /* those that were said not to be usable */
	struct http_client *client;
};

static void take_stamps(const struct lake_client *lake, struct stamp stamps[FILES])
{
	memset(stamps, 0, FILES * sizeof(*stamps));
	for (int i = 0; i < FILES; i++) {
		struct stat status;
		if (!lake->files[i] || stat(lake->files[i], &status) < 0)
			continue;
		stamps[i].device = status.st_dev;
		stamps[i].inode = status.st_ino;
		stamps[i].size = status.st_size;
		stamps[i].modified = status.st_mtim;
	}
}

static int read_token(struct lake_client *lake, struct error *err)
{
	struct stat info;
	char *token = NULL;
	size_t len = 0;
	if (!lake->token_file)
		return 0;
	int rc = file_read(AT_FDCWD, lake->token_file, TOKEN_LIMIT, &token, &len);
	if (rc != 0)
		return error_set(err, -ENOKEY, "cannot read the token in %s: %s", lake->token_file,
				 strerror(-rc));
	len = strcspn(token, "\r\n");
	token[len] = '\0';
	free(lake->token);
	lake->token = token;
	if (!lake->warned_mode && stat(lake->token_file, &info) == 0 &&
	    (info.st_mode & (S_IRWXG | S_IRWXO))) {
		log_warning("%s can be read by others; chmod 600 it", lake->token_file);
		lake->warned_mode = true;
	}
	return len > 0 ? 0
		       : error_set(err, -ENOKEY, "the token file %s is empty", lake->token_file);
}

static int make_client(struct lake_client *lake, struct http_client **ret, struct error *err)
{
	struct http_options options = { .url = lake->url,
					.token = lake->token,
					.ca_file = lake->files[CA],
					.certificate_file = lake->files[CERTIFICATE],
					.key_file = lake->files[KEY],
					.encoding = "zstd",
					.timeout_ns = lake->timeout_ns,
					.response_limit = RESPONSE_LIMIT };
	return http_client_new(ret, lake->base, &options, err);
}

/* Makes the client again where the files of TLS are others than those that it was made with. */
static void renew(struct lake_client *lake)
{
	struct http_client *client = NULL;
	struct stamp now[FILES];
	struct error err = { "" };
	take_stamps(lake, now);
	if (memcmp(now, lake->read, sizeof(now)) == 0 || memcmp(now, lake->said, sizeof(now)) == 0)
		return;
	if (make_client(lake, &client, &err) < 0) {
		log_warning("%s: the certificates that were read before stay in use",
			    error_text(&err));
		memcpy(lake->said, now, sizeof(now));
		return;
	}
	http_client_free(lake->client);
	lake->client = client;
	memcpy(lake->read, now, sizeof(now));
	log_info("new certificates are in use");
}

int lake_client_get(struct lake_client *lake, struct http_client **ret, struct error *err)
{
	int rc = 0;
	if (lake->client)
		renew(lake);
	else
		rc = read_token(lake, err);
	if (rc == 0 && !lake->client) {
		take_stamps(lake, lake->read);
		rc = make_client(lake, &lake->client, err);
	}
	if (rc == 0)
		*ret = lake->client;
	return rc;
}

void lake_client_drop(struct lake_client *lake)
{
	http_client_free(TAKE_PTR(lake->client));
}

const char *lake_client_url(const struct lake_client *lake)
{
	return lake->url;
}

const char *lake_client_token_file(const struct lake_client *lake)
{
	return lake->token_file;
}

static int copy_text(char **ret, const char *text)
{
	if (!text || text[0] == '\0')
		return 0;
	*ret = strdup(text);
	return *ret ? 0 : -ENOMEM;
}

int lake_client_new(struct lake_client **ret, struct event_base *base,
		    const struct uploader_options *options, struct error *err)
{
	struct lake_client *lake = calloc(1, sizeof(*lake));
	if (!lake)
		return error_set(err, -ENOMEM, "no memory for the uploader");
	lake->base = base;
	lake->timeout_ns = options->timeout_ns;
	int rc = copy_text(&lake->url, options->url);
	rc = rc != 0 ? rc : copy_text(&lake->token_file, options->token_file);
	rc = rc != 0 ? rc : copy_text(&lake->files[CA], options->ca_file);
	rc = rc != 0 ? rc : copy_text(&lake->files[CERTIFICATE], options->certificate_file);
	rc = rc != 0 ? rc : copy_text(&lake->files[KEY], options->key_file);
	if (rc != 0)
		error_set(err, rc, "no memory for the uploader");
	else
		rc = make_client(lake, &lake->client, err); /* what cannot be used is said now */
	lake_client_drop(lake);
	if (rc != 0)
		lake_client_free(lake);
	else
		*ret = lake;
	return rc;
}

void lake_client_free(struct lake_client *lake)
{
	if (!lake)
		return;
	http_client_free(lake->client);
	if (lake->token)
		explicit_bzero(lake->token, strlen(lake->token));
	free(lake->token);
	free(lake->url);
	free(lake->token_file);
	for (int i = 0; i < FILES; i++)
		free(lake->files[i]);
	free(lake);
}
