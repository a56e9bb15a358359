/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/error.h"
#include "cli/local/folder.h"

/*
 * The lake of another host to which this one sends: what `tracer up --lake` keeps in DATA/joined
 * (0700): the files `url`, `ingest` and `read` (tokens, 0600), `ca.pem`, and `certificate` and
 * `key`, which hold the paths of the agent's own, as these are renewed where they are.
 */
#define JOINED_URL_SIZE 600

/* What the user gave; NULL or "": it was not given. */
struct joined_parts {
	const char *url;
	const char *token, *read_token; /* the secrets */
	const char *ca_file, *certificate_file, *key_file;
};

/* Whether this host sends to the lake of another. */
bool joined_is(const char *data);
/* The URL of that lake; "" if there is none. Returns url. */
char *joined_url(const char *data, char url[JOINED_URL_SIZE]);
/* "DATA/joined/NAME" where it is there, else "". Returns path. */
char *joined_file(const char *data, const char *name, char path[FOLDER_PATH_SIZE]);
/* The path that DATA/joined/NAME holds, else "". Returns path. */
char *joined_path(const char *data, const char *name, char path[FOLDER_PATH_SIZE]);
/* Writes what is given; a part that is not stays as it is. -errno with a message. */
int joined_write(const char *data, const struct joined_parts *parts, struct error *err);
/* Removes all of it. */
void joined_forget(const char *data);
