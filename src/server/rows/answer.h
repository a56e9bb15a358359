/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/http/reply.h"
#include "server/rows/row_writer.h"

/* Begins a GET's answer, with an entity tag, in the default format (the first of ROW_FORMATS);
 * row_writer_end ends it. */
static inline void answer_begin(struct row_writer *writer, struct reply *reply)
{
	reply->tagged = true;
	reply->type = ROW_FORMATS[0]->media_type;
	row_writer_begin(writer, ROW_FORMATS[0], &reply->body);
}
