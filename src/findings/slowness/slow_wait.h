/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "findings/slowness/kind.h"

/* Of the wait of a link for events the part that was ended by one kind of them (a figure
 * poll_…_ns), by the shares that its threads have of them. */
double slow_poll_ns(const struct slowness_facts *facts, const struct slow_link *link,
		    size_t figure);

/* How long a link slept in timers: nanosleep, or a call that waits for events until its timeout. */
double slow_sleep_ns(const struct slowness_facts *facts, const struct slow_link *link);

/* How long it waited for the network, or for who answers there, also in such a call. */
double slow_network_ns(const struct slowness_facts *facts, const struct slow_link *link);

/* What slept, and how often. */
struct slow_naps {
	const struct slow_tool *tool; /* NULL: not known */
	double count;                 /* sleeps of it, an upper bound */
	double mean_ns;
	bool asks; /* short ones, one after the other, with nothing done between them */
};
struct slow_naps slow_naps_of(const struct slow_group *group);
