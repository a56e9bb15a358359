/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "cost/sheet_choice.h"
#include "server/billing/sheet_read.h"

struct request;

/* What a request for costs asks for; texts are those of the request. */
struct cost_asked {
	struct sheet_ask ask;
	struct sheet_choice choice;
	char label_key[257];
	int64_t limit;
	bool over; /* with points */
};

/* -EINVAL with words: an unknown key, a label without a key, a time that is none, or a time that
 * ends before it begins. */
int cost_asked_read(const struct request *request, struct cost_asked *ret, struct error *err);
