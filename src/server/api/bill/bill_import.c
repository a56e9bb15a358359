/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "lake/store/import/store_import.h"
#include "lake/store/store_reader.h"
#include "server/api/handlers.h"
#include "server/findings/analysis_worker.h"
#include "server/http/body/upload.h"
#include "server/query/query.h"
#include "server/server.h"

/* Takes a provider's bill into the store. One at a time: each may need much room. */
#define UNPACKED_TIMES 4 /* the limit of a file: what it may have unpacked */

static int run_import(struct request *request, struct store_rows **ret, struct error *err)
{
	const struct upload *upload = request->upload;
	const char *batch = request_text(request, "batch");
	const struct store_param params[] = {
		PARAM_TEXT("hash", upload->hash),
		PARAM_TEXT("name", request_text(request, "name")),
		PARAM_TEXT("batch", batch ? batch : upload->hash),
		PARAM_I64("parts", request_number(request, "files")),
		PARAM_I64("bytes", (int64_t)upload->bytes),
	};
	const struct store_import import = {
		.kind = "bill",
		.path = upload->path,
		.params = params,
		.count = sizeof(params) / sizeof(params[0]),
		.unpacked_limit = UNPACKED_TIMES * upload->limit,
	};
	/* It takes longer than a question may, and does not end because its client has gone. */
	struct store_reader *reader = store_reader_current();
	int rc;

	store_reader_use(NULL);
	rc = store_import(request->server->store, &import, ret, err);
	store_reader_use(reader);
	if (rc == 0)
		analysis_worker_renew(request->server->analyst);
	return rc;
}

/* Who sent the file gets the words. */
static int refuse(int rc, struct reply *reply)
{
	struct error words = reply->error;

	if (rc != -EEXIST && rc != -ENOSPC)
		return rc;
	return reply_problem(reply, rc == -EEXIST ? 409 : 507, "%s", error_text(&words));
}

static void write_stored(struct reply *reply, struct store_rows *rows, bool more)
{
	struct json json;

	reply->status = 201;
	json_init(&json, &reply->body, false);
	json_object_begin(&json);
	json_key(&json, "id");
	json_text(&json, row_text(rows, "id"));
	json_key(&json, "format");
	json_text(&json, row_text(rows, "format"));
	json_key(&json, "lines");
	json_i64(&json, row_i64(rows, "lines"));
	json_key(&json, "complete");
	json_bool(&json, !more);
	json_object_end(&json);
}

int post_bills(struct request *request, struct reply *reply)
{
	struct server *server = request->server;
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	bool more;
	int rc = upload_end(request->upload, &reply->error);

	if (rc)
		return rc;
	if (atomic_exchange(&server->importing, true))
		return error_set(&reply->error, -EBUSY,
				 "another bill is being imported; send it again later");
	rc = run_import(request, &rows, &reply->error);
	atomic_store(&server->importing, false);
	request_audit(request, "import a bill", request_text(request, "name"),
		      rc ? error_text(&reply->error) : "stored");
	if (rc)
		return refuse(rc, reply);
	server->changes++; /* costs are in billed money from here on */
	(void)store_next(rows);
	more = !row_bool(rows, "complete");
	write_stored(reply, rows, more);
	return 0;
}
