/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

struct server;
struct error;

/* Starts libmicrohttpd on a listening socket, which it closes at its end: server->daemon. Its
 * callbacks route and authenticate each request, read the body within the limit of the route, call
 * the handler and send the answer. -EIO with words. */
int http_server_start(struct server *server, int listener, struct error *err);
/* The same on a UNIX socket, without TLS: server->local_daemon. One user cannot take all of its
 * connections (access/peer.h). */
int http_server_start_local(struct server *server, int listener, struct error *err);
