/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "server/api/handlers.h"
#include "server/diff/compared_run.h"
#include "server/diff/diff_write.h"
#include "server/query/beside.h"
#include "server/query/run.h"
#include "server/rows/answer.h"

/* GET /api/v1/runs/{run}/diff: what changed since another run. */

/* The last run of its pipeline before it. */
static int find_previous(struct request *request, const char *id, char previous[RUN_ID_SIZE],
			 struct error *err)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	const struct store_param params[] = {
		PARAM_TEXT("run", id),
		PARAM_OPTIONAL("reader", reader_param(&request->reader, &text))
	};
	int rc = QUERY(request->server, "run_previous", params, &rows, err);

	if (rc)
		return rc;
	if (!store_next(rows))
		return error_set(
			err, -ENOENT,
			"no earlier run of its pipeline has ended: name the run to compare it "
			"with");
	snprintf(previous, RUN_ID_SIZE, "%s", row_text(rows, "id"));
	return 0;
}

/* ids: of the earlier run, and of the one that the path names. */
static int find_runs(struct request *request, struct reply *reply, char ids[2][RUN_ID_SIZE])
{
	const char *with = request_text(request, "with");
	int rc = run_resolve(request, reply, ids[1]);

	if (rc == 0)
		rc = with ? run_resolve_named(request, with, reply, ids[0])
			  : find_previous(request, ids[1], ids[0], &reply->error);
	if (rc == 0 && strcmp(ids[0], ids[1]) == 0)
		rc = error_set(&reply->error, -EINVAL,
			       "both are the run %s: a comparison needs two", ids[0]);
	return rc;
}

struct earlier {
	struct server *server;
	const char *id;
	struct compared_run *run;
};

static int read_earlier(void *context, struct error *err)
{
	struct earlier *earlier = context;

	return compared_run_read(earlier->run, earlier->server, earlier->id, err);
}

static int read_runs(struct server *server, char ids[2][RUN_ID_SIZE], struct compared_run runs[2],
		     struct error *err)
{
	struct earlier earlier = { server, ids[0], &runs[0] };
	struct error words = { "" };
	struct beside beside;
	int rc, earlier_rc;

	beside_begin(&beside, read_earlier, &earlier);
	rc = compared_run_read(&runs[1], server, ids[1], err);
	earlier_rc = beside_end(&beside, &words);
	if (rc == 0 && earlier_rc)
		*err = words;
	return rc ? rc : earlier_rc;
}

static void clear_runs(struct compared_run (*runs)[2])
{
	compared_run_clear(&(*runs)[0]);
	compared_run_clear(&(*runs)[1]);
}

int get_run_diff(struct request *request, struct reply *reply)
{
	CLEANUP(clear_runs) struct compared_run runs[2] = { 0 };
	CLEANUP(run_diff_clear) struct run_diff diff = { 0 };
	char ids[2][RUN_ID_SIZE];
	struct row_writer writer;
	int rc = find_runs(request, reply, ids);

	if (rc == 0)
		rc = read_runs(request->server, ids, runs, &reply->error);
	if (rc)
		return rc;
	rc = run_diff_make(&diff, &runs[0].run, &runs[1].run);
	if (rc)
		return error_set(&reply->error, rc == -EINVAL ? -EIO : rc,
				 "cannot compare the runs %s and %s: %s", ids[0], ids[1],
				 strerror(-rc));
	answer_begin(&writer, request, reply);
	diff_write(&writer, &diff, runs);
	row_writer_end(&writer);
	return 0;
}
