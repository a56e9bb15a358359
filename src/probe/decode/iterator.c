/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/iterator.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"

#define READ_RECORDS 256

int iterator_run(const struct bpf_link *link, iterator_visit *visit, void *context)
{
	struct process_alive_record records[READ_RECORDS];
	CLEANUP(closep) int fd = bpf_iter_create(bpf_link__fd(link));
	size_t len = 0;

	if (fd < 0)
		return fd;
	for (;;) {
		ssize_t n = read(fd, (char *)records + len, sizeof(records) - len);
		size_t count;

		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		len += (size_t)n;
		count = len / sizeof(records[0]);
		for (size_t i = 0; visit && i < count; i++) {
			int code = visit(&records[i], context);

			if (code)
				return code;
		}
		len -= count * sizeof(records[0]);
		memmove(records, &records[count], len);
	}
}
