/* SPDX-License-Identifier: Apache-2.0 */
#include "server/quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "lake/store/upkeep/upkeep.h"
#include "server/api/live.h"
#include "server/roll_up.h"
#include "server/server.h"

bool quiet_look(struct quiet *quiet, uint64_t used_ns, uint64_t resident)
{
	bool is_quiet = used_ns - quiet->used_ns <= QUIET_USE_NS;
	uint64_t work_ns = used_ns - quiet->released_ns;

	quiet->used_ns = used_ns;
	quiet->seconds = is_quiet ? quiet->seconds + 1 : 0;
	return quiet->seconds >= QUIET_S && resident >= quiet->kept_bytes + QUIET_BYTES &&
	       work_ns >= QUIET_COST * quiet->cost_ns;
}

/* The resident memory of the process, bytes (proc_pid_statm(5)); 0: unknown. */
static uint64_t resident_bytes(void)
{
	CLEANUP(closep) int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	char text[128];
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *resident;

	if (len <= 0)
		return 0;
	text[len] = '\0';
	resident = strchr(text, ' '); /* pages, behind those of all its memory */
	return resident ? strtoull(resident, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* jemalloc(3); NULL in programs without it. */
extern __attribute__((weak)) int mallctl(const char *name, void *old, size_t *old_len, void *new,
					 size_t new_len);

static void release_unused(void)
{
	if (mallctl)
		(void)mallctl("arena.4096.purge", NULL, NULL, NULL, 0); /* of all arenas */
}

/* What it costs itself is no work. */
void server_release_memory(struct server *server)
{
	struct quiet *quiet = &server->quiet;
	struct error err = { "" };
	int rc;

	if (!quiet_look(quiet, clock_process_cpu_ns(), resident_bytes()) ||
	    live_watchers(server->live))
		return;
	server_roll_up_all(server);
	rc = upkeep_release(server->store, &err);
	if (rc == -EBUSY)
		return;
	if (rc)
		log_debug("memory of the store is not freed: %s", error_text(&err));
	release_unused();
	quiet->released_ns = clock_process_cpu_ns();
	quiet->cost_ns = quiet->released_ns - quiet->used_ns;
	quiet->used_ns = quiet->released_ns;
	quiet->kept_bytes = resident_bytes();
}
