/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/http/http.h"
#include "cli/command.h"

/*
 * How a command reaches its lake, by the common options: the URL of --lake; the lake of another
 * host that this one sends to (cli/local/joined.h); the lake of this host, by its address and a
 * token, or, where this user may not read these, by its socket, which knows the user.
 */
struct lake_access {
	char *url, *token, *ca_file; /* token "": the socket's user */
	struct http_options options; /* points to these */
};

#define LAKE_SOCKET "lake.sock" /* in the data folder; for every user */

/* scope: "read", "ingest", "admin". -ENOTCONN: no lake is known; -EACCES, -ENOENT: no token; with
 * words that say what to do. */
int lake_access_find(struct lake_access *access, const struct common *common, const char *scope,
		     struct error *err);
void lake_access_clear(struct lake_access *access);

/* Whether the lake of the data folder answers at its socket. */
bool lake_access_socket(const char *data);
