/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "base/http/http_url.h"

struct event_base;

/*
 * Connects a socket to what a URL names: a unix socket, a literal address or "localhost"
 * (127.0.0.1, then ::1) without any look-up, other names through libevent's resolver (/etc/hosts,
 * then the servers of /etc/resolv.conf), trying up to 8 addresses in turn.
 */
struct http_dial;

/* fd ≥ 0: connected, non-blocking, the callee's; -errno: words say what could not be done. Called
 * once, from the loop; the dial may be freed in it. */
typedef void http_dialed(int fd, const struct error *words, void *context);

/* Starts. url is copied. -ENOMEM. There is no time limit here: free it to give up. */
int http_dial_start(struct http_dial **ret, struct event_base *base, const struct http_url *url,
		    http_dialed *dialed, void *context);
void http_dial_free(struct http_dial *dial); /* NULL is fine; a dial under way is given up */
