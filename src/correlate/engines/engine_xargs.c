/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/engines/shared/plain_run.h"
#include "correlate/tree/attribution.h"

/* xargs starts one command many times: each of its children is a task of the run that it is in. */
const struct engine engine_xargs = {
	.name = "xargs",
	.program = "xargs",
	.reported = REPORT_FROM_ROOT,
	.tasks_by_pipes = true,
	.fans_out = true,
	.fan_role = ROLE_FAN,
	.describe = plain_run_describe,
	.is_task = plain_run_is_task,
};
