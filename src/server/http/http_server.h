/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

struct MHD_Daemon;
struct server;
struct error;

/* The callbacks by which libmicrohttpd hands over requests: routing, authentication, bodies within
 * their limits, the answer. Starts the daemon on a listening socket, which it takes. */
int exchange_serve(struct server *server, int listener, struct MHD_Daemon **ret, struct error *err);
