/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/failure/failures.h"

#include "findings/failure/failure_write.h"

/* Failed tasks beyond those that were read. */
static size_t count_unread(const struct failure_facts *facts)
{
	size_t read = 0;

	for (size_t i = 0; i < facts->task_count; i++)
		if (facts->tasks[i].status == PROCESS_FAILED ||
		    facts->tasks[i].status == PROCESS_KILLED)
			read++;
	return facts->run.tasks_failed > read ? facts->run.tasks_failed - read : 0;
}

int failures_find(const struct finding_input *input, struct findings *ret)
{
	CLEANUP(failure_analysis_clear) struct failure_analysis analysis = { 0 };
	CLEANUP(failure_groups_clear) struct failure_groups groups = { 0 };
	int rc;

	if (!input->failure)
		return 0;
	rc = failure_analysis_make(input->failure, &analysis);
	if (rc == 0)
		rc = failure_groups_make(&analysis, &groups);
	for (size_t i = 0; rc == 0 && i < groups.count; i++)
		rc = failure_write(&groups.items[i], i == 0 ? count_unread(input->failure) : 0,
				   ret);
	return rc ? rc : failure_write_masked(&analysis, ret);
}
