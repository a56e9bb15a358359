/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/processes.h"

#include <string.h>

struct gpu_process *processes_get(struct processes *processes, uint32_t pid)
{
	struct gpu_process *process;

	if (pid == 0 || pid > GPU_PID_MAX)
		return NULL;
	for (size_t i = 0; i < processes->count; i++) {
		if (processes->list[i].pid == pid)
			return &processes->list[i];
	}
	if (processes->count == GPU_PROCESSES_MAX)
		return NULL;
	process = &processes->list[processes->count++];
	*process = (struct gpu_process){ .pid = pid,
					 .busy_ns = GPU_UNKNOWN,
					 .memory_bytes = GPU_UNKNOWN };
	return process;
}

void processes_add(uint64_t *figure, uint64_t more)
{
	if (more == GPU_UNKNOWN)
		return;
	*figure = *figure == GPU_UNKNOWN ? more : *figure + more;
}

void processes_write(struct processes *processes, const char *uuid, struct buffer *out)
{
	for (size_t i = 0; i < processes->count; i++) {
		struct gpu_line line = { .kind = GPU_LINE_PROCESS, .process = processes->list[i] };

		(void)strncpy(line.process.uuid, uuid, sizeof(line.process.uuid) - 1);
		gpu_line_write(out, &line);
	}
}
