/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cost/focus/focus.h"
#include "cost/policy/policy.h"
#include "server/api/handlers.h"
#include "server/api/cost/time_window.h"
#include "server/billing/sheet_read.h"
#include "server/server.h"

/* The costs as a FOCUS file. It is made while it is sent, row by row: of many tasks and days it is
 * larger than an answer may be. */

#define TYPE_CSV       "text/csv; charset=utf-8"
#define FILES_AT_ONCE  4 /* each keeps its sheet until it is sent */
#define RESPONSE_BLOCK ((size_t)64 << 10)

struct focus_file {
	struct sheet *sheet;
	struct focus_writer *writer;
	struct buffer rows; /* not sent yet */
	size_t sent;        /* of them */
};

static atomic_uint files_open; /* and those that are prepared */

static void file_free(struct focus_file *file)
{
	focus_writer_free(file->writer);
	sheet_free(file->sheet);
	buffer_clear(&file->rows);
	free(file);
}

static void file_sent(void *context)
{
	file_free(context);
	atomic_fetch_sub(&files_open, 1);
}

static ssize_t file_read_rows(void *context, uint64_t position, char *out, size_t size)
{
	struct focus_file *file = context;
	size_t part;

	if (file->sent == file->rows.len) {
		buffer_reset(&file->rows);
		file->sent = 0;
		while (file->rows.len < RESPONSE_BLOCK / 2 &&
		       focus_writer_next(file->writer, &file->rows))
			;
		if (file->rows.failed)
			return MHD_CONTENT_READER_END_WITH_ERROR;
	}
	part = file->rows.len - file->sent;
	if (part == 0)
		return MHD_CONTENT_READER_END_OF_STREAM;
	part = part < size ? part : size;
	memcpy(out, file->rows.data + file->sent, part);
	file->sent += part;
	return (ssize_t)part;
}

/* Takes the sheet. Where it succeeds, the end of the file gives back the place in files_open. */
static int file_make(struct sheet **sheet, struct MHD_Response **ret)
{
	struct focus_file *file = calloc(1, sizeof(*file));
	int rc = file ? focus_writer_new(*sheet, &file->writer) : -ENOMEM;

	if (rc) {
		free(file);
		return rc == -ENOMEM ? rc : -EIO; /* a sheet that is not as it should be */
	}
	buffer_init(&file->rows, 0);
	file->sheet = TAKE_PTR(*sheet);
	*ret = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, RESPONSE_BLOCK, file_read_rows,
						 file, file_sent);
	if (!*ret)
		file_free(file);
	return *ret ? 0 : -ENOMEM;
}

static int prepare(struct server *server, const struct sheet_ask *ask, struct reply *reply)
{
	CLEANUP(sheet_freep) struct sheet *sheet = NULL;
	int rc;

	if (atomic_fetch_add(&files_open, 1) >= FILES_AT_ONCE)
		rc = error_set(&reply->error, -EBUSY,
			       "%d files of costs are being sent; ask again later", FILES_AT_ONCE);
	else
		rc = sheet_read(server, ask, &sheet, &reply->error);
	if (rc == 0)
		rc = file_make(&sheet, &reply->stream);
	if (rc)
		atomic_fetch_sub(&files_open, 1);
	return rc;
}

int get_cost_focus(struct request *request, struct reply *reply)
{
	bool by_hour = strcmp(request_text(request, "over"), "hour") == 0;
	struct sheet_ask ask = { .bucket = by_hour ? SHEET_HOUR : SHEET_DAY,
				 .rule = request->server->policy->rule,
				 .billed = true };
	int rc = time_window(request, clock_real_ns(), &ask.since_at, &ask.until_at, &reply->error);

	if (rc == 0)
		rc = prepare(request->server, &ask, reply);
	if (rc)
		return rc;
	MHD_add_response_header(reply->stream, MHD_HTTP_HEADER_CONTENT_DISPOSITION,
				"attachment; filename=\"tracer-focus.csv\"");
	reply->type = TYPE_CSV;
	return 0;
}
