/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

struct event_base;
struct json;

/*
 * The agent's ear: HTTP on a UNIX socket (0600) for uid 0 and the agent's own; whoever else gets
 * 403 by the peer's credentials. It answers GET /status, and nothing else.
 */
struct control;

/* Writes the status object's members. */
typedef void control_status(struct json *json, void *context);

/* path: at most 107 bytes (unix(7)); a file that is there is replaced. -EINVAL too long, or -errno.
 */
int control_open(struct control **ret, struct event_base *base, const char *path,
		 control_status *status, void *context, struct error *err);
void control_close(struct control *control); /* removes the socket; NULL is fine */
