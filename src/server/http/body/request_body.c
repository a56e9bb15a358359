/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/body/request_body.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>

#include "base/log.h"
#include "server/http/route.h"
#include "server/http/body/upload.h"
#include "server/server.h"

static uint64_t announced(const struct request *request)
{
	const char *length =
		MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, "Content-Length");

	return length ? strtoull(length, NULL, 10) : 0;
}

/* Words for who sends it: only an administrator may. */
static bool refuse_file(int rc, struct reply *reply)
{
	struct error words = reply->error;

	log_warning("a file is not taken: %s", error_text(&words));
	reply_problem(reply,
		      rc == -EMSGSIZE ? 413
		      : rc == -ENOSPC ? 507
				      : 500,
		      "%s", error_text(&words));
	return false;
}

bool request_body_begin(struct request *request, struct reply *reply)
{
	const struct settings *settings = request->server->settings;
	int rc;

	buffer_init(&request->body, request->route->body_limit);
	if (!request->route->takes_file)
		return true;
	rc = upload_begin(&request->upload, settings->data_folder, settings->bill_limit,
			  announced(request), &reply->error);
	return rc ? refuse_file(rc, reply) : true;
}

bool request_body_is_hopeless(const struct request *request, bool refused, struct reply *reply)
{
	bool takes_file = request->route && request->route->takes_file;

	if (announced(request) <= SERVER_DISCARD_BYTES || (takes_file && !refused))
		return false;
	if (!takes_file)
		reply_problem(reply, 413, "a body may have %u bytes at most", SERVER_DISCARD_BYTES);
	return true;
}

bool request_body_take(struct request *request, const char *bytes, size_t len, struct reply *reply)
{
	int rc;

	if (request->upload) {
		rc = upload_write(request->upload, bytes, len, &reply->error);
		return rc ? refuse_file(rc, reply) : true;
	}
	if (request->body.len + len > request->route->body_limit) {
		reply_problem(reply, 413, "a body here may have %zu bytes",
			      request->route->body_limit);
		buffer_clear(&request->body);
		return false;
	}
	buffer_append(&request->body, bytes, len);
	return true;
}

void request_body_clear(struct request *request)
{
	buffer_clear(&request->body);
	upload_free(request->upload);
	request->upload = NULL;
}
