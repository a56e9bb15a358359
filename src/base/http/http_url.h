/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "base/error.h"

/* A parsed URL: "http://host:port/base", "https://…" or "http+unix:///socket". */
struct http_url {
	bool tls;
	bool local;       /* a UNIX socket; host is "localhost" */
	char host[256];   /* a name, or a literal address without its brackets */
	bool host_is_ip6; /* an IPv6 address, which has brackets in a Host header */
	uint16_t port;
	char path[256]; /* "" or "/base", without a '/' at the end */
	char socket[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
};

/* Parses text. -EINVAL with a message: another scheme, no host, a bad port, a query or fragment,
 * control characters, a part that is too long, or user:password (the message does not repeat the
 * URL then). */
int http_url_parse(const char *text, struct http_url *ret, struct error *err);
/* true when text may be part of a request line or header: printable ASCII without spaces. */
bool http_text_is_plain(const char *text);
