/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

struct MHD_Connection;
struct MHD_Response;

/*
 * Server-sent events to any number of watchers (capped). A watcher that has nothing to read is
 * suspended, holds no thread, and is resumed by live_tick. Each gets the newest message at once,
 * then each newer one; a slow watcher skips what it missed. Threads may call all of it at once.
 */
struct live;

#define LIVE_WATCHERS_MAX 128
#define LIVE_BEAT_NS      (15 * 1000000000ULL) /* a comment, so that proxies keep it open */
#define LIVE_LIFE_NS                                                          \
	(3600 * 1000000000ULL) /* then the browser connects again: rights are \
				  looked at again */

struct live *live_new(void); /* NULL: no memory */
void live_free(struct live *live);

/* A stream for this connection. -EBUSY: too many, or the server is stopping; -ENOMEM. */
int live_watch(struct live *live, struct MHD_Connection *connection, struct MHD_Response **ret);
unsigned live_watchers(struct live *live);

/* true for whoever asks first whether `changes` (a number that grows by one a change) is news, so
 * that one thread makes the message of it. The first call is true. */
bool live_claim(struct live *live, uint64_t changes);
/* Makes data (one line of JSON) the newest message of this event name; the same as before is not
 * sent again. */
void live_publish(struct live *live, const char *event, const char *data, size_t len);
/* Wakes those that have something to send (a heartbeat is one). Called once a second, and when
 * there is a message. */
void live_tick(struct live *live);
/* Ends every stream and refuses new ones. */
void live_stop(struct live *live);
