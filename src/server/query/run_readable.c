/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_readable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/map.h"
#include "server/http/request.h"
#include "server/query/query.h"

DEFINE_CLEANUP(struct map *, map_free)

static void write_ids(const struct sheet *sheet, struct buffer *out)
{
	struct json json;

	buffer_init(out, 0);
	json_init(&json, out, false);
	json_array_begin(&json);
	for (size_t i = 0; i < sheet->run_count; i++)
		json_text(&json, sheet->runs[i].id);
	json_array_end(&json);
}

static int read_ids(struct map *ids, struct store_rows *rows)
{
	int rc = 0;

	while (rc == 0 && store_next(rows)) {
		const char *id = row_text(rows, "run_id");
		struct map_text_key key = map_text_key(id, strlen(id));

		rc = map_put(ids, &key, ids);
	}
	return rc;
}

int run_readable(struct request *request, const struct sheet *sheet, bool **ret, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	CLEANUP(buffer_clear) struct buffer runs = { 0 };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	CLEANUP(map_freep) struct map *ids = NULL;
	const char *reader = reader_param(&request->reader, &text);
	int rc;

	*ret = NULL;
	if (!reader)
		return 0;
	write_ids(sheet, &runs);
	ids = map_new_of_texts(sheet->run_count + 1);
	*ret = calloc(sheet->run_count + 1, sizeof(**ret));
	if (!ids || !*ret || runs.failed)
		return error_set(err, -ENOMEM, "out of memory");
	const struct store_param params[] = { PARAM_TEXT("runs", runs.data),
					      PARAM_TEXT("reader", reader) };

	rc = QUERY(request->server, "runs_readable", params, &rows, err);
	if (rc == 0 && read_ids(ids, rows))
		rc = error_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; rc == 0 && i < sheet->run_count; i++) {
		struct map_text_key key =
			map_text_key(sheet->runs[i].id, strlen(sheet->runs[i].id));

		(*ret)[i] = map_get(ids, &key) != NULL;
	}
	return rc;
}
