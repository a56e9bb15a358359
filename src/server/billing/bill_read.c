/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/bill_read.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "server/billing/bill_gather.h"
#include "server/query/query.h"

/* A host without any sample for as long was off: samples come every few seconds. */
#define UP_GAP_NS (60 * NS_PER_S)

static int read_hosts(struct server *server, struct bill *bill, struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *hosts = NULL;
	int rc = query_named(server, "priced_hosts", NULL, 0, &hosts, err);

	return rc ? rc : gather_hosts(bill, hosts);
}

/* What a bill is needed for. */
struct need {
	enum bill_parts parts;
	const char *run;
	bool costs_only; /* runs are not needed where no host has a price */
};

static int read_parts(struct server *server, struct bill *bill, const struct need *need,
		      struct error *err)
{
	switch (need->parts) {
	case BILL_TASKS:
		return gather_tasks(bill, server, need->run, err);
	case BILL_STEPS:
		return gather_parts(bill, server, "activity_steps", err);
	case BILL_TOOLS:
		bill_forget_engines(bill);
		return gather_parts(bill, server, "activity_tools", err);
	case BILL_WHOLE:
		break;
	}
	return 0;
}

static int read_runs(struct server *server, struct bill *bill, const struct need *need,
		     struct error *err)
{
	const struct store_param window[] = { PARAM_TIME("since_at", bill->since_at),
					      PARAM_TIME("until_at", bill->until_at) };
	CLEANUP(store_rows_freep) struct store_rows *up = NULL, *runs = NULL;
	int rc = QUERY(server, "activity_up", window, &up, err);

	if (rc == 0)
		rc = QUERY(server, "activity_runs", window, &runs, err);
	if (rc == 0)
		rc = gather_intervals(bill, up, runs, UP_GAP_NS);
	if (rc == 0)
		rc = read_parts(server, bill, need, err);
	return rc ? rc : bill_split(bill);
}

static bool has_price(const struct bill *bill)
{
	for (size_t i = 0; i < bill->host_count; i++)
		if (cost_is_known(bill->hosts[i].price.usd_hour))
			return true;
	return false;
}

static int make(struct server *server, int64_t since_at, int64_t until_at, const struct need *need,
		struct bill **ret, struct error *err)
{
	CLEANUP(bill_freep) struct bill *bill = bill_new(since_at, until_at);
	int rc;

	if (!bill)
		return error_set(err, -ENOMEM, "out of memory");
	rc = read_hosts(server, bill, err);
	if (rc == 0 && (!need->costs_only || has_price(bill)))
		rc = read_runs(server, bill, need, err);
	if (rc)
		return err->text[0] ? rc : error_set(err, rc, "the bill: %s", strerror(-rc));
	*ret = TAKE_PTR(bill);
	return 0;
}

int bill_make(struct server *server, int64_t since_at, int64_t until_at, enum bill_parts parts,
	      const char *run, struct bill **ret, struct error *err)
{
	const struct need need = { .parts = parts, .run = run };

	return make(server, since_at, until_at, &need, ret, err);
}

int bill_make_costs(struct server *server, int64_t since_at, int64_t until_at, const char *run,
		    struct bill **ret, struct error *err)
{
	const struct need need = { .parts = run ? BILL_TASKS : BILL_WHOLE,
				   .run = run,
				   .costs_only = true };

	return make(server, since_at, until_at, &need, ret, err);
}

int bill_make_hosts(struct server *server, struct bill **ret, struct error *err)
{
	CLEANUP(bill_freep) struct bill *bill = bill_new(0, 0);
	int rc = bill ? read_hosts(server, bill, err) : -ENOMEM;

	if (rc)
		return err->text[0] ? rc : error_set(err, rc, "the bill: %s", strerror(-rc));
	*ret = TAKE_PTR(bill);
	return 0;
}
