/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/http/reply.h"
#include "server/rows/row_writer.h"

struct request;

/* The first of `formats` with a media type that a header Accept (RFC 9110) names, else the first of
 * all. accept may be NULL; weights (q=) are not read. */
const struct row_format *answer_choose(const char *accept, const struct row_format *const *formats,
				       size_t count);
/* The format of ROW_FORMATS for the answer to a request. */
const struct row_format *answer_format(const struct request *request);
/* Begins the answer of a GET, with an entity tag, in that format; row_writer_end ends it. */
void answer_begin(struct row_writer *writer, const struct request *request, struct reply *reply);
