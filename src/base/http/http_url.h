/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "base/error.h"

/* What an HTTP client must know of "http://host:port/base", "https://…" and "http+unix:///socket".
 */
struct http_url {
	bool tls;
	bool local;       /* a unix socket: host is "localhost" */
	char host[256];   /* a name, or a literal address without its brackets */
	bool host_is_ip6; /* wants brackets in a Host header */
	uint16_t port;
	char path[256]; /* "" or "/base", without a '/' at the end */
	char socket[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
};

/* -EINVAL with words: another scheme, no host, a bad port, user:password (the words do not repeat
 * the URL), a query or fragment, control characters, something too long. */
int http_url_parse(const char *text, struct http_url *ret, struct error *err);
/* true when text may be part of a request line or header: printable ASCII without spaces. */
bool http_text_is_plain(const char *text);
