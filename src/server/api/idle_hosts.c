/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cleanup.h"
#include "base/clock.h"
#include "findings/finders.h"
#include "findings/host_use.h"
#include "server/api/findings.h"
#include "server/api/handlers.h"
#include "server/billing/budget_read.h"
#include "server/findings/finding_input.h"
#include "server/rows/answer.h"

static int write_host(struct row_writer *writer, const struct sheet_host *host,
		      const struct finding_host *used)
{
	struct host_use use;
	int rc = host_use_make(used, &use);
	const char *type = host->instance_type;

	if (rc)
		return rc;
	const struct cell cells[] = {
		cell_text(host->id),
		cell_text(host->hostname),
		cell_text(*type ? type : NULL),
		cell_seconds((int64_t)use.up_ns),
		cell_seconds((int64_t)use.tracked_ns),
		cell_seconds((int64_t)use.idle_ns),
		cell_seconds((int64_t)use.longest_idle_ns),
		use.idle_usd < 0 ? CELL_NONE : cell_double(use.idle_usd),
	};

	ROW_LIST_ADD(writer, cells);
	return 0;
}

static int write_hosts(struct row_writer *writer, const struct finding_source *source)
{
	static const struct row_column COLUMNS[] = {
		{ "id", STORE_TEXT },
		{ "hostname", STORE_TEXT },
		{ "instance_type", STORE_TEXT },
		{ "up_s", STORE_DOUBLE },
		{ "tracked_s", STORE_DOUBLE },
		{ "idle_s", STORE_DOUBLE },
		{ "longest_idle_s", STORE_DOUBLE },
		{ "idle_usd", STORE_DOUBLE },
	};
	int rc = 0;

	ROW_LIST_BEGIN(writer, "hosts", COLUMNS);
	for (size_t i = 0; rc == 0 && i < source->sheet->host_count; i++)
		if (source->hosts[i].up_count)
			rc = write_host(writer, &source->sheet->hosts[i], &source->hosts[i]);
	row_list_end(writer);
	return rc;
}

int get_waste(struct request *request, struct reply *reply)
{
	CLEANUP(finding_source_clear) struct finding_source source = { 0 };
	CLEANUP(budgets_clear) struct budgets budgets = { 0 };
	CLEANUP(findings_clear) struct findings findings = { 0 };
	struct row_writer writer;
	int rc = finding_source_of_hosts(request->server, request_number(request, "days"), &source,
					 &reply->error);

	if (rc == 0)
		rc = budgets_read(request->server, clock_real_ns(), &budgets, &reply->error);
	if (rc == 0) {
		source.input.budgets = budgets.items;
		source.input.budget_count = budgets.known ? budgets.count : 0;
		rc = findings_find(&source.input, &findings);
	}
	if (rc == 0) {
		answer_begin(&writer, request, reply);
		findings_write(&writer, &findings, true);
		rc = write_hosts(&writer, &source);
		row_writer_end(&writer);
	}
	return rc;
}
