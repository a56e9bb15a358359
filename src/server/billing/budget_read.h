/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "findings/input.h"

struct server;

/* The budgets of the lake's settings of costs, with what is spent of them this month. */
struct budgets {
	struct finding_budget *items; /* in the order of the file */
	char **keys;                  /* of the items */
	size_t count;
	bool known; /* false: no host has a price, so that nothing is known of what is spent */
	size_t unpriced_hosts; /* what ran on them is not in what is spent */
};

/* now: ns since the epoch. Errors as of sheet_read. budgets_clear in any case. */
int budgets_read(struct server *server, int64_t now, struct budgets *ret, struct error *err);
void budgets_clear(struct budgets *budgets);
