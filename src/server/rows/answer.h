/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/http/reply.h"
#include "server/rows/row_writer.h"

struct request;

/* The format of the answer to a request: the first of ROW_FORMATS with a media type that its header
 * Accept names, else the first of all. */
const struct row_format *answer_format(const struct request *request);
/* Begins the answer of a GET, with an entity tag, in that format; row_writer_end ends it. */
void answer_begin(struct row_writer *writer, const struct request *request, struct reply *reply);
