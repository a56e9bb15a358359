/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"
#include "cost/focus/focus_provider.h"
#include "cost/sheet.h"

/* What one row of the dataset is about. */
struct focus_row {
	const struct sheet_host *host;
	const struct focus_provider *provider;
	const struct sheet_task *task; /* NULL: the host, while nothing was held */
	const struct sheet_run *run;   /* of the task */
	const char *tool;              /* of a task that ran one; NULL: none, or several */
	int64_t since_at, until_at;    /* the charge period */
	struct cost_part part;         /* all idle while nothing was held */
	int64_t nusd;                  /* of its three parts */
	int64_t nusd_hour;             /* the host's price in this period */
	const char *price_source;
};

/* The host and the tags of a row, as JSON objects of the key-value format of FOCUS. */
void focus_row_tags(const struct focus_row *row, struct buffer *out);
void focus_row_sku_details(const struct focus_row *row, struct buffer *out);
/* One sentence for people. */
void focus_row_describe(const struct focus_row *row, struct buffer *out);
