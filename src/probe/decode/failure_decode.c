/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/failure_decode.h"

#include <errno.h>

#include "probe/abi/process.h"

static struct probe_key key_of(const struct process_head *head)
{
	return (struct probe_key){ .pid = head->pid, .start_ns = head->start_ns };
}

int failure_decode_kill(const void *bytes, size_t size, unsigned page_shift,
			const struct probe_handler *handler)
{
	const struct process_kill_record *record = bytes;
	const struct failure_kill *kill = &record->kill;
	struct probe_kill decoded;

	if (size < sizeof(*record) || kill->sender_comm[sizeof(kill->sender_comm) - 1])
		return -EBADMSG;
	decoded = (struct probe_kill){
		.key = key_of(&record->head),
		.signal = (int)kill->signal,
		.code = kill->code,
		.address = kill->address,
		.sender = { .pid = kill->sender_pid, .start_ns = kill->sender_start_ns },
		.sender_uid = kill->sender_uid,
		.sender_comm = kill->sender_comm,
		.oom = kill->oom,
		.limit_bytes = kill->limit_pages << page_shift,
		.used_bytes = kill->used_pages << page_shift,
		.limit_level = kill->limit_level,
		.oom_score_adj = kill->oom_score_adj,
	};
	if (handler->on_kill)
		handler->on_kill(handler->context, &decoded);
	return 0;
}

int failure_decode_attempt(const void *bytes, size_t size, const struct probe_handler *handler)
{
	const struct process_attempt_record *record = bytes;
	const struct failure_attempt *attempt = &record->attempt;
	struct probe_attempt decoded;

	if (size < sizeof(*record) || attempt->path[sizeof(attempt->path) - 1])
		return -EBADMSG;
	decoded = (struct probe_attempt){
		.key = key_of(&record->head),
		.count = attempt->count,
		.error = -attempt->error,
		.path = attempt->path,
	};
	if (handler->on_attempt)
		handler->on_attempt(handler->context, &decoded);
	return 0;
}

_Static_assert(PROBE_OPENS_MAX == FAILURE_OPENS, "all that are kept are reported");

int failure_decode_opens(const void *bytes, size_t size, const struct probe_handler *handler)
{
	const struct process_opens_record *record = bytes;
	const struct failure_opens *opens = &record->opens;
	struct probe_opens decoded;
	uint32_t first;

	if (size < sizeof(*record))
		return -EBADMSG;
	decoded = (struct probe_opens){
		.key = key_of(&record->head),
		.count = opens->count < FAILURE_OPENS ? opens->count : FAILURE_OPENS,
	};
	first = opens->count - (uint32_t)decoded.count;
	for (uint32_t i = 0; i < decoded.count; i++) {
		const struct failure_open *open = &opens->last[(first + i) % FAILURE_OPENS];

		if (open->path[sizeof(open->path) - 1])
			return -EBADMSG;
		decoded.last[i] = (struct probe_open){ .at_ns = open->at_ns,
						       .error = (int)open->error,
						       .in_cwd = open->in_cwd,
						       .path = open->path };
	}
	if (handler->on_opens_failed)
		handler->on_opens_failed(handler->context, &decoded);
	return 0;
}
