/* SPDX-License-Identifier: Apache-2.0 */
#include "server/rows/bucket_times.h"

#include "server/query/query.h"

static const struct row_column COLUMNS[] = { { "since_at", STORE_TIME },
					     { "until_at", STORE_TIME } };

static void fill(const struct store_rows *rows, void *context, struct cell *cells)
{
	int64_t at = row_i64(rows, "at");
	int64_t covered_ns = (int64_t)(row_double(rows, "sample_s") * (double)NS_PER_S);

	cells[0] = cell_time(at);
	cells[1] = cell_time(at + covered_ns);
}

const struct row_extra BUCKET_TIMES = { COLUMNS, 2, fill, NULL };
