/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/bill_read.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "server/billing/bill_gather.h"
#include "server/query/query.h"

/* A host without any sample for as long was off: samples come every few seconds. */
#define UP_GAP_NS (60 * NS_PER_S)

static int make(struct server *server, int64_t since_at, int64_t until_at, bool tasks,
		struct bill **ret, struct error *err)
{
	CLEANUP(bill_freep) struct bill *bill = bill_new(since_at, until_at);
	const struct store_param window[] = { PARAM_TIME("since_at", bill ? bill->since_at : 0),
					      PARAM_TIME("until_at", until_at) };
	CLEANUP(store_rows_freep) struct store_rows *hosts = NULL, *up = NULL, *runs = NULL;
	const struct store_param all[] = { PARAM_OPTIONAL("host", NULL) };
	int rc;

	if (!bill)
		return error_set(err, -ENOMEM, "out of memory");
	rc = QUERY(server, "hosts", all, &hosts, err);
	if (rc == 0)
		rc = QUERY(server, "activity_up", window, &up, err);
	if (rc == 0)
		rc = QUERY(server, "activity_runs", window, &runs, err);
	if (rc == 0)
		rc = gather_hosts(bill, hosts);
	if (rc == 0)
		rc = gather_intervals(bill, up, runs, UP_GAP_NS);
	if (rc == 0 && tasks)
		rc = gather_tasks(bill, server, err);
	if (rc == 0)
		rc = bill_split(bill);
	if (rc)
		return err->text[0] ? rc : error_set(err, rc, "the bill: %s", strerror(-rc));
	*ret = TAKE_PTR(bill);
	return 0;
}

int bill_make(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
	      struct error *err)
{
	return make(server, since_at, until_at, true, ret, err);
}

int bill_make_whole(struct server *server, int64_t since_at, int64_t until_at, struct bill **ret,
		    struct error *err)
{
	return make(server, since_at, until_at, false, ret, err);
}

int bill_make_hosts(struct server *server, struct bill **ret, struct error *err)
{
	const struct store_param all[] = { PARAM_OPTIONAL("host", NULL) };
	CLEANUP(store_rows_freep) struct store_rows *hosts = NULL;
	CLEANUP(bill_freep) struct bill *bill = bill_new(0, 0);
	int rc = bill ? QUERY(server, "hosts", all, &hosts, err)
		      : error_set(err, -ENOMEM, "out of memory");

	if (rc == 0 && gather_hosts(bill, hosts))
		rc = error_set(err, -ENOMEM, "out of memory");
	if (rc == 0)
		*ret = TAKE_PTR(bill);
	return rc;
}
