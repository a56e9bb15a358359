/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost/sheet.h"

/* What agents reported of an instance in an hour of UTC, and what that cost. */
struct seen_hour {
	const char *instance_id; /* of the sheet */
	int64_t hour_at;         /* ns since the epoch */
	int64_t up_ns;           /* of all hosts that had the instance */
	/* In billed money where the bill has the hour: tasks, what is in no task of a run
	 * (engines), and what no hold pays. */
	int64_t tasks_nusd, engines_nusd, unallocated_nusd;
	bool listed; /* listed_nusd is known: at the configured price, or that of the catalogue */
	int64_t listed_nusd;
};

/* Of all hosts with the id of an instance, by instance and hour; *ret is freed by the caller, the
 * texts are the sheet's. Both sheets have SHEET_HOUR as their bucket and whole hours as their time,
 * the second is the first without the bill; NULL: not read. -ENOMEM. */
int seen_hours(const struct sheet *billed, const struct sheet *listed, struct seen_hour **ret,
	       size_t *ret_count);
