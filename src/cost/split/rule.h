/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/split/entry.h"

/*
 * A rule weighs what each entry had of a cell: it sets the weights of the entries and returns that
 * of the time, or of the part of the price, that no entry pays. All weights of a cell together are
 * at least 1 and below 2^84.
 */
struct split_event { /* an entry begins or ends within the cell */
	int64_t at;
	struct split_entry *entry;
	int begins; /* 1; 0: it ends */
};

struct split_cell {
	const struct cost_host *host; /* its amounts within their limit */
	int64_t since_at, until_at;
	struct split_entry **entries; /* that have some of their time in the cell */
	size_t count;
	struct split_event *events; /* room for 2 × count */
};

wide split_by_held(const struct split_cell *cell);
wide split_by_aws(const struct split_cell *cell);
