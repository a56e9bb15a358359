/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/slowness/bottleneck.h"

#include <stddef.h>

#define MOSTLY  0.5 /* of the time that is known */
#define UNKNOWN 0.5 /* of all time: more is not enough to say anything */

static const char *const words[WALL_PARTS] = {
	[WALL_COMPUTING] = "mostly computing",
	[WALL_RUNNABLE] = "mostly waiting for a free CPU",
	[WALL_DISK] = "mostly waiting for storage",
	[WALL_PAGING] = "mostly waiting for memory pages",
	[WALL_NETWORK] = "mostly waiting for the network",
	[WALL_PIPE_READ] = "mostly waiting for a pipe",
	[WALL_PIPE_WRITE] = "mostly waiting for a pipe",
	[WALL_LOCK] = "mostly waiting for locks",
	[WALL_POLL] = "mostly waiting for events",
	[WALL_CHILD] = "mostly waiting for other processes",
	[WALL_SLEEP] = "mostly sleeping",
};

const char *bottleneck_word(const struct wall *wall)
{
	double all = 0, known;
	int most = WALL_COMPUTING;

	for (int i = 0; i < WALL_PARTS; i++) {
		all += wall->ns[i];
		if (words[i] && wall->ns[i] > wall->ns[most])
			most = i;
	}
	known = all - wall->ns[WALL_UNKNOWN];
	if (!(all > 0) || wall->ns[WALL_UNKNOWN] > UNKNOWN * all)
		return NULL;
	return wall->ns[most] >= MOSTLY * known ? words[most] : "nothing dominates";
}
