/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/ingest_request.h"

#include <stdlib.h>

#include "lake/store/boundary.h"

void ingest_request_answer(struct ingest_request *request, int rc, bool duplicate,
			   const struct error *err)
{
	request->answered = true;
	request->packed = NULL;
	buffer_clear(&request->repacked);
	if (request->delivery.done)
		request->delivery.done(request->delivery.context, rc, duplicate, err);
}

void ingest_request_free(struct ingest_request *request)
{
	if (!request)
		return;
	boundary_free(request->boundary);
	buffer_clear(&request->repacked);
	if (request->delivery.release)
		request->delivery.release(request->delivery.context);
	free(request);
}
