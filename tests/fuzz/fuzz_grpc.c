/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile response at containerd's socket. The first byte is the size of the pieces in which it
 * arrives. A complete response is parsed as the description of a container. */
#include "fuzz.h"

#include <string.h>

#include "base/buffer.h"
#include "collect/runtime/container_facts.h"
#include "collect/runtime/grpc_call.h"

#define LIMIT 4096

static int feed(struct grpc_call *call, const uint8_t *bytes, size_t len, size_t step)
{
	struct buffer out;
	int rc;
	buffer_init(&out, 0);
	rc = grpc_call_output(call, &out);
	MUST(rc == 0);
	for (size_t at = 0; at < len && rc == 0;) {
		size_t piece = step < len - at ? step : len - at;
		rc = grpc_call_feed(call, bytes + at, piece);
		if (rc == 0)
			rc = grpc_call_output(call, &out);
		at += piece;
	}
	buffer_clear(&out);
	return rc;
}

static void read_facts(const void *message, size_t len)
{
	struct container_facts facts;
	bool known = container_facts_containerd(message, len, "x1", &facts);
	MUST(known || (!facts.name && !facts.image && !facts.namespace && !facts.pod_name));
	MUST(!facts.name || strlen(facts.name) <= CONTAINER_FACT_BYTES);
	MUST(!facts.image || strlen(facts.image) <= CONTAINER_FACT_BYTES);
	container_facts_clear(&facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const struct grpc_request request = { .path = "/a.B/C", .message = "", .limit = LIMIT };
	struct grpc_call *call;
	const void *message = NULL;
	size_t message_len = 0;
	if (len == 0)
		return 0;
	MUST(grpc_call_new(&call, &request) == 0);
	if (feed(call, bytes + 1, len - 1, 1 + bytes[0]) == 1 &&
	    grpc_call_status(call, &message, &message_len) == GRPC_OK) {
		MUST(message && message_len <= LIMIT);
		read_facts(message, message_len);
	}
	grpc_call_free(call);
	read_facts(bytes + 1, len - 1);
	return 0;
}
