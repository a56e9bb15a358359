/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/cwl_command.h"

#include "base/text.h"

#include <string.h>

/* cwltool runs workflows in CWL. Seen with strace in version 3.1 of Debian 12
 * (docs/engines/cwltool.md). */

/* cwltool asks Node.js to evaluate expressions, and containers' programs about themselves; a job's
 * own such program runs something. */
static bool cwltool_is_task(const struct run *run, const struct exec_view *exec)
{
	static const char *const nodes[] = { "node", "nodejs", NULL };
	static const char *const containers[] = { "docker",    "podman",  "singularity",
						  "apptainer", "udocker", NULL };
	const char *subject = exec->command->subject;

	if (text_is_one_of(subject, nodes))
		return false;
	return !text_is_one_of(subject, containers) || text_ends_with(exec->name, " run") ||
	       text_ends_with(exec->name, " exec");
}

const struct engine engine_cwltool = {
	.name = "cwltool",
	.program = "cwltool",
	.begins = cwl_command_begins,
	.describe = cwl_command_describe,
	.is_task = cwltool_is_task,
};
