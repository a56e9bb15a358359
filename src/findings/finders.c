/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/finders.h"

#include "findings/failure/failures.h"
#include "findings/slowness/slowness.h"
#include "findings/usual/usual_findings.h"

/* All finders, a line each: NAME.c defines `const struct finder finder_NAME`. */
#define FINDERS(FINDER)         \
	FINDER(step_memory)     \
	FINDER(step_cpus)       \
	FINDER(budget_exceeded) \
	FINDER(budget_at_risk)

#define DECLARE(name) extern const struct finder finder_##name;
#define ENTRY(name)   &finder_##name,

FINDERS(DECLARE) static const struct finder *const finders[] = { FINDERS(ENTRY) };

static int each_task(const struct finder *finder, const struct finding_input *input,
		     struct findings *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->task_count; i++)
		rc = finder->find(&(struct subject){ .finder = finder,
						     .run = input->run,
						     .task = &input->tasks[i] },
				  ret);
	return rc;
}

static int each_step(const struct finder *finder, const struct finding_input *input,
		     struct findings *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->step_count; i++)
		rc = finder->find(&(struct subject){ .finder = finder,
						     .run = input->run,
						     .step = &input->steps[i] },
				  ret);
	return rc;
}

static int each_run(const struct finder *finder, const struct finding_input *input,
		    struct findings *ret)
{
	return input->run
		       ? finder->find(&(struct subject){ .finder = finder, .run = input->run }, ret)
		       : 0;
}

static int each_budget(const struct finder *finder, const struct finding_input *input,
		       struct findings *ret)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < input->budget_count; i++)
		rc = finder->find(
			&(struct subject){ .finder = finder, .budget = &input->budgets[i] }, ret);
	return rc;
}

int finder_apply(const struct finder *finder, const struct finding_input *input,
		 struct findings *ret)
{
	static int (*const each[])(const struct finder *, const struct finding_input *,
				   struct findings *) = {
		[SUBJECT_TASK] = each_task,
		[SUBJECT_STEP] = each_step,
		[SUBJECT_RUN] = each_run,
		[SUBJECT_BUDGET] = each_budget,
	};

	return each[finder->subject](finder, input, ret);
}

int findings_find(const struct finding_input *input, struct findings *ret)
{
	int rc = failures_find(input, ret);

	if (rc == 0 && input->slowness)
		rc = slowness_find(input->slowness, ret);
	if (rc == 0)
		rc = usual_findings_find(input, ret);
	for (size_t i = 0; rc == 0 && i < sizeof(finders) / sizeof(finders[0]); i++)
		rc = finder_apply(finders[i], input, ret);
	return rc;
}
