/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/work/work_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/shell_quote.h"

char *work_copy(const char *text)
{
	return text && *text ? strdup(text) : NULL;
}

char *work_task_name(const struct sweep_task *task)
{
	const char *name = *work_text(task->name) ? task->name : work_text(task->step);
	char *text = NULL;

	if (!*name)
		return strdup(task->id);
	if (!*work_text(task->sample) || strstr(name, task->sample))
		return strdup(name);
	return asprintf(&text, "%s (%s)", name, task->sample) < 0 ? NULL : text;
}

/* Whatever an agent sent: digits and blanks alone, and neither init nor, as kill(1) takes 0, the
 * shell of who pastes the command. */
static bool are_pids(const char *pids)
{
	char *end = NULL;

	if (!*pids || pids[strspn(pids, "0123456789 ")])
		return false;
	for (; *pids; pids = end) {
		if (strtol(pids, &end, 10) <= 1)
			return false;
		end += strspn(end, " ");
	}
	return true;
}

/* What keeps a task would start it again, or wait for it, if a process of it were killed. */
static const struct {
	const char *runtime, *command;
	bool by_job; /* false: by the container */
} KEEPERS[] = {
	{ "slurm", "scancel ", true },
	{ "docker", "docker stop ", false },
	{ "podman", "podman stop ", false },
};

char *work_end_command(const struct sweep_task *task)
{
	struct buffer text;
	const char *name = "";

	buffer_init(&text, 0);
	for (size_t i = 0; i < sizeof(KEEPERS) / sizeof(KEEPERS[0]) && !*name; i++) {
		if (strcmp(work_text(task->runtime), KEEPERS[i].runtime) != 0)
			continue;
		name = work_text(KEEPERS[i].by_job ? task->job_id : task->container);
		if (!*name)
			break;
		buffer_append_text(&text, KEEPERS[i].command);
		shell_name(&text, name);
	}
	if (!*name && are_pids(work_text(task->pids)))
		buffer_printf(&text, "kill %s", task->pids);
	else if (!*name && task->pid > 1)
		buffer_printf(&text, "kill %lld", (long long)task->pid);
	char *command = text.len > 0 ? buffer_take(&text) : NULL;
	buffer_clear(&text);
	return command;
}

bool work_task_is_exempted(const struct waste_finder *finder, const struct sweep_input *input,
			   const struct sweep_task *task)
{
	const struct sweep_host *host = sweep_host_find(input, task->host_id);

	return sweep_policy_exempts(input->policy, &(struct sweep_concerns){
							   .kind = finder->name,
							   .user = task->user,
							   .hostname = host ? host->hostname : NULL,
							   .pipeline = task->pipeline,
							   .labels = task->labels,
						   });
}
