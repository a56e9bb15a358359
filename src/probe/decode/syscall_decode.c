/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/syscall_decode.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "probe/abi/syscall.h"

static const char *const classes[SYSCALL_CLASSES] = {
	[SYSCALL_OTHER] = "other",   [SYSCALL_OPEN] = "open",         [SYSCALL_READ] = "read",
	[SYSCALL_WRITE] = "write",   [SYSCALL_METADATA] = "metadata", [SYSCALL_SYNC] = "sync",
	[SYSCALL_MEMORY] = "memory", [SYSCALL_PROCESS] = "process",   [SYSCALL_SIGNAL] = "signal",
	[SYSCALL_LOCK] = "lock",     [SYSCALL_POLL] = "poll",         [SYSCALL_SOCKET] = "socket",
	[SYSCALL_TIME] = "time",     [SYSCALL_IPC] = "ipc",           [SYSCALL_ASYNC] = "async",
	[SYSCALL_COMPAT] = "compat",
};

static const char *error_name(uint32_t error)
{
	const char *name = strerrorname_np((int)error);

	if (error == SYSCALL_RESTART)
		return "ERESTARTSYS";
	return name ? name
		    : "other"; /* an error that only the kernel uses, which no program should see */
}

static void report(const struct process_head *head, uint32_t class, const char *error,
		   const struct syscall_count *count, const struct probe_handler *handler)
{
	const struct probe_syscall call = {
		.key = { .pid = head->pid, .start_ns = head->start_ns },
		.image_seq = head->image_seq,
		.class = classes[class],
		.error = error,
		.calls = count->calls,
		.time_ns = count->ns,
	};

	if (count->calls && handler->on_syscall)
		handler->on_syscall(handler->context, &call);
}

static bool is_readable(const struct syscall_use *use)
{
	for (size_t i = 0; i < SYSCALL_FAILURES; i++)
		if (use->pairs[i] >> 16 >= SYSCALL_CLASSES ||
		    (use->pairs[i] & 0xffff) > SYSCALL_ERRNO_MAX)
			return false;
	return true;
}

int syscall_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler)
{
	const struct process_syscall_record *record = bytes;
	const struct syscall_use *use = &record->use;

	if (size < sizeof(*record) || !is_readable(use))
		return -EBADMSG;
	for (uint32_t class = 0; class < SYSCALL_CLASSES; class ++) {
		report(&record->head, class, "", &use->counts[SYSCALL_DONE + class], handler);
		report(&record->head, class, "other", &use->counts[SYSCALL_FAILED + class],
		       handler);
	}
	for (size_t i = 0; i < SYSCALL_FAILURES; i++)
		report(&record->head, use->pairs[i] >> 16, error_name(use->pairs[i] & 0xffff),
		       &use->counts[SYSCALL_PAIRS + i], handler);
	return 0;
}
