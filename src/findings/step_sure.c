/* SPDX-License-Identifier: Apache-2.0 */
#include "findings/step_sure.h"

#include <stdio.h>
#include <string.h>

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static bool is_sure(const struct size_amount *amount)
{
	return amount->enough && amount->needs_tasks == 0 && amount->needs_runs == 0;
}

/* What more it needs, tasks before runs: they come with these. */
static int write_missing(char **ret, const struct size_amount *amount)
{
	if (amount->needs_tasks > 0)
		return asprintf(
			ret, " By %zu task%s of %zu run%s; not sure before %zu more task%s.",
			amount->tasks, plural(amount->tasks), amount->runs, plural(amount->runs),
			amount->needs_tasks, plural(amount->needs_tasks));
	return asprintf(ret, " By %zu task%s of %zu run%s; not sure before %zu more run%s.",
			amount->tasks, plural(amount->tasks), amount->runs, plural(amount->runs),
			amount->needs_runs, plural(amount->needs_runs));
}

char *step_sure_words(const struct size_amount *amount)
{
	char *text = NULL;
	int len;

	if (!amount || amount->tasks == 0)
		return strdup("");
	len = is_sure(amount)
		      ? asprintf(&text, " By %zu tasks of %zu runs.", amount->tasks, amount->runs)
		      : write_missing(&text, amount);
	return len < 0 ? NULL : text;
}

enum finding_confidence step_sure_confidence(const struct size_amount *amount)
{
	if (!amount || is_sure(amount))
		return CONFIDENCE_HIGH;
	return amount->enough ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
}

void step_sure_evidence(const struct size_amount *amount, struct json *json)
{
	json_key(json, "basis");
	json_text(json, size_basis_name(amount->basis));
	json_key(json, "history_tasks");
	json_u64(json, amount->tasks);
	json_key(json, "history_runs");
	json_u64(json, amount->runs);
	if (amount->risk >= 0) {
		json_key(json, "risk");
		json_double(json, amount->risk);
	}
	json_key(json, "needs_tasks");
	json_u64(json, amount->needs_tasks);
	json_key(json, "needs_runs");
	json_u64(json, amount->needs_runs);
}
