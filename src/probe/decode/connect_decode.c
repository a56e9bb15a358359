/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/connect_decode.h"

#include <errno.h>
#include <stdio.h>

#include <arpa/inet.h>

#include "probe/abi/connect.h"

/* "192.0.2.1:443" */
static void peer_of(const struct connect_failure *failure, char text[PROBE_PEER_MAX])
{
	char address[INET6_ADDRSTRLEN] = "";

	(void)inet_ntop(failure->inet6 ? AF_INET6 : AF_INET, failure->address, address,
			sizeof(address));
	(void)snprintf(text, PROBE_PEER_MAX, failure->inet6 ? "[%s]:%u" : "%s:%u", address,
		       failure->port);
}

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
	peer_of(&record->failure, failure.peer);
	if (handler->on_connect_failed)
		handler->on_connect_failed(handler->context, &failure);
	return 0;
}
