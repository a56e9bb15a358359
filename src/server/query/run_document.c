/* SPDX-License-Identifier: Apache-2.0 */
#include "server/query/run_document.h"

#include <errno.h>

#include "base/log.h"
#include "lake/store/settle/store_settle.h"
#include "server/query/query.h"
#include "server/server.h"

/* Raised when a document gets another form or meaning. */
#define FORM "1"

/* By which program, with which settings. */
static void write_maker(const struct server *server, struct buffer *ret)
{
	const char *thresholds = server->settings->thresholds;

	buffer_init(ret, 0);
	buffer_printf(ret, "%s %s %s", TRACER_VERSION, FORM, thresholds ? thresholds : "");
}

static int read_text(struct server *server, const char *id, const char *kind,
		     struct store_rows **ret, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer maker = { 0 };

	write_maker(server, &maker);
	if (maker.failed)
		return error_set(err, -ENOMEM, "out of memory");
	const struct store_param params[] = { PARAM_TEXT("run", id), PARAM_TEXT("kind", kind),
					      PARAM_TEXT("maker", maker.data) };

	return QUERY(server, "settled_document", params, ret, err);
}

int run_document_read(struct server *server, const char *id, const char *kind, json_t **ret,
		      struct error *err)
{
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	json_error_t words;
	int rc;

	*ret = NULL;
	rc = read_text(server, id, kind, &rows, err);
	if (rc || !store_next(rows))
		return rc;
	*ret = json_loads(row_text(rows, "text"), 0, &words);
	if (!*ret)
		log_warning("the document %s of run %s is not readable: it is made again", kind,
			    id);
	return 0;
}

int run_document_keep(struct server *server, const char *id, uint64_t settled, const char *kind,
		      const struct buffer *text, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer maker = { 0 };

	write_maker(server, &maker);
	if (maker.failed || text->failed)
		return error_set(err, -ENOMEM, "no memory for what was concluded of a run");
	return store_keep(server->store, id, settled, kind, maker.data, text->data, err);
}
