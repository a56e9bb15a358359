/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "cost/sheet.h"

struct server;

struct sheet_ask {
	int64_t since_at, until_at; /* ns since the epoch */
	enum sheet_bucket bucket;
	enum cost_rule rule;
	bool billed;     /* by the bill, where there is one */
	bool costs_only; /* nothing is needed where no host has a price: no runs then */
};

/* What everything cost in the UTC hours that the time touches. Errors as of query_named; -ENOMEM
 * with words. */
int sheet_read(struct server *server, const struct sheet_ask *ask, struct sheet **ret,
	       struct error *err);
/* The rule of the settings (cost.yaml). */
enum cost_rule sheet_rule(const struct server *server);
/* Hosts and their prices alone. */
int sheet_read_hosts(struct server *server, struct sheet **ret, struct error *err);
