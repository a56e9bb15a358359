/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/recommend/recommend.h"

/* Offers with their prices: which are on the front of cost and wall time, and which are chosen.
 * Pure. */
struct priced {
	size_t offer, hosts;
	struct placement placement;
	struct recommend_span wall_ns, usd;
	double loss_ns;
	unsigned doubts, marks;
	bool taken_back; /* its machine may be */
	bool front;
};

struct priced_list {
	struct priced *items;
	size_t count, room;
};

/* Sets front and marks, and sorts: the front first, then by cost. What is marked is kept in front
 * of the others, too. */
void priced_rank(struct priced_list *list, const struct recommend_ask *ask);
