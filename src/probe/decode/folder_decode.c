/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/folder_decode.h"

#include <errno.h>
#include <string.h>

#include "probe/abi/folder.h"

int folder_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		  const struct probe_handler *handler)
{
	const struct process_folder_record *record = bytes;
	struct probe_folder folder;

	if (size < sizeof(*record) || !memchr(record->path, '\0', sizeof(record->path)))
		return -EBADMSG;
	folder = (struct probe_folder){
		.key = { .pid = record->head.pid, .start_ns = record->head.start_ns },
		.at_ns = record->head.at_ns,
		.path = record->path,
	};
	if (handler->on_folder)
		handler->on_folder(handler->context, &folder);
	return 0;
}
