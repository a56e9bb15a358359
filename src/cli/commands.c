/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

extern const struct command up_command, down_command, status_command, run_command_entry,
	runs_command, report_command, tasks_command, tools_command, processes_command,
	events_command, tune_command, sweep_command, cost_command, collect_command, doctor_command,
	audit_command, rules_command, record_command_entry, replay_command, version_command;

const struct command *const commands[] = {
	&up_command,        &down_command,    &status_command,
	&run_command_entry, &runs_command,    &report_command,
	&tasks_command,     &tools_command,   &processes_command,
	&events_command,    &tune_command,    &sweep_command,
	&cost_command,      &collect_command, &doctor_command,
	&audit_command,     &rules_command,   &record_command_entry,
	&replay_command,    &version_command, NULL,
};
