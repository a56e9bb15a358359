/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/wdl_command.h"
#include "correlate/model/record.h"
#include "correlate/model/task.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* miniwdl runs workflows in WDL: each call has a folder of its name. Seen with strace in version
 * 1.16 (docs/engines/miniwdl.md). */
#define WORK_FOLDER "/work" /* "/work2" from the second attempt on */

/* miniwdl calls podman by sudo. */
static bool miniwdl_is_shim(const struct exec_view *exec)
{
	return strcmp(exec->command->subject, "sudo") == 0;
}

/* A call's container; not the question for the program's version, nor the pull of an image. */
static bool miniwdl_is_task(const struct run *run, const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;

	return rule && rule->kind == RULE_LAUNCHER &&
	       (text_ends_with(exec->name, " exec") || text_ends_with(exec->name, " run"));
}

/* Which attempt it is, the folder says that is bound for its work. */
static uint32_t miniwdl_attempt(const struct command *command, const char *folder)
{
	char work[RECORD_NAME_LIMIT];
	size_t len = (size_t)snprintf(work, sizeof(work), "/%.200s" WORK_FOLDER, folder);

	for (size_t i = 0; i < command->count; i++) {
		const char *at = strstr(command->args[i], work);
		size_t digits = at ? strspn(at + len, "0123456789") : 0;

		if (digits && (at[len + digits] == ':' || at[len + digits] == ','))
			return (uint32_t)strtoul(at + len, NULL, 10);
	}
	return 1;
}

/* It works in "call-NAME", of a scatter in "call-NAME-INDEX-TEXT". */
static void miniwdl_name_task(struct task *task, const struct exec_view *exec)
{
	const char *folder = text_basename(exec->image->cwd ? exec->image->cwd : "");
	const char *base = folder + strlen("call-"), *sample;
	char step[RECORD_NAME_LIMIT];
	size_t len;

	if (task->named || !text_starts_with(folder, "call-"))
		return;
	len = strcspn(base, "-");
	sample = base + len + (base[len] == '-');
	if (isdigit((unsigned char)*sample) && sample[strspn(sample, "0123456789")] == '-')
		sample += strspn(sample, "0123456789") + 1;
	task_set_name(task, name_copy(base, len, step, sizeof(step)), sample);
	task->record.attempt = miniwdl_attempt(exec->command, folder);
}

const struct engine engine_miniwdl = {
	.name = "miniwdl",
	.program = "miniwdl",
	.begins = wdl_command_begins,
	.describe = wdl_command_describe,
	.is_task = miniwdl_is_task,
	.is_shim = miniwdl_is_shim,
	.name_task = miniwdl_name_task,
};
