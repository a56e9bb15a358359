/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/* The thread that does once a second the work of the server that belongs to no request (server.h).
 */
struct server;

/* -ENOMEM, -EAGAIN with words. */
int ticker_start(struct server *server, struct error *err);
/* Waits for the work of the second. Nothing happens where it was not started. */
void ticker_stop(struct server *server);
