/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/audit.h"
#include "server/api/handlers.h"
#include "server/rows/answer.h"
#include "server/server.h"

static int write_record(const struct audit_record *record, void *context)
{
	struct row_writer *writer = context;
	const struct cell cells[] = {
		cell_time(record->at),      cell_text(record->who),  cell_text(record->action),
		cell_text(record->subject), cell_text(record->from), cell_text(record->result),
	};

	ROW_LIST_ADD(writer, cells);
	return 0;
}

int get_audit(struct request *request, struct reply *reply)
{
	static const struct row_column COLUMNS[] = {
		{ "at", STORE_TIME },      { "who", STORE_TEXT },  { "action", STORE_TEXT },
		{ "subject", STORE_TEXT }, { "from", STORE_TEXT }, { "result", STORE_TEXT },
	};
	struct row_writer writer;
	int rc;

	answer_begin(&writer, request, reply);
	ROW_LIST_BEGIN(&writer, "audit", COLUMNS);
	rc = audit_read(request->server->settings->data_folder,
			(size_t)request_number(request, "limit"), write_record, &writer,
			&reply->error);
	row_list_end(&writer);
	row_writer_end(&writer);
	return rc;
}
