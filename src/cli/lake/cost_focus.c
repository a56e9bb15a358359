/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lake/cost_focus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "cli/lake/client.h"

#define DAY_S      86400
#define FILE_LIMIT ((size_t)8 << 30)
#define TIME_SIZE  32

static void time_text(int64_t at, char text[TIME_SIZE])
{
	time_t seconds = (time_t)at;
	struct tm parts;

	gmtime_r(&seconds, &parts);
	strftime(text, TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

/* Appends what is from one instant to another, with the header where out is empty. */
static int add_part(const struct common *common, int64_t since_at, int64_t until_at,
		    struct buffer *out, struct error *err)
{
	char path[160], since[TIME_SIZE], until[TIME_SIZE];
	char *bytes CLEANUP(freep) = NULL;
	const char *rows;
	size_t len;
	int code;

	time_text(since_at, since);
	time_text(until_at, until);
	(void)snprintf(path, sizeof(path), "/cost/focus?since=%s&until=%s", since, until);
	code = client_get_bytes(common, path, &bytes, &len, err);
	if (code < 0)
		return code;
	rows = memchr(bytes, '\n', len);
	if (!rows)
		return error_set(err, -EPROTO,
				 "the lake sent no FOCUS file: is it of another "
				 "version of Tracer?");
	rows = out->len ? rows + 1 : bytes;
	buffer_append(out, rows, len - (size_t)(rows - bytes));
	return out->failed ? error_set(err, -ENOMEM,
				       "there is not enough memory for the file: ask for fewer "
				       "days")
			   : 0;
}

int cost_focus_write(const struct common *common, int64_t since_at, int64_t until_at,
		     const char *path, struct error *err)
{
	CLEANUP(buffer_clear) struct buffer out = { 0 };
	bool progress = isatty(STDERR_FILENO) == 1;
	int code = 0;

	buffer_init(&out, FILE_LIMIT);
	for (int64_t at = since_at; code == 0 && at < until_at;) {
		int64_t next = at - at % DAY_S + DAY_S;

		next = next < until_at ? next : until_at;
		if (progress)
			fprintf(stderr, "\r%lld days", (long long)((until_at - at) / DAY_S));
		code = add_part(common, at, next, &out, err);
		at = next;
	}
	if (progress)
		fprintf(stderr, "\r\033[K");
	if (code < 0)
		return code;
	if (strcmp(path, "-") != 0)
		return file_write(path, out.data, out.len, 0644, err);
	if (fwrite(out.data, 1, out.len, stdout) != out.len || fflush(stdout) != 0)
		return error_set(err, -EIO, "cannot write to standard output: %s", strerror(errno));
	return 0;
}
