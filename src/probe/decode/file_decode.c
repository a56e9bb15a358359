/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/file_decode.h"

#include <errno.h>
#include <string.h>

#include "probe/abi/process.h"
#include "probe/decode/path_decode.h"

static const char *const kinds[FILE_KINDS] = {
	[FILE_REGULAR] = "file",        [FILE_SYSTEM] = "system", [FILE_PSEUDO] = "pseudo",
	[FILE_DIRECTORY] = "directory", [FILE_PIPE] = "pipe",     [FILE_SOCKET] = "socket",
	[FILE_DEVICE] = "device",       [FILE_OTHER] = "other",   [FILE_MORE] = "more",
	[FILE_FAILED] = "failed",
};

int file_decode(char *path, const void *bytes, size_t size, const struct probe_handler *handler)
{
	const struct process_head *head = bytes;
	const struct file_record *record = &((const struct process_file_record *)bytes)->file;
	const size_t fixed = offsetof(struct process_file_record, file.path);
	struct probe_file file;

	if (size < fixed || size - fixed < record->path_len || record->kind >= FILE_KINDS ||
	    !kinds[record->kind] || record->path_len > FILE_PATH_MAX)
		return -EBADMSG;
	if (record->path_len && path_decode(path, record->path, record->path_len, record->path_cut))
		return -EBADMSG;
	file = (struct probe_file){
		.key = { .pid = head->pid, .start_ns = head->start_ns },
		.image_seq = head->image_seq,
		.id = record->id,
		.kind = kinds[record->kind],
		.path = record->path_len ? path : NULL,
		.opens = record->opens,
		.failures = record->failures,
		.moved_bytes = record->moved_bytes,
		.size_bytes = record->size_bytes,
		.first_ns = record->first_ns,
		.last_ns = record->last_ns,
		.error = record->error,
		.error_is_new = record->flags & FILE_ERROR_IS_NEW,
		.reads = record->flags & FILE_READS,
		.writes = record->flags & FILE_WRITES,
		.mapped = record->flags & FILE_MAPPED,
	};
	if (handler->on_file)
		handler->on_file(handler->context, &file);
	return 0;
}
