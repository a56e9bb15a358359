/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/shared/submit.h"

#include "base/text.h"
#include "correlate/command/command.h"
#include "correlate/engines/engine.h"

#include <string.h>

bool submit_is_client(const struct engine *engine, const struct command *command)
{
	static const char *const others[] = { "qsub", "bsub", "msub", "oarsub", "condor_submit" };

	if (strcmp(command->subject, "sbatch") == 0)
		return true;
	for (size_t i = 0; engine->own_folder && i < sizeof(others) / sizeof(*others); i++)
		if (strcmp(command->subject, others[i]) == 0)
			return true;
	return false;
}

const char *submit_job_name(const struct command *command)
{
	for (size_t i = 0; i < command->count; i++)
		if (text_starts_with(command->args[i], "-J") ||
		    text_starts_with(command->args[i], "--job-name"))
			return NULL;
	return command->count ? text_basename(command->args[command->count - 1]) : NULL;
}
