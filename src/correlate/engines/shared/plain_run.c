/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/shared/plain_run.h"

#include "correlate/model/exec_view.h"
#include "correlate/model/run.h"

void plain_run_describe(struct run *run, const struct exec_view *exec)
{
	const struct rule *rule = exec->command->rule;

	if (!rule || (!rule_is_interpreter(rule) && rule->kind != RULE_LAUNCHER))
		run_set_pipeline(run, exec->name, false);
}

bool plain_run_is_task(const struct run *run, const struct exec_view *exec)
{
	return true;
}
