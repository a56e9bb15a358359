/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/marker.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "collect/procfs/fields.h"

#define TEXT_BYTES                                                                     \
	64 /* boot id, a space, the instant in 20 digits, a line's end: always as long \
	    */

struct marker {
	int fd;
	char *path;
	char boot_id[40];
};

static struct marker_previous read_previous(int fd, const char *boot_id)
{
	struct marker_previous previous = { 0 };
	char text[TEXT_BYTES + 1], boot[40];
	const char *rest = text;
	uint64_t alive_at;
	ssize_t len = pread(fd, text, TEXT_BYTES, 0);

	if (len <= 0)
		return previous;
	text[len] = '\0';
	if (!fields_word(&rest, boot, sizeof(boot)) || !fields_u64(&rest, &alive_at))
		return (struct marker_previous){ .alive_at = clock_real_ns() };
	previous.alive_at = (int64_t)alive_at;
	previous.rebooted = strcmp(boot, boot_id) != 0;
	return previous;
}

int marker_open(struct marker **ret, const char *state_folder, const char *boot_id,
		struct marker_previous *ret_previous, struct error *err)
{
	struct marker *marker = calloc(1, sizeof(*marker));

	if (!marker || asprintf(&marker->path, "%s/running", state_folder) < 0) {
		free(marker);
		return error_set(err, -ENOMEM, "no memory for the agent's marker");
	}
	(void)snprintf(marker->boot_id, sizeof(marker->boot_id), "%s", boot_id);
	marker->fd = open(marker->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (marker->fd < 0) {
		int code = -errno;

		error_set(err, code, "cannot write %s: %s", marker->path, strerror(errno));
		marker_free(marker);
		return code;
	}
	*ret_previous = read_previous(marker->fd, boot_id);
	marker_beat(marker, clock_real_ns());
	*ret = marker;
	return 0;
}

void marker_beat(struct marker *marker, int64_t alive_at)
{
	char text[TEXT_BYTES + 1];
	int len = snprintf(text, sizeof(text), "%s %020" PRId64 "\n", marker->boot_id, alive_at);

	/* A heartbeat that cannot be written leaves an older one: a longer loss is recorded, not
	 * none.
	 */
	if (len > 0 && pwrite(marker->fd, text, (size_t)len, 0) < 0)
		return;
}

void marker_remove(struct marker *marker)
{
	unlink(marker->path);
}

void marker_free(struct marker *marker)
{
	if (!marker)
		return;
	closep(&marker->fd);
	free(marker->path);
	free(marker);
}
