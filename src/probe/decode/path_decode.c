/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/path_decode.h"

#include <errno.h>
#include <string.h>

int path_decode(char *text, const char *parts, size_t len, bool cut)
{
	size_t end = len, used = 0;

	if (len > PROCESS_PATH_MAX || (len && parts[len - 1]))
		return -EBADMSG;
	if (cut)
		used = (size_t)(stpcpy(text, "…") - text);
	while (end) {
		size_t begin = end - 1;

		while (begin && parts[begin - 1])
			begin--;
		text[used++] = '/';
		memcpy(text + used, parts + begin, end - 1 - begin);
		used += end - 1 - begin;
		end = begin;
	}
	if (!used)
		text[used++] = '/';
	text[used] = '\0';
	return 0;
}
