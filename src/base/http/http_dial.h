/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "base/http/http_url.h"

struct event_base;

/*
 * Connects a socket to the server of a URL. A UNIX socket, a literal address and "localhost"
 * (127.0.0.1, then ::1) need no look-up; another name is looked up in /etc/hosts, then by the name
 * servers of /etc/resolv.conf. Up to 8 addresses are tried in turn.
 */
struct http_dial;

/* fd ≥ 0: connected, non-blocking, owned by the callee; else -errno, and words say why. Called
 * once, from the loop; may free the dial. */
typedef void http_dialed(int fd, const struct error *words, void *context);

/* Starts to connect. url is copied. -ENOMEM. There is no time limit: free the dial to give up. */
int http_dial_start(struct http_dial **ret, struct event_base *base, const struct http_url *url,
		    http_dialed *dialed, void *context);
void http_dial_free(struct http_dial *dial); /* gives up; NULL does nothing */
