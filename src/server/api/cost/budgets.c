/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cleanup.h"
#include "base/clock.h"
#include "cost/price.h"
#include "server/api/handlers.h"
#include "server/billing/budget_read.h"
#include "server/rows/answer.h"

static struct cell usd_cell(bool known, int64_t nusd)
{
	return known ? cell_double(cost_usd(nusd)) : CELL_NONE;
}

/* "2026-11" of a time. */
#define MONTH_LEN 7
static const char *month_text(int64_t at, char text[CLOCK_TEXT_SIZE])
{
	clock_format(at, text)[MONTH_LEN] = '\0';
	return text;
}

static void write_budget(struct row_writer *writer, const struct finding_budget *budget,
			 bool spent_known)
{
	const struct budget_forecast *forecast = &budget->forecast;
	bool known = spent_known && forecast->known;
	char month[CLOCK_TEXT_SIZE];
	const struct cell cells[] = {
		cell_text(budget->name),
		cell_text(budget->key),
		cell_text(budget->value),
		cell_text(month_text(forecast->month_since_at, month)),
		cell_double(cost_usd(budget->nusd_month)),
		usd_cell(spent_known, forecast->spent_nusd),
		usd_cell(known, forecast->forecast_nusd),
		usd_cell(known, forecast->low_nusd),
		usd_cell(known, forecast->high_nusd),
		cell_i64((int64_t)forecast->known_days),
		cell_time(forecast->exceeded_at),
		cell_text(spent_known ? budget_state_name(forecast->state) : NULL),
	};

	ROW_LIST_ADD(writer, cells);
}

int get_budgets(struct request *request, struct reply *reply)
{
	static const struct row_column COLUMNS[] = {
		{ "name", STORE_TEXT },
		{ "key", STORE_TEXT },
		{ "value", STORE_TEXT },
		{ "month", STORE_TEXT },
		{ "usd_month", STORE_DOUBLE },
		{ "spent_usd", STORE_DOUBLE },
		{ "forecast_usd", STORE_DOUBLE },
		{ "forecast_low_usd", STORE_DOUBLE },
		{ "forecast_high_usd", STORE_DOUBLE },
		{ "known_days", STORE_I64 },
		{ "exceeded_at", STORE_TIME },
		{ "state", STORE_TEXT },
	};
	CLEANUP(budgets_clear) struct budgets budgets = { 0 };
	struct row_writer writer;
	int rc = budgets_read(request->server, clock_real_ns(), &budgets, &reply->error);

	if (rc)
		return rc;
	answer_begin(&writer, request, reply);
	ROW_LIST_BEGIN(&writer, "budgets", COLUMNS);
	for (size_t i = 0; i < budgets.count; i++)
		write_budget(&writer, &budgets.items[i], budgets.known);
	row_list_end(&writer);
	row_field(&writer, "unpriced_hosts", cell_i64((int64_t)budgets.unpriced_hosts));
	row_writer_end(&writer);
	return 0;
}
