/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

struct MHD_Daemon;
struct server;
struct error;

/* Starts libmicrohttpd on a listening socket, which it closes at its end. Its callbacks route and
 * authenticate each request, read the body within the limit of the route, call the handler and send
 * the answer. -EIO with words. */
int http_server_start(struct server *server, int listener, struct MHD_Daemon **ret,
		      struct error *err);
