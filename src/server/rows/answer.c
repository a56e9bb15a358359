/* SPDX-License-Identifier: Apache-2.0 */
#include "server/rows/answer.h"

#include <microhttpd.h>
#include <string.h>
#include <strings.h>

#include "server/http/request.h"

/* Whether a header Accept names the media type, without its parameters. */
static bool accept_names(const char *accept, const char *media_type)
{
	size_t len = strcspn(media_type, ";");

	for (; *accept; accept += strcspn(accept, ","), accept += *accept == ',') {
		accept += strspn(accept, " \t");
		if (!strncasecmp(accept, media_type, len) && strchr(",; \t", accept[len]))
			return true;
	}
	return false;
}

const struct row_format *answer_choose(const char *accept, const struct row_format *const *formats,
				       size_t count)
{
	for (size_t i = 0; accept && i < count; i++)
		if (accept_names(accept, formats[i]->media_type))
			return formats[i];
	return formats[0];
}

const struct row_format *answer_format(const struct request *request)
{
	return answer_choose(MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
							 MHD_HTTP_HEADER_ACCEPT),
			     ROW_FORMATS, ROW_FORMATS_COUNT);
}

void answer_begin(struct row_writer *writer, const struct request *request, struct reply *reply)
{
	const struct row_format *format = answer_format(request);

	reply->tagged = true;
	reply->type = format->media_type;
	row_writer_begin(writer, format, &reply->body);
}
