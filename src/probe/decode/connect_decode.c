/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/connect_decode.h"

#include <errno.h>

#include "probe/abi/connect.h"
#include "probe/decode/peer_text.h"

int connect_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler)
{
	const struct process_connect_record *record = bytes;
	struct probe_connect_failure failure;

	if (size < sizeof(*record) || record->failure.error >= 4096) /* MAX_ERRNO + 1 */
		return -EBADMSG;
	failure = (struct probe_connect_failure){
		.key = { .pid = record->head.pid, .start_ns = record->head.start_ns },
		.at_ns = record->head.at_ns,
		.udp = record->failure.udp,
		.error = (int)record->failure.error,
		.count = record->failure.count,
		.waited_ns = record->failure.waited_ns,
	};
	peer_text(record->failure.address, record->failure.port, record->failure.inet6,
		  failure.peer);
	if (handler->on_connect_failed)
		handler->on_connect_failed(handler->context, &failure);
	return 0;
}
