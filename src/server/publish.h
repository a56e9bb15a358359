/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct server;

/* When the list of runs is made again for live watchers. It takes a fifth of a core at most; what
 * it did not take in the last seconds it may take at once, so that a change after silence is sent
 * without a pause, whatever was sent just before. Where much was sent in a short time, a change
 * waits up to a second, or up to five times what the list costs. */
struct publish_pace {
	uint64_t paid_ns; /* the monotonic time until which its share is used up */
	uint64_t next_ns; /* … before which it is not made again */
};

#define PUBLISH_LOOK_NS      ((uint64_t)(100 * 1000 * 1000)) /* between looks for changes */
#define PUBLISH_PAUSE_MIN_NS ((uint64_t)(250 * 1000 * 1000)) /* changes in it are sent together */
#define PUBLISH_PAUSE_NS     ((uint64_t)1000 * 1000 * 1000) /* at most, where the list costs little */
#define PUBLISH_PAUSE_MAX_NS ((uint64_t)5000 * 1000 * 1000) /* in a large lake */
#define PUBLISH_SAVED_NS     ((uint64_t)5000 * 1000 * 1000) /* kept for later at most */
#define PUBLISH_SHARE        5

/* It was made, which cost so much. */
void publish_took(struct publish_pace *pace, uint64_t begun_ns, uint64_t cost_ns);

/* To be called each PUBLISH_LOOK_NS while somebody watches: sends what changed. */
void server_publish(struct server *server);
