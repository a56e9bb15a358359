/* SPDX-License-Identifier: Apache-2.0 */
/* Hostile settings of costs, and the texts of a run that they are held against: YAML, a NUL, then
 * texts separated by NULs. */
#include "fuzz.h"

#include <errno.h>
#include <string.h>

#include "cost/policy/policy.h"

#define TEXTS 5

static void use(const struct cost_policy *policy, const char *text, size_t len)
{
	const char *texts[TEXTS] = { 0 }, *name, *centre;
	char words[COST_POLICY_WORDS];
	double usd_hour = 0, factor;

	for (size_t i = 0, count = 0; i < len && count < TEXTS; i += strlen(text + i) + 1)
		texts[count++] = text + i;
	centre = cost_policy_centre(policy, texts[0], texts[1], texts[2], texts[3]);
	MUST(!centre || *centre);
	factor = cost_policy_factor(policy, texts[0], texts[1], texts[2], texts[3], &name);
	MUST(factor > 0 && factor <= 10 && (factor == 1 || name));
	if (cost_policy_machine(policy, texts[4], &usd_hour, words))
		MUST(usd_hour > 0 && usd_hour <= 10000 && strlen(words) < sizeof(words));
	for (size_t i = 0; i < policy->budget_count; i++) {
		MUST(policy->budgets[i].nusd_month > 0);
		(void)cost_budget_fits(&policy->budgets[i], texts[0], texts[1], texts[2], centre);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *copy = malloc(len + 1);
	struct cost_policy *policy = NULL;
	struct error err = { "" };
	size_t yaml_len;
	int rc;

	MUST(copy);
	if (len > 0)
		memcpy(copy, bytes, len);
	copy[len] = '\0';
	yaml_len = strlen(copy);
	rc = cost_policy_parse(copy, yaml_len, "fuzz.yaml", &policy, &err);
	MUST(rc == 0 || rc == -EINVAL);
	MUST(rc == 0 || !strncmp(err.text, "fuzz.yaml:", 10));
	MUST(!strchr(err.text, '\n'));
	MUST((rc == 0) == (policy != NULL));
	if (policy && yaml_len < len)
		use(policy, copy + yaml_len + 1, len - yaml_len - 1);
	cost_policy_free(policy);
	free(copy);
	return 0;
}
